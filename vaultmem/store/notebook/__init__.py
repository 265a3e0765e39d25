"""What this machine knows of the notebook: cards, jobs, modes and costs, in one SQLite file."""
