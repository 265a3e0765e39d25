"""The agent's side: events of the coding agent come in as JSON lines, one service call each."""
