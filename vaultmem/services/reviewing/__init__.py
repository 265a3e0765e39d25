"""The verbs of `vaultmem review`."""
