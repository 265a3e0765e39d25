"""Hooks of other coding agents, mapped onto the messages of our own extension and back."""
