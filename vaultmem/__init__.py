"""Long-term memory for coding agents, kept as ordinary Markdown notes in an Obsidian vault."""

__version__ = "0.1.0"
