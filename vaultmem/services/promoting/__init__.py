"""How a memory gets a stronger form: what was heard, the proposals, what a decision does."""
