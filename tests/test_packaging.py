"""What is installed is complete: the data of the wheel, the editable install, and the links of README."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from tests.cli.terminal import files
from tests.reference import every_command
from vaultmem import __version__
from vaultmem.core.finding import CODES
from vaultmem.resources import resource

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = sorted([REPOSITORY / "README.md", *REPOSITORY.glob("docs/**/*.md")])
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)#\s]+)(?:#[^)]*)?\)")
CODE = re.compile(r"^```.*?^```$|`[^`\n]*`", re.M | re.S)
PIN = re.compile(r"([\w.-]+)==\S+(?: ; [^\\]+)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+")
CALL = re.compile(r"`vaultmem ((?:--vault \S+ )?[a-z]+[^`]*)`")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel, built without a network."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(folder), str(REPOSITORY)],
        check=True, capture_output=True, timeout=300,
    )  # fmt: skip
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel):
    """The wheel's files as an installation has them."""
    target = wheel.parent / "site"
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(target)
    return target


def test_the_wheel_holds_every_data_file(installed):
    package = installed / "vaultmem"

    for name in ("templates", "example-vault"):
        expected = {path for path, data in files(REPOSITORY / name).items() if data is not None}
        shipped = {
            path for path, data in files(package / "_data" / name).items() if data is not None
        }
        assert expected == shipped
    assert (package / "_data/example-vault/.obsidian/types.json").is_file()
    assert (package / "py.typed").is_file()
    source = REPOSITORY / "vaultmem/index/data"
    assert files(source) == files(package / "index/data")
    assert any(path.name.startswith("tokenizer") for path in source.rglob("*"))


def test_the_wheel_holds_no_tests_and_names_its_program(installed):
    (info,) = installed.glob("*.dist-info")

    assert not (installed / "tests").exists()
    assert "vaultmem = vaultmem.cli.main:main" in (info / "entry_points.txt").read_text()
    assert f"Version: {__version__}" in (info / "METADATA").read_text()
    assert list(info.rglob("LICENSE"))


def test_an_installed_wheel_runs_on_its_own_files_and_opens_no_connection(installed, tmp_path):
    code = (
        "import sys, vaultmem, vaultmem.resources as r\n"
        "asked = []\n"
        "wanted = ('socket.connect', 'socket.getaddrinfo', 'socket.sendto')\n"
        "sys.addaudithook(lambda event, _: asked.append(event) if event in wanted else None)\n"
        "print(vaultmem.__file__)\n"
        "print(r.resource('templates'))\n"
        "print(r.resource('example-vault'))\n"
        "from vaultmem.cli.main import run\n"
        "assert run(['demo', '--json']) == 0\n"
        "assert asked == [], asked"
    )
    env = {"PATH": os.environ["PATH"], "PYTHONPATH": str(installed), "VAULTMEM_HOME": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env=env,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == str(installed / "vaultmem/__init__.py")
    assert lines[1] == str(installed / "vaultmem/_data/templates")
    assert lines[2] == str(installed / "vaultmem/_data/example-vault")
    assert '"mode": "hybrid"' in done.stdout


@pytest.mark.parametrize("name", ["templates", "example-vault"])
def test_the_editable_install_finds_the_folders_of_the_source(name):
    assert resource(name) == REPOSITORY / name


def test_a_folder_that_is_not_shipped_is_an_error():
    with pytest.raises(FileNotFoundError, match="nothing-of-ours"):
        resource("nothing-of-ours")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_the_links_of_a_page_lead_somewhere(page):
    prose = CODE.sub("", page.read_text(encoding="utf-8"))
    targets = [one for one in LINK.findall(prose) if "://" not in one]

    missing = [one for one in targets if not (page.parent / one).exists()]
    assert missing == []


def test_the_readme_has_the_two_commands_that_set_everything_up():
    text = (REPOSITORY / "README.md").read_text(encoding="utf-8")

    assert "pip install -e . && vaultmem demo" in text
    assert "pip install -e '.[dev]' && pytest -n 4 --dist worksteal\n" in text


def test_every_package_is_pinned_by_hash_and_no_registry_is_named():
    pins = (REPOSITORY / ".ci/constraints.txt").read_text(encoding="utf-8")
    needed = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    every = [*needed["dependencies"], *needed["optional-dependencies"]["dev"]]
    names = {re.sub(r"[._-]+", "-", re.match(r"[\w.-]+", one)[0]).lower() for one in every}

    entries = re.split(r"\n(?=\S)", pins.strip())
    pinned = [PIN.fullmatch(one) for one in entries]
    assert None not in pinned
    assert names <= {one[1].lower() for one in pinned}
    assert "://" not in pins


def _calls():
    texts = {page.name: page.read_text(encoding="utf-8") for page in PAGES}
    texts |= {code: f"{row.meaning} {row.remedy}" for code, row in CODES.items()}
    texts |= {
        path.name: path.read_text(encoding="utf-8")
        for path in sorted((REPOSITORY / "vaultmem").rglob("*.py"))
    }
    return [(name, call) for name, text in texts.items() for call in CALL.findall(text)]


def test_every_command_and_option_that_a_text_recommends_exists():
    known = dict(every_command())
    wrong = []
    for name, call in _calls():
        words = re.sub(r"^--vault \S+ ", "", call).split()
        path = tuple(words[:2]) if tuple(words[:2]) in known else tuple(words[:1])
        if path not in known:
            wrong.append((name, call))
            continue
        options = {opt for one in known[path].params for opt in one.opts}
        wrong += [
            (name, call)
            for word in words
            if word.startswith("--") and word not in {*options, "--help", "--json"}
        ]
    assert wrong == []


@pytest.mark.parametrize("code", CODES)
def test_every_option_that_a_remedy_names_exists(code):
    every = {opt for _, command in every_command() for one in command.params for opt in one.opts}
    every.add("--vault")

    assert set(re.findall(r"--[a-z][a-z-]*", CODES[code].remedy)) <= every
