"""How a patch is run: its cases, effects, ledger lines, notes and ticks."""
