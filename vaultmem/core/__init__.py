"""What is true about a memory: pure functions and values; no files, clock, environment, logging."""
