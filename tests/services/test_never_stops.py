"""One bad note, name, ledger or file of ours stops nothing else, and says what it is."""

from __future__ import annotations

import errno
import os
from contextlib import suppress

import pytest

from tests.world import codes
from vaultmem.core.ids import ulid
from vaultmem.errors import BusyError, DiskFailedError, ReadOnlyError, VaultError
from vaultmem.services.doctor import doctor
from vaultmem.services.ratify import ratify
from vaultmem.services.report import report
from vaultmem.store.disk import DISK

NOTE = "Memory/Lessons/Add files by name.md"
GOOD = "Add files by name."


@pytest.fixture
def known(world):
    identifier = world.memory(NOTE, GOOD, category="lesson", pinned="true")
    world.here.sync()
    ratify(world.here.call(), identifier)
    return identifier


def _restart(world):
    world.here.close()
    world.here._apps.clear()


def test_a_candidate_takes_no_name_that_a_note_of_the_same_sync_has(world, known):
    world.write("Memory/Inbox/Use UTC.md", "---\ntype: candidate\n---\nSomething.\n")
    world.write("Memory/Lessons/x.md", "Use UTC.\n")
    assert world.here.sync(agent="pi").external == 1
    assert len([path for path in world.notes() if path.startswith("Memory/Inbox/")]) == 2


@pytest.mark.parametrize("statement", ["\u200b\u200b", "\u2060 \u200d", "\u00ad"])
@pytest.mark.parametrize("agent", [None, "pi"])
def test_a_statement_that_nobody_can_see_is_none(world, known, statement, agent):
    world.write("Memory/Lessons/x.md", f"{statement}\n")
    done = world.here.sync(agent=agent)
    assert "VM109" in codes(done)
    assert [one.id for one in world.here.call().vault.baseline.standings()] == [known]


@pytest.mark.parametrize("value", ["9" * 25, "9" * 400, "1e400", ".inf", ".nan", "-5"])
def test_a_number_beyond_all_bounds_stops_no_sync(world, known, value):
    world.write(
        "Memory/Lessons/x.md", f"---\nevidence_count: {value}\nconfidence: {value}\n---\nUse UTC.\n"
    )
    assert world.here.sync().created == 1
    assert world.here.sync().changes == ()


def test_a_note_that_may_not_be_written_waits_and_the_others_do_not(world, known):
    world.write("Memory/Lessons/a.md", "Alpha.\n")
    world.write("Memory/Lessons/b.md", "Beta.\n")
    world.path("Memory/Lessons/a.md").chmod(0o444)
    done = world.here.sync()
    assert done.created == 1
    assert "VM315" in codes(done)
    world.path("Memory/Lessons/a.md").chmod(0o644)
    assert world.here.sync().created == 1


def test_a_category_that_could_not_be_written_follows_later(world, known):
    new = "Memory/Decisions/Add files by name.md"
    world.path(new).parent.mkdir()
    world.path(NOTE).rename(world.path(new))
    world.path(new).chmod(0o444)
    assert "VM315" in codes(world.here.sync())
    world.path(new).chmod(0o644)
    assert world.here.sync().applied == 1
    assert "category: decision" in world.read(new)


@pytest.mark.parametrize("value", ["42", "zettel 2020", "[a, b]"])
def test_an_id_of_the_persons_own_is_not_replaced(world, known, value):
    text = f"---\nid: {value}\n---\nUse UTC.\n"
    world.write("Memory/Lessons/x.md", text)
    done = world.here.sync()
    assert {"VM113", "VM110"} & set(codes(done))
    assert world.read("Memory/Lessons/x.md") == text
    world.replace("Memory/Lessons/x.md", f"id: {value}\n", "")
    assert world.here.sync().created == 1


@pytest.mark.parametrize(
    "value", ["mem_01jdr3z8q4m5n6p7r8s9t0v1w2", "cand_01JDR3Z8Q4M5N6P7R8S9T0V1W2"]
)
def test_a_damaged_id_of_ours_is_replaced(world, known, value):
    world.write("Memory/Lessons/x.md", f"---\nid: {value}\n---\nUse UTC.\n")
    assert world.here.sync().created == 1
    assert value not in world.read("Memory/Lessons/x.md")


def test_what_is_no_file_hangs_nothing_and_is_told_once(world, known):
    os.mkfifo(world.path("Memory/Lessons/pipe.md"))
    world.path("Memory/Lessons/folder.md").mkdir()
    assert [one.change for one in world.here.sync().changes] == ["broken"]
    done = world.here.sync()
    assert done.changes == ()
    assert "VM111" in codes(done)


def test_names_that_are_no_unicode_are_reported_in_words_that_can_be_stored(world, known):
    lessons = world.path("Memory/Lessons")
    (lessons / os.fsdecode(b"\xfelink.md")).symlink_to("nowhere")
    folder = lessons / os.fsdecode(b"\xfffolder")
    folder.mkdir()
    (folder / "x.md").write_text("In it.\n")
    done = world.here.sync()
    assert {"VM115", "VM318"} <= set(codes(done))
    for one in done.findings:
        str(one).encode()


def test_a_damaged_key_is_a_finding_and_no_verb_stops(world, known):
    _restart(world)
    for key in (world.here.home / "state").glob("vault_*/key"):
        key.write_text("garbage")
    world.replace(NOTE, GOOD, "Add each file.")
    assert world.here.sync().edited == 1
    app = world.here.app()
    found = doctor(app.call(), set_up=(), crash_log=world.folder / "none")
    assert "VM404" in codes(found)


def _page(data: bytearray) -> None:
    data[4096:] = b"\xa5" * (len(data) - 4096)


def _half(data: bytearray) -> None:
    del data[len(data) // 2 :]


def _text(data: bytearray) -> None:
    data[:] = data.replace(b"Memory/Lessons", b"Memory/\xff\xfe\xff\xfe\xff\xfe\xff")


@pytest.mark.parametrize("damage", [_page, _half, _text])
def test_a_damaged_baseline_is_set_aside_and_the_next_command_works(world, known, damage):
    _restart(world)
    (place,) = (world.here.home / "state").glob("vault_*/baseline.sqlite")
    data = bytearray(place.read_bytes())
    damage(data)
    place.write_bytes(data)
    with suppress(VaultError):  # found out at once, or while it reads
        world.here.sync()
    _restart(world)
    world.here.sync()
    assert place.with_suffix(".broken").exists()
    standing = world.here.call().vault.baseline.standing(known)
    assert (standing.statement, standing.force) == (GOOD, 1), "the signed line is in the vault"


def test_a_forged_ledger_line_may_be_removed_as_its_finding_says(world, known):
    (ledger,) = world.path("Memory/System/Ledger").glob("*force*")
    good = ledger.read_text()
    line = next(one for one in good.splitlines() if one.startswith("- "))
    forged = line.replace(line.split()[2], ulid(1_764_000_000_000, b"1234567890"))
    ledger.write_text(f"{good}{forged}\n")
    assert "VM405" in codes(world.here.sync())
    ledger.write_text(good)
    assert codes(world.here.sync()) == []


def test_a_ledger_that_is_put_back_is_no_finding_any_more(world, known):
    (ledger,) = world.path("Memory/System/Ledger").glob("*force*")
    good = ledger.read_bytes()
    ledger.unlink()
    assert "VM316" in codes(world.here.sync())
    ledger.write_bytes(good)
    assert codes(world.here.sync()) == []


@pytest.mark.parametrize("left", [b"", b"\0" * 4096, b"---\ntype: ledger\n---\n"])
def test_a_ledger_of_which_nothing_is_left_lost_its_lines(world, known, left):
    (ledger,) = world.path("Memory/System/Ledger").glob("*force*")
    good = ledger.read_bytes()
    ledger.write_bytes(left)
    assert "VM316" in codes(world.here.sync())
    ledger.write_bytes(good)
    assert codes(world.here.sync()) == []


@pytest.mark.parametrize(
    "mess",
    [
        lambda good: good.replace(b"\n", b"\r\n"),
        lambda good: good + good.partition(b"- ")[1] + good.partition(b"- ")[2],
        lambda good: good + b"<<<<<<< HEAD\n=======\n>>>>>>> theirs\n",
        lambda good: good[:-20],
        lambda good: good + b"\0" * 100,
        lambda good: b"",
        lambda good: bytes(range(256)),
    ],
)
def test_a_ledger_in_any_state_costs_no_memory_its_force(world, known, mess):
    (ledger,) = world.path("Memory/System/Ledger").glob("*force*")
    ledger.write_bytes(mess(ledger.read_bytes()))
    assert world.here.sync().changes == ()
    assert world.here.call().vault.baseline.standing(known).force == 1
    ratify(world.here.call(), known)  # writes into it
    assert world.here.sync().changes == ()


def test_a_page_that_is_damaged_while_it_is_read_says_what_to_do_and_no_text_of_a_note(
    world, known
):
    _restart(world)
    (place,) = (world.here.home / "state").glob("vault_*/baseline.sqlite")
    data = bytearray(place.read_bytes())
    _text(data)
    place.write_bytes(data)
    with pytest.raises(VaultError, match="Run the command again") as told:
        world.here.sync()
    assert "Lessons" not in str(told.value)


def test_a_new_note_takes_no_name_that_is_on_the_disk_and_unknown(world, known):
    vault = world.here.call().vault
    identifier = world.new_id()
    world.write("Memory/Lessons/Use UTC.md", "Typed this moment.\n")
    second = vault.free_path("Lessons", "Use UTC.", identifier)
    assert second == f"Memory/Lessons/Use UTC ({identifier[-4:].lower()}).md"
    world.write(second, "Typed this moment, too.\n")
    assert vault.free_path("Lessons", "Use UTC.", identifier) == f"Memory/Lessons/{identifier}.md"


def test_a_category_follows_also_when_the_disk_fails_before_it_is_written(
    world, known, monkeypatch
):
    new = "Memory/Decisions/Add files by name.md"
    world.path(new).parent.mkdir()
    world.path(NOTE).rename(world.path(new))
    write = DISK.write

    def full(descriptor: int, data: bytes) -> None:
        if b"category: decision" in data:
            raise OSError(errno.EIO, "Input/output error")
        write(descriptor, data)

    monkeypatch.setattr(DISK, "write", full)
    with pytest.raises(DiskFailedError):
        world.here.sync()
    monkeypatch.undo()
    assert world.here.sync().applied == 1
    assert "category: decision" in world.read(new)


def test_a_full_disk_under_the_baseline_is_told_and_nothing_is_half_known(world, known):
    baseline = world.here.call().vault.baseline
    baseline._sql.execute("PRAGMA max_page_count = 1")

    def fill() -> None:
        with baseline.transaction():
            for number in range(500):
                baseline.set_meta(f"word {number}", "x" * 500)

    with pytest.raises(DiskFailedError, match="full"):
        fill()
    assert baseline.meta("word 0") == ""


@pytest.mark.parametrize(
    ("begin", "error"), [("PRAGMA query_only = 1", ReadOnlyError), ("BEGIN IMMEDIATE", BusyError)]
)
def test_a_baseline_that_cannot_be_written_is_told_in_words(
    world, known, begin, error, monkeypatch
):
    monkeypatch.setattr("vaultmem.store.baseline_file.BUSY_SECONDS", 0.01)
    first = world.here.call().vault.baseline
    second = world.here.call().vault.baseline
    (second if error is ReadOnlyError else first)._sql.execute(begin)
    with pytest.raises(error):
        second.set_meta("word", "x")


@pytest.fixture
def read_only(world, monkeypatch):
    """The vault's disk says no to every change, as a read-only mount does."""

    def deny():
        refused = OSError(errno.EROFS, "Read-only file system")
        for step in (
            "open_new",
            "open_append",
            "link",
            "exchange",
            "replace",
            "unlink",
            "make_folder",
        ):
            original = getattr(DISK, step)

            def refuse(path, *rest, original=original, **options):
                if str(path).startswith(str(world.vault)):
                    raise refused
                return original(path, *rest, **options)

            monkeypatch.setattr(DISK, step, refuse)

    return deny


def _as_a_folder(place):
    place.mkdir()


def _as_a_link(place):
    place.symlink_to(place.parent.parent / "elsewhere.md")


def _as_a_pipe(place):
    os.mkfifo(place)


def _with_a_file_for_its_folder(place):
    place.parent.rename(place.parent.with_name("Kept"))
    place.parent.write_text("No folder.\n")


@pytest.mark.parametrize(
    "lies_there",
    [_as_a_folder, _as_a_link, _as_a_pipe, _with_a_file_for_its_folder],
    ids=lambda one: one.__name__.strip("_"),
)
def test_what_lies_in_the_place_of_a_ledger_stops_nothing_and_the_lines_wait(world, lies_there):
    identifier = world.memory(NOTE, "Add files by name.", category="lesson")
    world.here.sync()
    world.replace(NOTE, "Add files by name.", "Add each file by name.")
    world.here.sync()
    (ledger,) = world.path("Memory/System/Ledger").glob("* activity *.md")
    said = ledger.read_bytes()
    ledger.unlink()
    lies_there(ledger)
    world.replace(NOTE, "Add each file by name.", "Add every file by name.")
    world.write("Memory/Lessons/new.md", "A note without an id.\n")
    for _ in range(2):
        told = [one for one in world.here.sync().findings if one.code == "VM322"]
        assert [ledger.name in one.remedy for one in told] == [True]
        assert "lies in its place" in told[0].remedy
        assert "Add every file by name." in report(world.here.call()).text
    place = ledger.parent if lies_there is _with_a_file_for_its_folder else ledger
    (place.rmdir if place.is_dir() else place.unlink)()
    ledger.parent.mkdir(exist_ok=True)
    ledger.write_bytes(said)
    assert "VM322" not in [one.code for one in world.here.sync().findings]
    assert world.ledger().count(f" edited {identifier} ") == 2


def test_a_vault_on_a_read_only_disk_is_read_as_it_is_and_the_ledger_catches_up(
    world, read_only, monkeypatch
):
    pinned = world.memory("Memory/Lessons/a.md", "Add files by name.", category="lesson")
    world.here.sync()
    world.replace("Memory/Lessons/a.md", "category: lesson", "category: lesson\npinned: true")
    world.write("Memory/Lessons/new.md", "A note without an id.\n")
    read_only()
    for _ in range(2):
        done = world.here.sync()
        assert "VM322" in [one.code for one in done.findings]
        standing = world.here.call().vault.baseline.standing(pinned)
        assert (standing.pinned, standing.force) == (1, 1), "the edit is in force"
    text = report(world.here.call()).text
    assert "Add files by name." in text
    assert world.ledger() == ""
    monkeypatch.undo()
    done = world.here.sync()
    assert "VM322" not in [one.code for one in done.findings]
    assert world.ledger().count(f" edited {pinned} ") == 1
    assert world.ledger("force").count(f" given {pinned} ") == 1
    assert world.here.sync().changes == ()


def test_an_agents_edit_on_a_read_only_disk_is_held_without_a_candidate(world, read_only):
    known = world.memory("Memory/Lessons/a.md", "Add files by name.", category="lesson")
    world.here.sync()
    world.replace("Memory/Lessons/a.md", "by name", "in one go")
    read_only()
    assert world.here.sync(agent="pi").external == 1
    assert world.here.call().vault.baseline.standing(known).statement == "Add files by name."
