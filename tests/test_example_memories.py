"""The memories of the example vault: spelled in our format and consistent with each other."""

from __future__ import annotations

import json
import re
from datetime import date, datetime, timedelta
from pathlib import PurePosixPath

from tests.example_vault import (
    LINK,
    PROJECTS,
    REPOSITORY,
    Note,
    born,
    knowledge,
    memories,
    moment,
    named,
    resolve,
)
from vaultmem.core.category import CATEGORY_FOLDER, IDENTITY_FOLDER
from vaultmem.core.ids import is_id
from vaultmem.core.model import (
    Category,
    Cue,
    Layer,
    RuleType,
    Scope,
    Stability,
    Status,
)
from vaultmem.core.naming import base_name
from vaultmem.notes.codec import decode_memory, encode_memory

LAST_DAY = datetime(2026, 11, 28)


def statement(memory: Note) -> str:
    return memory.body.lstrip("\n").split("\n", 1)[0]


def linked(memory: Note, key: str) -> list[str]:
    """The base names that a list of links holds."""
    value = memory.properties.get(key, [])
    assert isinstance(value, list)
    return [str(link).removeprefix("[[").removesuffix("]]") for link in value]


@named(memories())
def test_memory_has_a_ulid_of_its_creation_time(note: Note) -> None:
    assert is_id(note.properties["id"], "mem")
    assert born(str(note.properties["id"])) == moment(note.properties["created"])


@named(memories())
def test_memory_lies_in_the_folder_of_its_category(note: Note) -> None:
    category = Category(str(note.properties["category"]))
    layer = Layer(str(note.properties.get("layer", "L2")))
    folder = IDENTITY_FOLDER if layer is Layer.IDENTITY else CATEGORY_FOLDER[category]
    assert note.path.parent == PurePosixPath("Memory") / folder


@named(memories())
def test_memory_is_named_after_its_statement(note: Note) -> None:
    assert note.name == base_name(statement(note))


@named(memories())
def test_memory_says_one_sentence(note: Note) -> None:
    text = statement(note)
    assert text.endswith(".")
    assert 30 <= len(text) <= 150
    assert text[0].isalpha()
    assert note.body == f"{text}\n" or note.body.startswith(f"{text}\n\n")


CLOSED = {
    "type": {"memory"},
    "layer": {"L1"},  # L2 is the default and left out
    "category": set(Category),
    "rule": set(RuleType),
    "status": set(Status) - {"active", "deleted"},
    "scope": {Scope.PROJECT, Scope.DOMAIN},
    "project": PROJECTS,
    "cue": set(Cue) - {"explicit"},
    "stability": set(Stability) - {"semi-stable"},
    "pinned": {True},
    "action": {"block", "warn"},
}
NUMBERS = {"confidence": (0.6, 0.95), "evidence_count": (2, 9), "review_days": (60, 180)}


@named(memories())
def test_memory_properties_are_known_and_of_the_closed_sets(note: Note) -> None:
    known = json.loads((REPOSITORY / "templates/types.json").read_text())["types"]
    assert note.properties.keys() <= known.keys()
    for key, allowed in CLOSED.items():
        assert note.properties.get(key) in {None, *allowed}, key
    for key, (least, most) in NUMBERS.items():
        value = note.properties.get(key, least)
        assert isinstance(value, int | float)
        assert least <= value <= most, key
    assert note.properties.get("confidence") != 0.75
    assert (note.properties.get("scope") == "project") == ("project" in note.properties)
    assert (note.properties.get("scope") == "domain") == ("domains" in note.properties)
    tags = note.properties["tags"]
    assert isinstance(tags, list)
    assert tags
    assert all(re.fullmatch(r"memory/[a-z0-9]+", str(tag)) for tag in tags)


@named(memories())
def test_memory_writes_id_type_and_category_first_and_the_rest_in_the_usual_order(
    note: Note,
) -> None:
    usual = list(json.loads((REPOSITORY / "templates/types.json").read_text())["types"])
    places = [usual.index(key) for key in note.properties]
    assert places == sorted(places)


@named(memories())
def test_memory_dates_follow_each_other(note: Note) -> None:
    created = moment(note.properties["created"])
    reinforced = moment(note.properties["reinforced"])
    assert datetime(2026, 3, 1) <= created <= reinforced < LAST_DAY
    assert created == reinforced or note.properties.get("evidence_count", 1) != 1
    review = date.fromisoformat(str(note.properties["review"]))
    assert review > LAST_DAY.date()
    if note.properties.get("status") is None:
        days = note.properties.get("review_days", 30)
        assert isinstance(days, int)
        assert review == reinforced.date() + timedelta(days=days)
    assert (
        "valid_to" not in note.properties
        or note.properties["valid_to"] == note.properties["updated"]
    )


@named(
    tuple(
        note for note in memories() if "trigger" in note.properties or "action" in note.properties
    )
)
def test_guardrail_has_a_trigger_that_the_runtime_can_match(note: Note) -> None:
    kind, _, rest = str(note.properties["trigger"]).partition(" ")
    assert kind in {"bash_contains", "bash_regex"}
    assert rest
    assert note.properties["action"] in {"block", "warn"}
    assert not str(note.properties["trigger"]).startswith("bash_regex") or (
        re.search(rest, "git push --force origin main")
        and re.search(rest, "git push origin main --force")
        and not re.search(rest, "git push --force-with-lease")
    )


def test_superseded_memories_and_their_successors_name_each_other() -> None:
    forward = {(n.name, after) for n in memories() for after in linked(n, "superseded_by")}
    back = {(before, n.name) for n in memories() for before in linked(n, "supersedes")}
    assert forward == back
    assert len(forward) == 3
    superseded = {n.name for n in memories() if n.properties.get("status") == "superseded"}
    assert superseded == {before for before, _ in forward}


@named(tuple(note for note in memories() if "vault_ref" in note.properties))
def test_vault_ref_names_a_knowledge_note_by_its_path(note: Note) -> None:
    link = LINK.fullmatch(str(note.properties["vault_ref"]))
    assert link
    target = resolve(link[1].split("|")[0])
    assert target in knowledge()
    assert link[1].startswith(str(target.path.with_suffix("")))


@named(memories())
def test_memory_decodes_without_a_finding_and_encodes_to_the_same_bytes(note: Note) -> None:
    decoded = decode_memory(note.data, path=str(note.path))
    assert decoded.findings == ()
    assert decoded.memory.statement == statement(note)
    rest = note.body.removeprefix(statement(note)).lstrip("\n")
    assert encode_memory(decoded.memory, body=rest) == note.data
