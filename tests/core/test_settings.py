"""The table of a vault's settings."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.settings import (
    SETTINGS,
    Limits,
    Setting,
    Settings,
    WrongValue,
    _stricter,
    effective,
    folder_path,
    line_of,
    plain,
    read_settings,
    whole_number,
)

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"


def test_says_nothing_means_the_defaults() -> None:
    assert read_settings({}) == (Settings(), ())
    assert read_settings({"type": "settings", "mine": [1]}) == (Settings(), ())


def test_the_table_has_a_row_for_every_field_in_order_with_its_default() -> None:
    assert tuple(setting.name for setting in SETTINGS) == Settings._fields
    assert tuple(setting.default for setting in SETTINGS) == tuple(Settings())
    limited = {setting.name for setting in SETTINGS if setting.stricter is not None}
    assert limited == {*Limits._fields}


@pytest.mark.parametrize(
    ("value", "budget"),
    [
        (900, 900),
        (900.0, 900),
        ("900", 900),
        ([900], 900),
        (200, 200),
        (10_000, 10_000),
        (None, 1700),
        ("", 1700),
        ([], 1700),
    ],
)
def test_reads_a_number_in_every_form_that_obsidian_gives_it(value: object, budget: int) -> None:
    assert read_settings({"report_budget": value}) == (Settings(report_budget=budget), ())


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("report_budget", 199),
        ("report_budget", 10_001),
        ("report_budget", 900.5),
        ("report_budget", float("nan")),
        ("report_budget", float("inf")),
        ("report_budget", True),
        ("report_budget", "lots"),
        ("report_budget", "9" * 13),
        ("report_budget", "９００"),
        ("report_budget", [900, 901]),
        ("report_budget", {"a": 1}),
        ("root", "../Memory"),
        ("root", 7),
        ("id", "vault_x"),
        ("id", "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2"),
        ("id", ["a", "b"]),
    ],
)
def test_a_wrong_value_is_named_and_the_default_holds(key: str, value: object) -> None:
    settings, wrong = read_settings({key: value})
    assert settings == Settings()
    assert [item.key for item in wrong] == [key]


def test_reads_the_id_and_the_root() -> None:
    settings, wrong = read_settings({"id": ID, "root": "Notes/Memory/"})
    assert settings == Settings(id=ID, root="Notes/Memory")
    assert wrong == ()


@pytest.mark.parametrize("value", [True, False, "1.0", "-1", None, [], 10])
def test_only_a_number_in_the_range_is_a_whole_number(value: object) -> None:
    read = whole_number(0, 9)
    assert read(value) is None
    assert (read(0), read(9), read("7"), read(3.0)) == (0, 9, 7, 3)


@pytest.mark.parametrize(
    ("vault", "user", "holds"), [(1700, None, 1700), (1700, 900, 900), (900, 1700, 900)]
)
def test_the_stricter_of_vault_and_user_config_holds(
    vault: int, user: int | None, holds: int
) -> None:
    found = effective(Settings(id=ID, report_budget=vault), Limits(report_budget=user))
    assert found == Settings(id=ID, report_budget=holds)


def test_a_setting_without_an_order_stays_as_the_vault_says() -> None:
    free = Setting(
        name="x", widget="text", default="a", allowed="", meaning="", read=lambda _: None
    )
    assert _stricter(free, "vault", "user") == "vault"


def test_a_wrong_value_says_what_is_allowed() -> None:
    wrong: list[WrongValue] = []
    setting = Setting(
        name="n", widget="number", default=5, allowed="small", meaning="", read=whole_number(1, 9)
    )
    assert setting.of({"n": 10}, wrong) == 5
    assert wrong == [WrongValue("n", "small")]


@pytest.mark.parametrize(
    ("value", "path"),
    [
        ("Memory", "Memory"),
        (" Memory ", "Memory"),
        ("Notes/Memory/", "Notes/Memory"),
        ("Größe 日本", "Größe 日本"),
        ("", None),
        ("/", None),
        ("/etc", None),
        ("a//b", None),
        ("..", None),
        ("a/../b", None),
        (".obsidian", None),
        ("a/.b", None),
        ("C:", None),
        ("c:/x", None),
        ("a\\b", None),
        ("a\nb", None),
        ("a\x00", None),
        ("a\u2028b", None),
        ("x" * 256, None),
        (None, None),
        (3, None),
    ],
)
def test_a_folder_of_a_vault_is_relative_visible_and_stays_inside(
    value: object, path: str | None
) -> None:
    assert folder_path(value) == path


@given(st.text(max_size=40))
def test_no_text_becomes_a_folder_outside_the_vault(text: str) -> None:
    path = folder_path(text)
    assert path is None or (path[0] != "/" and not any(p[:1] in ("", ".") for p in path.split("/")))


@pytest.mark.parametrize(
    ("value", "result"),
    [([1], 1), ([1, 2], [1, 2]), (" a ", "a"), ([" "], None), ({}, None), (0, 0), (False, False)],
)
def test_a_value_is_read_as_notes_are_read(value: object, result: object) -> None:
    assert plain(value) == result


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("key: 1", 1),
        ("a: 1\nkey: 2\n", 2),
        ("a: 1\r\n\r\n'key' : 2\r\n", 3),
        ('# key: 0\n"key": 2', 2),
        ("keys: 1\n  key: 2\nkey2: 3", None),
        ("", None),
    ],
)
def test_finds_the_line_of_a_top_level_key(text: str, line: int | None) -> None:
    assert line_of(text, "key") == line


def test_a_key_with_special_characters_is_looked_for_literally() -> None:
    assert line_of("axb: 1\na.b: 2", "a.b") == 2
