"""Which phrases make a rule of a sentence, and which words around it make a rule of any order.

They are looked for in one sentence in lower case, with straight apostrophes, code and quotes
masked. `START` phrases count only where a clause begins: "Never publish on Friday" is an order,
"the build never finishes" is none.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from vaultmem.core.convention_phrases import CONVENTIONS
from vaultmem.core.order_phrases import ORDERS
from vaultmem.core.phrases import AVOID, PREFER, Phrase
from vaultmem.core.remarks import NOT
from vaultmem.core.repeat_phrases import REPEATS

if TYPE_CHECKING:
    from vaultmem.core.model import RuleType

START: tuple[Phrase, ...] = (*ORDERS, *CONVENTIONS, *REPEATS)
"""Every phrase; the first that fits decides."""

DURABLE = re.compile(
    r"\b(?:from now on(?:wards?)?|from here on(?: out)?|going forwards?|moving forwards?|starting "
    r"now|"
    r"henceforth|in (?:the )?future|for (?:the )?future(?: reference)?|(?:for )?next time|"
    r"from this point on|as of now|as of today|in all (?:of )?my (?:projects|repos)|in general)\b"
)
"""What makes an order of any verb a rule that lasts."""

FORBIDS = re.compile(rf"{NOT} [a-z]+ \S")
"""After "I told you", every order not to do something is a rule."""

DENIAL = re.compile(r"(?:no|nope|nah|wrong|not quite|that'?s (?:wrong|not right)|wrong again)\b")
CORRECTED = re.compile(
    r"(?:(?:it|that|this)(?:'s| is| should be) |we're |they're |the (?:\w+ ){1,3}(?:is|are|should "
    r"be) )?"
    r"(?!line|the |my |your |i |on |in |\d+\b)"
    r"[\w./@-]+(?: [\w./@-]+)?,? (?:and )?not (?!line|the )[\w./@-]+(?: [\w./@-]+)?[.!]*$"
)
"""After a denial, "spaces, not tabs" is a correction; alone it only tells what is the case."""
INSISTED = re.compile(
    r"(?:use|run|call|write|put|name|import) (?!(?:the|this|that|it|a|an|my|your|another|one|both)"
    r"\b)"
    r"\S+(?: \S+){0,4}[.!]*$"
)
"""After a denial, "use pnpm" is a correction; alone it is a task."""

RULES: tuple[tuple[re.Pattern[str], RuleType], ...] = (
    (
        re.compile(
            rf"(?:{NOT}|\bnever|\bavoid|\bstop|\bquit|no longer)(?: \w+)? us(?:e|ing)"
            rf"\b"
        ),
        AVOID,
    ),
    (
        re.compile(
            r"\bprefer |(?<!in )\bfavou?r |\buse\b.*\binstead\b|\binstead of\b|\brather than\b"
        ),
        PREFER,
    ),
)
"""Words that decide the rule type over what the phrase says; "this project uses" is kept."""
