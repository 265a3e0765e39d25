"""Sessions become a notebook: extraction, consolidation, publication, and what people do."""
