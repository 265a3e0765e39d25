"""Search engines: derived from the notes, may be deleted at any time."""
