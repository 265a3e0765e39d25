"""The dashboards: only keys and names that Obsidian is known to have, only properties of ours."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
import yaml

from tests.cli.terminal import Terminal, files, write
from vaultmem.notes.frontmatter import parse_yaml
from vaultmem.notes.schema import NoteType, properties_of
from vaultmem.services.bases import dashboards

if TYPE_CHECKING:
    from collections.abc import Iterator

REPOSITORY = Path(__file__).resolve().parents[1]
TYPE_OF = {
    "Inbox.base": NoteType.CANDIDATE,
    "Memories.base": NoteType.MEMORY,
    "Patches.base": NoteType.PATCH,
    "Promotions.base": NoteType.PROMOTION,
}
ROOTS = ["Memory", "Brain/Memory", 'Mel\'s "own" notes', "記憶: 一"]

# What was seen to work in real bases; anything else is a guess.
TOP_KEYS = {"filters", "formulas", "properties", "summaries", "views"}
VIEW_KEYS = {
    "type", "name", "filters", "order", "sort", "groupBy", "limit", "summaries", "columnSize",
}  # fmt: skip
VIEW_TYPES = {"table", "cards", "list", "map"}
FILE_NAMES = {
    "file.name", "file.basename", "file.path", "file.folder", "file.ext", "file.size", "file.ctime",
    "file.mtime", "file.tags", "file.links", "file.backlinks", "file.embeds", "file.properties",
}  # fmt: skip
FUNCTIONS = {
    "if", "date", "now", "today", "duration", "link", "list", "file.hasTag", "file.hasLink",
    "file.hasProperty", "file.inFolder",
}  # fmt: skip

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"')
_NAME = re.compile(r"[A-Za-z_][\w.]*(?:\s*\()?")


def check_schema(base: dict) -> None:
    """Hold a base to what is known of the format (facts/obsidian.md §3.1), whoever made it."""
    assert base.keys() <= TOP_KEYS
    assert all(isinstance(text, str) for text in base.get("formulas", {}).values())
    for shown in base.get("properties", {}).values():
        assert shown.keys() == {"displayName"}
    for view in base["views"]:
        assert view.keys() <= VIEW_KEYS
        assert view["type"] in VIEW_TYPES
        assert isinstance(view["order"], list)
        for row in (*view.get("sort", ()), *([view["groupBy"]] if "groupBy" in view else ())):
            assert row.keys() == {"property", "direction"}
            assert row["direction"] in {"ASC", "DESC"}
        assert isinstance(view.get("limit", 1), int)
    names = [view["name"] for view in base["views"]]
    assert len(set(names)) == len(names)
    assert all(isinstance(one, str) for one in filters_of(base))


def parsed(root: str = "Memory") -> dict[str, dict]:
    found = {path.rpartition("/")[2]: data for path, data in dashboards(root).items()}
    return {name: yaml.safe_load(data) for name, data in found.items()}


def filters_of(base: dict) -> Iterator[str]:
    """Every filter of a base and its views, each checked for its shape."""
    waiting = [holder["filters"] for holder in (base, *base["views"]) if "filters" in holder]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        else:
            assert len(one) == 1, "a filter may only have one of and/or/not keys"
            assert set(one) <= {"and", "or", "not"}
            (several,) = one.values()
            assert isinstance(several, list)
            waiting += several


def columns_of(base: dict) -> Iterator[str]:
    for view in base["views"]:
        yield from view["order"]
        yield from (row["property"] for row in view.get("sort", ()))
        if "groupBy" in view:
            yield view["groupBy"]["property"]


@pytest.mark.parametrize("name", TYPE_OF)
def test_a_dashboard_has_only_keys_that_obsidian_confirms(name):
    check_schema(parsed()[name])


@pytest.mark.parametrize(
    "text",
    [
        "views: [{type: table, name: A, order: []}]\nrows: 1\n",
        "views: [{type: board, name: A, order: []}]\n",
        "views: [{type: table, name: A, order: [], rowHeight: 1}]\n",
        "views: [{type: table, name: A, order: [], sort: [{property: x, direction: up}]}]\n",
        "filters: {type: folder, folder: x}\nviews: []\n",
        "filters: {and: [], or: []}\nviews: []\n",
        "filters: {and: x}\nviews: []\n",
        "formulas: {a: 1}\nviews: []\n",
        "properties: {a: {name: B}}\nviews: []\n",
    ],
)
def test_the_schema_refuses_what_obsidian_would(text):
    with pytest.raises(AssertionError):
        check_schema(yaml.safe_load(text))


@pytest.mark.parametrize("root", ROOTS)
def test_every_dashboard_is_read_alike_by_two_readers_whatever_the_root_is_called(root):
    for data in dashboards(root).values():
        assert parse_yaml(data.decode()) == yaml.safe_load(data)


@pytest.mark.parametrize(("name", "kind"), TYPE_OF.items())
def test_every_property_of_a_dashboard_is_one_of_its_notes(name, kind):
    base = parsed()[name]
    formulas = {f"formula.{one}" for one in base.get("formulas", ())}
    known = properties_of(kind).keys() | FILE_NAMES | formulas
    assert set(columns_of(base)) <= known
    assert base.get("properties", {}).keys() <= known


@pytest.mark.parametrize(("name", "kind"), TYPE_OF.items())
def test_a_filter_asks_only_for_what_there_is(name, kind):
    known = properties_of(kind)
    base = parsed()[name]
    for one in (*filters_of(base), *base.get("formulas", {}).values()):
        for word in _NAME.findall(_STRING.sub("", one)):
            if word.endswith("("):
                assert word.rstrip("( ") in FUNCTIONS, one
            else:
                assert word in known or word in {"true", "false"}, one
        compared = re.fullmatch(r'(\w+) == "(\w+)"', one)
        if compared and compared[1] != "type" and known[compared[1]].allowed:
            assert compared[2] in known[compared[1]].allowed, one


@pytest.mark.parametrize(("name", "kind"), TYPE_OF.items())
def test_a_dashboard_shows_notes_of_one_type_in_the_memory_root_only(name, kind):
    first, second = parsed()[name]["filters"]["and"]
    assert first.startswith('file.inFolder("Memory')
    assert second == f'type == "{kind}"'


@pytest.mark.parametrize("name", ["Inbox.base", "Patches.base", "Promotions.base"])
def test_what_waits_is_decided_in_a_column(name):
    assert "decision" in parsed()[name]["views"][0]["order"]


def test_the_views_that_a_person_looks_for_are_there():
    views = {name: [view["name"] for view in base["views"]] for name, base in parsed().items()}
    assert views == {
        "Inbox.base": ["Waiting", "By what the checks say", "Deferred"],
        "Memories.base": [
            "In force",
            "By project",
            "Pinned",
            "Contested",
            "Due for review",
            "Stale",
            "Out of force",
        ],
        "Patches.base": ["Open", "Decided"],
        "Promotions.base": ["Waiting", "By form", "Accepted"],
    }


@pytest.mark.parametrize("name", ["In force", "By project", "Due for review", "Stale"])
def test_what_is_out_of_force_waits_for_nothing(name):
    views = {view["name"]: view["filters"] for view in parsed()["Memories.base"]["views"]}
    (*_, left_out) = views[name].get("and", [views[name]])
    assert set(views["Out of force"]["or"]) <= set(left_out["not"])


@pytest.mark.parametrize("root", ROOTS)
def test_a_dashboard_names_the_root_whatever_it_is_called(root):
    for base in parsed(root).values():
        text = base["filters"]["and"][0]
        spelled = _STRING.search(text)[0][1:-1]
        named = spelled.replace('\\"', '"').removesuffix("/Inbox").removesuffix("/Promotions")
        assert named == root


def test_the_example_vault_has_the_dashboards_of_its_root():
    for path, data in dashboards("Memory").items():
        assert (REPOSITORY / "example-vault" / path).read_bytes() == data


@pytest.fixture
def person(tmp_path):
    """In a vault of their own without a memory root."""
    write(tmp_path / "vault/Home.md", "My home.\n")
    return Terminal(tmp_path / "vault", tmp_path / "home")


@pytest.mark.parametrize("root", ["Memory", "Brain/Memory"])
def test_init_lists_and_makes_the_dashboards(person, root):
    done = person.ok("init", ".", "--root", root, "--yes")
    for path, data in dashboards(root).items():
        assert f"  {path}\n" in done.out
        assert (person.cwd / path).read_bytes() == data


def test_init_never_overwrites_a_dashboard_that_is_there_and_undo_keeps_it(person):
    person.ok("init", ".", "--yes")
    base = person.cwd / "Memory/Inbox.base"
    base.write_text("views: []\n")
    again = person.ok("init", ".", "--yes")
    assert "Inbox.base" not in again.out
    assert base.read_text() == "views: []\n"

    undone = person.ok("init", ".", "--undo", "--yes")

    assert "kept Memory/Inbox.base" in undone.out
    assert "removed Memory/Memories.base" in undone.out
    assert base.read_text() == "views: []\n"


def test_init_brings_back_a_dashboard_that_was_deleted(person):
    person.ok("init", ".", "--yes")
    before = files(person.cwd)
    (person.cwd / "Memory/Patches.base").unlink()

    assert "Memory/Patches.base" in person.ok("init", ".", "--yes").out
    assert files(person.cwd) == before


def older(monkeypatch):
    """The dashboards of an earlier version, and what it did not have."""
    now = dashboards("Memory")
    then = {path: b"views: []\n" for path in now if "Promotions" not in path}
    monkeypatch.setattr("vaultmem.services.init.dashboards", lambda _root: then)
    return now


def test_a_second_init_renews_what_nobody_changed_and_adds_what_is_new(person, monkeypatch):
    with monkeypatch.context() as patched:
        now = older(patched)
        person.ok("init", ".", "--yes")
    mine = person.cwd / "Memory/Patches.base"
    mine.write_text("views: []\n# mine\n")

    again = person.ok("init", ".", "--yes")

    assert "  Memory/Memories.base, made anew: nobody changed the old one\n" in again.out
    assert "  Memory/Promotions.base\n" in again.out
    assert "Patches.base" not in again.out
    for path, data in now.items():
        if path != "Memory/Patches.base":
            assert (person.cwd / path).read_bytes() == data
    assert mine.read_text() == "views: []\n# mine\n"
    told = person.ok("init", ".", "--yes", "--json").json
    assert (told["created"], told["renewed"]) == ([], [])


def test_undo_takes_back_a_renewed_dashboard(person, monkeypatch):
    before = files(person.cwd)
    with monkeypatch.context() as patched:
        older(patched)
        person.ok("init", ".", "--yes")
    assert person.ok("init", ".", "--yes", "--json").json["renewed"]

    person.ok("init", ".", "--undo", "--yes")

    assert files(person.cwd) == before


def test_a_dashboard_that_another_machine_made_is_not_renewed(person, tmp_path, monkeypatch):
    with monkeypatch.context() as patched:
        older(patched)
        person.ok("init", ".", "--yes")
    other = Terminal(person.cwd, tmp_path / "other")
    assert other.ok("init", ".", "--yes", "--json").json["renewed"] == []
    assert (person.cwd / "Memory/Memories.base").read_bytes() == b"views: []\n"


def test_a_sync_takes_no_notice_of_dashboards(person):
    person.ok("init", ".", "--yes")
    assert person.ok("doctor", "--json").json["findings"] == []
