"""The categories of memories and their folders; the report reads no more of the model."""

from __future__ import annotations

from enum import StrEnum


class Category(StrEnum):
    """What kind of statement a memory makes; each has a folder in the memory root."""

    PREFERENCE = "preference"
    LESSON = "lesson"
    PATTERN = "pattern"
    DECISION = "decision"
    DONE = "done"
    MISTAKE = "mistake"


CATEGORY_FOLDER = {
    Category.PREFERENCE: "Preferences",
    Category.LESSON: "Lessons",
    Category.PATTERN: "Patterns",
    Category.DECISION: "Decisions",
    Category.DONE: "Completions",
    Category.MISTAKE: "Mistakes",
}
IDENTITY_FOLDER = "Identity"
