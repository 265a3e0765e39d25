"""Mutants: the code made wrong in one place at a time, to see whether a test notices."""
