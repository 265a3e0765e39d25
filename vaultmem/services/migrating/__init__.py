"""What was read from another tool's store becomes memories and candidates of this vault."""
