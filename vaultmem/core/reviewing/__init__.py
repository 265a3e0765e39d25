"""Reviews of pull requests: what was said and skipped, and the guidelines that were learned."""
