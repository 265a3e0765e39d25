"""The templates for Obsidian's own Templates plugin: valid before and after it fills them in."""

from __future__ import annotations

import json
import re
from datetime import date, datetime
from pathlib import Path

import pytest
import yaml

from tests.cli.terminal import Terminal, write
from vaultmem.core.governance_keys import KEYS
from vaultmem.core.model import Category, Layer, RuleType, Scope
from vaultmem.core.settings import SETTINGS
from vaultmem.notes.frontmatter import get_properties, read
from vaultmem.notes.review import add_to_review, decode_review, is_about
from vaultmem.notes.schema import widgets

REPOSITORY = Path(__file__).resolve().parents[1]
TEMPLATES = sorted((REPOSITORY / "templates/vault").glob("*.md"))
PERSONS = sorted((REPOSITORY / "example-vault/Templates").glob("*.md"))
NOW = datetime(2026, 11, 29, 8, 5, 9)
TITLE = 'Say "why": keep #1 & [brackets], no matter what'

MEMORY_TEMPLATES = {
    "Memory - preference": Category.PREFERENCE,
    "Memory - lesson": Category.LESSON,
    "Memory - pattern": Category.PATTERN,
    "Memory - decision": Category.DECISION,
    "Memory - completion": Category.DONE,
    "Memory - mistake": Category.MISTAKE,
    "Memory - identity": Category.PREFERENCE,
}
OTHERS = {
    "Inbox candidate": "candidate",
    "Inquiry": "inquiry",
    "Knowledge note": None,
    "Review guidelines": "review",
}
MOMENT_TOKENS = {"YYYY": "%Y", "MM": "%m", "DD": "%d", "HH": "%H", "mm": "%M", "ss": "%S"}


def filled(data: bytes) -> bytes:
    """What the core Templates plugin makes of a template, for the tokens that ours use."""

    def fill(match: re.Match[str]) -> str:
        name, form = match[1], match[2]
        if name == "title":
            return TITLE
        form = form or {"date": "YYYY-MM-DD", "time": "HH:mm"}[name]
        return re.sub(r"[A-Za-z]+", lambda token: NOW.strftime(MOMENT_TOKENS[token[0]]), form)

    return re.sub(r"\{\{(title|date|time)(?::([^}]*))?\}\}", fill, data.decode()).encode()


def named(paths: list[Path]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("path", paths, ids=lambda path: path.stem)


def test_there_is_one_template_for_each_kind_of_note_that_a_person_writes() -> None:
    assert {path.stem for path in TEMPLATES} == MEMORY_TEMPLATES.keys() | OTHERS.keys()
    folder = REPOSITORY / "templates"
    assert {path.name for path in folder.iterdir()} >= {"types.json", "vault", "bases"}


@named(TEMPLATES + PERSONS)
def test_template_is_valid_before_it_is_filled(path: Path) -> None:
    properties = get_properties(path.read_bytes())
    assert properties
    for value in properties.values():
        assert not isinstance(value, dict)  # an unquoted {{date}} would be a map


@named(TEMPLATES + PERSONS)
def test_template_has_no_variable_left_when_filled(path: Path) -> None:
    data = filled(path.read_bytes())
    assert b"{{" not in data
    assert b"<%" not in data
    assert get_properties(data).keys() == get_properties(path.read_bytes()).keys()


@named(TEMPLATES)
def test_filled_properties_have_the_type_that_obsidian_shows(path: Path) -> None:
    types = json.loads((REPOSITORY / "templates/types.json").read_text())["types"]
    types["aliases"] = "aliases"  # Obsidian's own
    for key, value in get_properties(filled(path.read_bytes())).items():
        match types[key]:
            case "tags" | "aliases" | "multitext":
                assert value == []
            case "datetime":
                assert value == "2026-11-29T08:05:09"
            case "text":
                assert value is None or isinstance(value, str)
            case other:
                pytest.fail(f"{key} is a {other}; say here what it is filled with")


@named(PERSONS)
def test_dates_of_the_persons_templates_become_dates(path: Path) -> None:
    types = json.loads((REPOSITORY / "example-vault/.obsidian/types.json").read_text())["types"]
    dates = [v for k, v in get_properties(filled(path.read_bytes())).items() if types[k] == "date"]
    assert [date.fromisoformat(str(value)) for value in dates] == [NOW.date()]


@pytest.mark.parametrize(("name", "category"), MEMORY_TEMPLATES.items())
def test_memory_template_makes_a_memory_of_its_category(name: str, category: Category) -> None:
    block = read(filled((REPOSITORY / f"templates/vault/{name}.md").read_bytes()))
    assert block.properties["type"] == "memory"
    assert block.properties["category"] == category
    identity = name == "Memory - identity"
    assert block.properties.get("layer") == (Layer.IDENTITY if identity else None)
    assert block.properties.get("scope") == (None if identity else Scope.GLOBAL)
    assert block.properties.get("rule") in {None, *RuleType}
    assert "id" not in block.properties  # sync gives it


@pytest.mark.parametrize(("name", "kind"), OTHERS.items())
def test_other_template_names_its_type(name: str, kind: str | None) -> None:
    properties = get_properties((REPOSITORY / f"templates/vault/{name}.md").read_bytes())
    assert properties.get("type") == kind


def test_candidate_template_leaves_the_decision_open() -> None:
    properties = get_properties((REPOSITORY / "templates/vault/Inbox candidate.md").read_bytes())
    assert properties["state"] == "new"
    assert properties["decision"] is None


@named([path for path in TEMPLATES if path.stem not in ("Knowledge note", "Review guidelines")])
def test_the_name_of_the_note_becomes_its_first_paragraph(path: Path) -> None:
    body = read(filled(path.read_bytes())).body
    assert body.startswith(f"{TITLE}\n\n## ")
    assert re.fullmatch(r"(## [A-Z][a-z ]+\n\n?)+", body.removeprefix(f"{TITLE}\n\n"))


def test_review_template_makes_a_note_of_the_project_that_it_is_called_after() -> None:
    data = filled((REPOSITORY / "templates/vault/Review guidelines.md").read_bytes())
    note = decode_review(data)
    assert note.guidelines == ()
    assert is_about(note, "Memory/Review/tidewatch.md", "github.com/harborline/tidewatch")
    added = decode_review(add_to_review(data, "Tests say why.", proposed=False))
    assert [one.text for one in added.guidelines] == ["Tests say why."]


@named(TEMPLATES + PERSONS)
def test_every_template_is_yaml_for_two_readers_when_filled(path: Path) -> None:
    data = filled(path.read_bytes())
    block = data.decode().split("---\n")[1]
    assert yaml.safe_load(block).keys() == get_properties(data).keys()


PLACES = {
    "Memory - preference": "Preferences",
    "Memory - lesson": "Lessons",
    "Memory - pattern": "Patterns",
    "Memory - decision": "Decisions",
    "Memory - completion": "Completions",
    "Memory - mistake": "Mistakes",
    "Memory - identity": "Identity",
    "Inbox candidate": "Inbox",
    "Inquiry": "Inquiries",
    "Review guidelines": "Review",
}


def test_a_note_from_each_template_is_taken_in_and_nothing_is_wrong_with_it(tmp_path: Path) -> None:
    write(tmp_path / "vault/Home.md", "My home.\n")
    person = Terminal(tmp_path / "vault", tmp_path / "home")
    person.ok("init", ".", "--templates", "--yes")
    for number, (name, folder) in enumerate(PLACES.items()):
        data = filled((person.cwd / f"Templates/{name}.md").read_bytes()).decode()
        said = f"{name} number {number} says something of its own."
        write(person.cwd / f"Memory/{folder}/Said {number}.md", data.replace(TITLE, said))

    assert person.ok("sync", "--json").json["created"] == len(MEMORY_TEMPLATES)
    (identity,) = person.run("doctor", "--json").json["findings"]
    assert identity["code"] == "VM330"  # identity asks to be ratified
    assert identity["path"].startswith("Memory/Identity/")


def test_types_file_holds_each_name_once_with_a_widget_of_obsidian() -> None:
    text = (REPOSITORY / "templates/types.json").read_text()
    loaded = json.loads(text, object_pairs_hook=list)
    [(key, types)] = loaded
    assert key == "types"
    assert len({name for name, _ in types}) == len(types)
    assert {widget for _, widget in types} <= {
        "text", "multitext", "number", "checkbox", "date", "datetime", "tags"
    }  # fmt: skip
    assert all(re.fullmatch(r"[a-z][a-z0-9_]*", name) for name, _ in types)
    assert text == json.dumps({"types": dict(types)}, indent=2) + "\n"


def test_types_file_holds_just_what_the_schema_of_our_notes_says() -> None:
    types = json.loads((REPOSITORY / "templates/types.json").read_text())["types"]
    assert types == widgets()


def test_settings_are_typed_as_their_reader_says() -> None:
    types = json.loads((REPOSITORY / "templates/types.json").read_text())["types"]
    assert {one.name: one.widget for one in (*SETTINGS, *KEYS)}.items() <= types.items()
