"""Our table and detect-secrets' patterns together, on every text and without a connection."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.fakes import ALNUM, HEX, URL64, fake
from tests.core.test_secrets import FOUND, ORDINARY, REPEATED
from vaultmem.core.model import Memory
from vaultmem.services.capturing.guarding import refused
from vaultmem.services.capturing.secret_scan import (
    _MAY_HOLD,
    OVERLAP,
    WINDOW,
    _patterns,
    redact,
    refuse_fields,
    scan,
)

LOWER = "abcdefghijklmnopqrstuvwxyz0123456789"
ONLY_THEIRS = [
    ("mailchimp", "", fake(32, HEX) + "-us12"),
    ("telegram", "", "123456789:" + fake(35, URL64)),
    ("discord", "", "M" + fake(24) + "." + fake(6) + "." + fake(27)),
    ("twilio", "", "S" + "K" + fake(32, LOWER)),
    ("softlayer", "softlayer_api_token_url = ", "http://api.softlayer.com/soap/v3/" + fake(64, LOWER)),
    ("square", "", "sq0" + "csp-" + fake(43, URL64)),
    ("square with backslashes", "", "sq0" + "csp-" + "\\".join([fake(10)] * 4)),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "before", "secret"), ONLY_THEIRS, ids=[row[0] for row in ONLY_THEIRS]
)
def test_what_the_detectors_know_is_found(name: str, before: str, secret: str) -> None:
    del name
    text = f"one\ntwo: {before}{secret}\nthree"

    assert secret[-32:] not in redact(text)
    assert redact(text).startswith("one\ntwo: ")
    assert redact(text).endswith("\nthree")


def test_a_kind_of_theirs_alone_is_called_detected() -> None:
    assert redact("key " + fake(32, HEX) + "-us12") == "key [redacted_secret:detected_secret]"


@pytest.mark.parametrize("row", FOUND, ids=[f"{n}-{row[0]}" for n, row in enumerate(FOUND)])
def test_our_kinds_keep_their_names(row: tuple[str, str, str, str]) -> None:
    kind, before, secret, after = row
    text = before + secret + after

    assert [one.kind for one in scan(text)] == [kind]
    assert secret not in redact(text)
    assert redact(redact(text)) == redact(text)


@pytest.mark.parametrize("text", ORDINARY)
def test_the_detectors_add_no_noise(text: str) -> None:
    assert scan(text) == ()


@pytest.mark.parametrize(
    "before", [0, 1, WINDOW - OVERLAP - 20, WINDOW - 20, WINDOW, 3 * WINDOW - 10]
)
def test_a_secret_at_the_border_of_a_window_is_found_whole(before: int) -> None:
    secret = fake(32, HEX) + "-us12"

    assert redact("." * before + secret) == "." * before + "[redacted_secret:detected_secret]"


@pytest.mark.parametrize("end", ["\n", "\r\n", "\u2028", "\x0c"])
def test_any_line_end_keeps_the_places(end: str) -> None:
    secret = fake(32, HEX) + "-us12"

    assert redact(f"a{end}{secret}{end}b") == f"a{end}[redacted_secret:detected_secret]{end}b"


@pytest.mark.parametrize("piece", [*REPEATED, "//", "key=", "0123456789:"])
def test_a_long_line_of_beginnings_ends(piece: str) -> None:
    text = (piece * (100_000 // len(piece) + 1))[:100_000]

    assert all(one.end <= len(text) for one in scan(text))


def test_refusing_looks_for_their_secrets_before_the_guards() -> None:
    def refuse(text: str):
        return refused(Memory(id="", statement=text), text)

    refusal = refuse("You can merge this PR with " + fake(32, HEX) + "-us12")
    grant = refuse("You can merge this PR")

    assert refusal is not None
    assert refusal.code == "VM601"
    assert grant is not None
    assert grant.code == "VM602"
    assert refuse("Always use uv.") is None


@settings(max_examples=40)
@given(
    st.lists(
        st.sampled_from([row[2] for row in FOUND] + ORDINARY)
        | st.text(ALNUM + "=:/@. \n", max_size=40),
        max_size=5,
    )
)
def test_spans_are_in_order_and_apart(pieces: list[str]) -> None:
    text = " ".join(pieces)
    at = 0
    for one in scan(text):
        assert at <= one.start < one.end <= len(text)
        at = one.end


@settings(max_examples=20)
@given(st.data())
@pytest.mark.parametrize("pattern", _patterns(), ids=lambda one: one.pattern[:40])
def test_no_secret_of_theirs_is_passed_by_unlooked_at(pattern, data) -> None:
    text = data.draw(st.from_regex(pattern))

    assert all(_MAY_HOLD.search(found[0]) for found in pattern.finditer(text))


def test_the_detectors_are_imported_with_the_first_text_that_may_hold_a_secret() -> None:
    code = (
        "import sys\nimport vaultmem.services.capturing.secret_scan as s\n"
        "s.scan('Ask Ann about docs/adr/0012-budget.md before 12:30.')\n"
        "assert not {'detect_secrets', 'requests'} & set(sys.modules)\n"
        f"s.scan({'x' * 20!r})\nassert 'detect_secrets' in sys.modules\n"
    )

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_scanning_opens_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    import socket

    def refuse_to_connect(*_: object) -> None:
        raise AssertionError("a connection was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse_to_connect)
    for _, before, secret in ONLY_THEIRS:
        assert scan(before + secret)


def test_a_secret_in_any_field_is_refused_as_it_came_and_as_it_is_seen() -> None:
    token = "gh" + "p_" + fake(36, seed=9)
    assert refuse_fields() is None
    assert refuse_fields("Use UTC.", "memory/git", "") is None
    for fields in (
        ("Use UTC.", f"memory/{token}"),
        (f"{token[:7]}\u200b{token[7:]}",),
        (f"Use UTC. <!-- {token} -->",),
    ):
        found = refuse_fields(*fields)
        assert found is not None
        assert found.code == "VM601"
        assert token not in repr(found)


@pytest.mark.parametrize("text", ["{}", "[[2026-11-29 evidence#^ev-{}]]", "mem_{} and mem_{}"])
def test_an_id_of_ours_is_no_key_of_a_cloud_provider(text):
    identifier = "01M8MYA3TQG8AECMZPMM76F88X"
    assert "A3T" in identifier
    assert scan(text.replace("{}", identifier)) == ()
    assert scan("word " * 78 + text.replace("{}", identifier)) == ()  # across two windows


def test_what_only_contains_the_form_of_an_id_is_looked_at():
    key = "AKIA" + "IOSFODNN7QXAMPLZ"
    assert [one.kind for one in scan(f"01M8MY{key}")] != []
