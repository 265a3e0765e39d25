"""The example vault is what its tutorial and the demo promise: whole, consistent, unharmed by edits."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import PurePosixPath

from tests.example_vault import (
    BLOCK_ID,
    HEADING,
    PROJECTS,
    REPOSITORY,
    VAULT,
    Note,
    born,
    by_name,
    knowledge,
    memories,
    moment,
    named,
    notes,
    resolve,
)
from vaultmem.core.category import IDENTITY_FOLDER
from vaultmem.core.conflict import is_conflict_copy
from vaultmem.core.ids import is_id
from vaultmem.core.model import Category, Cue
from vaultmem.core.naming import name_key
from vaultmem.notes.frontmatter import read, set_property, unset_property

DATE = re.compile(r"\d{4}-\d\d-\d\d")
DATETIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d")


def property_types() -> dict[str, str]:
    types: dict[str, str] = json.loads((VAULT / ".obsidian/types.json").read_text())["types"]
    return types


# ---- what is there


def test_memories_cover_the_six_categories_and_identity() -> None:
    counts = Counter(
        note.properties["category"] for note in memories() if note.path.parts[1] != IDENTITY_FOLDER
    )
    assert set(counts) == set(Category)
    assert min(counts.values()) >= 7
    assert 58 <= counts.total() <= 70
    assert sum(note.path.parts[1] == IDENTITY_FOLDER for note in memories()) == 3


def test_both_projects_and_the_person_have_memories() -> None:
    counts = Counter(note.properties.get("project") for note in memories())
    assert set(counts) == {None, *PROJECTS}
    assert min(counts.values()) >= 15


def test_special_memories_are_there() -> None:
    def having(key: str, *values: object) -> int:
        return sum(note.properties.get(key) in values for note in memories())

    assert having("pinned", True) == 4
    assert having("action", "block", "warn") == 3
    assert having("status", "superseded") == 3
    assert having("status", "contested") == 1
    assert having("status", "deprecated") == 1
    assert having("status", "promoted") == 1
    assert sum("vault_ref" in note.properties for note in memories()) >= 15
    assert sum("applies_when" in note.properties for note in memories()) >= 2
    assert {note.properties.get("evidence_count", 1) for note in memories()} >= {1, 2, 5, 9}
    assert {Cue(str(note.properties.get("cue", "explicit"))) for note in memories()} == set(Cue)


def test_knowledge_notes_are_there() -> None:
    assert len(knowledge()) == 25
    assert sum(bool(note.properties.get("aliases")) for note in knowledge()) >= 20


def test_daily_notes_logs_and_scratchpad_are_there() -> None:
    daily = [note for note in notes() if note.path.parts[0] == "Daily"]
    assert len(daily) == 6
    assert all(note.properties["date"] == note.name for note in daily)
    logs = [note for note in notes() if note.properties.get("type") == "log"]
    assert len(logs) == 3
    pad = by_name()["Scratchpad"]
    assert pad.properties == {"type": "scratchpad"}
    assert [line[:5] for line in pad.body.splitlines()] == ["- [x]"] * 2 + ["- [ ]"] * 2


def test_settings_ship_without_an_id() -> None:
    settings = by_name()["Settings"]
    assert settings.path == PurePosixPath("Memory/Settings.md")
    assert settings.properties == {"type": "settings", "root": "Memory", "report_budget": 1700}
    assert settings.body.strip()


def test_nothing_ships_but_notes_and_settings_of_obsidian_and_git() -> None:
    paths = [p.relative_to(VAULT) for p in VAULT.rglob("*") if not p.is_dir() or p.is_symlink()]
    hidden = {path.as_posix() for path in paths if any(part[0] == "." for part in path.parts)}
    assert hidden == {
        ".gitattributes",
        ".obsidian/app.json",
        ".obsidian/daily-notes.json",
        ".obsidian/templates.json",
        ".obsidian/types.json",
    }
    bases = {f"Memory/{name}.base" for name in ("Inbox", "Memories", "Patches", "Promotions")}
    ours = {str(note.path) for note in notes()} | bases
    assert {path.as_posix() for path in paths} - hidden == ours
    assert not any((VAULT / path).is_symlink() for path in paths)
    assert {note.path.parts[2] for note in notes() if "System" in note.path.parts} == {"Log"}


# ---- logs


@named(tuple(note for note in notes() if note.properties.get("type") == "log"))
def test_log_carries_its_device_and_holds_timed_lines_with_a_decision(note: Note) -> None:
    device = note.properties["device"]
    assert is_id(note.properties["id"], "log")
    assert is_id(device, "dev")
    day = note.properties["date"]
    assert note.path == PurePosixPath(f"Memory/System/Log/{day} agent log {device}.md")
    lines = note.body.splitlines()
    assert all(re.match(r"- \d\d:\d\d:\d\d \S", line) for line in lines)
    times = [line[2:10] for line in lines]
    assert times == sorted(times)
    assert born(str(note.properties["id"])) == moment(f"{day}T{times[0]}")
    assert any(line[11:].startswith("#decision ") for line in lines)


def test_logs_come_from_two_devices() -> None:
    devices = Counter(n.properties["device"] for n in notes() if n.properties.get("type") == "log")
    assert sorted(devices.values()) == [1, 2]


# ---- knowledge notes


@named(knowledge())
def test_knowledge_note_is_of_a_readable_length_and_linked(note: Note) -> None:
    japanese = len(re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]", note.body))
    assert 100 <= len(note.body.split()) + japanese // 2 <= 400
    assert note.body.startswith(f"# {note.name}")
    assert len(HEADING.findall(note.prose)) >= 3
    assert any(resolve(link) in knowledge() for link in note.links())
    assert any(
        note.name in {PurePosixPath(link.split("#")[0]).name for link in other.links()}
        for other in notes()
        if other is not note
    )


def test_knowledge_notes_use_what_obsidian_offers() -> None:
    bodies = [note.body for note in knowledge()]
    assert sum("> [!" in body for body in bodies) >= 5
    assert sum("\n| --- |" in body for body in bodies) >= 8
    assert sum("```" in body for body in bodies) >= 15
    assert sum(bool(BLOCK_ID.search(body)) for body in bodies) >= 15
    assert sum("![[" in body for body in bodies) >= 1
    assert sum("- [ ]" in body for body in bodies) >= 1


def test_some_notes_are_unusual_so_that_edits_have_something_to_spoil() -> None:
    crlf = by_name()["Git worktrees"].data
    assert crlf.count(b"\n") == crlf.count(b"\r\n") > 20
    assert not by_name()["Commit message rules"].data.endswith(b"\n")
    assert not by_name()["psql cheat sheet"].data.startswith(b"---")
    assert b"tags:\n- testing" in by_name()["Flaky tests"].data
    assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]{20}", by_name()["潮位の基準面"].body)
    unusual = by_name()["Time zones and timestamps"].data.split(b"\n---\n")[0].decode()
    assert re.search(r"^# ", unusual, re.M)
    assert re.search(r"^aliases: \[.*'.*\].*  # ", unusual, re.M)
    assert re.search(r'^"source": \'', unusual, re.M)
    assert re.search(r"^summary: >-$", unusual, re.M)


# ---- the vault as a whole


def test_ids_are_unique() -> None:
    ids = Counter(note.properties["id"] for note in notes() if "id" in note.properties)
    assert ids.total() == len(memories()) + 3
    assert max(ids.values()) == 1


def test_no_base_name_occurs_twice() -> None:
    names = Counter(name_key(note.name) for note in notes())
    assert [name for name, count in names.items() if count > 1] == []


def test_no_name_looks_like_a_conflict_copy() -> None:
    assert [note.name for note in notes() if is_conflict_copy(note.name, same_id=True)] == []


@named(tuple(note for note in notes() if note.links()))
def test_links_resolve_to_note_heading_and_block(note: Note) -> None:
    for link in note.links():
        target = resolve(link)
        assert target, link
        for part in link.split("#")[1:]:
            if part.startswith("^"):
                assert part[1:] in BLOCK_ID.findall(target.prose), link
            else:
                assert part in HEADING.findall(target.prose), link


WIDGETS = {
    "text": lambda value: isinstance(value, str),
    "number": lambda value: isinstance(value, int | float) and not isinstance(value, bool),
    "checkbox": lambda value: isinstance(value, bool),
    "date": lambda value: isinstance(value, str) and DATE.fullmatch(value),
    "datetime": lambda value: isinstance(value, str) and DATETIME.fullmatch(value),
    **dict.fromkeys(
        ("multitext", "tags", "aliases"),
        lambda value: isinstance(value, list) and all(isinstance(item, str) for item in value),
    ),
}


@named(tuple(note for note in notes() if note.path.parts[0] != "Templates"))
def test_every_property_has_a_type_in_obsidian_and_a_value_of_it(note: Note) -> None:
    types = property_types()
    for key, value in note.properties.items():
        assert WIDGETS[types[key]](value), key


def test_types_of_the_vault_are_the_persons_and_ours() -> None:
    ours = json.loads((REPOSITORY / "templates/types.json").read_text())["types"]
    types = property_types()
    assert types.items() >= ours.items()
    assert {"reviewed", "repo", "stage"} <= types.keys() - ours.keys()


def test_obsidian_settings_point_at_folders_and_notes_that_exist() -> None:
    obsidian = VAULT / ".obsidian"
    assert json.loads((obsidian / "app.json").read_text())["userIgnoreFilters"] == [
        "Memory/System/"
    ]
    assert (VAULT / json.loads((obsidian / "templates.json").read_text())["folder"]).is_dir()
    daily = json.loads((obsidian / "daily-notes.json").read_text())
    assert (VAULT / daily["folder"]).is_dir()
    assert (VAULT / f"{daily['template']}.md").is_file()


@named(notes())
def test_note_is_clean_text(note: Note) -> None:
    text = note.data.decode("utf-8")
    assert "\t" not in text
    assert not re.search(r"[^ ]  +$|<%|%%|<!--", text, re.M)
    assert not re.search("/home/|/Users/|[A-Z]:\\\\", text)


@named(notes())
def test_adding_a_property_and_taking_it_away_again_gives_the_note_back(note: Note) -> None:
    changed = set_property(note.data, "checked", "by hand")
    before, after = note.data.splitlines(keepends=True), changed.splitlines(keepends=True)
    added = [line for line in after if b"checked: by hand" in line]
    assert len(added) == 1
    if note.properties:
        after.remove(added[0])
        assert after == before
        assert unset_property(changed, "checked") == note.data
    else:
        assert changed.endswith(note.data)


@named(tuple(note for note in notes() if "tags" in note.properties))
def test_changing_the_tags_changes_no_other_property_and_no_body(note: Note) -> None:
    changed = read(set_property(note.data, "tags", ["one", "two"]))
    assert changed.properties == {**note.properties, "tags": ["one", "two"]}
    assert changed.body == note.body


def test_the_tutorial_speaks_of_notes_that_exist_and_counts_them_right() -> None:
    tutorial = (REPOSITORY / "docs/tutorial/example-vault.md").read_text()
    places = re.findall(r"`((?:Memory|Notes|Home)[^`]*?)(?:\.md)?`", tutorial)
    assert len(places) >= 8
    missing = [p for p in places if not (VAULT / p).is_dir() and not (VAULT / f"{p}.md").is_file()]
    assert missing == []
    assert f"{len(memories())} memories" in tutorial
    assert f"{len(knowledge())} notes" in tutorial
