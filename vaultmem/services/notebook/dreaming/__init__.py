"""The parts of a dream: what is shown and asked, earlier dreams, and where memories came from."""
