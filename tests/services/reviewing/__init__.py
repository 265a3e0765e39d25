"""Tests of reviews of pull requests and their guidelines."""
