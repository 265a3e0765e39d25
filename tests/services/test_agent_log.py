"""The agent's log: a line for what happened, inert, without secrets, found by report and digest."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from vaultmem.errors import CaptureRefusedError
from vaultmem.services.agent_log import MAX_LINE, log_path, read_log, write_log
from vaultmem.services.report import report
from vaultmem.services.switch import WRITE, Place, switch


def agent(world):
    return world.here.call(agent="pi")


def test_a_day_has_one_note_of_this_device_and_a_line_for_each_entry(ready):
    first = write_log(agent(ready), "Read the runbook")
    second = write_log(agent(ready), "#decision Keep at-least-once delivery")

    assert (
        first.path
        == second.path
        == log_path(agent(ready), agent(ready).local.date(), ready.here.id)
    )
    lines = ready.read(first.path).splitlines()
    assert lines[2] == "type: log"
    assert re.fullmatch(r"- \d\d:\d\d:\d\d Read the runbook", lines[-2])
    assert lines[-1].endswith(" #decision Keep at-least-once delivery")
    assert ready.here.sync().changes == ()


def test_the_report_tells_the_decisions_of_the_day(ready):
    write_log(agent(ready), "#decision Keep at-least-once delivery")
    ready.here.sync()

    assert "Keep at-least-once delivery" in report(ready.here.call()).text


def test_a_line_is_inert_and_holds_no_secret(ready):
    done = write_log(agent(ready), "![[x]] [ ] #tag\n# Heading ghp_" + "a1B2" * 9)

    assert "\n" not in done.line
    assert "![[" not in done.line
    assert "a1B2" not in ready.read(done.path)


def test_the_person_s_own_lines_and_line_ends_stay(ready):
    path = log_path(agent(ready), agent(ready).local.date(), ready.here.id)
    ready.write(path, "---\r\nid: x\r\n---\r\nMine")
    ready.here.sync()

    write_log(agent(ready), "Then")

    assert re.fullmatch(
        r"---\r\nid: x\r\n---\r\nMine\r\n- \d\d:\d\d:\d\d Then\r\n", ready.read(path)
    )


def test_all_devices_logs_of_a_day_are_read_together(ready):
    day = agent(ready).local.date()
    write_log(agent(ready), "Mine")
    ready.write(f"Memory/System/Log/{day} agent log dev_other.md", "- 09:00 Theirs\n")
    ready.here.sync()

    text = read_log(agent(ready), day)

    assert "Mine" in text
    assert "- 09:00 Theirs" in text
    assert read_log(agent(ready), day - timedelta(days=1)) == ""


@pytest.mark.parametrize(("text", "why"), [(" ", "needs words"), ("x" * (MAX_LINE + 1), "at most")])
def test_a_line_that_is_none_is_refused(ready, text, why):
    with pytest.raises(CaptureRefusedError, match=why):
        write_log(agent(ready), text)


def test_nothing_is_logged_where_remembering_is_off(ready):
    switch(ready.here.call(), [WRITE], Place(session="s1"), off=True)

    with pytest.raises(CaptureRefusedError, match="switched off in this session"):
        write_log(agent(ready), "Read it", session="s1")
    write_log(agent(ready), "Read it", session="s2")
