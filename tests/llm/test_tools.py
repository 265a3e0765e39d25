"""The five tools against the examples that the extension's tests read too."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from vaultmem.llm.__main__ import answers
from vaultmem.llm.tools import call_tool, declared
from vaultmem.store.desk import Desk

EXAMPLES = json.loads((Path(__file__).parent / "examples/desk.json").read_text())


def laid_out(folder: Path) -> Desk:
    for path, text in EXAMPLES["files"].items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return Desk(folder, EXAMPLES["writable"], protected=EXAMPLES["protected"])


def contents(folder: Path) -> dict[str, str]:
    files = (one for one in folder.rglob("*") if one.is_file())
    return {one.relative_to(folder).as_posix(): one.read_text() for one in files}


@pytest.mark.parametrize("case", EXAMPLES["cases"], ids=lambda case: case["about"])
def test_a_tool_answers_as_the_examples_say(case: dict[str, list[dict]], tmp_path: Path) -> None:
    desk = laid_out(tmp_path / "copy")
    for call in case["calls"]:
        told = call_tool(desk, call["tool"], call["arguments"])
        assert told.text == call.get("text", call.get("error")), call
        assert told.is_error == ("error" in call), call
    wanted = EXAMPLES["files"] | case.get("after", {})
    assert contents(desk.folder) == {
        path: text for path, text in wanted.items() if text is not None
    }


@pytest.mark.parametrize("case", EXAMPLES["cases"], ids=lambda case: case["about"])
def test_what_the_tools_did_is_no_stray(case: dict[str, list[dict]], tmp_path: Path) -> None:
    desk = laid_out(tmp_path / "copy")
    for call in case["calls"]:
        call_tool(desk, call["tool"], call["arguments"])
    assert {one.path for one in desk.strays()} == {".git"}  # of the beginning


def test_a_tool_that_there_is_not_is_answered_with_those_that_there_are(tmp_path: Path) -> None:
    told = call_tool(laid_out(tmp_path / "copy"), "bash", {"command": "id"})
    names = ", ".join(one.name for one in declared())
    assert told == (f"There is no such tool. There are {names}.", True)


@pytest.mark.parametrize("arguments", [None, [], "x", 7, True])
def test_arguments_that_are_no_object_are_an_error(arguments: object, tmp_path: Path) -> None:
    assert call_tool(laid_out(tmp_path / "copy"), "notebook_list", arguments).is_error


def test_a_long_listing_and_a_long_file_say_how_to_go_on(tmp_path: Path) -> None:
    desk = laid_out(tmp_path / "copy")
    (desk.folder / "many").mkdir()
    for number in range(2_001):
        (desk.folder / f"many/{number:04}").touch()
    told = call_tool(desk, "notebook_list", {"path": "many"}).text
    assert told.endswith("1999\n[there is more: skip=2000]")
    rest = call_tool(desk, "notebook_list", {"path": "many", "skip": 2000}).text
    assert rest == "2000"
    (desk.folder / "long.md").write_text(f"{'a' * 50_000}\n{'b' * 50_000}\n{'c' * 90_000}")
    told = call_tool(desk, "notebook_read", {"path": "long.md"}).text
    assert told == f"{'a' * 50_000}\n[line 1 of 3: read on with first_line=2]"
    told = call_tool(desk, "notebook_read", {"path": "long.md", "first_line": 3}).text
    assert told == f"{'c' * 80_000}\n[line 3 of 3: its end is left out; read on with first_line=4]"


def test_a_disk_that_fails_is_an_error_that_the_model_can_read(tmp_path: Path) -> None:
    desk = laid_out(tmp_path / "copy")
    shutil.rmtree(desk.folder)
    (tmp_path / "copy").write_text("a file in place of the folder")
    told = call_tool(desk, "notebook_write", {"path": "MEMORY.md", "text": "x"})
    assert told == ("The disk does not answer (Not a directory). Try once more.", True)


def test_the_extension_calls_the_same_tools_in_a_process_of_its_own(tmp_path: Path) -> None:
    desk = laid_out(tmp_path / "copy")
    place = {"folder": str(desk.folder), "writable": desk.writable, "protected": desk.protected}
    call = {"tool": "notebook_read", "arguments": {"path": "MEMORY.md"}}
    other = {"tool": "notebook_remove", "arguments": {"path": "Skills/persons/SKILL.md"}}
    lines = [json.dumps(one).encode() + b"\n" for one in (place, call, other)]
    done = subprocess.run(
        [sys.executable, "-I", "-m", "vaultmem.llm"],
        input=b"".join(lines),
        stdout=subprocess.PIPE,
        check=True,
        timeout=60,
    )
    assert done.stdout.decode().splitlines() == list(answers(lines))
    first, second = map(json.loads, answers(lines))
    assert first == {"text": "alpha\nbeta\ngamma\n", "is_error": False}
    assert second["is_error"]
