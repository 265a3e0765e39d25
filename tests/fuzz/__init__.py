"""Hostile input for everything that reads: mutated real examples, in minutes here and in hours on demand."""
