"""Notes with a comment or code that nobody closed, and where a new line stands in each of them."""

from __future__ import annotations

UNCLOSED = [
    ("Prose\n<!-- mine\n", "Prose\n{new}\n<!-- mine\n"),
    ("Prose %% mine", "{new}\nProse %% mine"),
    ("a <!-- b\nc --> d %% e", "{new}\na <!-- b\nc --> d %% e"),
    ("Prose <!-- a -->", "Prose <!-- a -->\n{new}\n"),
    ("```\nmine\n", "{new}\n```\nmine\n"),
    ("<!-- a\n```\nb -->\nmine", "{new}\n<!-- a\n```\nb -->\nmine"),
    ("```\na\n```\n", "```\na\n```\n{new}\n"),
]
"""Before and after; `{new}` stands for the new line, without its end."""
