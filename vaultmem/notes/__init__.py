"""Text to values and back: frontmatter, note types, Markdown structure."""
