"""How candidates are read, compared and explained."""
