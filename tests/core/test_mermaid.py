"""Diagrams: what Obsidian draws, and that no label can be anything but a label."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.mermaid import LABEL, Arrow, Bar, bars, flowchart, label, pie
from vaultmem.core.visible import visible_line

HOSTILE = [
    '"] --> evil["',
    "%%{init: {'securityLevel': 'loose'}}%%",
    'click a href "https://example.org"',
    "```\n# Heading\n```mermaid",
    "<img src=x onerror=alert(1)>",
    "[[Link]] ![[Embed]]",
    "<% tp.system.prompt() %>",
    "#quot;] end",
    "$$\\unicode{x}$$",
    "`**bold**` `_it_`",
    "a; b{c}|d|",
    "\x1b[31mred\u202egnirts\u2028line",
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_hostile_text_is_a_label_and_no_more(text):
    made = label(text)
    assert made[0] == made[-1] == '"'
    assert re.search(r'["`<>\[\]{}#%&|;\\$@\n\r]', made[1:-1]) is None


@given(st.text())
def test_no_text_can_leave_its_label(text):
    made = label(text)
    assert re.fullmatch(r'"[^"`<>\[\]{}#%&|;\\$@\n\r]*"', made)
    assert len(made) <= LABEL + 2


@given(st.text(alphabet="abc xyz.,'-", max_size=50))
def test_plain_words_stay_as_they_are(text):
    assert label(text) == f'"{visible_line(text)}"'


def test_a_purge_finds_the_words_of_a_label():
    assert label("Use `uv`; never [pip] <now>") == "\"Use 'uv', never (pip) ‹now›\""


def test_a_flowchart_names_boxes_and_arrows():
    made = flowchart(
        [("mem_1", "Use tabs"), ("mem_2", "Use spaces")], [Arrow("mem_2", "mem_1", "supersedes")]
    )
    assert made.split("\n") == [
        "```mermaid",
        "flowchart LR",
        '    mem_1["Use tabs"]',
        '    mem_2["Use spaces"]',
        '    mem_2 -->|"supersedes"| mem_1',
        "```",
    ]


def test_a_pie_leaves_out_what_is_not_there():
    made = pie("Stability", [Bar("low", 0), Bar("stable", 3)])
    assert made.split("\n") == [
        "```mermaid",
        "pie showData title Stability",
        '    "stable" : 3',
        "```",
    ]


def test_nothing_makes_no_pie_and_no_chart():
    assert pie("Stability", [Bar("low", 0)]) == ""
    assert bars("Growth", "memories", []) == ""


def test_a_chart_reaches_from_nothing_to_its_highest_column():
    made = bars("Growth", "memories", [Bar("2026-10", 2), Bar("2026-11", 7)])
    assert made.split("\n") == [
        "```mermaid",
        "xychart-beta",
        '    title "Growth"',
        '    x-axis ["2026-10", "2026-11"]',
        '    y-axis "memories" 0 --> 7',
        "    bar [2, 7]",
        "```",
    ]


def test_a_chart_of_nothing_has_an_axis():
    assert "0 --> 1" in bars("Growth", "memories", [Bar("2026-10", 0)])
