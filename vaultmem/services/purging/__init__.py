"""What a purge cuts: in notes, in state, and what it cannot reach."""
