"""What follows a sync: decisions in notes, deletions that go on, what came to the notebook."""
