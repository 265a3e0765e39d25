"""Ids are made and checked by one form; a candidate keeps its ULID as a memory."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.ids import (
    PREFIXES,
    is_id,
    new_id,
    short_id,
    ulid,
    ulid_milliseconds,
    with_prefix,
)

AT = datetime(2026, 11, 29, 21, 0, tzinfo=UTC)


@pytest.mark.parametrize("prefix", PREFIXES)
def test_a_new_id_has_the_form_of_its_kind_alone(prefix: str) -> None:
    made = new_id(prefix, AT, bytes(10))

    assert is_id(made, prefix)
    assert [other for other in PREFIXES if is_id(made, other)] == [prefix]


def test_ids_sort_by_their_moment_and_tell_equal_ones_apart() -> None:
    later = AT.replace(microsecond=1000)

    assert new_id("mem", AT, b"\xff" * 10) < new_id("mem", later, bytes(10))
    assert new_id("mem", AT, bytes(10)) != new_id("mem", AT, b"\x01" * 10)


def test_an_approved_candidate_keeps_its_ulid() -> None:
    candidate = new_id("cand", AT, b"0123456789")

    assert with_prefix(candidate, "mem") == new_id("mem", AT, b"0123456789")
    assert short_id(with_prefix(candidate, "mem")) == short_id(candidate)


@pytest.mark.parametrize(
    "text",
    [
        "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W",  # too short
        "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W22",  # too long
        "mem_81JDR3Z8Q4M5N6P7R8S9T0V1W2",  # beyond 128 bits
        "mem_01JDR3Z8Q4M5N6P7R8S9T0V1WI",  # Crockford has no I
        "mem_01jdr3z8q4m5n6p7r8s9t0v1w2",
        "memo_01JDR3Z8Q4M5N6P7R8S9T0V1W2",
        "01JDR3Z8Q4M5N6P7R8S9T0V1W2",
        "mem_01JDR3Z8Q4M5N6P7R8S9T0V1W2\n",
        None,
        7,
    ],
)
def test_another_form_is_no_id(text: object) -> None:
    assert not is_id(text)


@pytest.mark.parametrize(
    ("milliseconds", "randomness"), [(-1, bytes(10)), (1 << 48, bytes(10)), (0, bytes(9))]
)
def test_what_no_ulid_can_hold_is_refused(milliseconds: int, randomness: bytes) -> None:
    with pytest.raises(ValueError, match="48-bit time and 10 random bytes"):
        ulid(milliseconds, randomness)


@given(st.integers(0, (1 << 48) - 1), st.binary(min_size=10, max_size=10))
def test_a_ulid_tells_its_time(milliseconds: int, randomness: bytes) -> None:
    assert ulid_milliseconds(ulid(milliseconds, randomness)) == milliseconds
