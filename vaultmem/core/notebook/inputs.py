"""The files that the worker of a consolidation reads: cards, summaries, and the person's notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.notebook.stem import utc_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from vaultmem.core.notebook.card import Card

RAW_MEMORIES = "raw_memories.md"
SUMMARIES = "rollout_summaries"
NOTES = "notes"
NOTHING = "No raw memories yet."


def input_files(cards: Sequence[Card], notes: Mapping[str, str]) -> dict[str, bytes]:
    """Every input by its path in the worker's folder.

    Args:
        cards: the selected ones, in the order in which they are to be read.
        notes: the text of each ad-hoc note by its file name.
    """
    files = {RAW_MEMORIES: raw_memories(cards)}
    files |= {summary_path(card): _summary(card) for card in cards}
    files |= {f"{NOTES}/{name}": text for name, text in sorted(notes.items())}
    return {path: text.encode() for path, text in files.items()}


def summary_path(card: Card) -> str:
    """Where the worker finds the summary of a card's session."""
    return f"{SUMMARIES}/{card.stem}.md"


def raw_memories(cards: Sequence[Card]) -> str:
    """All cards in one text, a section for each session (facts/notebook.md §5).

    The place of a session's file is not told: what the worker writes travels to other machines.
    """
    sections = "\n".join(map(_section, cards)) or f"{NOTHING}\n"
    return f"# Raw memories\n\n{sections}"


def _section(card: Card) -> str:
    return (
        f"## Session {card.session}\n"
        f"updated_at: {_moment(card)}\n"
        f"cwd: {_line(card.cwd)}\n"
        f"rollout_summary_file: {card.stem}.md\n"
        f"\n{card.card.strip()}\n"
    )


def _summary(card: Card) -> str:
    branch = f"git_branch: {_line(card.branch)}\n" if card.branch else ""
    return (
        f"thread_id: {card.session}\n"
        f"updated_at: {_moment(card)}\n"
        f"cwd: {_line(card.cwd)}\n"
        f"{branch}"
        f"\n{card.summary.strip()}\n"
    )


def _line(text: str) -> str:
    """A field that cannot begin a line of its own."""
    return " ".join(text.split())


def _moment(card: Card) -> str:
    """The session's last entry in UTC, to the second; a time that is none reads as the first."""
    return utc_text(card.watermark) or "1970-01-01T00:00:00Z"
