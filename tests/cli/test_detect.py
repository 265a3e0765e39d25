"""`vaultmem detect`: one JSON line for each message, without a vault."""

from __future__ import annotations

import io
import json
import sys

import pytest

from tests.cli.terminal import Terminal
from vaultmem.cli.commands.detect import _lines

SHAPE = [
    "text", "captured", "kind", "rule", "confidence", "durability", "refused_by", "reason",
]  # fmt: skip


def answers(out: str) -> list[dict]:
    return [json.loads(line) for line in out.splitlines()]


@pytest.fixture
def nowhere(tmp_path) -> Terminal:
    """A terminal in an empty folder on a machine that knows no vault."""
    (tmp_path / "empty").mkdir()
    return Terminal(tmp_path / "empty", tmp_path / "home")


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_each_line_is_answered_by_one_json_line(nowhere, options):
    done = nowhere.ok("detect", *options, stdin="never use npm here\nI never use sugar\n\nok\n")

    first, second, blank, trivial = answers(done.out)
    assert list(first) == SHAPE
    assert first == {
        "text": "never use npm here",
        "captured": True,
        "kind": "correction",
        "rule": "avoid_pattern",
        "confidence": 0.90,
        "durability": "project",
        "refused_by": None,
        "reason": "It says how to work.",
    }
    assert (second["captured"], second["kind"], second["refused_by"]) == (False, "none", "personal")
    assert (blank["text"], blank["captured"], blank["rule"]) == ("", False, None)
    assert trivial["refused_by"] == "trivial"


def test_further_sentences_stand_under_more(nowhere):
    done = nowhere.ok("detect", stdin="We should use zod. Never use yup.\n")

    (answer,) = answers(done.out)
    assert list(answer) == [*SHAPE, "more"]
    assert answer["text"] == "Never use yup."
    assert [list(one) for one in answer["more"]] == [SHAPE]
    assert answer["more"][0]["text"] == "We should use zod."


def test_nothing_in_gives_nothing_out_and_leaves_no_trace(nowhere):
    assert nowhere.ok("detect", stdin="").out == ""
    assert list(nowhere.cwd.iterdir()) == []
    assert not nowhere.home.exists()


def test_a_last_line_without_an_end_and_windows_ends_are_read(nowhere):
    done = nowhere.ok("detect", stdin="never use npm\r\nnever use yarn")

    assert [one["text"] for one in answers(done.out)] == ["never use npm", "never use yarn"]


def test_bytes_are_read_as_utf_8_and_broken_ones_do_not_stop_it(monkeypatch):
    raw = io.BytesIO("don’t use npm\n".encode() + b"\xff\xfe\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(raw, encoding="ascii"))

    assert list(_lines()) == ["don’t use npm\n", "\ufffd\ufffd\n"]


def test_an_agent_may_ask_too(nowhere):
    done = nowhere.ok("detect", stdin="never use npm\n", env={"AI_AGENT": "pi"})

    assert answers(done.out)[0]["captured"] is True
