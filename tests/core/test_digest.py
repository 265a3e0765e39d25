"""The digest of a day's log, and the open items of the scratchpad."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.digest import MOST_LINES, daily_digest
from vaultmem.core.scratchpad import open_items

LOG = """
## Session ended
- Session ended by the person.
<!-- written by a machine -->
## Billing
- Rounded per invoice.
a line that is no item
#decision keep the old export
## Session ended
"""


def test_governed_row_97_a_digest_counts_sessions_and_drops_boilerplate() -> None:
    told = daily_digest(LOG)
    assert told[0] == "Sessions today: 2"
    assert told[1:] == ("#decision keep the old export", "Rounded per invoice.", "Billing")
    assert daily_digest("just some plain text") == ("just some plain text",)
    assert daily_digest("") == daily_digest(" \n\n") == ()


@pytest.mark.parametrize(
    ("log", "told"),
    [
        ("- 09:00:01 one\n- 09:02:00 two\n", ("09:02:00 two", "09:00:01 one")),
        # two devices, behind each other
        ("- 11:00 b\n- 09:00 a\n- 10:00 #key c", ("10:00 #key c", "11:00 b", "09:00 a")),
        ("- one\r\n- two\r\n", ("two", "one")),
        ("%% hidden\n- one %%\n- two", ("two",)),
        ("<!-- never closed\n- one", ()),
        ("## Session ended\n", ("Sessions today: 1",)),
        ("## \n- \n- x", ("x",)),
        ("plain\nmore", ("more", "plain")),
        ("#decisions are no decision", ("#decisions are no decision",)),
        ("- a\ntext with #key", ("text with #key", "a")),
    ],
)
def test_a_log_in_lines(log: str, told: tuple[str, ...]) -> None:
    assert daily_digest(log) == told


def test_a_long_log_is_told_in_part_the_latest_first() -> None:
    told = daily_digest("".join(f"- line {number}\n" for number in range(1_000)))
    assert (len(told), told[0]) == (MOST_LINES, "line 999")
    assert daily_digest("- old\n" + "x" * 200_000 + "\n- new") == ("new",)


@given(st.text(alphabet="ab -#%<!>\n:0123", max_size=200))
def test_any_log_gives_single_lines(text: str) -> None:
    assert all(line.strip() and "\n" not in line for line in daily_digest(text))


@pytest.mark.parametrize(
    ("text", "items"),
    [
        ("- [ ] one\n- [x] two\n* [ ] three\n1. [ ] four", ("one", "three", "four")),
        ("  - [ ] nested  \r\n- [ ]\n- [ ] \n- [-] dropped", ("nested",)),
        ("---\ntype: scratchpad\n---\n- [ ] after properties", ("after properties",)),
        ("```\n- [ ] code\n```\n- [ ] real", ("real",)),
        ("~~~\n- [ ] never closed", ()),
        ("%% - [ ] hidden %%\n<!--\n- [ ] also\n-->\n- [ ] seen", ("seen",)),
        ("text - [ ] in a line", ()),
    ],
)
def test_open_items_of_the_scratchpad(text: str, items: tuple[str, ...]) -> None:
    assert open_items(text) == items
