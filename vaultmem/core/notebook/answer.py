"""The JSON of a model's answer, whatever the model put around it."""

from __future__ import annotations


def bare_answer(text: str) -> str:
    """The text from its first brace to its last one, without a fence or prose around it.

    As facts/governed-memory.md §9.3 has it. Where the prose has braces of its own that is no JSON,
    and who reads it asks once more.
    """
    start, end = text.find("{"), text.rfind("}")
    return text[start : end + 1] if 0 <= start < end else text.strip()
