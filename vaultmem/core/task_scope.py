"""An instruction that ends with its task ("when done, I want an html report") is no memory."""

from __future__ import annotations

import re
from typing import NamedTuple

from vaultmem.core.quoted import unquoted

READ_AT_MOST = 20_000
"""Characters that are looked at, as in `core.grant`."""


class _Family(NamedTuple):
    """One of the ways in which an instruction is bound to a task.

    Attributes:
        name: what the refusal calls it.
        pattern: what gives it away in one sentence.
        standing: whether a word of standing ("always", "whenever") makes it a rule after all.
    """

    name: str
    pattern: re.Pattern[str]
    standing: bool


_STANDING = re.compile(
    r"\b(?:always|never|whenever|every\s+time|each\s+time|any\s*time|from\s+now\s+on|going\s+forward|"
    r"in\s+general|by\s+default|as\s+a\s+rule|in\s+(?:the\s+)?future)\b",
    re.IGNORECASE,
)

_DONE = (
    r"(?:(?:when|once|after|as\s+soon\s+as)\s+(?:(?:you|u|we|everything|all\s+of\s+(?:it|this)|all|it|this|that|"
    r"the\s+(?:task|work|job|analysis|refactor(?:ing)?|migration|run|review))(?:'re|'s|\s+are|\s+is|\s+have|'ve|\s+has)?\s+"
    r"(?:all\s+)?)?(?:done|finished|finish|complete|completed|ready|through)"
    r"|at\s+the\s+(?:very\s+)?end|on\s+completion|upon\s+completion|afterwards|in\s+the\s+end|when\s+you\s+finish)\b"
)
_WANT = (
    r"(?:(?:i|we)(?:\s+(?:want|need|expect)|'d\s+like|\s+would\s+like)|(?:please\s+)?(?:give|send|show|write|produce|create|generate|make|"
    r"prepare|provide|deliver|output|draw|build|post|attach|email|mail|hand|summari[sz]e|put\s+together)\b)"
)
_DELIVERABLE = (
    r"(?:reports?|summary|summaries|html|pdf|csv|table|diagram|list|documents?|write-?up|slides?|deck|"
    r"presentation|charts?|graphs?|screenshots?|spreadsheet|overview|recap|readme|page|json|markdown|"
    r"mock-?up|video|plan|estimate|checklist|changelog|demo|proposal|comparison|breakdown|email|message|tl;?dr)"
)
_BUMP = (
    r"(?:bump|upgrad|updat|migrat|mov|releas|switch|port|downgrad|cut|publish|ship|tagg?)"
    r"(?:e|ing|s|es)?"
)
_VERSION = r"v?\d{1,4}(?:\.\d{1,4}){1,3}(?:[-.]?(?:rc|beta|alpha|dev|post)\.?\d*)?"
_EVENT = (
    r"(?:demo|demonstration|presentation|screenshot|screencast|recording|talk|keynote|webinar|workshop|"
    r"meeting|interview|rehearsal|dry\s+run|walk-?through|hackathon)"
)
_SPAN = (
    rf"(?:{_EVENT}|test(?:\s+run)?|"
    r"reports?|pr|mr|pull\s+request|merge\s+request|tasks?|tickets?|issue|branch|commit|session|"
    r"run|change|release|sprint|refactor(?:ing)?|review|migration|feature|bug|"
    r"analysis|experiment|spike|conversation|chat|(?:hot)?fix|assignment|exercise|benchmark|summary|"
    r"proposal|rollout|milestone|iteration|story|epic|investigation|upgrade|slide\s+deck|deck|"
    r"post|blog\s+post|email|batch|import|export|rebase)"
)
_DAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|noon|midnight|monday|"
    r"(?:the\s+)?next\s+(?:week|month|sprint|release|deploy|monday)|(?:the\s+)?end\s+of\s+(?:the\s+)?(?:day|week|month|sprint|quarter|year)|"
    r"eod|eow|\d{4}-\d\d-\d\d|(?:i'm|i\s+am|we're|we\s+are)\s+back|i\s+return|further\s+notice|"
    r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w{0,6}\s+\d{1,2}"
)
_LASTS = (
    r"(?:process|workflow|pipeline|hooks?|messages?|style|conventions?|templates?|format|types?|policy|names?|"
    r"folders?|director(?:y|ies)|files?|suites?|apps?|applications?|servers?|services?|projects?|repos?|"
    r"repositor(?:y|ies)|packages?|modules?|class(?:es)?|layers?|environments?|framework|runner|tools?|scripts?|"
    r"pages?|data|databases?|systems?|sites?|librar(?:y|ies)|components?|setup|machines?|accounts?)"
)
"""A thing that outlives the work: "this demo folder" is no demo."""
_GOES_ON = (
    r"(?:please|just|only|do|don'?t|we|i|you|let'?s|use(?!\s+cases?\b)|run|set|keep|show|hide|skip|disable|enable|turn|"
    r"switch|start|stop|avoid|prefer|stick|leave|make|put|take|pick|choose|tomorrow|today|tonight|this|next|"
    r"on\s+(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
)
"""How a sentence goes on behind "for the demo"; another noun names a thing, "the demo folder"."""
_AMOUNT = (
    r"\d[\d.,_]*\s?(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?|kb|mb|gb|"
    r"kib|mib|gib|%|percent|px|retries|times|attempts|workers|threads)\b|\d[\d.,_]*%"
)
_CHANGED = (
    r"(?:changed|was|were|previously|formerly|up|down|increased|decreased|reduced|raised|lowered|bumped|"
    r"instead\s+of|not|used\s+to\s+be|had\s+been|old\s+value)"
)
_BOUNDED = "bounded to the work at hand"

_FAMILIES = (
    _Family(
        "a deliverable of this task",
        re.compile(
            rf"\b{_DONE}[\s,:-]*(?:then\s+)?[^.!?\n]{{0,30}}?\b{_WANT}[^.!?\n]{{0,60}}?\b{_DELIVERABLE}\b"
            rf"|^\W*(?:please\s+)?{_WANT}[^.!?\n]{{0,60}}?\b{_DELIVERABLE}\b[^.!?\n]{{0,40}}?\b{_DONE}",
            re.IGNORECASE,
        ),
        standing=True,
    ),
    _Family(
        "a step of one version's migration",
        re.compile(
            rf"\b(?:when|while|after|before|once|during|as\s+part\s+of|as\s+we|as\s+you)\s+(?:(?:you|we|the)\s+)?"
            rf"{_BUMP}\b[^.!?,;\n]{{0,40}}?(?:\bto|\bfrom|\bfor|\bas)?\s*\b{_VERSION}(?![\w.]*\w)"
            rf"|\b(?:for|in|during|with)\s+the\s+{_VERSION}\s+(?:release|migration|upgrade|bump|update|cut|rollout)\b",
            re.IGNORECASE,
        ),
        standing=True,
    ),
    _Family(
        _BOUNDED,
        re.compile(
            rf"\b(?:for|in|on|during|within|throughout)\s+(?:just\s+|only\s+)?(?:this|the\s+current|today's|the\s+present)\s+(?:\w+\s+)?{_SPAN}\b"
            rf"(?!\s+{_LASTS}\b)"
            rf"|\bfor\s+the\s+(?:rest|remainder|duration|length)\s+of\s+(?:the|this|our|my|today's)\s+(?:\w+\s+)?"
            rf"(?:{_SPAN}|day|morning|afternoon|evening|week|month)\b(?!\s+{_LASTS}\b)"
            r"|^\W*for\s+the\s+next\s+(?:\w+\s+)?(?:seconds?|minutes?|hours?|days?|weeks?)\b"
            r"|\b(?:this\s+once|this\s+one\s+time|(?:just|only)\s+this\s+time|today\s+only|only\s+today)\b(?!')"
            rf"|\b(?:until|till|til|through|before)\s+(?:{_DAY})\b"
            r"|\bfor\s+(?:now|the\s+moment|the\s+time\s+being|today|tonight|this\s+(?:week|month|afternoon|morning|evening))\b"
            r"|\b(?:this\s+time|right\s+now|temporarily|in\s+the\s+meantime)(?=\s*[,.!]|\s*$|\s+(?:only|around)\b)"
            r"|^\W*(?:temporarily|right\s+now|today|tonight|this\s+(?:week|afternoon|morning|sprint))\b\s*[,:]?\s+(?!\w+\s+(?:is|are|was)\b)",
            re.IGNORECASE,
        ),
        standing=False,
    ),
    _Family(
        _BOUNDED,
        re.compile(
            r"\b(?:for|during|throughout)\s+(?:the|my|our|tomorrow's|\w+day's)\s+"
            rf"(?:(?:upcoming|next|live|customer|client|investor)\s+)?{_EVENT}"
            rf"(?=\s*(?:[,.:;!?)]|$)|\s+[-\u2013\u2014]\s|\s+{_GOES_ON}\b)",
            re.IGNORECASE,
        ),
        standing=True,
    ),
    _Family(
        "a note about a changed value",
        re.compile(
            rf"\(\s*{_CHANGED}\b[^()\n]{{0,40}}?\d[^()\n]{{0,40}}\)"
            rf"|\b(?:changed|increased|decreased|raised|lowered|reduced|bumped|went|moved|extended|shortened)\s+"
            rf"(?:\w+\s+){{0,3}}?from\s+(?:{_AMOUNT})\s+(?:down\s+|up\s+)?to\s+\d",
            re.IGNORECASE,
        ),
        standing=False,
    ),
)
_SENTENCE = re.compile(r"(?<=[!?])\s+|(?<=\.)\s+(?=[A-Z\"'(`])|\n+")


def task_scope(text: str) -> str | None:
    """Which of four families binds the text to one task, in words; None for a standing rule.

    High precision: what is doubtful passes. "When done, commit and push everything" is a standing
    rule, "when done, I want an html report" a deliverable. What is quoted is not said.
    """
    for sentence in _SENTENCE.split(unquoted(text[:READ_AT_MOST])):
        standing = _STANDING.search(sentence) is not None
        for family in _FAMILIES:
            if not (standing and family.standing) and family.pattern.search(sentence):
                return family.name
    return None
