"""`doctor --diagnostics`: each thing that it looks for is found, and nothing else."""

from __future__ import annotations

import os
from datetime import datetime

import pytest

from tests.cli.terminal import Terminal, copy_example
from tests.core.fakes import fake
from tests.index.fake import FakeEmbedder
from vaultmem.cli.opening import open_or_adopt
from vaultmem.core.evidence import SourceKind, new_evidence
from vaultmem.core.finding import CODES, Severity
from vaultmem.core.ledger import LedgerKind
from vaultmem.core.model import Category
from vaultmem.core.trust import TrustClass
from vaultmem.services.capture import Wish, add
from vaultmem.services.diagnosing import checks as diagnostic_checks
from vaultmem.services.diagnosing import notes as diagnostic_notes
from vaultmem.services.doctor import doctor
from vaultmem.services.evidence import record
from vaultmem.services.indexing import refresh
from vaultmem.services.tombstones import write_tombstone
from vaultmem.services.write import entry

NOTE = "Memory/Lessons/Tabs.md"
TOKEN = "gh" + "p_" + fake(36)


def deep(world, *, fix=False, agent=None):
    """What `doctor --diagnostics` finds."""
    app = world.here.app(agent=agent)
    open_or_adopt(app)
    crash_log = world.folder / "crash.log"
    return doctor(app.call(), set_up=(), crash_log=crash_log, fix=fix, deep=app.engine)


def codes(world, **more) -> list[str]:
    return [one.code for one in deep(world, **more).findings]


def only(world, code: str):
    """The one finding there is; it has this code and speaks of no statement."""
    (found,) = deep(world).findings
    assert found.code == code
    assert found.severity is CODES[code].severity
    assert "Use tabs" not in found.message + found.remedy
    return found


def tabs(world, **properties) -> str:
    return world.memory(NOTE, "Use tabs in Makefiles.", category="lesson", **properties)


def evidence_of(world, text="Use tabs in Makefiles.", **more) -> str:
    """A recorded piece; the link to its block."""
    values = {
        "source_kind": SourceKind.CONVERSATION,
        "trust": TrustClass.DIRECT_USER_INSTRUCTION,
        "session": "s1",
        "created": datetime(2026, 11, 29, 12),
        **more,
    }
    (link,) = record(world.here.call(), [new_evidence(excerpt=text, **values)])
    return link


def evidence_note(world) -> str:
    (found,) = world.vault.rglob("* evidence dev_*.md")
    return found.relative_to(world.vault).as_posix()


# ---- nothing


def test_governed_row_107_a_fresh_vault_has_no_finding(world):
    world.here.sync()
    assert deep(world).findings == ()


def test_a_vault_with_good_memories_evidence_and_candidates_has_no_finding(world):
    world.here.sync()
    tabs(world, evidence=f'"{evidence_of(world)}"')
    world.memory("Memory/Patterns/Utc.md", "Keep every timestamp in UTC.", category="pattern")
    world.write("Notes/Mine.md", f"My own note may hold {TOKEN} and a lot more.\n")
    world.here.sync()
    app = world.here.app(agent="pi")
    add(app.call(), app.engine, Wish(text="Pin the compiler.", category=Category.LESSON))
    assert deep(world).findings == ()
    assert deep(world).ok


def test_the_example_vault_has_no_finding_that_the_quick_look_has_not(tmp_path):
    person = Terminal(copy_example(tmp_path / "vault"), tmp_path / "home")
    person.ok("trust", ".")
    person.ok("sync")
    person.ok("search", "retry")
    quick = person.run("doctor", "--json").json["findings"]
    found = person.run("doctor", "--diagnostics", "--json").json["findings"]
    assert found == quick
    assert all(one["severity"] != "error" for one in found)


def test_the_quick_look_does_not_compare(world):
    tabs(world, status="superseded")
    world.here.sync()
    assert doctor(world.here.call(), set_up=(), crash_log=world.folder / "no").findings == ()


# ---- succession


def test_only_one_side_of_a_replacement_is_told(world):
    old = tabs(world, status="superseded", superseded_by='"[[New]]"')
    new = world.memory("Memory/Lessons/New.md", "Use spaces, but in Makefiles.", category="lesson")
    assert only(world, "VM701").message == (
        f"{old} names {new} as its successor, and {new} does not say so."
    )
    both = 'category: lesson\nsupersedes: "[[Tabs]]"'
    world.replace("Memory/Lessons/New.md", "category: lesson", both)
    world.here.sync()
    assert deep(world).findings == ()
    world.replace(NOTE, 'superseded_by: "[[New]]"\n', "")
    world.here.sync()
    found = {one.code: one.message for one in deep(world).findings}
    assert found == {
        "VM701": f"{new} names {old} as replaced, and {old} does not say so.",
        "VM702": f"{old} is superseded, and no successor is there.",
    }


def test_a_replacement_that_was_taken_back_is_no_half_of_one(world):
    old = tabs(world)
    out = "category: lesson\nstatus: deprecated"
    world.memory("Memory/Lessons/New.md", "Use spaces.", category="lesson", supersedes='"[[Tabs]]"')
    world.here.sync()
    assert codes(world) == ["VM701"], old
    world.replace("Memory/Lessons/New.md", "category: lesson", out)
    world.here.sync()
    assert codes(world) == []


def test_a_successor_that_is_gone_is_missed(world):
    identifier = tabs(world, status="superseded", superseded_by='"[[New]]"')
    found = {one.code: one for one in deep(world).findings}
    assert found.keys() == {"VM116", "VM702"}
    assert identifier in found["VM702"].message


@pytest.mark.parametrize("other", ["New", "Tabs"])
def test_successors_that_lead_back_are_told(world, other):
    def ring(name):
        return {
            "status": "superseded",
            "superseded_by": f'"[[{name}]]"',
            "supersedes": f'"[[{name}]]"',
        }

    identifier = tabs(world, **ring(other))
    if other == "New":
        world.memory("Memory/Lessons/New.md", "Use spaces.", category="lesson", **ring("Tabs"))
    found = [one.message for one in deep(world).findings if one.code == "VM702"]
    assert len(found) == (2 if other == "New" else 1)
    assert f"{identifier} is superseded, and its successors lead back to itself." in found


def test_a_successor_that_is_not_in_force_is_none(world):
    identifier = tabs(world, status="superseded", superseded_by='"[[New]]"')
    world.here.sync()
    world.memory("Memory/Lessons/New.md", "Use spaces.", supersedes='"[[Tabs]]"')
    world.here.sync(agent="pi")
    found = {one.code: one.message for one in deep(world).findings}
    assert found["VM702"] == f"{identifier} is superseded, and no successor is there."


def test_what_was_replaced_and_is_in_force_is_told(world):
    identifier = tabs(world, superseded_by='"[[New]]"')
    new = world.memory(
        "Memory/Lessons/New.md", "Use spaces.", category="lesson", supersedes='"[[Tabs]]"'
    )
    found = only(world, "VM703")
    assert found.message == f"{identifier} was replaced by {new} and is still in force."
    assert found.path == NOTE


def test_a_note_that_is_no_memory_replaces_nothing(world):
    world.write(
        "Memory/Inbox/Own.md", f"---\nid: {world.new_id('cand')}\ntype: candidate\n---\nMine.\n"
    )
    tabs(world, superseded_by='"[[Own]]"', supersedes='"[[Own]]"')
    world.here.sync()
    assert not {"VM701", "VM703"} & set(codes(world))


# ---- tombstones and deletion


def test_governed_row_108_a_correct_deletion_is_no_error(world):
    tabs(world, status="active")
    world.here.sync()
    world.replace(NOTE, "status: active", "status: deleted")
    assert deep(world).findings == ()
    world.path(NOTE).unlink()
    world.here.sync()
    world.here.pass_time(days=8)
    assert deep(world).findings == ()


def test_governed_row_109_what_was_deleted_and_is_in_force_is_an_error(world):
    identifier = tabs(world)
    world.here.sync()
    call = world.here.call()
    write_tombstone(call, world_memory(call, identifier), by="person")
    found = only(world, "VM751")
    assert found.severity is Severity.ERROR
    assert identifier in found.message
    assert f"vaultmem ratify {identifier}" in found.remedy


def test_a_tombstone_of_another_id_is_no_matter(world):
    """The fault that ids were compared in part: mem_1 was found in mem_10."""
    identifier = tabs(world)
    world.here.sync()
    call = world.here.call()
    memory = world_memory(call, identifier)
    other = identifier[:-1] + ("0" if identifier[-1] != "0" else "1")
    from dataclasses import replace

    write_tombstone(call, replace(memory, id=other), by="person")
    assert deep(world).findings == ()


def test_an_unsigned_tombstone_is_a_finding_of_its_ledger_and_no_error(world):
    identifier = tabs(world)
    world.here.sync()
    line = (
        f"- 2026-11-29T21:00:00Z 01JDR3Z8Q4M5N6P7R8S9T0V1W2 deleted {identifier} {{}} ~unsigned\n"
    )
    device = "dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
    head = f"---\ntype: ledger\nkind: tombstones\ndevice: {device}\nmonth: 2026-11\n---\n"
    world.write(f"Memory/System/Ledger/2026-11 tombstones {device}.md", head + line)
    assert codes(world) == ["VM406"]


@pytest.mark.parametrize("name", ["MEMORY.md", "memory_summary.md"])
def test_a_generated_note_that_cites_what_was_deleted_is_told_by_the_whole_id(world, name):
    identifier = tabs(world, status="active")
    world.here.sync()
    longer = f"{identifier}0 and x{identifier}"
    world.write(
        f"Memory/{name}",
        f"# Notebook\n\nIt says {longer}.\nFrom {identifier}, twice {identifier}.\n",
    )
    assert deep(world).findings == ()
    world.replace(NOTE, "status: active", "status: deleted")
    found = only(world, "VM752")
    assert (found.path, found.line) == (f"Memory/{name}", 4)
    world.path(NOTE).unlink()
    world.here.sync()
    world.here.pass_time(days=8)
    assert codes(world) == ["VM752"]


# ---- force and time


def test_governed_row_109_a_contested_rule_is_worth_knowing(world):
    identifier = tabs(world, status="contested", rule="avoid_pattern", confidence="0.95")
    found = only(world, "VM753")
    assert found.severity is Severity.INFO
    assert identifier in found.message
    world.replace(NOTE, "0.95", "0.70")
    assert deep(world).findings == ()


@pytest.mark.parametrize("line", ["expires: 2020-01-01T10:00:00", "valid_to: 2020-01-01"])
def test_what_is_over_and_still_active_is_worth_knowing(world, line):
    key, _, value = line.partition(": ")
    identifier = tabs(world, **{key: value})
    assert identifier in only(world, "VM754").message
    assert deep(world).ok


# ---- likeness


def test_two_of_one_meaning_in_one_category_are_told(world):
    old = tabs(world, created="2026-01-01T10:00:00")
    path = "Memory/Lessons/Again.md"
    new = world.memory(path, "Please always use tabs in Makefiles.", category="lesson")
    world.replace(path, "category: lesson", "category: lesson\ncreated: 2026-02-01T10:00:00")
    found = only(world, "VM731")
    assert (found.message, found.path) == (f"{new} means the same as {old}.", path)


@pytest.mark.parametrize(
    "properties",
    [
        {"category": "pattern"},
        {"category": "lesson", "scope": "project", "project": "github.com/acme/web"},
        {"category": "lesson", "status": "deprecated"},
        {"category": "lesson", "status": "contested"},
    ],
    ids=str,
)
def test_two_of_one_meaning_elsewhere_may_stand(world, properties):
    tabs(world)
    folder = "Patterns" if properties["category"] == "pattern" else "Lessons"
    text = "Please always use tabs in Makefiles."
    world.memory(f"Memory/{folder}/Again.md", text, **properties)
    assert deep(world).findings == ()


@pytest.mark.parametrize(
    "text",
    ["Use tabs in 3 Makefiles.", "Use tabs in Rakefiles.", "Use tabs in Makefiles of the kernel."],
)
def test_two_that_differ_in_what_counts_are_no_duplicates(world, text):
    tabs(world)
    world.memory("Memory/Lessons/Other.md", text, category="lesson")
    assert deep(world).findings == ()


def test_the_same_words_are_told_once(world):
    tabs(world)
    world.memory("Memory/Lessons/Same.md", "use tabs in Makefiles", category="lesson")
    assert codes(world) == ["VM331"]


def test_two_that_contradict_each_other_are_told_across_categories(world):
    old = tabs(world, created="2026-01-01T10:00:00")
    path = "Memory/Preferences/Never.md"
    new = world.memory(path, "Never use tabs in Makefiles.", category="preference")
    world.replace(path, "type: memory", "type: memory\ncreated: 2026-02-01T10:00:00")
    found = only(world, "VM732")
    assert (found.message, found.path) == (f"{new} contradicts {old}.", path)
    world.replace(path, "category: preference", "category: preference\nstatus: contested")
    assert deep(world).findings == ()


def test_more_pairs_than_are_compared_are_told(world, monkeypatch):
    monkeypatch.setattr(diagnostic_checks, "MOST_PAIRS", 2)
    for word in ("make", "ninja", "bazel"):
        world.memory(f"Memory/Lessons/{word}.md", f"Use the build tool {word}.", category="lesson")
    found = only(world, "VM733")
    assert found.message == "More than 2 pairs of memories are alike."
    monkeypatch.setattr(diagnostic_checks, "MOST_PAIRS", 3)
    assert deep(world).findings == ()


# ---- evidence


def test_evidence_that_is_not_there_is_a_dangling_link(world):
    world.here.sync()
    link = evidence_of(world)
    identifier = tabs(world, evidence=f'"{link}"')
    world.path(evidence_note(world)).unlink()
    found = {one.code: one for one in deep(world).findings}
    assert found.keys() == {"VM711", "VM721"}
    assert found["VM711"].message.startswith(f"{identifier} cites ev_")
    assert found["VM711"].path == NOTE


def test_a_link_to_a_note_that_is_not_there_dangles_and_one_to_a_note_does_not(world):
    world.write("Notes/Source.md", "My source.\n\n^why\n")
    tabs(world, evidence='"[[Source#^why]]"')
    assert deep(world).findings == ()
    world.replace(NOTE, "[[Source#^why]]", "[[Sauce#^why]]")
    world.here.sync()
    assert only(world, "VM711").path == NOTE


def test_a_candidate_whose_evidence_is_not_there_is_told(world):
    world.here.sync()
    link = "[[2026-11-29 evidence#^ev-01jdr3z8q4m5n6p7r8s9t0v1w2]]"
    world.write(
        "Memory/Inbox/One.md",
        f"---\nid: {world.new_id('cand')}\ntype: candidate\ndecision:\ncategory: lesson\n"
        f'evidence: "{link}"\n---\nUse tabs.\n',
    )
    assert only(world, "VM711").path == "Memory/Inbox/One.md"


def test_evidence_that_was_altered_supports_nothing(world):
    world.here.sync()
    tabs(world, evidence=f'"{evidence_of(world)}"')
    world.replace(evidence_note(world), "Use tabs in Makefiles.", "Use nothing at all.")
    found = {one.code: one for one in deep(world).findings}
    assert found.keys() == {"VM622", "VM721"}
    assert found["VM622"].path == evidence_note(world)
    assert "nothing at all" not in found["VM622"].message


def test_evidence_that_no_device_recorded_supports_nothing(world):
    world.here.sync()
    link = evidence_of(world)
    tabs(world, evidence=f'"{link}"')
    text = world.read(evidence_note(world))
    (ledger,) = world.vault.glob("Memory/System/Ledger/* activity *.md")
    other = World_without_line(ledger.read_text(), " evidence ev_")
    world.here.close()
    fresh = type(world)(world.folder / "again")
    try:
        fresh.write("Memory/Settings.md", world.read("Memory/Settings.md"))
        fresh.write(evidence_note(world), text)
        fresh.write(NOTE, world.read(NOTE))
        fresh.write(ledger.relative_to(world.vault).as_posix(), other)
        found = set(codes_with_own_key(fresh))
    finally:
        fresh.close()
    assert found >= {"VM712", "VM721"}


def World_without_line(text: str, part: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if part not in line)


def codes_with_own_key(world) -> list[str]:
    from vaultmem.store.key import KeyFile

    app = world.here.app()
    open_or_adopt(app)
    place = app.vault.state.key_file
    assert isinstance(place, KeyFile)
    if app.vault.key is None:
        place.create()
    return codes(world)


def test_governed_row_109_evidence_on_which_nothing_rests_is_told(world):
    world.here.sync()
    evidence_of(world)
    found = only(world, "VM713")
    assert found.path == evidence_note(world)


def test_evidence_rests_where_a_memory_was_reinforced_with_it(world):
    world.here.sync()
    identifier = tabs(world)
    world.here.sync()
    link = evidence_of(world)
    piece = f"ev_{link.rpartition('#^ev-')[2].removesuffix(']]').upper()}"
    from vaultmem.services.call import Actor
    from vaultmem.services.reinforce import reinforce

    reinforce(
        world.here.call(), identifier, session="s2", evidence=[piece], by=Actor.PERSON, via="test"
    )
    assert deep(world).findings == ()


def test_evidence_of_a_memory_that_was_deleted_is_no_orphan(world):
    world.here.sync()
    tabs(world, evidence=f'"{evidence_of(world)}"')
    world.here.sync()
    world.path(NOTE).unlink()
    world.here.sync()
    world.here.pass_time(days=8)
    assert deep(world).findings == ()


def test_governed_row_110_a_source_file_that_is_gone_asks_for_verification(world, tmp_path):
    source = tmp_path / "Makefile"
    source.write_text("all:\n")
    world.here.sync()
    link = evidence_of(world, source_kind=SourceKind.FILE, source_ref=f"{source}:12")
    tabs(world, evidence=f'"{link}"')
    assert deep(world).findings == ()
    source.unlink()
    found = {one.code: one for one in deep(world).findings}
    assert found.keys() == {"VM714", "VM721"}
    assert str(source) not in found["VM714"].message


@pytest.mark.parametrize(
    "reference", ["src/Makefile", "//server/share/Makefile", "/a\0b", "/a" * 3_000, ""]
)
def test_a_source_that_names_no_file_of_this_machine_is_not_missed(world, reference):
    world.here.sync()
    from vaultmem.services.diagnosing.evidence import source_is_gone

    piece = new_evidence(
        source_kind=SourceKind.FILE,
        trust=TrustClass.REPOSITORY_TEXT,
        excerpt="x y z",
        source_ref=reference,
    )
    assert source_is_gone(piece) is reference.startswith("/a")


def test_a_conversation_is_no_file(world):
    world.here.sync()
    tabs(world, evidence=f'"{evidence_of(world, source_ref="/no/such/place")}"')
    assert deep(world).findings == ()


def test_governed_row_111_all_evidence_gone_is_high_and_some_is_medium(world):
    world.here.sync()
    one, two = evidence_of(world), evidence_of(world, "Yes, use tabs in Makefiles, please.")
    identifier = tabs(world)
    world.replace(NOTE, "category", f'evidence:\n  - "{one}"\n  - "{two}"\ncategory')
    assert deep(world).findings == ()
    note = evidence_note(world)
    world.replace(note, "Yes, use tabs", "No, use tabs")
    found = {one.code: one.message for one in deep(world).findings}
    assert found.keys() == {"VM622", "VM722"}
    assert found["VM722"] == (
        f"1 of 2 pieces of the evidence of {identifier} do not hold; priority medium."
    )
    world.replace(note, "Use tabs in Makefiles.", "Use nothing.")
    found = {one.code: one.message for one in deep(world).findings}
    assert found.keys() == {"VM622", "VM721"}
    assert found["VM721"].endswith("priority high.")


def test_evidence_that_says_something_else_is_worth_knowing(world):
    world.here.sync()
    link = evidence_of(world, "The parser is slow on Mondays.")
    identifier = tabs(world, evidence=f'"{link}"')
    assert identifier in only(world, "VM723").message
    assert deep(world).ok


def test_a_project_that_is_a_folder_and_gone_is_told(world, tmp_path):
    identifier = tabs(world, scope="project", project=str(tmp_path))
    assert deep(world).findings == ()
    world.replace(NOTE, str(tmp_path), str(tmp_path / "gone"))
    found = only(world, "VM715")
    assert identifier in found.message
    assert str(tmp_path) not in found.message


# ---- notes that cannot be read


@pytest.mark.parametrize(
    ("path", "text", "code"),
    [
        ("Memory/Inbox/Broken.md", "---\na: [\n---\nx\n", "VM103"),
        ("Memory/Inbox/Odd.md", "---\ntype: candidate\ndecision: perhaps\n---\nSay it.\n", "VM122"),
        ("Memory/System/Evidence/2026/11/x evidence y.md", "---\na: [\n---\nx\n", "VM103"),
        ("Memory/System/Evidence/2026/11/x evidence z.md", "> [!quote] ev_x\n", "VM621"),
        ("Memory/System/Patches/2026/11/x patches y.md", "> [!note]- patch_x\n", "VM656"),
        ("Memory/Inbox/Patch.md", "---\ntype: patch\ndecision: perhaps\n---\n", "VM650"),
        ("Memory/Lessons/Broken.md", b"\xff", "VM101"),
    ],
)
def test_a_note_that_cannot_be_read_stops_nothing(world, path, text, code):
    world.here.sync()
    world.write(path, text)
    tabs(world, status="superseded")
    found = codes(world)
    assert code in found
    assert "VM702" in found, "what stands behind it is examined all the same"


# ---- secrets


@pytest.mark.parametrize(
    "path",
    [
        "Memory/Scratchpad.md",
        "Memory/MEMORY.md",
        "Memory/System/Log/2026-11-29 agent log dev_01JDR3Z8Q4M5N6P7R8S9T0V1W2.md",
        "Memory/System/Reports/x.md",
        "Memory/Inbox/One.md",
        "Memory/Skills/deploy/SKILL.md",
    ],
)
def test_a_secret_in_a_machine_note_is_told_by_place_and_kind_only(world, path):
    world.here.sync()
    world.write(path, f"---\ntype: log\n---\nFirst.\nThe token is {TOKEN}.\n")
    found = [one for one in deep(world).findings if one.code == "VM761"]
    (one,) = found
    assert (one.path, one.line, one.severity) == (path, 5, Severity.ERROR)
    assert TOKEN[4:] not in str(found)


def test_a_secret_in_a_memory_is_told_by_its_id(world):
    identifier = world.memory("Memory/Lessons/One.md", "Log in first.", category="lesson")
    world.here.sync()
    world.write("Memory/Lessons/One.md", world.read("Memory/Lessons/One.md") + f"\n{TOKEN}\n")
    (one,) = (one for one in deep(world).findings if one.code == "VM761")
    assert identifier in one.message


def test_a_name_that_holds_a_secret_is_not_told(world):
    world.here.sync()
    world.write(f"Memory/Scratch {TOKEN}.md", "---\ntype: scratchpad\n---\nNothing.\n")
    found = [one for one in deep(world).findings if one.code == "VM761"]
    (one,) = found
    assert one.path is None
    assert TOKEN not in str(found)


def test_a_secret_parted_by_what_nobody_sees_is_found(world):
    world.here.sync()
    parted = TOKEN[:20] + "\u200b" + TOKEN[20:]
    world.write("Memory/Scratchpad.md", f"Two\nlines, {parted}\n")
    (one,) = (one for one in deep(world).findings if one.code == "VM761")
    assert one.line == 2


def test_an_id_that_looks_like_a_cloud_key_is_none(world):
    """The alphabet of ids allows the beginning and the length of one."""
    from vaultmem.services.capturing.secret_scan import scan

    world.here.sync()
    identifier = "01M8MYA3TQAG8AECMZPMM76F88"
    key = identifier[6:]
    name = f"Memory/System/Reports/x dev_{identifier}.md"
    world.write(name, f"mem_{identifier} and {identifier} ~{'ab' * 16}\n")
    assert deep(world).findings == ()
    assert scan(key), "by itself it would be one"
    world.write(name, f"{key}\n")
    assert codes(world) == ["VM761"]


# ---- drift


def change_secretly(world, path: str, old: str, new: str) -> None:
    """Other bytes of the same length with the stat of before, as a restored backup may have."""
    place = world.path(path)
    before = place.stat()
    assert len(old) == len(new)
    with place.open("r+b") as file:
        data = file.read()
        file.seek(0)
        file.write(data.replace(old.encode(), new.encode()))
    os.utime(place, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.fixture
def trusted_stat(world, monkeypatch):
    """A disk whose change times say nothing, as some network disks have."""
    import vaultmem.store.walk as walk

    real = walk.stat_of

    def without(vault, relative):
        return (*real(vault, relative)[:3], 0)

    for name in (
        *("services.diagnosing.notes", "services.syncing.observe", "services.syncing.record"),
        "store.vault",
    ):
        monkeypatch.setattr(f"vaultmem.{name}.stat_of", without)

    def seen(vault):
        found = walk.walk(vault)
        return found._replace(notes={path: (*stat[:3], 0) for path, stat in found.notes.items()})

    monkeypatch.setattr("vaultmem.services.syncing.observe.walk", seen)
    identifier = tabs(world)
    world.here.sync()
    os.utime(world.path(NOTE), (1_700_000_000, 1_700_000_000))
    world.here.sync()
    return identifier


def test_a_note_that_changed_behind_its_date_is_told_and_read_again_by_fix(world, trusted_stat):
    assert deep(world).findings == ()
    change_secretly(world, NOTE, "Use tabs in", "No spaces i")
    assert world.here.sync().edited == 0, "no sync can see it"
    found = only(world, "VM741")
    assert (found.path, trusted_stat in found.message) == (NOTE, True)

    mended = deep(world, fix=True)

    assert f"{NOTE} is read again" in mended.fixed
    assert mended.findings == ()
    standing = world.here.call().vault.baseline.standing(trusted_stat)
    assert standing.statement == "No spaces i Makefiles."


def test_a_note_that_is_edited_meanwhile_is_no_drift(world, monkeypatch):
    tabs(world)
    world.here.sync()
    from vaultmem.services import diagnostics as module

    real = module.examine

    def examine(call, memories):
        world.replace(NOTE, "Use tabs", "Use more tabs")
        return real(call, memories)

    monkeypatch.setattr(module, "examine", examine)
    assert deep(world).findings == ()


def test_a_note_that_goes_while_it_is_examined_is_left_out(world, monkeypatch):
    tabs(world)
    world.here.sync()
    from vaultmem.services import diagnostics as module

    real = module.examine

    def examine(call, memories):
        world.path(NOTE).unlink()
        return real(call, memories)

    monkeypatch.setattr(module, "examine", examine)
    assert deep(world).findings == ()


def test_a_note_that_goes_meanwhile_is_no_drift(world, monkeypatch):
    tabs(world)
    world.here.sync()

    def gone(vault, relative):
        raise FileNotFoundError

    monkeypatch.setattr(diagnostic_notes, "stat_of", gone)
    change_secretly(world, NOTE, "tabs", "taps")
    call = world.here.call()
    assert list(diagnostic_notes.check_files(call)) == []


@pytest.mark.parametrize(
    "sql",
    [
        "UPDATE contents SET bytes = X'FF' WHERE id = ?",
        "DELETE FROM contents WHERE id = ?",
        "UPDATE contents SET bytes = CAST('---\ntype: memory\n---\nUse none.\n' AS BLOB) WHERE id = ?",
        "UPDATE memories SET statement = 'Use none.' WHERE id = ?",
        "UPDATE memories SET force_mac = 'x' WHERE id = ?",
        "UPDATE memories SET status = 'contested' WHERE id = ?",
    ],
)
def test_what_this_machine_keeps_is_damaged_and_mended_by_fix(world, sql):
    identifier = tabs(world, pinned="true")
    world.here.sync()
    from vaultmem.services.ratify import ratify

    ratify(world.here.call(), identifier)
    call = world.here.call()
    assert deep(world).findings == ()
    call.vault.baseline.connection.execute(sql, (identifier,))
    damaged = [one for one in deep(world).findings if one.code == "VM742"]
    assert [(one.path, one.severity) for one in damaged] == [(NOTE, Severity.ERROR)]
    assert identifier in damaged[0].message

    assert deep(world, fix=True).findings == ()
    standing = world.here.call().vault.baseline.standing(identifier)
    assert (standing.statement, standing.status) == ("Use tabs in Makefiles.", "active")
    assert standing.force == 1, "its signed line still holds"


def test_fix_has_nothing_to_read_again_where_nothing_drifted(world):
    tabs(world)
    world.here.sync()
    assert deep(world, fix=True).fixed == ()


# ---- the index


def searched(world):
    world.here.sync()
    app = world.here.app()
    refresh(app.call(), app.engine)
    return app


def test_an_index_that_was_never_built_is_not_missed_nor_built(world):
    tabs(world)
    assert deep(world).findings == ()
    assert not (world.here.app().vault.state.cache / "index" / "words" / "stamp").exists()


def test_an_index_that_holds_what_the_notes_say_has_no_finding(world):
    tabs(world)
    searched(world)
    world.memory("Memory/Patterns/Utc.md", "Keep every timestamp in UTC.", category="pattern")
    assert deep(world).findings == ()


@pytest.mark.parametrize(("gone", "lacks", "too_many"), [(False, 0, 1), (True, 1, 0)])
def test_an_index_with_too_much_or_too_little_is_told(world, gone, lacks, too_many):
    from vaultmem.index.documents import Source, note_documents

    tabs(world)
    app = searched(world)
    words = app.engine._words()
    if gone:
        words.apply((), [NOTE], stamp=words.stamp)
    else:
        more = note_documents(
            source=Source.MEMORY, path="x.md", title="x", body="More.", id="mem_x"
        )
        words.apply(more, (), stamp=words.stamp)
    found = only(world, "VM743")
    assert found.message == (
        f"The search index lacks {lacks} documents and has {too_many} too many."
    )
    from vaultmem.services.reindex import reindex

    app = world.here.app()
    reindex(app.call(), app.engine)
    assert deep(world).findings == ()


def test_a_vector_of_what_is_gone_is_too_many(world):
    tabs(world)
    world.here.sync()
    app = world.here.app()
    app._embedder = FakeEmbedder
    refresh(app.call(), app.engine)
    assert list(diagnostic_notes.check_index(app.call(), app.engine)) == []
    meaning = app.engine._meaning()
    from vaultmem.index.documents import Source, note_documents

    more = note_documents(source=Source.MEMORY, path="x.md", title="x", body="More.", id="mem_x")
    meaning.apply(more, (), stamp=meaning.stamp)
    (found,) = diagnostic_notes.check_index(app.call(), app.engine)
    assert found.message == "The search index lacks 0 documents and has 1 too many."


def test_an_index_that_another_process_writes_is_told(world, monkeypatch):
    tabs(world)
    app = searched(world)
    monkeypatch.setattr(type(app.engine), "refresh", lambda self, feeder: "The index is locked.")
    assert only(world, "VM744").message == "The index is locked."


def test_an_index_that_cannot_be_read_is_told(world, monkeypatch):
    from vaultmem.index.keyword import KeywordIndex
    from vaultmem.index.signals import IndexTornError

    tabs(world)
    searched(world)

    def torn(self):
        raise IndexTornError

    monkeypatch.setattr(KeywordIndex, "keys", property(torn))
    assert only(world, "VM744").message == CODES["VM744"].meaning


# ---- in all


def test_an_agent_may_look_and_not_mend(world):
    from vaultmem.errors import AgentRefusedError

    world.here.sync()
    assert deep(world, agent="pi").findings == ()
    with pytest.raises(AgentRefusedError, match="doctor --fix"):
        deep(world, agent="pi", fix=True)


def test_without_a_key_nothing_is_called_unrecorded(world):
    world.here.sync()
    tabs(world, evidence=f'"{evidence_of(world)}"')
    world.here.sync()
    other = world.device()
    for key in (other.home / "state").glob("vault_*/key"):
        key.unlink()
    app = other.app()
    open_or_adopt(app)
    found = doctor(app.call(), set_up=(), crash_log=world.folder / "no", deep=app.engine)
    assert "VM403" in {one.code for one in found.findings}
    assert not {"VM712", "VM721"} & {one.code for one in found.findings}


def test_a_guardrail_that_never_fires_is_told_by_the_quick_look_too(world):
    identifier = tabs(world, trigger='"bash_contain rm"', action="block")
    world.here.sync()
    from vaultmem.services.ratify import ratify

    ratify(world.here.call(), identifier)
    found = doctor(world.here.call(), set_up=(), crash_log=world.folder / "no").findings
    assert [(one.code, one.path) for one in found] == [("VM611", NOTE)]


def test_every_finding_of_the_diagnostics_says_what_to_do():
    for code, row in CODES.items():
        if code.startswith("VM7"):
            assert row.meaning.endswith(".")
            assert row.remedy.endswith(".")


def world_memory(call, identifier):
    from vaultmem.services.lookup import find_memory

    return find_memory(call, identifier).decoded.memory


def test_a_ledger_line_for_the_test_of_tombstones_is_signed(world):
    """The tombstone tests rest on it: what `write_tombstone` writes counts."""
    identifier = tabs(world)
    world.here.sync()
    call = world.here.call()
    call.vault.append(LedgerKind.TOMBSTONES, [entry(call, "deleted", identifier, {"after": ""})])
    assert codes(world) == ["VM751"]


# ---- with the verbs that decide and delete


@pytest.fixture
def proposed(world):
    """A candidate of an agent, with the evidence that its capture recorded."""
    world.here.sync()
    app = world.here.app(agent="pi")
    wish = Wish(text="Use tabs in Makefiles.", category=Category.LESSON)
    return add(app.call(), app.engine, wish)


@pytest.mark.parametrize("decision", ["approve", "reject", "defer"])
def test_what_becomes_of_a_candidate_leaves_nothing_to_tell(world, proposed, decision):
    from vaultmem.notes.candidate import Decision
    from vaultmem.services.inbox import decide

    assert world.path(proposed.path).exists()
    decide(world.here.call(), proposed.id, Decision(decision))
    assert codes(world) == []
    other = world.device()
    other.sync()
    app = other.app()
    found = doctor(app.call(), set_up=(), crash_log=world.folder / "no", deep=app.engine)
    assert found.findings == (), "nor on another device"


def test_evidence_of_another_moment_is_an_orphan_although_a_candidate_was_rejected(world, proposed):
    from vaultmem.notes.candidate import Decision
    from vaultmem.services.inbox import decide

    decide(world.here.call(), proposed.id, Decision.REJECT)
    world.here.pass_time(minutes=5)
    evidence_of(world, "Nobody rests on this.")
    only(world, "VM713")


@pytest.mark.parametrize("with_evidence", [False, True])
def test_governed_row_108_neither_forget_nor_purge_is_an_error(world, with_evidence):
    from vaultmem.services.forget import forget
    from vaultmem.services.purge import purge

    world.here.sync()
    link = evidence_of(world)
    kept = tabs(world, **({"evidence": f'"{link}"'} if with_evidence else {}))
    gone = world.memory(
        "Memory/Patterns/Utc.md", "Keep every timestamp in UTC.", category="pattern"
    )
    old = world.memory(
        "Memory/Patterns/Old.md",
        "Keep local time in the database.",
        category="pattern",
        status="superseded",
        superseded_by='"[[Utc]]"',
    )
    both = 'category: pattern\nsupersedes: "[[Old]]"'
    world.replace("Memory/Patterns/Utc.md", "category: pattern", both)
    world.here.sync()
    before = codes(world)
    forget(world.here.call(), kept)
    assert codes(world) == before
    purge(world.here.call(), kept)
    purge(world.here.call(), gone)
    found = deep(world).findings
    assert [one for one in found if one.severity is Severity.ERROR] == []
    assert old in str([one.message for one in found if one.code == "VM702"])


# ---- the saved report


def saved(world, agent=None) -> str:
    from vaultmem.services.diagnosing.saved import save

    app = world.here.app(agent=agent)
    open_or_adopt(app)
    call = app.call()
    found = doctor(call, set_up=(), crash_log=world.folder / "no", deep=app.engine)
    return save(call, found)


def test_a_saved_report_names_ids_and_codes_and_no_statement(world):
    world.here.sync()
    identifier = tabs(world, status="superseded")
    world.memory("Memory/Lessons/Again.md", "Prefer spaces.", category="lesson")
    other = world.memory("Memory/Lessons/Twice.md", "prefer spaces", category="lesson")
    world.write("Memory/Lessons/Use tabs broken.md", "---\nsecret words: [\n---\nUse tabs.\n")
    world.write("Memory/Scratchpad.md", f"{TOKEN}\n")
    path = saved(world)
    text = world.read(path)
    assert path.startswith("Memory/System/Reports/20")
    assert path.endswith(f" diagnostics {world.here.id}.md")
    head, body = text.split("\n---\n", 1)
    assert head.startswith("---\nid: rep_")
    assert f"\ntype: report\ndevice: {world.here.id}\ncreated: " in head
    assert "## Errors (2)" in body
    assert "\n- VM761 Scratchpad:1: A note of kind root holds a secret (github_token). " in body
    assert f"- VM702: {identifier} is superseded, and no successor is there. " in body
    assert f"- VM331 {other}: Two memories make the same statement. " in body
    assert "- VM103: The properties are not valid YAML. " in body
    for word in ("tabs", "Tabs", "spaces", "Twice", "Again", "secret words", TOKEN):
        assert word not in body.replace("holds a secret", "")


def test_a_report_without_a_finding_says_so_and_finds_itself_in_order(world):
    world.here.sync()
    path = saved(world)
    assert "Nothing was found." in world.read(path)
    assert deep(world).findings == ()
    assert world.here.sync().changes == ()


def test_two_reports_of_one_second_have_two_names(world, monkeypatch):
    world.here.sync()
    from vaultmem.services.diagnosing import saved as diagnostic_report
    from vaultmem.services.doctor import diagnose

    call = world.here.call()
    paths = {diagnostic_report.save(call, diagnose([])) for _ in range(3)}
    assert len(paths) == 3
    assert all(world.path(path).exists() for path in paths)


def test_what_an_agent_saves_is_signed_as_policys(world):
    world.here.sync()
    path = saved(world, agent="pi")
    identifier = world.read(path).split("id: ")[1].split()[0]
    (line,) = (one for one in world.ledger().splitlines() if identifier in one)
    assert '"by":"policy","via":"doctor"' in line
    assert not line.endswith("unsigned")


def test_a_finding_without_a_note_stands_without_a_place(world):
    from vaultmem.core.finding import finding
    from vaultmem.services.diagnosing.saved import save
    from vaultmem.services.doctor import diagnose

    world.here.sync()
    text = world.read(save(world.here.call(), diagnose([finding("VM403"), finding("VM403", "x.")])))
    assert text.count(f"- VM403: {CODES['VM403'].meaning} ") == 1
