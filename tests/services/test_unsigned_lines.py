"""A ledger line that nobody signed counts for nothing, whoever reads the ledgers."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import vaultmem.services
from tests.acceptance.forging import append_line, ledger_note, spelled
from tests.services.using import BUN, three
from vaultmem.core.evidence import EvidenceId
from vaultmem.core.governance import Governance
from vaultmem.core.ids import ulid
from vaultmem.core.model import Category
from vaultmem.services.capture import Wish, add
from vaultmem.services.confirm import confirm
from vaultmem.services.lookup import find_memory
from vaultmem.services.meta_consolidation import ABSTRACTED, _key, consolidate
from vaultmem.services.promoting.heard import heard_of
from vaultmem.services.purging.later import said_later
from vaultmem.services.syncing.hold import is_announced
from vaultmem.services.why import why
from vaultmem.services.write import content_mac

READERS = ("of_note", "of_hash", "of_kind")
"""What answers lines whether they are signed or not."""
TELLS = {
    ("services/promoting/proposing.py", "_worth"): "decides what is worth reading; `heard` counts",
    ("services/why.py", "_waiting"): "tells each line with whether it is signed",
    ("services/evidence.py", "_lines"): "`_is_recorded` asks; a purge takes any",
}
"""Readers of unsigned lines that let none of them count, with the reason."""


def forge(world, kind, act, note, **values):
    """Write an unsigned line into this device's own ledger, and let it be read."""
    append_line(world, ledger_note(world, kind), spelled(act, note, values))
    world.here.sync()


def test_a_forged_line_keeps_no_identity_from_being_proposed(ready):
    ids = [
        ready.memory(f"Memory/Lessons/{name}.md", text, tags="memory/git", stability="stable")
        for name, text in (("First", "Rebase before a merge."), ("Second", "Stage by name."))
    ]
    ready.here.sync()
    forge(ready, "activity", ABSTRACTED, ready.new_id("cand"), by="policy", after=_key(ids))
    call = ready.here.call()
    call.vault.governance = Governance()._replace(meta_enabled=True)
    assert len(consolidate(call).proposed) == 1


def test_a_forged_line_tells_nobody_where_a_memory_comes_from(ready):
    bun, *_ = three(ready)
    before = why(ready.here.call(), bun).origin
    line = spelled("created", bun, {"by": "agent", "via": "curate"})
    first = line.replace(line.split()[2], ulid(1, bytes(10)))
    append_line(ready, ledger_note(ready, "activity"), first)
    ready.here.sync()
    found = why(ready.here.call(), bun)
    assert found.origin == before
    assert not found.events[0].signed, "it is told, as a line that nobody signed"


def test_a_forged_line_neither_keeps_nor_condemns_what_was_said_of_a_memory(ready):
    bun, docs, _ = three(ready)
    confirm(ready.here.call(), bun, note="The tests were fast.")
    (piece,) = said_later(ready.here.call(), bun)
    forge(ready, "reinforcement", "reinforced", docs, evidence=1, local=0, pieces=piece)
    assert said_later(ready.here.call(), bun) == {EvidenceId(piece)}
    assert said_later(ready.here.call(), docs) == frozenset()


def test_a_forged_line_takes_nothing_from_what_the_person_said(ready):
    app = ready.here.app()
    done = add(app.call(), app.engine, Wish(text=BUN, category=Category.LESSON))
    call = ready.here.call()
    memory = why(call, done.id)
    forge(ready, "activity", "created", f"cand_{memory.id[4:]}", by="agent", via="inbox")
    call = ready.here.call()
    kept = find_memory(call, memory.id).decoded.memory
    assert heard_of(call, [kept])[memory.id].sessions == 1


def test_a_forged_line_hides_no_change_that_an_agent_made(ready):
    """It can name a version by a hash that stands in the ledger; a version comes back."""
    bun, *_ = three(ready)
    data = ready.path("Memory/Lessons/Use bun for local tests.md").read_bytes()
    mac = content_mac(ready.here.call(), data)
    forge(ready, "activity", "external", bun, by="external", via="sync", after=mac)
    assert not is_announced(ready.here.call(), data)


def _functions():
    folder = Path(vaultmem.services.__file__).parent
    for place in sorted(folder.rglob("*.py")):
        text = place.read_text()
        if not any(f".{name}" in text for name in READERS):
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                names = [one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)]
                if set(READERS) & set(names):
                    relative = place.relative_to(folder.parent).as_posix()
                    yield pytest.param(relative, node, names, id=f"{relative}:{node.name}")


@pytest.mark.parametrize(("path", "node", "names"), list(_functions()))
def test_whoever_reads_a_ledger_asks_who_signed(path, node, names):
    assert (path, node.name) in TELLS or {"signed", "vouches"} & set(names), (
        f"{path}: {node.name} counts lines that anybody can have written. Ask `signed` or "
        "`vault.vouches`, or say here why it may."
    )


def test_the_readers_that_may_are_there():
    there = {(one.values[0], one.values[1].name) for one in _functions()}
    assert set(TELLS) <= there
