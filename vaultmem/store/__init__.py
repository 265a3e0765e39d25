"""The only code that writes the vault, the config or the state folder."""
