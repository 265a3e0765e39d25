"""vaultmem as a server of the Model Context Protocol, for any client that speaks it."""
