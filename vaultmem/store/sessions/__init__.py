"""The agent's session files, which are only read, and what this machine keeps about them."""
