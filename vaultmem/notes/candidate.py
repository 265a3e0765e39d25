"""A candidate from the bytes of its note in the inbox, and the bytes of a new one."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.inert import escape_inline
from vaultmem.notes import frontmatter
from vaultmem.notes.codec import Decoded, decode_note
from vaultmem.notes.schema import CANDIDATE, MEMORY, NoteType
from vaultmem.notes.writing import encode, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.model import Memory


class State(StrEnum):
    """Whether a waiting candidate was put off."""

    NEW = "new"
    DEFERRED = "deferred"


class Decision(StrEnum):
    """What a person may write as `decision`."""

    APPROVE = "approve"
    REJECT = "reject"
    DEFER = "defer"


class Touched(NamedTuple):
    """A memory that a candidate repeats, changes or contradicts, for the person to compare."""

    link: str
    """A wikilink to its note."""
    statement: str


EXTERNAL_REASON = "external:"
"""How the reason begins of a candidate that shows what an agent did to a note."""

_EMBED = re.compile(r"^!\[\[[^\[\]\n]+#\^ev-[0-9a-z]{26}\]\][ \t]*(?=\r?$)", re.MULTILINE)
_TOUCHED = re.compile(r"^> \[!info\] It touches\r?\n(?:> - .*\r?\n)+(?:\r?\n)?", re.MULTILINE)

_APPROVALS = frozenset({"approve", "approved", "ok", "yes"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A proposed memory that waits in the inbox.

    `memory.id` is the candidate's own, `cand_<ulid>`. `decision` is what the person wrote, as
    written; `trust`, `durability` and `verification` are words of the tables in `notes.schema`,
    claims that are computed again before anything acts on them.
    """

    memory: Memory
    state: State = State.NEW
    device: str | None = None
    decision: str | None = None
    trust: str | None = None
    durability: str = "unknown"
    verification: str = "unverified"
    reasons: tuple[str, ...] = ()
    matched: tuple[str, ...] = ()
    vault_ref_suggestions: tuple[str, ...] = ()

    @property
    def is_external(self) -> bool:
        """Whether it is no proposal, but shows what an agent or another program did to a note."""
        return any(reason.startswith(EXTERNAL_REASON) for reason in self.reasons)


def read_decision(text: str | None) -> Decision | None:
    """The decision that a person's word means, in any case; None for no or another word."""
    word = (text or "").strip().rstrip(".!").casefold()
    if word in _APPROVALS:
        return Decision.APPROVE
    return Decision(word) if word in (Decision.REJECT, Decision.DEFER) else None


def decode_candidate(data: bytes, *, path: str) -> tuple[Candidate, Decoded]:
    """Read a candidate's note; a `decision` that means nothing is a finding (VM122).

    Raises:
        NoteUnreadableError: as `codec.decode_memory`.
    """
    decoded, reader = decode_note(data, NoteType.CANDIDATE, path=path)
    decision = reader.text("decision")
    if decision is None and decoded.properties.get("decision") not in (None, "", [], ()):
        reader.report("VM122", "`decision` is not one word, so it decides nothing.", key="decision")
    elif decision is not None and read_decision(decision) is None:
        reader.report(
            "VM122", f"`decision` is `{decision}`, which decides nothing.", key="decision"
        )
    candidate = Candidate(
        memory=decoded.memory,
        state=reader.enum("state", State) or State.NEW,
        device=reader.text("device"),
        decision=decision,
        trust=reader.text("trust"),
        durability=reader.text("durability") or "unknown",
        verification=reader.text("verification") or "unverified",
        reasons=reader.texts("reasons"),
        matched=reader.texts("matched"),
        vault_ref_suggestions=reader.texts("vault_ref_suggestions"),
    )
    return candidate, decoded.with_findings(reader.findings)


def encode_candidate(candidate: Candidate, *, body: str = "") -> bytes:
    """Make a new candidate's note; `decision` is there and empty unless it is given.

    Raises:
        ValueError: the statement is empty once what cannot be seen is taken out.
    """
    own = written(CANDIDATE, candidate)
    of_memory = written(MEMORY, candidate.memory)
    values = own | of_memory
    properties: dict[str, object] = {"id": candidate.memory.id, "type": str(NoteType.CANDIDATE)}
    properties |= {row.name: values[row.name] for row in CANDIDATE if row.name in values}
    return encode(properties, candidate.memory.statement, body)


def candidate_body(evidence: Sequence[str], touched: Sequence[Touched]) -> str:
    """What stands below the statement: the memories that it touches, then its evidence, embedded.

    Args:
        evidence: wikilinks to blocks.
        touched: what the person compares it with.
    """
    parts: list[str] = []
    if touched:
        lines = (f"> - {one.link}: {escape_inline(one.statement)}\n" for one in touched)
        parts.append("> [!info] It touches\n" + "".join(lines))
    parts += (f"!{link}\n" for link in evidence)
    return "\n".join(parts)


def with_evidence(data: bytes, link: str) -> bytes:
    """The candidate's note with one piece more, in its properties and embedded behind the others.

    Raises:
        NoteUnreadableError, EditRefusedError: as `frontmatter.set_properties`.
    """
    data = frontmatter.append_to_list(data, "evidence", link)
    block = frontmatter.read(data)
    eol = block.body_eol
    embeds = list(_EMBED.finditer(block.body))
    if embeds:
        at = block.body_start + len(block.body[: embeds[-1].end()].encode())
        return data[:at] + f"{eol}{eol}!{link}".encode() + data[at:]
    ends = block.body.endswith(("\n", "\r"))
    return data + f"{'' if ends else eol}{eol}!{link}{eol}".encode()


def without_notice(data: bytes) -> bytes:
    """The note without the list of what its candidate touches, for one that was decided.

    A list that a person changed into something else stays.

    Raises:
        NoteUnreadableError: the note cannot be read.
    """
    block = frontmatter.read(data)
    found = _TOUCHED.search(block.body)
    if found is None:
        return data
    start, end = (block.body_start + len(block.body[:at].encode()) for at in found.span())
    return data[:start] + data[end:]
