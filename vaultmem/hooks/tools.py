"""The agent's tools: one table of names, sentences and parameters, the source of tools.json."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.citation import INSTRUCTION
from vaultmem.core.model import Category, Scope

if TYPE_CHECKING:
    from vaultmem.hooks.reading import Fields


class Kind(StrEnum):
    """The type of a parameter, as JSON Schema calls it; a list is one of texts."""

    TEXT = "string"
    WHOLE = "integer"
    FLAG = "boolean"
    LIST = "array"


class Parameter(NamedTuple):
    """One parameter of a tool.

    Attributes:
        name: as the model writes it.
        doc: one sentence for the model.
        kind: its type.
        required: whether the tool needs it.
        choices: the words that are allowed; () for any text.
        least, most: bounds of a whole number.
        default: of a whole number, or the choice that holds without one; None for nothing.
    """

    name: str
    doc: str
    kind: Kind = Kind.TEXT
    required: bool = False
    choices: tuple[str, ...] = ()
    least: int = 1
    most: int = 100
    default: int | str | None = None

    def schema(self) -> dict[str, object]:
        """As JSON Schema has it."""
        made: dict[str, object] = {"type": self.kind.value, "description": self.doc}
        if self.choices:
            made["enum"] = list(self.choices)
        if self.kind is Kind.WHOLE:
            made |= {"minimum": self.least, "maximum": self.most}
        if self.kind is Kind.LIST:
            made |= {"items": {"type": "string"}, "maxItems": self.most}
        return made if self.default is None else {**made, "default": self.default}

    def check(self, fields: Fields) -> None:
        """Look whether a call gives it as it must be.

        Raises:
            WrongFieldError: if it is missing or has a wrong value.
        """
        if self.kind is Kind.FLAG:
            fields.flag(self.name)
        elif self.kind is Kind.WHOLE:
            fields.number(self.name, self.least, least=self.least, most=self.most)
        elif self.kind is Kind.LIST:
            fields.texts(self.name, most=self.most)
        elif self.choices and (self.required or fields.maybe(self.name)):
            fields.one_of(self.name, self.choices)
        elif self.required:
            fields.word(self.name)
        else:
            fields.text(self.name, "")


class Tool(NamedTuple):
    """One tool.

    Attributes:
        name: as the model calls it.
        label: as the person sees it.
        doc: what it does, for the model.
        snippet: the same in a few words, for the system prompt's list of tools.
        parameters: in the order of the reference.
        guidelines: sentences about when to use it, for the system prompt.
    """

    name: str
    label: str
    doc: str
    snippet: str
    parameters: tuple[Parameter, ...] = ()
    guidelines: tuple[str, ...] = ()

    def json(self) -> dict[str, object]:
        """As tools.json has it."""
        schema: dict[str, object] = {
            "type": "object",
            "properties": {one.name: one.schema() for one in self.parameters},
            "required": [one.name for one in self.parameters if one.required],
            "additionalProperties": False,
        }
        return {
            "name": self.name,
            "label": self.label,
            "description": self.doc,
            "promptSnippet": self.snippet,
            "promptGuidelines": list(self.guidelines),
            "parameters": schema,
        }


class Subcommand(NamedTuple):
    """A word after `/memory`, with what it does; `arguments` shows how it goes on."""

    name: str
    doc: str
    arguments: str = ""

    def json(self) -> dict[str, str]:
        """As tools.json has it."""
        return {"name": self.name, "description": self.doc, "arguments": self.arguments}


CATEGORIES = tuple(one.value for one in Category)
SCOPES = tuple(one.value for one in Scope)
SEARCHED_IN = ("memory", "vault", "log", "sessions", "all")
SEARCH_MODES = ("keyword", "semantic", "deep")
PARTS = ("note", "long_term", "log", "scratchpad", "inbox")
LISTED = ("memories", "candidates", "inquiries", "notes")
TARGETS = ("daily", "long_term")
EDITS = ("update", "invalidate")
LINES = ("list", "add", "done", "undo", "clear_done")
MOST_HITS = 20

_ID = "The id or short id that a line of the report or a search ends with, or the note's path."
_CURSOR = "Where a longer answer goes on, as the one before named it."

TOOLS = (
    Tool(
        "memory_search",
        "Search memories",
        "Search the long-term memory, and the notes, logs and sessions that may be read here.",
        "Search the long-term memory of the user's rules, decisions and lessons",
        (
            Parameter("query", "What to look for, in words; this or `queries`."),
            Parameter("queries", "Several questions at once, answered together.", Kind.LIST,
                      most=5),
            Parameter("in", "Where to look.", choices=SEARCHED_IN, default="memory"),
            Parameter("mode", "`keyword` for words, `semantic` for meaning, `deep` for both with "
                      "more of each note.", choices=SEARCH_MODES),
            Parameter("limit", "How many hits.", Kind.WHOLE, most=MOST_HITS, default=8),
            Parameter("cursor", _CURSOR),
        ),
        ("Search the memory before you decide how something is done in this project.", INSTRUCTION),
    ),
    Tool(
        "memory_read",
        "Read a memory",
        "Read one memory or note whole, or the long-term memory, today's log, the scratchpad, or "
        "the inbox.",
        "Read a memory, the log, the scratchpad or the inbox",
        (
            Parameter("what", "What to read.", choices=PARTS, default="note"),
            Parameter("id", f"Of a note: {_ID}"),
            Parameter("date", "Of a log: the day, as 2026-11-30; today without it."),
            Parameter("cursor", _CURSOR),
        ),
    ),
    Tool(
        "memory_list",
        "List memories",
        "List memories, or what waits in the inbox, or open questions, or remember notes, in a "
        "line each.",
        "List memories or what waits for a decision",
        (
            Parameter("what", "What to list.", choices=LISTED, default="memories"),
            Parameter("category", "Only memories of this category.", choices=CATEGORIES),
            Parameter("limit", "How many lines.", Kind.WHOLE, most=50, default=20),
            Parameter("cursor", _CURSOR),
        ),
    ),
    Tool(
        "memory_write",
        "Write to memory",
        "Write a line into today's log (`daily`), or propose a statement for the long-term memory "
        "(`long_term`). A line of the log that begins with #decision is found among the decisions.",
        "Write into today's log, or propose a long-term memory",
        (
            Parameter("target", "Where to.", required=True, choices=TARGETS),
            Parameter("text", "What to write: one sentence of about 100 characters.",
                      required=True),
        ),
    ),
    Tool(
        "memory_add",
        "Propose a memory",
        "Propose a durable statement as a memory. It waits in the inbox for the user unless it is "
        "what the user said themselves.",
        "Propose a durable rule, decision or lesson as a memory",
        (
            Parameter("text", "The statement: one sentence of about 100 characters.",
                      required=True),
            Parameter("category", "What kind of statement it is.", required=True,
                      choices=CATEGORIES),
            Parameter("scope", "Where it holds; `project` is this one.", choices=SCOPES),
            Parameter("tags", "A few words to find it by.", Kind.LIST, most=8),
            Parameter("trigger", "Of a guardrail: `bash_contains TEXT`, `bash_regex PATTERN`, "
                      "`tool_name NAME` or `file_modified GLOB`."),
            Parameter("action", "Of a guardrail: `block`, `warn` or `run_after COMMAND`."),
            Parameter("verifier", "Of a guardrail: `tool_called TOOL before COMMAND`."),
            Parameter("override_conflicts", "Only after the user confirmed that it replaces the "
                      "memory which it contradicts.", Kind.FLAG),
        ),
        ("Propose a memory when the user corrects you or states how work is done here; one "
         "sentence, and never what holds for this task only.",),
    ),
    Tool(
        "memory_add_note",
        "Leave a note to remember",
        "Leave a note of several lines for the next consolidation. It is information, never an "
        "order, and the user sees it in the vault.",
        "Leave a longer note to be worked into the memory later",
        (
            Parameter("title", "The note's name, a few words.", required=True),
            Parameter("text", "What is to be kept, in Markdown.", required=True),
        ),
    ),
    Tool(
        "memory_reinforce",
        "Confirm a memory",
        "Say that a memory which you were told proved right. It counts once in a session.",
        "Say that a memory proved right",
        (
            Parameter("id", _ID, required=True),
            Parameter("note", "What it was right about, in a sentence."),
        ),
    ),
    Tool(
        "memory_edit",
        "Propose a change",
        "Propose to change the words of a memory, or to put it out of use. The user decides.",
        "Propose to change a memory or to put it out of use",
        (
            Parameter("id", _ID, required=True),
            Parameter("op", "What to propose.", required=True, choices=EDITS),
            Parameter("text", "The new statement, for `update`."),
            Parameter("reason", "Why, in a sentence.", required=True),
        ),
    ),
    Tool(
        "memory_remove",
        "Propose a removal",
        "Propose to remove a memory. The user decides.",
        "Propose to remove a memory",
        (
            Parameter("id", _ID, required=True),
            Parameter("reason", "Why, in a sentence.", required=True),
        ),
    ),
    Tool(
        "memory_reflect",
        "Gather what is known",
        "Gather the memories around a question, to be weighed together.",
        "Gather what the memory knows of a question",
        (
            Parameter("query", "The question.", required=True),
            Parameter("cursor", _CURSOR),
        ),
    ),
    Tool(
        "memory_topics",
        "List topics",
        "List what the memories are about, the topics in use first.",
        "List what the memories are about",
    ),
    Tool(
        "session_search",
        "Search past sessions",
        "Search earlier conversations by words, or their summaries by meaning.",
        "Search earlier conversations",
        (
            Parameter("query", "What to look for.", required=True),
            Parameter("mode", "`keyword` for words, `semantic` for the meaning of summaries.",
                      choices=("keyword", "semantic"), default="keyword"),
            Parameter("project", "Only sessions of this project, by a part of its name."),
            Parameter("after", "Only sessions from this day on, as 2026-11-30."),
            Parameter("limit", "How many.", Kind.WHOLE, most=MOST_HITS, default=8),
        ),
    ),
    Tool(
        "session_list",
        "List past sessions",
        "List earlier conversations, the newest first.",
        "List earlier conversations",
        (
            Parameter("project", "Only sessions of this project, by a part of its name."),
            Parameter("after", "Only sessions from this day on, as 2026-11-30."),
            Parameter("limit", "How many.", Kind.WHOLE, most=50, default=20),
        ),
    ),
    Tool(
        "session_read",
        "Read a past session",
        "Read messages of an earlier conversation.",
        "Read messages of an earlier conversation",
        (
            Parameter("id", "The session's id, or the beginning of it.", required=True),
            Parameter("offset", "The first message, from 0.", Kind.WHOLE, least=0, most=1_000_000,
                      default=0),
            Parameter("limit", "How many messages.", Kind.WHOLE, most=50, default=50),
        ),
    ),
    Tool(
        "session_decisions",
        "List decisions",
        "List the lines marked #decision of daily logs and of the user's messages.",
        "List decisions of the last days",
        (
            Parameter("days", "How many days back.", Kind.WHOLE, most=365, default=7),
            Parameter("project", "Only of this project, by a part of its name."),
            Parameter("limit", "How many.", Kind.WHOLE, most=30, default=30),
        ),
    ),
    Tool(
        "scratchpad",
        "Scratchpad",
        "The list of open items: see it, add an item, tick or untick one, or clear what is done.",
        "Keep a list of open items",
        (
            Parameter("op", "What to do.", required=True, choices=LINES),
            Parameter("text", "The item, or a part of its words; not for `list` and "
                      "`clear_done`."),
        ),
    ),
)  # fmt: skip
"""Every tool, in the order of the reference."""

SUBCOMMANDS = (
    Subcommand("status", "Which vault is used, and what waits"),
    Subcommand("inbox", "Decide what waits in the inbox"),
    Subcommand("review", "Review open patches"),
    Subcommand("report", "Show what the agent is told", "[PROMPT]"),
    Subcommand("search", "Search the memories", "QUERY"),
    Subcommand("show", "Show one memory", "ID"),
    Subcommand("why", "Tell where a memory comes from", "ID"),
    Subcommand("add", "Remember a sentence", "TEXT"),
    Subcommand("pin", "Tell a memory always", "ID"),
    Subcommand("unpin", "Tell a memory only where it fits", "ID"),
    Subcommand("contest", "Doubt a memory", "ID"),
    Subcommand("forget", "Delete a memory, its text kept", "ID"),
    Subcommand("topics", "List what the memories are about"),
    Subcommand("ratify", "Give a memory force", "ID"),
    Subcommand("undo", "Take back the last change of the machine"),
    Subcommand("doctor", "Look for trouble"),
    Subcommand("sync", "Take in what was edited"),
    Subcommand("off", "Stop remembering and recalling in this session", "[write|read]"),
    Subcommand("on", "Remember and recall again in this session", "[write|read]"),
    Subcommand("help", "List these words"),
)
"""The words after `/memory` that its help names, the first of its completions."""


def tool_named(name: str) -> Tool | None:
    """The tool of that name."""
    return next((one for one in TOOLS if one.name == name), None)


def tools_json() -> dict[str, object]:
    """What templates/pi/tools.json holds, beside the words of the command line."""
    return {"tools": [one.json() for one in TOOLS]}
