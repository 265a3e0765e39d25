"""The language model: one small protocol, Pi and any OpenAI-compatible endpoint behind it."""
