"""Memories of other tools on their way into a vault: what was read, and what becomes of it."""
