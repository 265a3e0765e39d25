"""A year of work with a vault, day by day: what is learned, cited, corrected and forgotten."""
