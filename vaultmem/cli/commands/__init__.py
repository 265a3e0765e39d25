"""One module a command; each holds it as `command`."""
