"""Restyling by Obsidian or a linter is no edit; any change of meaning is one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.test_values import YAML_VALUES
from vaultmem.core.normal import (
    Rule,
    differences,
    link_key,
    normal_text,
    normalise,
    statement_key,
)
from vaultmem.core.values import Kind

RULES = {
    "status": Rule(Kind.ENUM, "active"),
    "confidence": Rule(Kind.NUMBER, 0.75),
    "evidence_count": Rule(Kind.COUNT, 1),
    "pinned": Rule(Kind.CHECKBOX, default=False),
    "tags": Rule(Kind.TAGS, ()),
    "domains": Rule(Kind.LIST, ()),
    "project": Rule(Kind.TEXT),
    "review": Rule(Kind.DATE),
    "reinforced": Rule(Kind.DATETIME),
    "vault_ref": Rule(Kind.LINK),
    "supersedes": Rule(Kind.LINKS, ()),
}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"status": "active"}, {}),
        ({"status": "active"}, {"status": None}),
        ({"status": "Active"}, {"status": "active"}),
        ({"confidence": 0.9}, {"confidence": "0.9"}),
        ({"confidence": 1}, {"confidence": 1.0}),
        ({}, {"confidence": 0.75}),
        ({"evidence_count": 1}, {"evidence_count": ""}),
        ({"pinned": False}, {}),
        ({"pinned": "true"}, {"pinned": True}),
        ({"tags": "#a"}, {"tags": ["a"]}),
        ({"tags": ["A"]}, {"tags": ["a"]}),
        ({"tags": []}, {}),
        ({"domains": ["one"]}, {"domains": "one"}),
        ({"project": "a  “b”"}, {"project": 'a "b"'}),
        ({"project": "it’s"}, {"project": "it's"}),
        ({"project": "cafe\u0301"}, {"project": "café"}),
        ({"review": "2026-12-20"}, {"review": "2026-12-20T00:00:00"}),
        ({"reinforced": "2026-12-20"}, {"reinforced": "2026-12-20T00:00"}),
        ({"vault_ref": "[[A]]"}, {"vault_ref": "[[Folder/A|A]]"}),
        ({"vault_ref": "[[A]]"}, {"vault_ref": "[A](Folder/A.md)"}),
        ({"vault_ref": "[[My Note#Part]]"}, {"vault_ref": "[x](<Folder/My Note.md#Part>)"}),
        ({"vault_ref": "[[My Note]]"}, {"vault_ref": "[x](Folder/My%20Note.md)"}),
        ({"supersedes": ["[[A]]"]}, {"supersedes": "[[B/A]]"}),
        ({"created": "2026-01-01"}, {"created": "2026-02-02"}),
        ({"updated": "2026-01-01"}, {}),
        # the person's own properties, by shape
        ({"mine": "x"}, {"mine": ["x"]}),
        ({"mine": None}, {}),
        ({"mine": [None, "a  b"]}, {"mine": "a b"}),
        ({"mine": {"a": [1]}}, {"mine": {"a": 1}}),
        ({"mine": {}}, {}),
    ],
)
def test_another_spelling_is_no_edit(old: dict[str, object], new: dict[str, object]) -> None:
    assert differences(old, new, rules=RULES) == {}
    assert differences(new, old, rules=RULES) == {}


@pytest.mark.parametrize(
    ("old", "new", "key"),
    [
        ({"status": "active"}, {"status": "deprecated"}, "status"),
        ({}, {"status": "contested"}, "status"),
        ({"confidence": 0.9}, {}, "confidence"),
        ({"pinned": True}, {}, "pinned"),
        ({"pinned": True}, {"pinned": "yes"}, "pinned"),
        ({"tags": ["a"]}, {"tags": ["a", "b"]}, "tags"),
        ({"project": "A"}, {"project": "a"}, "project"),
        ({"review": "2026-12-20"}, {"review": "2026-12-21"}, "review"),
        ({"vault_ref": "[[A]]"}, {"vault_ref": "[[B]]"}, "vault_ref"),
        ({"vault_ref": "[[A#x]]"}, {"vault_ref": "[[A#y]]"}, "vault_ref"),
        ({"confidence": "high"}, {"confidence": "low"}, "confidence"),
        ({"mine": 1}, {"mine": True}, "mine"),
        ({"mine": ["a", "b"]}, {"mine": ["b", "a"]}, "mine"),
        ({"mine": {"a": 1}}, {"mine": {"a": 2}}, "mine"),
        ({"mine": 1}, {"mine": "1"}, "mine"),
    ],
)
def test_another_meaning_is_an_edit(
    old: dict[str, object], new: dict[str, object], key: str
) -> None:
    assert differences(old, new, rules=RULES) == {key: (old.get(key), new.get(key))}


def test_without_rules_every_property_is_compared_by_shape() -> None:
    assert differences({"status": "active"}, {}) == {"status": ("active", None)}


def test_what_is_ignored_can_be_chosen() -> None:
    assert differences({"created": "a", "x": 1}, {"created": "b", "x": 2}, ignored={"x"}) == {
        "created": ("a", "b")
    }


@given(st.dictionaries(st.sampled_from([*RULES, "mine"]), YAML_VALUES, max_size=5))
def test_nothing_differs_from_itself(properties: dict[str, object]) -> None:
    assert differences(properties, dict(properties), rules=RULES) == {}


@given(st.sampled_from(list(Kind)), YAML_VALUES)
def test_every_value_has_a_normal_form(kind: Kind, raw: object) -> None:
    first = normalise(kind, raw)
    assert first == normalise(kind, raw) or first != first


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("see [[Folder/A|the A]] and [b](../B.md#x)", "see [[a]] and [[b#x]]"),
        ("![[A.md]]", "![[a]]"),
        ("[web](https://x.y/z)", "[web](https://x.y/z)"),
        ("[[#here]]", "[[#here]]"),
        ("list[0] [x]", "list[0] [x]"),
    ],
)
def test_links_are_compared_by_what_they_name(text: str, key: str) -> None:
    assert link_key(text) == key


def test_a_statement_is_the_same_after_smart_quotes_and_moved_notes() -> None:
    before = 'Use  "bun", see [[Bun]]; don\'t guess'
    after = "Use “bun”, see [[Tools/Bun|Bun]]; don’t guess"
    assert normal_text(before) == normal_text(after)
    assert normal_text(before) != normal_text(after.replace("bun", "npm"))


@pytest.mark.parametrize(
    ("one", "other"), [("Use bun.", "use  Bun"), ("See [[A]]", "see [[F/A|x]].")]
)
def test_one_statement_has_one_key(one: str, other: str) -> None:
    assert statement_key(one) == statement_key(other)
    assert statement_key(one) != statement_key(f"not {other}")
