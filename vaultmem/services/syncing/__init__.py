"""The steps of a sync: what changed, who did it, what follows."""
