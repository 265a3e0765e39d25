"""The JSON of a model's answer, whatever the model put around it."""

from __future__ import annotations


def bare_answer(text: str) -> str:
    """The text without the code fence that some models put around an answer."""
    stripped = text.strip()
    if stripped.startswith("```") and stripped.endswith("```"):
        return stripped.partition("\n")[2].removesuffix("```")
    return stripped
