"""Guardrails that cannot work as they were meant get advice."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.enforcement.trigger_advice import advise, unusable


@pytest.mark.parametrize(
    ("trigger", "action", "verifier"),
    [
        (None, None, None), ("", " ", ""),
        ("bash_contains git add .", "block", None), ("bash_contains git", "warn", None),
        (r"bash_regex git\s+add\s+\.", "block", None), ("bash_regex " + "a" * 200, "warn", None),
        ("tool_name deploy_site", "block", None), ("tool_name bash", "warn", None),
        ("tool_name grep", "warn", None), ("file_modified *.py", "run_after npm test", None),
        ("file_modified Dockerfile", "warn", None), ("file_modified src/api/", "warn", None),
        ("file_modified src/**/*.py", "block", None), ("file_modified *.{ts,tsx}", "warn", None),
        (None, None, "tool_called ask_user before gh pr merge"),
    ],
)  # fmt: skip
def test_a_guardrail_that_works_gets_none(
    trigger: str | None, action: str | None, verifier: str | None
) -> None:
    assert advise(trigger, action, verifier) == ()


@pytest.mark.parametrize(
    ("trigger", "action", "verifier", "codes"),
    [
        pytest.param("tool_name curl", "block", None, ["VM613"], id="row_014-curl"),
        pytest.param("tool_name git", "warn", None, ["VM613"], id="row_014-git"),
        pytest.param("tool_name bash", "block", None, ["VM614"], id="row_015"),
        ("tool_name write", "block", None, ["VM614"]),
        ("tool_name git push", "block", None, ["VM613"]),
        ("bash_contains", "block", None, ["VM612"]),
        ("bash_contains   ", "block", None, ["VM612"]),
        ("bash_contains g", "warn", None, ["VM614"]),
        ("bash_contains git", "block", None, ["VM614"]),
        ("bash-contains git add .", "block", None, ["VM611"]),
        ("Bash_contains git add .", "block", None, ["VM611"]),
        ("when deploying", "warn", None, ["VM611"]),
        pytest.param("bash_regex " + "a" * 201, "warn", None, ["VM615"], id="row_079"),
        ("bash_regex (", "warn", None, ["VM615"]),
        ("bash_regex a{99999999999}", "warn", None, ["VM615"]),
        ("bash_regex (?=git)", "warn", None, ["VM615"]),
        (r"bash_regex (a)\1", "warn", None, ["VM615"]),
        ("bash_regex .*", "block", None, ["VM614"]),
        ("file_modified *", "warn", None, ["VM614"]),
        ("file_modified **/*", "warn", None, ["VM614"]),
        ("file_modified ../src", "warn", None, ["VM615"]),
        ("file_modified ~/x.py", "warn", None, ["VM615"]),
        ("file_modified " + "x" * 201, "warn", None, ["VM615"]),
        ("file_modified " + "{a,b}" * 7, "warn", None, ["VM615"]),
        ("bash_contains git add .", None, None, ["VM616"]),
        (None, "block", None, ["VM616"]),
        pytest.param("file_modified *.py", "run_after ", None, ["VM617"], id="row_095"),
        ("file_modified *.py", "deny", None, ["VM617"]),
        ("file_modified *.py", "block now", None, ["VM617"]),
        (None, None, "call ask_user first", ["VM618"]),
        (None, None, "tool_called ask_user before", ["VM618"]),
        (None, None, "tool_called pytest before git commit", ["VM613"]),
        ("tool_name curl", "stop", "x" * 200, ["VM613", "VM617", "VM618"]),
    ],
)  # fmt: skip
def test_a_guardrail_that_does_not_gets_advice(
    trigger: str | None, action: str | None, verifier: str | None, codes: list[str]
) -> None:
    found = advise(trigger, action, verifier)

    assert [one.code for one in found] == codes
    for one in found:
        assert one.severity == "warning"
        assert one.message.endswith(".")
        assert one.remedy.endswith(".")
        assert len(one.message) < 200


def test_row_014_advice_names_bash_contains() -> None:
    (found,) = advise("tool_name curl", "block")

    assert "bash_contains curl" in found.remedy


def test_row_095_advice_shows_a_command() -> None:
    (found,) = advise("file_modified *.py", "run_after ")

    assert "`run_after npm test`" in found.remedy


KINDS = st.sampled_from(["bash_regex ", "bash_contains ", "tool_name ", "file_modified ", ""])


@given(KINDS, st.text(max_size=60), st.text(max_size=20), st.text(max_size=20))
def test_any_guardrail_has_an_answer(kind: str, what: str, action: str, verifier: str) -> None:
    assert isinstance(advise(kind + what, action, verifier), tuple)


@pytest.mark.parametrize(
    ("key", "text", "code"),
    [
        ("trigger", "on_save x", "VM611"),
        ("trigger", "bash_regex", "VM612"),
        ("action", "blok", "VM617"),
        ("verifier", "ask", "VM618"),
        ("trigger", "bash_contains git add .", ""),
        ("trigger", "file_modified *", ""),  # doubtful, and yet a trigger
        ("action", "warn", ""),
        ("verifier", "tool_called ask_user before git push", ""),
        ("mood", "blok", ""),
    ],
)
def test_what_has_no_form_of_a_guardrail_is_told_from_what_is_only_doubtful(key, text, code):
    found = unusable(key, text)

    assert (found.code if found else "") == code
