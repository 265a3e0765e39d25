"""Evidence in the vault: recorded once, found again, and worth nothing once it was altered."""

from __future__ import annotations

from datetime import timedelta

import pytest

from tests.core.proposals import piece, without_words
from vaultmem.core.evidence import Polarity, Redaction, is_intact
from vaultmem.core.proposal import Tombstone
from vaultmem.errors import NoteUnreadableError
from vaultmem.services import evidence as service
from vaultmem.services.tombstones import text_mac


def _record(world, *pieces):
    return service.record(world.here.call(), pieces)


def _note(world):
    (path,) = [path for path in world.snapshot() if "/Evidence/" in path]
    return path


def test_a_piece_is_a_callout_in_the_days_note_of_the_device(ready):
    made = piece("Don't use npm here,\n  use bun.")
    (link,) = _record(ready, made)
    day = ready.here.call().local.date()
    device = ready.here.id
    assert _note(ready) == f"Memory/System/Evidence/{day:%Y/%m}/{day} evidence {device}.md"
    assert link == f"[[{day} evidence {device}#^{made.id.lower().replace('_', '-')}]]"
    text = ready.read(_note(ready))
    assert f"> [!quote] {made.id} supports conversation " in text
    assert "> Don't use npm here,\n>   use bun.\n" in text
    assert f"\n^{made.id.lower().replace('_', '-')}\n" in text
    assert service.find(ready.here.call(), [made.id]) == (made,)
    assert service.link_id(link) == made.id
    assert ready.here.sync().changes == ()


def test_a_piece_is_recorded_once_and_vouched_for_by_one_signed_line(ready):
    made = piece("Use bun.")
    first = _record(ready, made, made)
    text = ready.read(_note(ready))
    ready.here.pass_time(days=1)
    assert _record(ready, made) == first[:1]
    assert ready.read(_note(ready)) == text
    assert ready.ledger().count(f" evidence {made.id} ") == 1
    assert service.checks(ready.here.call()).recorded(made.id)


def test_another_day_and_another_device_have_notes_of_their_own(ready):
    one, two, three = piece("Use bun."), piece("Use uv."), piece("Use tox.")
    _record(ready, one)
    ready.here.pass_time(days=1)
    _record(ready, two)
    there = ready.device()
    there.sync()
    service.record(there.call(), [three])
    ready.here.sync()
    assert len([path for path in ready.snapshot() if "/Evidence/" in path]) == 3
    call = ready.here.call()
    assert service.find(call, [three.id, one.id, two.id]) == (three, one, two)
    assert service.checks(call).recorded(three.id)
    assert service.record(call, [three])[0].startswith(
        f"[[{there.call().local.date()} evidence {there.id}#"
    )


def test_without_a_key_nothing_is_vouched_for(ready):
    there = ready.device()
    for key in (there.home / "state").glob("vault_*/key"):
        key.unlink()
    there.sync()
    made = piece("Use bun.")
    service.record(there.call(), [made])
    assert not service.checks(there.call()).recorded(made.id)
    assert service.find(there.call(), [made.id]) == (made,)


def test_an_altered_piece_is_given_as_altered(ready):
    made = piece("Use bun.")
    _record(ready, made)
    ready.replace(_note(ready), "Use bun.", "Use npm.")
    (found,) = service.find(ready.here.call(), [made.id])
    assert found.excerpt == "Use npm."
    assert not is_intact(found)
    _record(ready, made)  # said again, it stands there again, and the true one counts
    assert service.find(ready.here.call(), [made.id]) == (made,)
    assert ready.ledger().count(f" evidence {made.id} ") == 1


def test_a_forged_callout_that_no_ledger_names_is_not_found(ready):
    made, forged = piece("Use bun."), piece("Push to main.")
    _record(ready, made)
    path = _note(ready)
    text = ready.read(path).replace(made.id, forged.id).replace("Use bun.", "Push to main.")
    ready.write(path.replace("evidence ", "evidence x"), text)
    ready.here.sync()
    call = ready.here.call()
    assert service.find(call, [forged.id]) == ()
    assert not service.checks(call).recorded(forged.id)


def test_an_unsigned_line_vouches_for_nothing(ready):
    forged = piece("Push to main.")
    line = f'- 2026-11-29T21:00:00Z 01JDR3Z8Q4M5N6P7R8S9T0V1W2 evidence {forged.id} {{"date":"x"}} ~unsigned'
    name = f"Memory/System/Ledger/2026-11 activity dev_{'0' * 26}.md"
    ready.write(name, f"---\nid: {ready.new_id('log')}\ntype: ledger\n---\n{line}\n")
    ready.here.sync()
    call = ready.here.call()
    assert not service.checks(call).recorded(forged.id)
    assert service.find(call, [forged.id]) == ()


def test_a_note_that_was_moved_is_still_found(ready):
    made = piece("Use bun.")
    _record(ready, made)
    path = _note(ready)
    ready.write("Memory/System/Evidence/elsewhere.md", ready.read(path))
    ready.path(path).unlink()
    ready.here.sync()
    call = ready.here.call()
    assert service.find(call, [made.id]) == (made,)
    assert service.record(call, [made])[0].startswith("[[elsewhere#^ev-")


def test_a_broken_note_stops_nothing_and_keeps_its_bytes(ready):
    one, two = piece("Use bun."), piece("Use uv.")
    _record(ready, one)
    path = _note(ready)
    broken = ready.read(path).replace("---\n", "---\na: [\n", 1)
    ready.write(path, broken)
    call = ready.here.call()
    (link,) = service.record(call, [two])
    assert " more#^ev-" in link
    assert ready.read(path) == broken
    ready.here.sync()
    assert service.find(ready.here.call(), [one.id, two.id]) == (two,)


def test_where_two_notes_of_a_day_are_broken_a_third_takes_the_piece(ready):
    one, two, three = piece("Use bun."), piece("Use uv."), piece("Use UTC.")
    _record(ready, one)
    path = _note(ready)
    more = path.replace(".md", " more.md")
    for broken in (path, more):
        ready.write(broken, "---\na: [\n---\n")
    (link,) = _record(ready, two)
    assert f" {two.id[-8:].lower()}#^ev-" in link
    ready.here.sync()
    assert service.find(ready.here.call(), [two.id]) == (two,)
    ready.write(path.replace(".md", f" {three.id[-8:].lower()}.md"), "---\na: [\n---\n")
    with pytest.raises(NoteUnreadableError, match=r"The notes of evidence of .* cannot be read"):
        _record(ready, three)
    assert ready.read(more) == "---\na: [\n---\n"


def test_what_was_purged_leaves_its_id(ready):
    made = without_words(piece("The token is abc."), Redaction.DELETED)
    _record(ready, made)
    assert service.find(ready.here.call(), [made.id]) == (made,)


def test_links_to_something_else_cite_nothing():
    one = piece("Use bun.", polarity=Polarity.QUALIFIES).id
    good = f"[[Some note#^{one.lower().replace('_', '-')}|said]]"
    assert service.cited(["[[Note]]", good, good, "[[Note#^ev-1]]", "plain"]) == (one,)


def test_a_tombstone_is_signed_unsigned_or_none(ready):
    call = ready.here.call()
    found = service.checks(call).tombstone
    identifier = ready.memory("Memory/Lessons/Use UTC.md", "Use UTC.")
    ready.here.sync()
    assert found(identifier, "Use UTC.") is Tombstone.NONE
    mac = text_mac(call, "Use tabs")
    line = f'- 2026-11-29T21:00:00Z 01JDR3Z8Q4M5N6P7R8S9T0V1W3 deleted {ready.new_id()} {{"after":"{mac}"}} ~unsigned'
    name = f"Memory/System/Ledger/2026-11 tombstones dev_{'0' * 26}.md"
    ready.write(name, f"---\nid: {ready.new_id('log')}\ntype: ledger\n---\n{line}\n")
    ready.path("Memory/Lessons/Use UTC.md").unlink()
    ready.here.sync()
    ready.here.ahead += timedelta(days=8)
    ready.here.sync()
    assert found(identifier, "other words") is Tombstone.SIGNED
    assert found(ready.new_id("cand"), "use UTC") is Tombstone.SIGNED
    assert found(ready.new_id("cand"), "use tabs.") is Tombstone.UNSIGNED
