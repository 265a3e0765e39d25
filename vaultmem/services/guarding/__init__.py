"""What an agent's tools may not touch, and when they could have written."""
