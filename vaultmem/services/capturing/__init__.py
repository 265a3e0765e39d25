"""The steps of the one write path."""
