"""End-to-end tests: the real Pi, offline, with a model server of ours behind it."""
