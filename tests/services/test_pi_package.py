"""Installing the extension into Pi: nothing of the person's settings is lost, and it leaves no trace."""

from __future__ import annotations

import json
import os
import re
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vaultmem.config import Environment, HomeDirs
from vaultmem.errors import AgentRefusedError, ConfigError
from vaultmem.resources import resource
from vaultmem.services.pi_package import (
    EXTENSION,
    PiStatus,
    agent_folder,
    install_package,
    package_findings,
    package_status,
    uninstall_package,
)
from vaultmem.store.pi_agent import how_listed, list_package, unlist_package

PYTHON = "/usr/bin/python3"


class Desk:
    """A machine with one or more Pis."""

    def __init__(self, folder: Path) -> None:
        self.home = HomeDirs(folder / "config", folder / "state", folder / "cache")
        self.agent = self.make_agent(folder / "agent")
        self.folder = self.home.config / "pi"

    def make_agent(self, folder: Path) -> Path:
        folder.mkdir()
        return folder

    def settings(self, text: str | None = None, agent: Path | None = None) -> str:
        """Pi's settings, written first where a text is given; "" where there are none."""
        path = (agent or self.agent) / "settings.json"
        if text is not None:
            path.write_bytes(text.encode())
        return path.read_bytes().decode() if path.exists() else ""

    def install(self, agent: Path | None = None, *, by: str | None = None) -> tuple[Path, ...]:
        return install_package(self.home, agent or self.agent, interpreter=PYTHON, agent=by).changed

    def uninstall(self, agent: Path | None = None, *, by: str | None = None) -> tuple[Path, ...]:
        return uninstall_package(self.home, agent or self.agent, agent=by).changed

    def status(self) -> PiStatus:
        return package_status(self.home, self.agent)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def test_pi_loads_the_package_and_starts_this_python(desk):
    desk.install()
    assert json.loads(desk.settings()) == {"packages": [str(desk.folder)]}
    assert json.loads((desk.folder / "package.json").read_text())["pi"] == {
        "extensions": [f"./{EXTENSION}"]
    }
    runtime = json.loads((desk.folder / "runtime.json").read_text())
    assert [runtime["interpreter"], *runtime["arguments"]] == [
        PYTHON, "-I", "-m", "vaultmem.hooks"
    ]  # fmt: skip
    shipped = resource("templates") / "pi"
    for name in (EXTENSION, "tools.json"):
        assert (desk.folder / name).read_bytes() == (shipped / name).read_bytes()


def test_only_the_user_may_read_it(desk):
    desk.install()
    for place in (desk.folder, *desk.folder.rglob("*")):
        assert stat.S_IMODE(place.stat().st_mode) == (0o700 if place.is_dir() else 0o600)


def test_a_second_time_nothing_changes(desk):
    assert len(desk.install()) == 5
    before = {place: place.stat().st_mtime_ns for place in desk.folder.rglob("*")}
    assert desk.install() == ()
    assert {place: place.stat().st_mtime_ns for place in desk.folder.rglob("*")} == before


def test_an_older_package_is_brought_up_to_date(desk):
    desk.install()
    (desk.folder / EXTENSION).write_text("old")
    assert not desk.status().complete
    assert desk.install() == (desk.folder / EXTENSION,)
    assert desk.status().ok is True


@pytest.mark.parametrize(
    "text",
    [
        pytest.param('{"a": 1}', id="one line"),
        pytest.param('{\n\t"a": 1.50,\n\t"b": [1,2]\n}\n', id="tabs"),
        pytest.param('{\r\n  "a": "é"\r\n}\r\n', id="lines as on Windows"),
        pytest.param('\ufeff{"packages": []}', id="byte order mark"),
        pytest.param(
            '{"packages": ["npm:x", {"source": "git:y", "skills": []}], "z": 0}', id="more"
        ),
        pytest.param("{}", id="empty"),
        pytest.param("", id="an empty file"),
        pytest.param(None, id="no file"),
    ],
)
def test_it_leaves_no_trace(desk, text):
    before = desk.settings(text)
    desk.install()
    after = json.loads(desk.settings().removeprefix("\ufeff"))
    known = json.loads(before.removeprefix("\ufeff") or "{}")
    assert after == {**known, "packages": [*known.get("packages", []), str(desk.folder)]}
    desk.uninstall()
    assert desk.settings() == before
    assert (desk.agent / "settings.json").exists() is (text is not None)
    assert not desk.folder.exists()
    assert desk.uninstall() == ()


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)


@settings(deadline=None, max_examples=50)  # files are made durable
@given(
    st.dictionaries(st.text(max_size=8).filter(lambda key: key != "packages"), _JSON, max_size=4),
    st.none() | st.lists(st.text(max_size=8), max_size=3),
    st.sampled_from([None, 2, "\t"]),
)
def test_whatever_the_settings_are_they_come_through(tmp_path_factory, values, packages, indent):
    agent = tmp_path_factory.mktemp("agent")
    known = values if packages is None else {**values, "packages": packages}
    text = json.dumps(known, indent=indent, ensure_ascii=False)
    (agent / "settings.json").write_text(text, "utf-8", "surrogatepass")
    added = list_package(agent, agent / "ours")
    assert how_listed(agent, agent / "ours").loaded
    assert unlist_package(agent, agent / "ours", added)
    assert (agent / "settings.json").read_text("utf-8", "surrogatepass") == text


def test_what_was_changed_meanwhile_stays(desk):
    desk.settings('{\n  "a": 1\n}\n')
    desk.install()
    desk.settings(desk.settings().replace('"a": 1', '"a": 2'))
    desk.uninstall()
    assert json.loads(desk.settings()) == {"a": 2, "packages": []}


def test_two_pis_share_one_package_and_it_goes_with_the_last(desk, tmp_path):
    other = desk.make_agent(tmp_path / "other")
    desk.install()
    desk.install(other)
    desk.uninstall()
    assert desk.settings() == ""
    assert str(desk.folder) in desk.settings(agent=other)
    assert (desk.folder / EXTENSION).exists()
    desk.uninstall(other)
    assert not desk.folder.exists()


def test_what_the_person_put_beside_it_stays(desk):
    desk.install()
    (desk.folder / "mine.txt").write_text("mine")
    desk.uninstall()
    assert [place.name for place in desk.folder.iterdir()] == ["mine.txt"]


def test_a_package_that_pi_itself_listed_is_known_by_its_place(desk):
    relative = os.path.relpath(desk.folder, desk.agent)
    desk.settings(json.dumps({"packages": [relative]}))
    desk.install()
    assert json.loads(desk.settings()) == {"packages": [relative]}
    desk.uninstall()
    assert json.loads(desk.settings()) == {"packages": []}


def test_a_record_that_is_damaged_costs_only_the_exact_way_back(desk):
    desk.settings('{"a": 1}')
    desk.install()
    (desk.folder / "installed.json").write_text("{")
    desk.uninstall()
    assert json.loads(desk.settings()) == {"a": 1, "packages": []}


@pytest.mark.parametrize("number", ["-5", "7", "100000"])
@pytest.mark.parametrize("key", ["at", "length"])
def test_a_record_that_names_another_place_cuts_nothing_out(desk, key, number):
    desk.settings('{"a": 1, "packages": ["npm:x"]}')
    desk.install()
    record = desk.folder / "installed.json"
    record.write_text(re.sub(rf'"{key}": \d+', f'"{key}": {number}', record.read_text()))
    desk.uninstall()
    assert json.loads(desk.settings()) == {"a": 1, "packages": ["npm:x"]}


def test_settings_that_lie_elsewhere_are_edited_there(desk, tmp_path):
    kept = tmp_path / "dotfiles.json"
    kept.write_text("{}")
    (desk.agent / "settings.json").symlink_to(kept)
    desk.install()
    assert (desk.agent / "settings.json").is_symlink()
    assert json.loads(kept.read_text()) == {"packages": [str(desk.folder)]}
    desk.uninstall()
    assert kept.read_text() == "{}"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{", "cannot be edited"),
        ("[]", "cannot be edited"),
        ('{"packages": {}}', "cannot be edited"),
        ('{"a": 1, "a": 2}', "cannot be edited"),
        ("\xff", "not valid UTF-8"),
    ],
)
def test_settings_that_cannot_be_edited_stay_as_they_are(desk, text, says):
    path = desk.agent / "settings.json"
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(ConfigError, match=says):
        desk.install()
    assert path.read_bytes() == text.encode("latin-1")
    assert not desk.folder.exists(), "nothing is left that no Pi loads"


def test_an_entry_with_filters_is_the_persons(desk):
    text = json.dumps({"packages": [{"source": str(desk.folder), "extensions": []}]})
    desk.settings(text)
    with pytest.raises(ConfigError, match="pi remove"):
        desk.install()
    assert desk.settings() == text


def test_a_folder_that_is_not_there_is_no_pi(desk, tmp_path):
    with pytest.raises(ConfigError, match="Start Pi once"):
        desk.install(tmp_path / "nowhere")
    assert not (tmp_path / "nowhere").exists()


def test_an_agent_installs_nothing(desk):
    with pytest.raises(AgentRefusedError):
        desk.install(by="pi")
    desk.install()
    with pytest.raises(AgentRefusedError):
        desk.uninstall(by="pi")
    assert desk.status().listed


def test_the_status_says_what_is_missing(desk):
    assert desk.status()[2:] == (False, False, False, "", False)
    assert desk.status().ok is False
    desk.install()
    assert desk.status()[2:] == (True, False, True, PYTHON, Path(PYTHON).is_file())
    (desk.folder / "runtime.json").write_text('{"interpreter": 3}')
    assert desk.status().interpreter == ""


def test_the_status_has_a_sentence_for_each_thing(desk):
    assert desk.status().problems() == ["The extension is not installed."]
    install_package(desk.home, desk.agent, interpreter="/nowhere/python", agent=None)
    desk.settings("{}")
    (desk.folder / "tools.json").unlink()
    assert desk.status().problems() == [
        "Pi's settings do not list it.",
        "It is not the one of this version.",
        "It starts /nowhere/python, which is not there.",
    ]
    desk.install()
    assert desk.status().problems() == []


def test_doctor_hears_of_an_extension_that_does_not_fit(desk):
    def codes():
        return [one.code for one in package_findings(desk.home)]

    assert codes() == []
    desk.install()
    assert codes() == []
    (desk.folder / EXTENSION).write_text("old")
    assert codes() == ["VM910"]
    install_package(desk.home, desk.agent, interpreter="/nowhere/python", agent=None)
    assert codes() == ["VM911"]
    listed = desk.settings()
    desk.settings("{")
    assert codes() == ["VM912"]
    desk.settings("{}")
    assert codes() == []
    desk.settings(listed)
    (desk.folder / EXTENSION).unlink()
    (desk.folder / EXTENSION).mkdir()
    assert codes() == ["VM912"]


@pytest.mark.parametrize("blank", ["\n", "  ", "\r\n\t"])
def test_settings_that_were_only_blank_are_so_again(desk, blank):
    desk.settings(blank)
    desk.install()
    assert json.loads(desk.settings()) == {"packages": [str(desk.folder)]}
    desk.uninstall()
    assert desk.settings() == blank


def test_the_status_tells_an_entry_with_filters_of_the_persons(desk):
    desk.install()
    assert desk.status().filtered is False
    desk.settings(json.dumps({"packages": [{"source": str(desk.folder), "skills": []}]}))
    assert desk.status().listed
    assert desk.status().filtered
    assert package_findings(desk.home) == []


def test_a_source_that_is_no_path_is_not_ours(desk):
    desk.settings(json.dumps({"packages": ["a\0b"]}))
    desk.install()
    assert json.loads(desk.settings())["packages"] == ["a\0b", str(desk.folder)]


def test_settings_that_cannot_be_read_are_named(desk):
    (desk.agent / "settings.json").mkdir()
    with pytest.raises(ConfigError, match="Check the file"):
        desk.install()


@pytest.mark.parametrize("before", ["{}", None])
def test_what_pi_writes_meanwhile_is_not_lost(desk, monkeypatch, before):
    from vaultmem.core import json_splice

    desk.settings(before)
    changes = iter(['{"a": 1}', '{"a": 2}'])

    def meanwhile(*given: str) -> str:
        desk.settings(next(changes, None))
        return real(*given)

    real = json_splice.add_to_list
    monkeypatch.setattr(json_splice, "add_to_list", meanwhile)
    desk.install()
    assert json.loads(desk.settings()) == {"a": 2, "packages": [str(desk.folder)]}
    changes = iter([f'{{"b": {number}}}' for number in range(9)])
    desk.settings("{}")
    with pytest.raises(ConfigError, match="keeps changing"):
        desk.install()


def test_which_pi_is_meant(tmp_path):
    assert agent_folder(Environment(), tmp_path) == tmp_path
    assert agent_folder(Environment(pi_agent_dir=str(tmp_path)), None) == tmp_path
    assert agent_folder(Environment(), None) == Path.home() / ".pi/agent"
    with pytest.raises(ConfigError):
        agent_folder(Environment(pi_agent_dir="a/b"), None)
