"""The language model: the real `openai` package and the real Pi against a scripted server."""
