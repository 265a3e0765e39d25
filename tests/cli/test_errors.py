"""No mistake of a user ends in a traceback: each is one sentence, the next step, and its code."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.cli.terminal import Terminal, small_vault, write
from tests.reference import every_command
from vaultmem.cli import crash
from vaultmem.cli.main import main, run

HUGE = "word " * 20_000
UNKNOWN = "mem_01J00000000000000000000000"

MISTAKES = [
    # arguments, exit code, a word of the sentence
    (["--vault", "nowhere", "status"], 10, "vaultmem init"),
    (["--vault", "Notes", "status"], 10, "no memory root"),
    (["show", ""], 23, "is empty. Give its id"),
    (["show", " "], 23, "is empty. Give its id"),
    (["inbox", "approve", ""], 23, "is empty"),
    (["show", "nope"], 23, "vaultmem search"),
    (["show", UNKNOWN], 23, "vaultmem search"),
    (["show", HUGE], 23, "vaultmem search"),
    (["show", "a\x1b[31mred"], 23, "vaultmem search"),
    (["show", "../../etc/passwd"], 23, "vaultmem search"),
    (["why", "nope"], 23, "vaultmem search"),
    (["edit", "nope", "--statement", "x"], 23, "vaultmem search"),
    (["edit", "nope"], 23, "vaultmem search"),
    (["ratify", "nope"], 23, "vaultmem search"),
    (["ratify", ""], 23, "path in the vault"),
    (["add", "", "--category", "lesson"], 41, "sentence"),
    (["add", " \n\t ", "--category", "lesson"], 41, "sentence"),
    (["add", "<!-- hidden -->", "--category", "lesson"], 41, "sentence"),
    (["add", HUGE, "--category", "lesson"], 41, "at most 2000"),
    (["note", "get", ""], 23, "path in the vault"),
    (["note", "get", "nope"], 23, "no such file"),
    (["note", "get", "line\nbreak"], 23, "no such file"),
    (["note", "get", "bell\x07"], 23, "no such file"),
    (["note", "get", "half\udcff"], 23, "no such file"),
    (["note", "get", "x" * 5_000], 12, "too long"),
    (["note", "get", "binary"], 20, "UTF-8"),
    (["note", "get", "folder"], 20, "cannot be opened"),
    (["note", "get", "link"], 12, "symbolic link"),
    (["note", "get", "../outside"], 12, "inside the vault"),
    (["note", "get", "/etc/hostname"], 23, "not in the vault"),
    (["note", "get", ".obsidian/x"], 12, "hidden"),
    (["note", "get", "Notes/Own", "nope"], 23, "no property"),
    (["note", "set", "binary", "a", "b"], 20, "UTF-8"),
    (["note", "set", "link", "a", "b"], 12, "symbolic link"),
    (["note", "set", "nope", "a", "b"], 23, "no such file"),
    (["note", "set", "Notes/Own", "rating", "many"], 22, "must be a number"),
    (["note", "set", "Notes/Own", "rating", "1", "2"], 22, "exactly one value"),
    (["note", "unset", "binary", "a"], 20, "UTF-8"),
    (["trust", "nowhere"], 10, "vaultmem init"),
    (["trust", "Notes"], 10, "vaultmem init"),
    (["init", "nowhere", "--yes"], 10, "no folder"),
    (["init", ".", "--root", "../x", "--yes"], 15, "such as"),
    (["init", ".", "--root", "", "--yes"], 15, "such as"),
    (["init", ".", "--root", ".hidden", "--yes"], 15, "such as"),
    (["init", ".", "--root", "Notes", "--yes"], 14, "already: Memory"),
    (["init", "Notes"], 42, "--yes"),
    (["init", "--undo", "."], 42, "--yes"),
    (["init", "--undo", ".", "--yes"], 10, "did not make"),
    (["key", "import"], 16, "vaultmem key export"),
    (["model", "use", "nope"], 51, "vaultmem model list"),
    (["demo", "--keep", "Notes"], 43, "--keep"),
]

USAGE = [
    [],
    ["nonsense"],
    ["--vault"],
    ["--vault", "Notes/Own.md", "status"],
    ["add", "no category"],
    ["add", "x", "--category", "none"],
    ["add", "x", "--category", "lesson", "--scope", "none"],
    ["search"],
    ["search", "x", "--limit", "0"],
    ["search", "x", "--in", "nowhere"],
    ["session", "search", "x", "--after", "soon"],
    ["session", "read", "x", "--offset", "-1"],
    ["report", "--budget", "-1"],
    ["report", "--budget", "x"],
    ["ratify"],
    ["ratify", "x", "--review"],
    ["trust", "Notes/Own.md"],
    ["trust", ".", "--remove", "--moved"],
    ["init", "Notes/Own.md"],
    ["edit"],
    ["note", "set", "Notes/Own", "rating"],
    ["completion", "tcsh"],
]


@pytest.fixture(scope="module")
def broken(tmp_path_factory) -> Terminal:
    folder = tmp_path_factory.mktemp("broken")
    made = Terminal(small_vault(folder / "vault"), folder / "home")
    (made.cwd / "binary.md").write_bytes(b"\x00\xff\xfe binary")
    (made.cwd / "folder.md").mkdir()
    (made.cwd / "link.md").symlink_to("/etc/hostname")
    (folder / "outside.md").write_text("Outside.")
    made.ok("--vault", ".", "sync")
    return made


def _inside(arguments: list[str]) -> list[str]:
    return arguments if "--vault" in arguments else ["--vault", ".", *arguments]


@pytest.mark.parametrize(("arguments", "code", "words"), MISTAKES)
def test_a_mistake_is_one_sentence_with_its_next_step_and_code(broken, arguments, code, words):
    done = broken.run(*_inside(arguments))

    assert done.code == code, done
    assert done.err.startswith("vaultmem: ")
    assert done.err.count("\n") == 1
    assert words in done.err
    assert "\x1b" not in done.err
    assert len(done.err) < 6_000


@pytest.mark.parametrize("words", [[""], [" ", "--in", "notebook"], ["\n", "--json"]])
def test_a_search_for_nothing_is_wrong_usage_and_no_empty_answer(terminal, words):
    done = terminal.run("search", *words)
    assert done.code == 2
    assert "It is empty. Say what to look for." in done.err


@pytest.mark.parametrize(("arguments", "code", "words"), MISTAKES)
def test_with_json_the_same_stands_on_standard_output(broken, arguments, code, words):
    done = broken.run(*_inside(arguments), "--json")

    error = json.loads(done.out)["error"]
    assert error.keys() == {"type", "message", "exit_code"}
    assert error["exit_code"] == code == done.code
    assert error["type"].endswith("Error")
    assert done.err


@pytest.fixture
def misspelt(tmp_path) -> Terminal:
    """A machine whose user config names a vault, and has a line that cannot be read."""
    made = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")
    made.ok("init", ".", "--yes")
    config = made.home / "config/config.yaml"
    config.write_text(f'{config.read_text()}\nllm: "unclosed\n')
    made.cwd = tmp_path
    return made


@pytest.mark.parametrize(
    "arguments", [["status"], ["search", "x"], ["notebook", "run"]], ids=" ".join
)
def test_a_broken_user_config_is_what_a_command_without_a_vault_names(misspelt, arguments):
    done = misspelt.run(*arguments)
    assert done.code == 15
    assert "not valid YAML" in done.err
    assert re.search(r"It is line \d+ of \S+/config.yaml\.", done.err)
    assert "init" not in done.err


def test_a_notebook_is_not_called_off_where_the_user_config_cannot_be_read(misspelt):
    done = misspelt.run("--vault", "vault", "notebook", "run")
    assert (done.code, "not valid YAML" in done.err) == (15, True)


def test_doctor_tells_a_broken_user_config_once(misspelt):
    found = misspelt.run("doctor", "--json").json["findings"]
    assert [one["code"] for one in found] == ["VM201"]


def test_a_wrong_vault_is_what_a_command_names_whatever_the_user_config_is(misspelt):
    assert misspelt.run("--vault", "nowhere", "status").code == 10


@pytest.mark.parametrize("arguments", USAGE, ids=" ".join)
def test_wrong_usage_has_code_2_and_names_the_help(broken, arguments):
    done = broken.run(*arguments)

    assert done.code == 2
    assert "Usage: vaultmem" in done.err or "Error: " in done.err


@pytest.mark.parametrize("arguments", [one for one in USAGE if one], ids=" ".join)
def test_wrong_usage_with_json_is_an_error_object(broken, arguments):
    done = broken.run("--vault", ".", *arguments, "--json")

    error = json.loads(done.out)["error"]
    assert done.code == error["exit_code"] == 2
    assert error["type"] == "UsageError"
    assert "\n" not in error["message"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["status"],
        ["doctor"],
        ["report"],
        ["search", "x"],
        ["sync"],
        ["show", "x"],
        ["note", "get", "x"],
    ],
    ids=" ".join,
)
def test_where_there_is_no_vault_every_command_names_the_next_step(tmp_path, arguments):
    done = Terminal(tmp_path, tmp_path / "home").run(*arguments)

    assert done.code == (1 if arguments == ["doctor"] else 10)
    assert "vaultmem init" in done.out + done.err


def test_a_vault_without_an_id_says_which_command_gives_it_one(tmp_path):
    fresh = Terminal(small_vault(tmp_path / "vault"), tmp_path / "home")

    done = fresh.run("--vault", ".", "show", "x")

    assert done.code == 13
    assert "vaultmem sync" in done.err


def test_an_ambiguous_end_of_an_id_names_the_ids(terminal):
    one, other = "mem_01J0000000000000000ABCDEFG", "mem_01J1111111111111111ABCDEFG"
    for name, identifier in (("A", one), ("B", other)):
        text = f"---\nid: {identifier}\ntype: memory\n---\nSay {name} aloud.\n"
        write(terminal.cwd / f"Memory/Lessons/{name}.md", text)

    done = terminal.run("show", "abcdefg")

    assert done.code == 24
    assert one in done.err
    assert other in done.err
    assert terminal.ok("show", one[4:]).out.startswith("Say A aloud.")


def test_a_working_folder_that_is_gone_is_no_bug(tmp_path, monkeypatch, capsys):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()

    assert run(["status"]) == 10
    assert "working folder" in capsys.readouterr().err


@pytest.mark.parametrize("home", ["file", "file/below"])
def test_a_home_folder_that_cannot_be_made_is_named(tmp_path, home):
    (tmp_path / "file").write_text("not a folder")
    done = Terminal(small_vault(tmp_path / "vault"), tmp_path / home).run("--vault", ".", "sync")

    assert done.code == 31
    assert str(tmp_path / "file") in done.err


def test_ctrl_c_says_that_nothing_more_was_changed(terminal, monkeypatch):
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("vaultmem.cli.commands.sync.sync", interrupted)
    done = terminal.run("sync")

    assert done.code == 130
    assert done.err.strip().endswith("Stopped; nothing more was changed.")


def test_a_bug_is_called_one_and_leaves_its_trace_for_doctor(terminal, monkeypatch):
    def faulty(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    with monkeypatch.context() as patched:
        patched.setattr("vaultmem.cli.commands.status.status", faulty)
        done = terminal.run("status")
    log = terminal.home / "state" / "crash.log"

    assert done.code == 3
    assert "this is a bug" in done.err
    assert "Traceback" not in done.err
    assert "ZeroDivisionError" in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600
    assert [one["code"] for one in terminal.ok("doctor", "--json").json["findings"]] == ["VM335"]


def test_a_trace_that_cannot_be_written_is_printed(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("VAULTMEM_HOME", str(tmp_path / "file"))
    try:
        raise ZeroDivisionError
    except ZeroDivisionError:
        assert "ZeroDivisionError" in crash.write_crash_log()


def test_a_note_that_nobody_may_read_is_a_sentence(terminal, monkeypatch):
    # The tests may run as root, who may read everything; so the system refuses by a loop of links.
    Path(terminal.cwd / "Loop").symlink_to(terminal.cwd / "Loop")
    done = terminal.run("note", "get", "Loop/x")

    assert done.code == 12
    assert "symbolic link" in done.err
    assert (terminal.cwd / "Loop").is_symlink()


def test_every_command_has_json_and_a_sentence_for_every_option():
    for path, command in every_command():
        options = [one for one in command.params if one.param_type_name == "option"]
        assert command.help, path
        assert all(getattr(one, "help", None) for one in options), path
        assert hasattr(command, "commands") or any("--json" in one.opts for one in options), path
        first = command.help.split("\n\n")[0]
        assert len(first) <= 60, (path, first)


def test_main_leaves_with_the_code_of_the_command(capsys):
    with pytest.raises(SystemExit) as left:
        main(["nonsense"])

    assert left.value.code == 2
    assert "nonsense" in capsys.readouterr().err


def test_main_ends_quietly_where_the_reader_of_an_error_has_left(tmp_path, monkeypatch):
    def nobody_reads(_: object) -> int:
        raise BrokenPipeError

    monkeypatch.setattr("vaultmem.cli.main.run", nobody_reads)
    with (tmp_path / "out").open("w") as out:
        monkeypatch.setattr("sys.stdout", out)
        with pytest.raises(SystemExit) as left:
            main(["status"])

    assert left.value.code == 1


def test_a_key_that_is_there_is_kept_when_a_vault_gets_its_id_back(terminal):
    """The settings were lost and come back without their id."""
    settings = terminal.cwd / "Memory/Settings.md"
    key = terminal.ok("key", "export").out
    settings.write_text("---\ntype: settings\n---\n")

    terminal.ok("sync")

    assert terminal.ok("key", "export").out == key


def test_words_without_quotes_are_told_to_need_them(terminal):
    done = terminal.run("search", "retry", "storm")

    assert done.code == 2
    assert "Got unexpected extra argument (storm). Put what has spaces into quotes." in done.err


@pytest.mark.parametrize(
    ("words", "advice"),
    [
        (("show", "Tea", "time"), "It takes one at a time; a title with spaces goes into quotes."),
        (("off", "wrte"), "It takes options only."),
        (("enforce", "test", "git", "add"), "Put what has spaces into quotes."),
        (("report", "--vault", "x"), "It goes before the command: `vaultmem --vault V report`."),
        (("pi", "status", "--vault", "x"), "before the command: `vaultmem --vault V pi status`."),
        (("serach", "x"), "No such command 'serach'. Did you mean `vaultmem search`?"),
        (("session", "raed"), "No such command 'raed'. Did you mean `vaultmem session read`?"),
        (("xyzzy",), "No such command 'xyzzy'.\n"),
    ],
)
def test_wrong_words_are_told_what_was_meant(terminal, words, advice):
    done = terminal.run(*words)

    assert done.code == 2
    assert advice in done.err
    assert ("quotes" in done.err) is ("quotes" in advice)


def test_a_piece_of_an_id_is_told_to_be_too_short(terminal):
    assert "Of an id, the last 6 characters or more are needed." in terminal.run("why", "4dz4").err
    assert "Of an id" not in terminal.run("why", "4dz4zm50").err
    assert "Of an id" in terminal.run("patch", "show", "4dz4").err
