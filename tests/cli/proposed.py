"""Candidates of an agent for the tests of the inbox, and what is left of them."""

from __future__ import annotations

AGENT = {"AI_AGENT": "coder"}
TEXTS = (
    "Retry a failed webhook five times.",
    "Name a test as a sentence.",
    "Keep commits small.",
    "Show the plan before a long task.",
    "Water the plants on Monday.",
    "Write dates as numbers.",
    "Prefer tabs in makefiles.",
    "Close the shop at six.",
    "Read the log before the code.",
)


def propose(terminal, *texts):
    """Candidates of an agent, in this order; returns their ids."""
    made = []
    for text in texts:
        done = terminal.ok("add", text, "--category", "pattern", "--json", env=AGENT).json
        assert done["outcome"] == "candidate", done
        made.append(done["id"])
    return made


def statements(terminal):
    return [one["statement"] for one in terminal.ok("inbox", "--json").json["candidates"]]


def memories(terminal):
    return [one["statement"] for one in terminal.ok("learnings", "--json").json["learnings"]]
