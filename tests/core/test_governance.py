"""A vault can only be stricter than the user config or the default; every key has its row."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.governance import (
    NOTHING_SAID,
    Governance,
    Overruled,
    govern,
    looser_keys,
    read_said,
)
from vaultmem.core.governance_keys import GUARDING, KEYS, USER_ONLY, Value
from vaultmem.core.settings import SETTINGS

NAMES = [key.name for key in KEYS]
FIELDS = dict(zip(NAMES, Governance._fields, strict=True))

# key, default, a looser and a stricter value; the table of the facts, §1.4
TABLE: list[tuple[str, Value, Value, Value]] = [
    ("governance_mode", "compatibility", None, "strict"),
    ("curator_mode", "propose", "auto", None),
    ("curator_min_confidence", 0.75, 0.5, 0.9),
    ("curator_min_evidence_count", 2, 1, 3),
    ("curator_auto_curate", "high-only", "all-eligible", "off"),
    ("curator_auto_curate_high_threshold", 0.85, 0.8, 0.95),
    ("curator_inbox_prompt_threshold", 3, 5, 1),
    ("maintainer_semi_stable_decay", 0.15, 0.1, 0.2),
    ("maintainer_stable_decay", 0.05, 0.01, 0.1),
    ("vault_enabled", False, True, None),
    ("vault_report_only", True, False, None),
    ("vault_path", None, None, None),
    ("retrieval_injection_mode", "scoped", None, "wakeup"),
    ("retrieval_max_records", None, 20, 10),
    ("retrieval_max_l1_records", None, 4, 0),
    ("retrieval_max_l2_records", None, 20, 10),
    ("meta_consolidation_enabled", False, True, None),
    ("meta_consolidation_cadence", "manual", "daily", None),
    ("meta_consolidation_min_l2_records", 2, None, 3),
    ("meta_consolidation_min_reinforcement_score", 0.0, None, 0.5),
    ("meta_consolidation_max_candidates_per_run", 5, 9, 1),
    ("meta_consolidation_max_input_records", 50, 90, 10),
    ("meta_consolidation_require_counterexample_search", True, False, None),
]
LOOSER = [(name, default, loose) for name, default, loose, _ in TABLE if loose is not None]
STRICTER = [(name, default, strict) for name, default, _, strict in TABLE if strict is not None]


def said(**values: object) -> tuple[Value, ...]:
    found, wrong = read_said(values)
    assert wrong == ()
    return found


def holds(name: str, vault: tuple[Value, ...], user: tuple[Value, ...] = NOTHING_SAID) -> object:
    return getattr(govern(vault, user)[0], FIELDS[name])


def test_the_defaults_of_table_keys_and_fields_are_the_same() -> None:
    assert [row[0] for row in TABLE] == NAMES
    assert [row[1] for row in TABLE] == [key.default for key in KEYS] == list(Governance())
    assert govern() == (Governance(), ())


def test_keys_are_flat_names_of_their_own_with_a_sentence() -> None:
    taken = {setting.name for setting in SETTINGS}
    for key in KEYS:
        assert key.name not in taken or key.name in FIELDS
        assert key.name == key.name.lower()
        assert key.meaning.endswith(".")
        assert key.default is None or key.read(key.default) == key.default
    assert len(set(NAMES)) == len(NAMES)


@pytest.mark.parametrize(("name", "default", "value"), LOOSER)
def test_a_looser_value_of_the_vault(name: str, default: Value, value: Value) -> None:
    settings, overruled = govern(said(**{name: value}))
    heard = name not in GUARDING and name not in USER_ONLY
    assert getattr(settings, FIELDS[name]) == (value if heard else default)
    assert overruled == (() if heard else (Overruled(name, value, default),))


@pytest.mark.parametrize(("name", "default", "value"), LOOSER)
def test_a_looser_value_of_the_user_config_holds(name: str, default: Value, value: Value) -> None:
    assert holds(name, NOTHING_SAID, said(**{name: value})) == value
    # the vault may say the same, or be stricter again
    if name not in USER_ONLY:
        assert holds(name, said(**{name: value}), said(**{name: value})) == value


@pytest.mark.parametrize(("name", "default", "value"), STRICTER)
def test_the_stricter_of_the_two_holds(name: str, default: Value, value: Value) -> None:
    assert holds(name, said(**{name: value})) == value
    assert holds(name, NOTHING_SAID, said(**{name: value})) == value
    loose = {row[0]: row[2] for row in TABLE}[name]
    other = default if loose is None else loose
    if other is not None:
        assert holds(name, said(**{name: value}), said(**{name: other})) == value
        assert holds(name, said(**{name: other}), said(**{name: value})) == value


@pytest.mark.parametrize("name", sorted(USER_ONLY))
def test_only_the_user_config_widens_the_reach(name: str) -> None:
    value: object = "/home/ann/Notes" if name == "vault_path" else True
    assert holds(name, said(**{name: value})) == dict(zip(NAMES, Governance(), strict=True))[name]
    assert holds(name, NOTHING_SAID, said(**{name: value})) == value
    assert govern(said(**{name: value}))[1] != ()


@pytest.mark.parametrize(
    ("name", "spelled", "value"),
    [
        ("governance_mode", "Strict", "strict"),
        ("curator_auto_curate", "ALL_ELIGIBLE", "all-eligible"),
        ("curator_auto_curate", False, "off"),
        ("curator_auto_curate", ["off"], "off"),
        ("retrieval_injection_mode", "policy-only", "policy_only"),
        ("curator_min_confidence", "0.8", 0.8),
        ("curator_min_confidence", 1, 1.0),
        ("curator_min_evidence_count", "3", 3),
        ("vault_report_only", "False", False),
        ("vault_path", " ~/Notes ", "~/Notes"),
        ("curator_min_confidence", "", None),
        ("curator_min_confidence", [], None),
    ],
)
def test_spellings(name: str, spelled: object, value: Value) -> None:
    found, wrong = read_said({name: spelled, "unknown": 1})
    assert dict(zip(NAMES, found, strict=True))[name] == value
    assert wrong == ()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("governance_mode", "lax"),
        ("governance_mode", False),
        ("curator_min_confidence", 1.5),
        ("curator_min_confidence", -0.1),
        ("curator_min_confidence", True),
        ("curator_min_confidence", "high"),
        ("curator_min_confidence", float("nan")),
        ("curator_min_confidence", 10**400),
        ("curator_min_confidence", {"a": 1}),
        ("curator_min_evidence_count", 0),
        ("vault_report_only", "maybe"),
        ("vault_path", 3),
    ],
)
def test_a_wrong_value_is_reported_and_the_default_used(name: str, value: object) -> None:
    found, wrong = read_said({name: value})
    assert [one.key for one in wrong] == [name]
    assert wrong[0].allowed
    assert govern(found)[0] == Governance()


@pytest.mark.parametrize(
    ("threshold", "waiting", "asks"),
    [
        (3, 2, False),
        (3, 3, True),
        (0, 0, False),
        (0, 1, True),
        (999, 998, False),
        (999, 5000, False),
        (998, 5000, True),
    ],
)
def test_when_the_inbox_asks(threshold: int, waiting: int, asks: bool) -> None:
    assert Governance(inbox_prompt_threshold=threshold).asks_at(waiting) is asks


VALUES = st.fixed_dictionaries(
    {},
    optional={
        "governance_mode": st.sampled_from(["compatibility", "strict"]),
        "curator_auto_curate": st.sampled_from(["off", "high-only", "all-eligible"]),
        "curator_min_confidence": st.floats(0, 1),
        "curator_min_evidence_count": st.integers(1, 100),
    },
)


@given(VALUES, VALUES)
def test_no_vault_loosens_what_the_user_holds(
    vault: dict[str, object], user: dict[str, object]
) -> None:
    without, _ = govern(NOTHING_SAID, said(**user))
    found, _ = govern(said(**vault), said(**user))
    order = ["all-eligible", "high-only", "off"]
    assert found.min_confidence >= without.min_confidence
    assert found.min_evidence_count >= without.min_evidence_count
    assert order.index(found.auto_curate) >= order.index(without.auto_curate)
    assert (found.mode, without.mode) != ("compatibility", "strict")


@pytest.mark.parametrize(
    ("old", "new", "keys"),
    [
        ({"governance_mode": "strict"}, {}, ("governance_mode",)),
        ({}, {"governance_mode": "strict"}, ()),
        ({"governance_mode": "strict"}, {"governance_mode": "strict"}, ()),
        # it never was in force, so nothing changes
        ({}, {"governance_min_confidence": 0.1}, ()),
    ],
)
def test_of_which_keys_a_vault_asks_for_less_care_than_it_did(
    old: dict[str, object], new: dict[str, object], keys: tuple[str, ...]
) -> None:
    assert looser_keys(said(**old), said(**new)) == keys
