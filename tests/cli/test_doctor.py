"""`vaultmem doctor` in a terminal: what `--diagnostics` and `--save` print."""

from __future__ import annotations

import pytest

from tests.cli.terminal import Terminal, small_vault, write


@pytest.fixture
def person(tmp_path):
    """At home in a small vault."""
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    made.ok("trust", ".")
    made.ok("sync")
    return made


def superseded(person, number: int) -> None:
    for at in range(number):
        write(
            person.cwd / f"Memory/Lessons/Rule {at}.md",
            f"---\ntype: memory\nstatus: superseded\n---\nRule number {at} is about w{at}.\n",
        )


def test_of_each_code_five_are_printed_and_json_has_them_all(person):
    superseded(person, 7)
    done = person.run("doctor", "--diagnostics")
    assert done.code == 1
    assert done.out.count("warning VM702 ") == 5
    assert "… and 2 more VM702; `--json` has them all.\n" in done.out
    assert done.out.endswith("7 findings.\n")
    found = person.run("doctor", "--diagnostics", "--json").json
    assert [one["code"] for one in found["findings"]] == ["VM702"] * 7
    assert found["saved"] is None


def test_the_quick_look_prints_every_finding(person):
    for at in range(7):
        write(person.cwd / f"Memory/Lessons/Broken {at}.md", "---\na: [\n---\nx\n")
    assert person.run("doctor").out.count("error VM103 ") == 7


def test_names_that_no_link_can_hold_are_counted_once(person):
    for name in ("Retry #1", "C# rules", "Plain"):
        write(person.cwd / f"Notes/{name}.md", "A note.\n")
    write(person.cwd / "Templates/#1.md", "A template.\n")
    found = person.run("doctor", "--json").json["findings"]
    (one,) = (one for one in found if one["code"] == "VM823")
    assert one["path"] == "Notes/C# rules.md"
    assert "There are 2 such notes" in one["message"]


def test_a_saved_report_is_named_and_is_there(person):
    done = person.ok("doctor", "--diagnostics", "--save")
    path = done.out.split("Saved as ")[1].splitlines()[0].removesuffix(".")
    assert (person.cwd / path).is_file()
    again = person.ok("doctor", "--diagnostics", "--save", "--json").json
    assert again["saved"] != path
    assert (person.cwd / again["saved"]).is_file()


def test_save_alone_is_wrong_usage(person):
    done = person.run("doctor", "--save")
    assert done.code == 2
    assert "--diagnostics" in done.err


def test_an_agent_may_save(person):
    done = person.run("doctor", "--diagnostics", "--save", env={"AI_AGENT": "pi"})
    assert done.code == 0
    assert "Saved as Memory/System/Reports/" in done.out


def test_without_a_vault_there_is_nothing_to_save(tmp_path):
    (tmp_path / "empty").mkdir()
    lost = Terminal(tmp_path / "empty", tmp_path / "home")
    done = lost.run("doctor", "--diagnostics", "--save", "--json")
    assert done.code == 1
    assert [one["code"] for one in done.json["findings"]] == ["VM221"]
    assert done.json["saved"] is None


@pytest.mark.parametrize("text", ["vault: x\ntrusted: [a\nlimits: 3\n", "- a\n"])
def test_status_says_that_the_user_config_cannot_be_read_and_where(terminal, text):
    config = terminal.home / "config/config.yaml"
    write(config, text)
    done = terminal.ok("--vault", ".", "status")
    assert f"{config}, which cannot be read, so nothing in it counts" in done.out
    (found,) = terminal.ok("--vault", ".", "status", "--json").json["findings"]
    assert (found["code"], found["path"]) == ("VM201", str(config))
    assert f"error VM201 {config}:{found['line']}\n" in done.out
