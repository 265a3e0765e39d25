"""The checks of `doctor`, quick and deep."""
