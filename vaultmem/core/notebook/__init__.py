"""What is true about the notebook: its settings, cards, inputs, checks; no files or clock."""
