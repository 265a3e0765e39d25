"""Which parts of a message are the user's own words, and not quoted, pasted or code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MASK = "_"
"""Stands for each character of a code span or of quoted text, so that it counts as one word."""

_APOSTROPHES = str.maketrans(dict.fromkeys("’‘ʼ′＇", "'") | dict.fromkeys("“”„‟″＂", '"'))

_ELEMENT = re.compile(r"<([a-z][\w-]{1,40})(?:\s[^<>\n]{0,200})?>.*?(?:</\1\s*>|\Z)", re.DOTALL)
"""`<file name="x">…</file>` and the like; without an end it goes to the end of the message."""
_FENCE = re.compile(
    r"^[ \t]*(`{3,}|~{3,})[^\n]*(?:\n.*?(?:^[ \t]*\1[`~]*[ \t]*$|\Z)|\Z)", re.M | re.S
)
_CODE = re.compile(r"(?<!`)(`{1,2})(?!`)([^`\n]+)\1(?!`)")
_QUOTE = re.compile(
    r"\"([^\"\n]{1,500})\"|«([^»\n]{1,500})»"
    r"|(?:(?<=\s)|(?<=[(:])|^)'((?:[^'\n]|(?<=\w)'(?=\w)){1,500})'(?=[\s.,;:!?)]|$)",
    re.MULTILINE,
)
_FRONTMATTER = re.compile(r"\A---\n.*?^---$.*", re.DOTALL | re.MULTILINE)
_HEADING = re.compile(r"^#{1,6} \S", re.MULTILINE)

_LEAD_NOUN = (
    r"(?:logs?|output|error|errors|trace|traceback|stack ?trace|readme|file|contents?|diff|patch|"
    r"snippet|docs?|documentation|e-?mail|message|comment|comments|review|article|page|text|ticket|"
    r"issue|transcript|response|result|warning|description|spec|guide|policy|config|code|version)"
)
_LEAD = re.compile(
    rf"^(?=[^\n]{{0,160}}\b{_LEAD_NOUN}\b)(?:[^\n]{{0,120}}\b(?:here(?:'s| is| are)|this is|these "
    rf"are|"
    rf"below|pasted?|pasting|copied|got this|says|from|following|quote)\b[^\n]{{0,80}})"
    rf"(?::[ \t]*|(?<=below)[.]?)$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that introduces what is not the user's: `here is the log:`, `I pasted the email below`."""

_PASTED = re.compile(
    r"""
      \s*>                                                        # block quote
    | \s*(?:\[?\d{4}-\d\d-\d\d[T\ ]|\[?\d\d:\d\d:\d\d|\d{1,3}(?:\.\d{1,3}){3}\s)      # a log's time
    | \s*\[?(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE)\b[\]:\ ]
    | \s*(?:error|warning|fatal)(?:\[\w+\])?:\s
    | \s*(?:npm|yarn|pnpm)\ (?:ERR!|WARN|error|warning|notice)
    | \s*\w[\w.]*(?:Error|Exception|Warning)\b(?::|$)
    | Traceback\ \(most | \s+File\ ".*",\ line\ \d | \s+at\ \S+.*[(:]\S*:\d+ | \s*Caused\ by:
    | (?:diff\ --git|index\ [0-9a-f]{7}|@@\ |\+\+\+\ |---\ \S|[+-](?![-+\s])(?=.*\S))  # a diff
    | \s*(?:\$|%|>>>|PS\ ?\S*>)\ \S                               # a prompt
    | \S{0,80}:\d+(?::\d+)?:\s                                    # file:line:column:
    | \s*(?://|/\*|\*/|\#!|<!--|--\ \w+.*;$)                      # comments of code
    | \s*(?:import|from|package|using|\#include)\ [\w.{*"'<]+.*(?:;|\ import\ .*|[>"'])$
    | \s*(?:def|class|fn|func|function|public|private|const|let|var|return)\b.*[{;:(]$
    | .*[;{}]\s*$
    | \s*"[^"]+"\s*:\s
    | \s*[|+][-|+= ].*[|+]\s*$                                    # a table
    """,
    re.VERBOSE,
)

WRAPPERS: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("trivial", re.compile(r"/[a-z][\w:.-]*(?:\s|$)", re.I)),
    (
        "task",
        re.compile(r"(?:#+ *)?(?:task|todo|ticket|goal|objective|story|assignment)\s*:", re.I),
    ),
    (
        "subagent",
        re.compile(
            r"your (?:goal|task|job|mission|objective|assignment) is\b"
            r"|(?:you are|you're|act as|acting as) (?:an? |the )?(?:[\w-]+ ){0,3}"
            r"(?:sub-?agent|delegate|delegated|agent|worker|orchestrator|assistant|expert|bot)\b"
            r"|you are (?:an? )?delegated\b|as an? (?:sub-?agent|worker|delegate)\b"
            r"|(?:you are|you're|act as) an? (?:[\w-]+ ){0,3}(?:engineer|developer|reviewer|"
            r"architect|programmer|tester|analyst|writer|specialist|consultant|coder)\b"
            r"|\[request interrupted|this session is being continued|caveat: the messages below"
            r"|<(?:file name=|system|task-notification|command-)",
            re.I,
        ),
    ),
    ("quoted", re.compile(r"\[read from: ", re.I)),
)
"""How a message begins that is no word of the user to remember, and what refuses it."""

_ANYWHERE = (
    ("quoted", re.compile(r"\[read from: [^\]\n]*\.md\]", re.I)),
    ("subagent", re.compile(r"\bmessage to you\b|\bwithout any context\b", re.I)),
)


def plain(text: str) -> str:
    """The text with straight apostrophes and quotes, character for character."""
    return text.translate(_APOSTROPHES)


def wrapped(text: str) -> str | None:
    """What refuses the whole message: trivial (a command), task, subagent, quoted; else None."""
    start = text.lstrip()
    for refusal, pattern in WRAPPERS:
        if pattern.match(start):
            return refusal
    for refusal, pattern in _ANYWHERE:
        if pattern.search(text):
            return refusal
    return None


def own_words(text: str) -> str:
    """The message with everything that is not the user's own words masked; of the same length.

    Blocks (fences, block quotes, elements, pasted logs, traces, diffs, code, documents) become
    blanks, so that they end a sentence; code spans and quoted text become a word of `MASK`.
    `text` has straight quotes (`plain`).
    """
    for pattern in (_FENCE, _ELEMENT, _FRONTMATTER):
        text = pattern.sub(_blank, text)
    text = _without_pasted(text)
    text = _CODE.sub(_masked, text)
    return _QUOTE.sub(_masked, text)


def _blank(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def _masked(found: re.Match[str]) -> str:
    return MASK * len(found[0])


def _blank_from(text: str, at: int) -> str:
    return text[:at] + re.sub(r"[^\n]", " ", text[at:])


def _without_pasted(text: str) -> str:
    if (lead := _LEAD.search(text)) is not None and text[lead.end() :].strip():
        text = _blank_from(text, lead.end())
    if len(headings := list(_HEADING.finditer(text))) > 1:
        text = _blank_from(text, headings[0].start())
    if "\n" not in text.strip():
        return text if _PASTED_ALONE.match(text) is None else " " * len(text)
    return "\n".join(_lines(text))


_PASTED_ALONE = re.compile(
    r"\s*(?:>|\[?\d{4}-\d\d-\d\d[T ]\d|(?:npm|yarn) (?:ERR!|WARN)|Traceback \(|//|\w+Error: )"
)
"""Of the shapes in `_PASTED`, those that a single line of chat never has by accident."""


def _lines(text: str) -> Iterator[str]:
    pasted = False
    for line in text.split("\n"):
        pasted = _PASTED.match(line) is not None or (pasted and line.startswith(("  ", "\t")))
        yield " " * len(line) if pasted else line
