"""What became of an extraction, for whoever asked for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.llm.model import Usage

if TYPE_CHECKING:
    from vaultmem.core.finding import Finding
    from vaultmem.llm.model import Ask


class Asked(NamedTuple):
    """What would be sent about one session.

    Attributes:
        session: its id.
        project: its identity.
        title: what it is called, or its first words.
        ended: when its last entry was written, in seconds of the Unix epoch.
        tokens: about how many it takes.
        ask: the question.
    """

    session: str
    project: str
    title: str
    ended: float
    tokens: int
    ask: Ask


class ExtractRun(NamedTuple):
    """What became of the sessions.

    Attributes:
        claimed: how many this process took; the next three add up to it, unless a claim was lost
            or given back.
        written: became a card.
        no_output: had nothing worth keeping.
        failed: gave no answer that can be used; they are tried again.
        given_back: were sent, but the run was told to stop before there was an answer.
        running: are being read by another process.
        proposed: candidates that wait in the inbox now.
        usage: of all questions that told theirs, those without an answer among them.
        asks: what would be sent, where nothing was.
        more: sessions that are due beyond those, where nothing was sent; later runs read them.
        findings: what went wrong.
    """

    claimed: int = 0
    written: int = 0
    no_output: int = 0
    failed: int = 0
    given_back: int = 0
    running: int = 0
    proposed: int = 0
    usage: Usage = Usage()
    asks: tuple[Asked, ...] = ()
    more: int = 0
    findings: tuple[Finding, ...] = ()
