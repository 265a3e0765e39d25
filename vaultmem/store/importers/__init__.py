"""Readers of the stores of other memory tools; each only reads, and never through a link."""
