"""A one-off permission ("you can merge this PR") is for now, and never a memory."""

from __future__ import annotations

import re

from vaultmem.core.quoted import unquoted

READ_AT_MOST = 20_000
"""Characters that are looked at; what is longer is no permission but a pasted file."""

_STANDING = re.compile(
    r"\b(?:always|whenever|every|each|anytime|any\s+time|any|from\s+now\s+on|going\s+forward|"
    r"in\s+general|generally|by\s+default|as\s+a\s+rule|never|not\s+even|usually|must|"
    r"in\s+(?:the\s+)?future|without\s+asking)\b",
    re.IGNORECASE,
)
"""What makes a permission a standing one, or a sentence a rule about permissions."""

_THING = (
    r"(?:pr|prs|mr|pull\s+requests?|merge\s+requests?|branch|commits?|changes?|patch|release|"
    r"deploy(?:ment)?|migrations?|issues?|tickets?|tags?|diff|fix|hotfix|step|one|builds?|version|"
    r"rebase|merge|push|refactor(?:ing)?|revert|rollback|test|tests|check|checks|review|docs|hook|"
    r"pipeline|job|update|upgrade|bump|file|files|conflicts?)"
)
_DEICTIC = (
    rf"(?:(?:this|that|these|those|the\s+current|my\s+current)\s+(?:\w+\s+){{0,2}}?{_THING}\b"
    r"|\b(?:pr|mr|issue|ticket)\s*\#?\d+|\#\d+"
    r"|(?:it|this|that|them)(?=\s*(?:[.,;:!?)]|$|now\b|today\b|please\b|for\s+me\b|when\b|once\b|if\b|anyway\b|yourself\b|as\s+is\b|to\s+\w+\s*(?:$|[.!])))"
    r"|(?:right\s+now|now|today|tonight|immediately|right\s+away|this\s+time|already)(?=\s*(?:[.,;!)]|$)))"
)
_ONE_OFF_VERB = (
    r"(?:merge|push|deploy|release|publish|delete|remove|drop|commit|close|skip|force[\s-]push|rebase|"
    r"tag|revert|restart|install|upgrade|bump|overwrite|ignore|squash|ship|send|run|rerun|kill|reset|"
    r"stash|amend|start|continue|proceed|apply|edit|change|rename|reopen|approve|roll\s+back|bypass|"
    r"disable|use|open|create|cherry-pick|wipe|truncate|move|go)"
)
_MAY = (
    r"(?:(?:you|u|claude|pi|agent)(?:'re|\s+are)?\s+(?:now\s+|also\s+|just\s+)?"
    r"(?:can|may|could|allowed\s+to|free\s+to|good\s+to|welcome\s+to|clear(?:ed)?\s+to|"
    r"have\s+(?:my\s+)?(?:permission|approval|the\s+go-ahead|the\s+green\s+light)\s+to)"
    r"|feel\s+free\s+to|(?:you\s+have\s+)?(?:my\s+)?permission\s+(?:granted\s+)?to"
    r"|(?:i|we)\s+(?:allow|permit|authori[sz]e)\s+you\s+to"
    r"|(?:it\s+is|it's|its|that's|i'm|i\s+am|we're)\s+(?:\w+\s+)?(?:fine|ok|okay|alright|all\s+right|cool|good)"
    r"(?:\s+with\s+(?:me|us|you))?(?:\s+(?:if\s+you|for\s+you\s+to|to|with\s+you))"
    r"|(?:no\s+problem|fine|ok|okay|alright)\s+to)"
)
_JUST_THIS = re.compile(
    r"\b(?:(?:just|only|for)\s+(?:for\s+)?(?:this\s+once|once|this\s+(?:one\s+)?time|the\s+one\s+time)"
    r"|(?:this|that)\s+(?:one\s+)?time\s+(?:only|around)|this\s+once|this\s+one\s+time"
    r"|one[\s-](?:time|off)\s+(?:exception|permission|approval|override)|as\s+an?\s+(?:one[\s-]off|exception))\b",
    re.IGNORECASE,
)
_WHOLE = re.compile(
    r"^[\W_]*(?:(?:yes|yep|yeah|ok|okay|sure|fine|alright|great|good|cool|perfect|lgtm|please|then|so|"
    r"looks\s+good(?:\s+to\s+me)?|sounds\s+good)\b[\s,.!;:-]*){0,4}"
    r"(?:go\s+(?:ahead|for\s+it)|proceed|do\s+it|ship\s+it|merge\s+it|push\s+it|go\s+on|continue|approved|"
    r"(?:you\s+have\s+)?(?:the\s+|a\s+)?green\s+light|permission\s+granted|you\s+(?:can|may)\s+(?:proceed|continue|go\s+ahead|go\s+on)|"
    r"you\s+have\s+my\s+(?:permission|approval|ok|blessing)|"
    r"you(?:'re|\s+are)\s+(?:good|clear)\s+to\s+go|i\s+approve|feel\s+free|be\s+my\s+guest)\b",
    re.IGNORECASE,
)
_PERMITS = re.compile(
    rf"\b{_MAY}\s+(?:just\s+|also\s+|now\s+|safely\s+|go\s+ahead\s+and\s+)*{_ONE_OFF_VERB}\w{{0,4}}\b"
    rf"(?P<rest>[^.!?\n]{{0,160}})",
    re.IGNORECASE,
)
_FOR_THIS = re.compile(
    rf"\b(?:for|on|in|with)\s+(?:this|that|the\s+current)\s+(?:\w+\s+)?{_THING}\b", re.IGNORECASE
)
_POINTS = re.compile(rf"(?<!\w){_DEICTIC}", re.IGNORECASE)
_TELLS_HOW = re.compile(r"\b(?:with|via|using|by|through|from|at|under)\s+(?:▢|\S)", re.IGNORECASE)
_POINTS_HARD = re.compile(rf"\b(?:this|that|these|those)\s+(?:\w+\s+)?{_THING}\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")


def grant_phrase(text: str) -> str | None:
    """The words that give a permission for once, or None.

    High precision: a standing permission ("you may always push to feature branches"), a fact
    ("you can run the tests with `tox`") and a rule ("never merge without review") are none. What
    is quoted is not said. Symmetric in case and kind of apostrophe.
    """
    for sentence in _SENTENCE.split(unquoted(text[:READ_AT_MOST])):
        found = _one_off(sentence)
        if found:
            return " ".join(found.split())
    return None


def _one_off(sentence: str) -> str | None:
    if _STANDING.search(sentence):
        return None
    for pattern in (_JUST_THIS, _WHOLE):
        if match := pattern.search(sentence):
            return match[0]
    for match in _PERMITS.finditer(sentence):
        rest = match["rest"]
        hard = _POINTS_HARD.search(rest) or _FOR_THIS.search(rest)
        if hard or (_POINTS.search(rest) and not _TELLS_HOW.search(rest)):
            return match[0]
    return None
