"""The phrases by which a sentence says what holds in a project."""

from __future__ import annotations

from vaultmem.core.phrases import (
    ALL,
    CONVENTION,
    CORRECTION,
    HERE,
    MODERATE,
    NOUN_GROUP,
    ONE,
    SCREEN,
    STRONG,
    SUBJECT,
    WHOLE,
    Phrase,
    phrase,
)

CONVENTIONS: tuple[Phrase, ...] = (
    phrase(
        rf"(?:in|for|across) (?:this|our) {WHOLE},? (?:all|every|each|no|only) \S+ \S",
        STRONG,
        CONVENTION,
    ),
    phrase(
        r"this is (?:a|an) (?!huge|big|small|new|old|messy|great|nice|large|toy|side|weird|simple|"
        rf"complex|cool|good|bad|private|public|test|different|real)\S+ {WHOLE}\b",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        rf"i (?:want|need|expect) (?:all|every|each) (?!(?:\w+ )?(?:\w+ )?{SCREEN})"
        r"(?!.*\bto (?:pass|work|be (?:green|fixed|done))\b)\S+ \S",
        MODERATE,
        CONVENTION,
    ),
    phrase(r"it should be \S+,? never \S", STRONG, CORRECTION, lasting=True),
    # What holds in a project.
    phrase(
        rf"(?:in )?(?:this|our|the) (?:whole |entire )?(?:[\w-]+ )?{WHOLE}(?: here)?,? (?:we |it )?"
        r"(?:only |always |never |exclusively |already )?(?:uses?|follows?|requires?|targets?|"
        r"runs on|"
        r"forbids?|prefers?|avoids?|bans?|sticks? to|mandates?|is (?:on|using|written in|built "
        r"with))"
        r" (?!too |more |a lot|up\b|about |it\b|way )\S",
        STRONG,
        CONVENTION,
    ),
    phrase(
        r"we(?:'re| are) (?:using|on) \S.*(?:, ?not|instead of|rather than) "
        r"\S",
        STRONG,
        CONVENTION,
    ),
    phrase(
        r"we (?:only|exclusively|always) (?:use|support|target|ship|merge|release|accept|allow|"
        r"log|mock|"
        r"deploy|test|run|write) (?!it\b|that\b|this\b)\S",
        STRONG,
        CONVENTION,
    ),
    phrase(
        r"we use (?!the\b|it\b|that\b|this\b|to\b|a\b|an\b|them\b|two\b|my\b|your\b)\S+"
        r"(?: \S+){0,3}?(?:$|[.!,;:]| (?:for|everywhere|across|throughout|in all|in our|and not|"
        r"here|as)\b)",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        r"we (?:name|prefix|follow|squash|tag|rebase|pin|lint|favou?r|ban|forbid|require|expect|"
        r"avoid|"
        r"group|version|namespace|document)\b (?!it\b|that\b|this\b|the (?:same|wrong)\b|from\b)\S",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        r"we (?:run|do|write|keep|put|store|deploy|build|test|format|manage) (?:all|every|each)"
        r"\w* \S",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        r"(?:our|the|my) (?:\w+ ){0,2}(?:convention|rule|policy|standard|guideline|practice|house "
        r"style)s?"
        r"(?: here| in this repo| is| are|:|,)+ \S",
        STRONG,
        CONVENTION,
        lasting=True,
    ),
    phrase(
        r"(?:as a|by|general|house|hard|golden|new|team|ground) ?(?:rule|convention|policy)s?"
        r"(?: of thumb)?[,:]? \S+ \S",
        STRONG,
        CONVENTION,
        lasting=True,
    ),
    phrase(rf"we should (?:always |only |really )?use (?!{ONE})\S", MODERATE, CONVENTION),
    phrase(
        r"we(?:'ve| have)?(?: \w+ly| just)? (?:switched|migrated|moved|standardi[sz]ed|settled) "
        r"(?:over )?(?:(?:to|on)|from \S.* to) (?!the (?:next|new)\b|a |an )"
        r"\S",
        MODERATE,
        CONVENTION,
    ),
    # Rules without "always", for all things of a kind.
    phrase(
        rf"(?:{ALL}(?: of)?(?: our)?) (?!the\b|time|changes|set|good|done|tests? (?:pass|fail))"
        rf"(?!(?:\w+ )?(?:\w+ )?{SCREEN}){NOUN_GROUP} (?:should|must|shall|needs?|ha(?:s|ve) to|"
        rf"gets? |goes? |requires?)\b"
        r"(?! (?:now|pass|work|be (?:fine|ok|green|done|fixed|good|passing|working)))(?: \S+)+",
        HERE,
        CONVENTION,
    ),
    phrase(
        r"no (?!(?:failing|passing|open|known|new) |problem|idea|worries|need|way|one\b|matter|"
        r"clue|rush|doubt|luck|changes?|errors?|"
        r"differences?|reason|longer|more|questions?|tests?|output|diffs?|results?|response|sign|"
        r"warnings?|issues?|bugs?|files?|logs?|thanks|but|not|it\b|i\b|we\b|you\b|that\b|this\b|"
        r"the\b|"
        r"please|idea|dice|wonder|big|offen[cs]e|harm|joke|kidding|hurry|such|use\b|just\b)"
        r"(?:[\w./-]+ ){1,5}?(?:in|please|without|outside|anywhere|allowed|ever|inside|for|on|from|"
        r"between|unless|at all|across)\b",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        r"no (?!(?:failing|passing|open|known|new) |problem|worries|need|thanks|idea)[\w./-]+(?: "
        r"[\w./-]+){0,2}, (?:but )?(?:use|"
        r"prefer|only|"
        r"always|go through|put|keep|write) \S",
        STRONG,
        CONVENTION,
    ),
    phrase(
        rf"{SUBJECT} (?:go|goes|live|lives|belong|belongs|stay|stays|come|comes) \S.*, "
        rf"?(?:never|not) \S",
        HERE,
        CONVENTION,
    ),
    phrase(
        rf"{SUBJECT} (?:are|is) (?:never|always) \w+(?:ed|en|t) .*\b(?:by hand|manually|"
        rf"directly|"
        r"without)\b",
        HERE,
        CONVENTION,
    ),
    phrase(
        rf"(?!(?!our )(?:\w+ ){{0,2}}{SCREEN}){SUBJECT} must (?:always |never |not )?"
        r"(?!be (?:wrong|broken|missing|something)|have (?:been|changed))(?:be|have|go|live|stay|"
        r"use|"
        r"come|end|start|match|follow|contain|include|hit|touch|call|import|pass through|link|"
        r"appear|land|return|throw|log|depend|know|never|not|always|work without|support)\b",
        HERE,
        CONVENTION,
    ),
    phrase(
        rf"(?!(?!our )(?:\w+ ){{0,2}}{SCREEN}){SUBJECT} (?:should|may|can|shall|need to|has to|"
        rf"have to) (?:always|never|only ever|"
        rf"only) (?!have (?:\w+ed|\w+en|had)\b)\w+",
        HERE,
        CONVENTION,
    ),
    phrase(
        rf"(?!the\b|\w+ing\b){SUBJECT}s "
        r"(?:always|never) (?:go|live|get|need|come|stay|belong|start|end|use|touch|import|have)"
        r"\b.*"
        r"(?:, ?(?:not|never|no)\b|(?:in|into|under|through|before|after|with|to|next) \S)"
        r"",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        r"\S+(?: \S+){0,6}? (?:is|are|isn't|aren't) (?:not allowed|allowed|forbidden|banned|"
        r"off limits|"
        r"off-limits|prohibited|verboten|deprecated)(?: \S+){0,6},? ?(?:in|here|use|prefer|"
        r"anywhere|"
        r"under|outside)\b",
        HERE,
        CONVENTION,
    ),
    phrase(
        r"only (?:ever )?(?:use|commit|push|deploy|merge|publish|import|log|export|install|"
        r"mock|target|support|release) (?!the (?:first|second|last|new)|this|that|it\b)"
        r"\S",
        STRONG,
        CONVENTION,
    ),
    phrase(
        r"(?:use|import|write|target|support|log) only (?!the|this|that|it\b)"
        r"\S",
        STRONG,
        CONVENTION,
    ),
    phrase(
        r"no (?!(?:more|other|new|failing|passing|open|known|such|further|visible|side|real|big|"
        r"hard)\b)"
        r"(?:[\w./-]+ ){1,2}(?!(?:changes|errors|tests|results|problems|issues|questions|updates|"
        r"differences|thanks|ideas|bugs|warnings|conflicts|items|rows|logs|users|matches|"
        r"hits|"
        r"failures|feelings|regrets|worries|matters|needs|reasons|ones|plans|is|was|does)[.!]*$)"
        r"[\w./-]+s[.!]*$",
        MODERATE,
        CONVENTION,
    ),
    phrase(
        r"we (?:only (?!saw|found|see|know|have|had|got|need)[a-z]+|[a-z]+ only) (?:from|to|on|in|"
        r"with|via|"
        r"through|against|after|when) \S",
        STRONG,
        CONVENTION,
    ),
    phrase(r"no \S+(?: \S+)?, (?:ever|period)[.!]*$", STRONG, CONVENTION, lasting=True),
)
"""They count only where a clause begins; the first that fits decides."""
