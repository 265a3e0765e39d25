"""The agent's tools: one table of names, sentences and parameters, the source of tools.json."""

from __future__ import annotations

from typing import NamedTuple

from vaultmem.core.citation import INSTRUCTION
from vaultmem.core.model import Category, Scope
from vaultmem.core.notebook.browsing import MOST_LISTED, MOST_READ_TOKENS
from vaultmem.core.notebook.text_search import LINES_TOGETHER, MOST_FOUND, MatchMode
from vaultmem.hooks.parameters import Kind, Parameter, Tool


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
SEARCHED_IN = ("memory", "vault", "log", "sessions", "notebook", "all")
SEARCH_MODES = ("keyword", "semantic", "deep")
PARTS = ("note", "long_term", "log", "scratchpad", "inbox", "notebook")
LISTED = ("memories", "candidates", "inquiries", "notes", "notebook")
MATCH_MODES = tuple(one.value for one in MatchMode)
TARGETS = ("daily", "long_term")
EDITS = ("update", "invalidate")
LINES = ("list", "add", "done", "undo", "clear_done")
MOST_HITS = 20
MOST_LINES = 1_000_000

_ID = "The id or short id that a line of the report or a search ends with, or the note's path."
_CURSOR = "Where a longer answer goes on, as the one before named it."

TOOLS = (
    Tool(
        "memory_search",
        "Search memories",
        "Search the long-term memory, and the notes, logs and sessions that may be read here, or "
        "the notebook of earlier sessions line by line.",
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
            Parameter("match_mode", "Of the notebook: whether any of `queries` must stand in a "
                      "line, or all on one, or all within `line_count` lines.",
                      choices=MATCH_MODES, default=MatchMode.ANY.value),
            Parameter("line_count", "Of the notebook: for `all_within_lines`.", Kind.WHOLE,
                      default=LINES_TOGETHER),
            Parameter("context_lines", "Of the notebook: lines to show before and behind.",
                      Kind.WHOLE, least=0, most=50, default=0),
            Parameter("case_sensitive", "Of the notebook: whether case counts.", Kind.FLAG),
            Parameter("normalized", "Of the notebook: whether only letters and digits count.",
                      Kind.FLAG),
            Parameter("path", "Of the notebook: only this file, or those in this folder."),
            Parameter("max_results", "Of the notebook: how many places.", Kind.WHOLE,
                      most=MOST_FOUND, default=MOST_FOUND),
        ),
        ("Search the memory before you decide how something is done in this project.", INSTRUCTION),
    ),
    Tool(
        "memory_read",
        "Read a memory",
        "Read one memory or note whole, or the long-term memory, today's log, the scratchpad, "
        "the inbox, or lines of a file of the notebook.",
        "Read a memory, the log, the scratchpad or the inbox",
        (
            Parameter("what", "What to read.", choices=PARTS, default="note"),
            Parameter("id", f"Of a note: {_ID}"),
            Parameter("date", "Of a log: the day, as 2026-11-30; today without it."),
            Parameter("cursor", _CURSOR),
            Parameter("path", "Of the notebook: the file, such as MEMORY.md."),
            Parameter("line_offset", "Of the notebook: the number of the first line.",
                      Kind.WHOLE, most=MOST_LINES, default=1),
            Parameter("max_lines", "Of the notebook: how many lines; without it all.",
                      Kind.WHOLE, most=MOST_LINES),
            Parameter("max_tokens", "Of the notebook: how many tokens.", Kind.WHOLE,
                      most=MOST_READ_TOKENS, default=MOST_READ_TOKENS),
        ),
    ),
    Tool(
        "memory_list",
        "List memories",
        "List memories, or what waits in the inbox, or open questions, or remember notes, or the "
        "files of the notebook, in a line each.",
        "List memories or what waits for a decision",
        (
            Parameter("what", "What to list.", choices=LISTED, default="memories"),
            Parameter("category", "Only memories of this category.", choices=CATEGORIES),
            Parameter("limit", "How many lines.", Kind.WHOLE, most=50, default=20),
            Parameter("cursor", _CURSOR),
            Parameter("path", "Of the notebook: the folder; without it the whole notebook's."),
            Parameter("max_results", "Of the notebook: how many names.", Kind.WHOLE,
                      most=MOST_LISTED, default=MOST_LISTED),
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
        "Leave a note of several lines for the next consolidation, only when the user asks for "
        "it. It is information, never an order, and the user sees it in the vault.",
        "Leave a longer note, when the user asks for it",
        (
            Parameter("title", "A few words, or a whole name as "
                      "YYYY-MM-DDTHH-MM-SS-<slug>.md.", required=True),
            Parameter("text", "What is to be kept, in Markdown.", required=True),
            Parameter("request", "The words by which the user asked for it, as they wrote them."),
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
        "memory_consolidate",
        "Rewrite the notebook",
        "Have the notebook of earlier sessions rewritten as soon as you rest, only when the user "
        "asks for it.",
        "Have the notebook of earlier sessions rewritten",
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
    Subcommand("notebook status", "Show what was read of sessions, and what is due"),
    Subcommand("notebook run", "Have the notebook rewritten when the agent rests"),
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
