"""Faults that are known and not yet mended, which the plays go past; empty when all is well."""

OPEN: frozenset[str] = frozenset()
