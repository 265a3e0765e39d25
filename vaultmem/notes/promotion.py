"""The note that proposes a stronger form of a memory, and what a person wrote into it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from vaultmem.core.inert import escape_inline, fence, inert_value, unescape_inline
from vaultmem.core.inference import Guardrail
from vaultmem.core.promotion_words import (
    Destination,
    PromotionDecision,
    PromotionStatus,
    read_promotion_decision,
)
from vaultmem.notes import frontmatter
from vaultmem.notes.markdown import structure
from vaultmem.notes.reading import open_note, report_conflict
from vaultmem.notes.schema import NoteType

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from datetime import datetime

    from vaultmem.core.finding import Finding
    from vaultmem.core.promotion import Requirement

DRAFT = "markdown"
"""The language of the one fenced block that holds a ready text."""

NO_GUARDRAIL = Guardrail()
UNUSABLE = frozenset({"VM108", "VM113", "VM117", "VM118"})
"""Findings of a note in which nothing is decided: conflict marks, no id, another type."""

WHAT_FOLLOWS: dict[Destination, str] = {
    Destination.MEMORY: "Accepting keeps the memory as it is.",
    Destination.ENFORCEMENT: "Accepting gives the memory the `trigger` and `action` (or the "
    "`verifier`) of this note, and your signature; correct them first where they are not right.",
    Destination.SKILL: "Accepting writes the text below as a skill of the memory root, under the "
    "name in `skill`; change it here first.",
    Destination.PROJECT_RULE: "Copy the text below into the rules of your project. vaultmem writes "
    "nothing there; accepting only says that you did.",
    Destination.VAULT_REF: "Write the knowledge note yourself, from the draft below or into a note "
    "that you have, and link it here as `note`; the memory then links it and is told no more.",
    Destination.DISCARD: "Accepting takes the memory out of use; its note stays.",
}
"""One sentence for the person, for each destination."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Promotion:
    """A proposal to promote one memory.

    Attributes:
        id: `prom_…`, of `core.promotion_words.promotion_id`.
        destination: the form that the memory would have.
        memory: the quoted wikilink of the memory's note.
        statement: the memory's, looked up when the note was made.
        reason: why, one sentence; may be "".
        created: local to the person.
        device: the machine that made the note.
        status: proposed, or accepted where the note stays for its text.
        decision: what the person wrote, as written.
        evidence_count: in how many sessions the user said it.
        guardrail: of an enforcement.
        skill: the name of a skill, "" for another form.
        note: the link of the knowledge note that the person wrote, "" for none.
        evidence: links to the blocks that support the memory.
        provenance: links to what the memory was drawn from or replaced.
        requirements: what a knowledge note needs, each with yes or no.
        suggested: one line for each knowledge note that may be the right one, inert.
        draft: a text to be used as it is, "" for none.
    """

    id: str
    destination: Destination
    memory: str
    statement: str
    reason: str
    created: datetime | None
    device: str
    status: PromotionStatus = PromotionStatus.PROPOSED
    decision: str | None = None
    evidence_count: int = 1
    guardrail: Guardrail = NO_GUARDRAIL
    skill: str = ""
    note: str = ""
    evidence: tuple[str, ...] = ()
    provenance: tuple[str, ...] = ()
    requirements: tuple[Requirement, ...] = ()
    suggested: tuple[str, ...] = ()
    draft: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DecodedPromotion:
    """A note as it was read; `promotion` lacks what only its body tells for a person."""

    promotion: Promotion
    decision: PromotionDecision | None
    body: str
    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether its decision may be followed at all."""
        return UNUSABLE.isdisjoint(found.code for found in self.findings)


def encode_promotion(promotion: Promotion) -> bytes:
    """The bytes of a new note, `decision` empty; captured text in it is inert."""
    guard = promotion.guardrail
    texts = {
        "reason": escape_inline(promotion.reason),
        "trigger": guard.trigger,
        "action": guard.action,
        "verifier": guard.verifier,
        "skill": promotion.skill,
    }
    wanted = _fields(promotion.destination)
    properties: dict[str, object] = {
        "id": promotion.id,
        "type": str(NoteType.PROMOTION),
        "decision": None,
        "destination": str(promotion.destination),
        "status": str(promotion.status),
        "memory": promotion.memory,
    }
    properties |= {
        key: inert_value(value) if value else None
        for key, value in texts.items()
        if value or key in wanted
    }
    if "note" in wanted:
        properties["note"] = None
    properties["evidence_count"] = promotion.evidence_count
    if promotion.created is not None:
        properties["created"] = promotion.created
    properties["device"] = promotion.device
    if promotion.evidence:
        properties["evidence"] = list(promotion.evidence)
    return frontmatter.new_note(properties, "\n\n".join(_body(promotion)) + "\n")


def decode_promotion(data: bytes, *, path: str) -> DecodedPromotion:
    """Read a proposal; what is wrong with it is a finding.

    Raises:
        NoteUnreadableError: the bytes or the properties cannot be read at all; it names `path`.
    """
    block, reader = open_note(data, NoteType.PROMOTION, path=path)
    report_conflict(block, reader)
    decision = reader.text("decision")
    if decision is None and block.properties.get("decision") not in (None, "", [], ()):
        reader.report("VM830", "`decision` is not one word, so it decides nothing.", key="decision")
    elif decision is not None and read_promotion_decision(decision) is None:
        reader.report(
            "VM830", f"`decision` is `{decision}`, which decides nothing.", key="decision"
        )
    destination = reader.enum("destination", Destination)
    if destination is None:
        reader.report("VM831", "The note does not say what it proposes.")
    promotion = Promotion(
        id=reader.identifier(),
        destination=destination or Destination.MEMORY,
        memory=reader.text("memory") or "",
        statement=_quoted(block.body),
        reason=unescape_inline(reader.text("reason") or ""),
        created=reader.moment("created"),
        device=reader.text("device") or "",
        status=reader.enum("status", PromotionStatus) or PromotionStatus.PROPOSED,
        decision=decision,
        evidence_count=reader.count("evidence_count"),
        guardrail=Guardrail(*map(reader.text, ("trigger", "action", "verifier"))),
        skill=reader.text("skill") or "",
        note=reader.text("note") or "",
        evidence=reader.texts("evidence"),
        draft=_draft(block.body),
    )
    known = destination is not None
    return DecodedPromotion(
        promotion=promotion,
        decision=read_promotion_decision(decision) if known else None,
        body=block.body,
        findings=tuple(reader.findings),
    )


def fenced(text: str) -> str:
    """A ready text as the fenced block that `decode_promotion` finds again."""
    ticks, rest = fence(text.rstrip("\n")).split("\n", 1)
    return f"{ticks}{DRAFT}\n{rest}"


def _fields(destination: Destination) -> tuple[str, ...]:
    """The properties that a person may fill in, and that stand there empty."""
    fields = {
        Destination.ENFORCEMENT: ("trigger", "action"),
        Destination.SKILL: ("skill",),
        Destination.VAULT_REF: ("note",),
    }
    return fields.get(destination, ())


def _body(promotion: Promotion) -> Iterator[str]:
    yield (
        "Write `accept` or `reject` as the decision, or delete this note to reject it. "
        f"{WHAT_FOLLOWS[promotion.destination]}"
    )
    yield f"> {escape_inline(promotion.statement)}"
    if reason := escape_inline(promotion.reason):
        yield reason
    if promotion.requirements:
        yield from _list(
            "Checks",
            [f"{'yes' if one.met else 'no'}: {one.says}" for one in promotion.requirements],
        )
    if promotion.evidence:
        yield "## Evidence"
        yield from (f"!{link}" for link in promotion.evidence)
    if promotion.provenance:
        yield from _list("Drawn from", promotion.provenance)
    if promotion.suggested:
        yield from _list("Notes that may be the right one", promotion.suggested)
    if promotion.draft:
        yield "## Draft"
        yield fenced(promotion.draft)


def _list(heading: str, lines: Sequence[str]) -> Iterator[str]:
    yield f"## {heading}"
    yield "\n".join(f"- {line}" for line in lines)


def _quoted(body: str) -> str:
    """The statement, from the first quoted line."""
    lines = (line for line in body.splitlines() if line.startswith(">"))
    return unescape_inline(next(lines, "").removeprefix(">").strip())


def _draft(body: str) -> str:
    """The ready text, "" where there is none."""
    blocks = (one for one in structure(body).fences if one.info == DRAFT)
    found = next(blocks, None)
    return "" if found is None else found.content
