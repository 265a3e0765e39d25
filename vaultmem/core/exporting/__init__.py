"""The way back: what the vault holds in the formats of the tools that it imports from."""
