"""What the facts and the design ask for, seen from outside: rows, forgeries, hostile text, words."""
