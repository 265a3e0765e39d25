"""The rule in a sentence of chat, without the words that only speak to the agent."""

from __future__ import annotations

import re

from vaultmem.core.imperative import COMMON_ORDERS

_AGAIN = r"(?: already| before| again| earlier| many times| twice| a hundred times)*"
_BEFORE_COMMA = (
    r"(?:no|nope|nah|yes|yeah|yep|ok|okay|well|wait|actually|sorry|hey|hi|hello|thanks|thank you|"
    r"great|good|nice|cool|fine|hm+|ugh|argh|oh|listen|look|seriously|honestly|again|btw|fyi|"
    r"by the way|(?:friendly |gentle )?reminder|heads up|(?:just )?so you know|for the record|"
    r"to be clear|(?:please )?note|(?:please )?remember(?: this)?|"
    rf"(?:as|like) (?:i|we) (?:said|mentioned|told you){_AGAIN}|"
    rf"i(?:'ve| have)?(?: already| just)? (?:said|told you)(?: so)?{_AGAIN})[,.!?;:–—-]+\s+"
)
"""What answers, greets or insists; it is left out only before a comma, colon or stop."""
_BEFORE_RULE = (
    r"(?:(?:please |pls |plz )*(?:remember(?: that| to)|(?:do not|don't) forget(?: that| to)?|"
    r"(?:keep|bear) in mind(?: that)?)[,:]?\s+"
    r"|(?:please )?remember "
    r"(?=we\b|(?:\S+ ){1,5}?(?:is|are|has|have|must|should|can|cannot|can't)\b)"
    r"|(?:please|pls|plz|kindly),?\s+)"
)
"""What asks for the rule; the rule follows at once."""
_LEAD = re.compile(rf"(?:{_BEFORE_COMMA}|{_BEFORE_RULE})+(?=\S)", re.IGNORECASE)
_TAIL = re.compile(
    r"(?:,\s*(?:you know|right|ok(?:ay)?|alright|please|pls|plz|thanks|thank you|thx|got it|"
    r"understood|clear|deal|will you|(?:please )?(?:remember|note|keep) (?:that|this|it)"
    r"(?: in mind)?|(?:as|like) (?:i|we) (?:said|told you))|\s+please)+(?P<end>[.!?]*)$",
    re.IGNORECASE,
)
"""What asks for a nod or thanks; `please` also without a comma."""
_STRAIGHT = str.maketrans("’‘", "''")
_FEWEST = 2
"""Words that must be left; a sentence of fewer is kept as it was said."""
_COMMON = (
    "a all always an any avoid before after do don't each every everything for from if in it let's "
    "my never no not nothing on only our prefer that the there these this those under we when "
    "whenever with without you your"
)
_OPENINGS = COMMON_ORDERS.union(_COMMON.split())
"""Words that are no name, so that a sentence may begin with them in a capital: not `npm`, `uv`."""
_ORDINARY = re.compile(r"[a-z]{3,}(?:s|ing|ion|ment|ity)")
"""What by its ending is an ordinary word or a name that bears a capital: tests, staging, redis."""


def rule_text(sentence: str) -> str:
    """The rule as it is remembered: "Please remember: we use uv, you know." is "We use uv.".

    Words inside the rule are never touched, nor is what says for how long it holds ("from now
    on"). A name keeps its letters. Where next to nothing would be left, the sentence stays.
    """
    straight = sentence.translate(_STRAIGHT)  # of the same length
    lead, tail = _LEAD.match(straight), _TAIL.search(straight)
    start = lead.end() if lead else 0
    end = tail.start() if tail else len(sentence)
    rule = sentence[start:end]
    if len(rule.split()) < _FEWEST:
        return sentence
    ended = rule + (tail["end"].replace("?", "") if tail else "")
    first = straight[start:].partition(" ")[0].rstrip(",:")
    ordinary = first in _OPENINGS or _ORDINARY.fullmatch(first) is not None
    return ended[0].upper() + ended[1:] if ordinary else ended
