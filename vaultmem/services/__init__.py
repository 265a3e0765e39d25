"""What a user can do, one verb per module; returns values, prints nothing."""
