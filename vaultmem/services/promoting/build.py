"""A proposal's note in the making: its evidence, its checks, and a text to be used as it is."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from vaultmem.core.ids import short_id
from vaultmem.core.inert import clean, escape_inline
from vaultmem.core.naming import base_name, title_of
from vaultmem.core.place import SKILLS
from vaultmem.core.promotion import requirements
from vaultmem.core.promotion_words import Destination, promotion_id
from vaultmem.core.steps import steps_of
from vaultmem.errors import NoteError, UnsafePathError
from vaultmem.notes.knowledge_draft import PLAIN, Draft, knowledge_draft, pick_template
from vaultmem.notes.promotion import Promotion
from vaultmem.notes.skill import encode_skill
from vaultmem.services import evidence
from vaultmem.services.promoting.heard import spoken_pieces
from vaultmem.services.promoting.proposals import proposals
from vaultmem.store.files import read_note
from vaultmem.store.obsidian import templates_folder

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.core.model import Memory
    from vaultmem.core.promotion import Heard, Promoted
    from vaultmem.services.call import Call
    from vaultmem.services.vault_ref import Suggestion


def build(
    call: Call,
    memory: Memory,
    path: str,
    form: Promoted,
    heard: Heard,
    *,
    suggested: Sequence[Suggestion] = (),
) -> Promotion:
    """The proposal that a memory be given a form; nothing is written.

    Args:
        call: the circumstances.
        memory: as it is in force.
        path: its note, relative to the vault.
        form: what is proposed.
        heard: what the user said.
        suggested: knowledge notes that may say more, for a `vault_ref`.
    """
    link = f"[[{title_of(path)}]]"
    links = dict.fromkeys((*memory.evidence, *evidence.links(call, spoken_pieces(call, memory))))
    is_ref = form.destination is Destination.VAULT_REF
    form = form._replace(skill=_free_name(call, form.skill, memory))
    today = call.local.date()
    return Promotion(
        id=promotion_id(form.destination, memory.id),
        destination=form.destination,
        memory=link,
        statement=memory.statement,
        reason=form.reason,
        created=call.local,
        device=call.vault.device,
        evidence_count=heard.sessions,
        guardrail=form.guardrail,
        skill=form.skill,
        evidence=tuple(links),
        provenance=(*memory.derived_from, *memory.supersedes),
        requirements=requirements(memory, heard, today=today) if is_ref else (),
        suggested=tuple(map(suggestion_line, suggested)),
        draft=_draft(call, memory, form, (link, *links)),
    )


def _free_name(call: Call, name: str, memory: Memory) -> str:
    """The name of a skill, with the end of the memory's id where another one has that name."""
    if not name:
        return ""
    own = promotion_id(Destination.SKILL, memory.id)
    proposed = {one.promotion.skill for one in proposals(call) if one.id != own}
    folder = f"{call.vault.root}/{SKILLS}/{name}"
    taken = name in proposed or (call.vault.path / folder).exists()
    return f"{name}-{short_id(memory.id)}" if taken else name


def suggestion_line(one: Suggestion) -> str:
    """One suggested note, as a list item of a note."""
    place = f" in {escape_inline(one.vault)}" if one.vault else ""
    return f"{one.link}{place}: {one.score:.2f}, {escape_inline(one.reason)}"


def _draft(call: Call, memory: Memory, form: Promoted, sources: tuple[str, ...]) -> str:
    if form.destination is Destination.SKILL:
        steps = steps_of(memory.statement)
        return encode_skill(form.skill, memory.statement, steps, source=sources[0]).decode()
    if form.destination is Destination.PROJECT_RULE:
        return f"- {clean(memory.statement).text}\n"
    if form.destination is Destination.VAULT_REF:
        title = base_name(memory.statement)
        draft = Draft(title, memory.statement, sources, call.local)
        return knowledge_draft(draft, _template(call))
    return ""


def _template(call: Call) -> bytes:
    """The vault's own template for knowledge, or a plain one."""
    folder, _ = templates_folder(call.vault.path)
    if folder is None:
        return PLAIN
    names = {
        title_of(path): path
        for path in call.vault.baseline.paths()
        if path.startswith(f"{folder}/")
    }
    picked = pick_template(names)
    if picked is None:
        return PLAIN
    with suppress(NoteError, UnsafePathError):
        return read_note(call.vault.path, names[picked])
    return PLAIN
