"""Starting is fast because what is heavy is imported where it is used; a fresh interpreter tells."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from datetime import datetime

import pytest

from tests.cli.terminal import Terminal, copy_example
from tests.reference import every_command

HEAVY = (
    "whoosh", "numpy", "onnxruntime", "fastembed", "tokenizers", "ruamel", "rich", "filelock",
    "markdown_it", "dulwich", "watchfiles", "openai", "frontmatter", "yaml", "logging", "subprocess",
    "asyncio", "mcp", "pydantic", "anyio",
)  # fmt: skip
SMALL = ("dataclasses", "hashlib")
"""Each is little, but a report of ten thousand memories has no room for it."""
NAMES = [" ".join(path) for path, _ in every_command()]
_LOADED = """
import sys
before = set(sys.modules)
{code}
sys.stderr.write("\\n".join(sorted({{name.split(".")[0] for name in set(sys.modules) - before}})))
"""
_RUN = """
from vaultmem.cli.main import run
try:
    code = run({arguments})
except SystemExit as done:
    code = done.code
assert code == 0, code
"""


def _loaded(code, *, home, cwd):
    """The top-level modules that a fresh interpreter loads for this code."""
    kept = {name: os.environ[name] for name in ("PATH", "PYTHONPATH") if name in os.environ}
    env = kept | {"VAULTMEM_HOME": str(home)}
    done = subprocess.run(
        [sys.executable, "-c", _LOADED.format(code=code)],
        cwd=cwd, env=env, capture_output=True, text=True, check=True, timeout=60,
    )  # fmt: skip
    return set(done.stderr.splitlines())


@pytest.fixture(scope="module")
def ready(tmp_path_factory):
    """The example vault, unchanged since its last sync, and its home."""
    folder = tmp_path_factory.mktemp("ready")
    person = Terminal(copy_example(folder / "notes"), folder / "home")
    person.now = datetime.now().astimezone()
    person.ok("trust", ".")
    person.ok("sync")
    for place in person.cwd.rglob("*.md"):  # a file that was written just now is looked at again
        os.utime(place, (person.now.timestamp() - 3600,) * 2)
    person.ok("sync")
    return person


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["report"], ["status"]], ids=" ".join
)
def test_a_cold_command_imports_nothing_heavy(ready, arguments):
    code = _RUN.format(arguments=json.dumps(arguments))
    loaded = _loaded(code, home=ready.home, cwd=ready.cwd)

    assert "click" in loaded
    assert not loaded & set(HEAVY)


def test_a_cold_report_imports_nothing_that_it_does_not_need(ready):
    loaded = _loaded(_RUN.format(arguments='["report"]'), home=ready.home, cwd=ready.cwd)

    assert not loaded & set(SMALL)


_NO_WRITERS = """
looks = ('vaultmem.services.syncing', 'vaultmem.services.syncing.observe')  # reads, writes nothing
writers = ('vaultmem.index.', 'vaultmem.store.files', 'vaultmem.services.sync')
wrong = [name for name in sys.modules if name.startswith(writers) and name not in looks]
assert not wrong, wrong
"""


def test_a_cold_report_imports_neither_search_nor_writers(ready):
    code = _RUN.format(arguments='["report"]') + _NO_WRITERS
    code += "assert 'vaultmem.services.capturing.shown' not in sys.modules\n"

    assert "vaultmem" in _loaded(code, home=ready.home, cwd=ready.cwd)


def test_a_cold_search_by_words_imports_neither_writers_nor_sessions(ready):
    code = _RUN.format(arguments='["search", "tests", "--mode", "keyword"]')
    _loaded(code, home=ready.home, cwd=ready.cwd)  # the first one builds the index
    code += (
        "wrong = {'vaultmem.services.sync', 'vaultmem.core.guards', 'vaultmem.notes.codec',\n"
        "    'vaultmem.services.sessions.search', 'vaultmem.store.sessions.catalog'}\n"
        "assert not wrong & {*sys.modules}, wrong & {*sys.modules}\n"
    )

    heavy = {"numpy", "onnxruntime", "fastembed", "tokenizers", "ruamel", "rich", "markdown_it"}
    assert not _loaded(code, home=ready.home, cwd=ready.cwd) & heavy


@pytest.mark.parametrize("how", [{"AI_AGENT": "pi"}, ["--session", "s1"]])
def test_keeping_what_an_agent_was_told_imports_nothing_heavy(ready, how):
    arguments = ["report", *(how if isinstance(how, list) else [])]
    environment = how if isinstance(how, dict) else {}
    code = (
        f"import os\nos.environ.update({environment})\n"
        + _RUN.format(arguments=json.dumps(arguments))
        + "assert 'vaultmem.services.capturing.shown' in sys.modules\n"
        + _NO_WRITERS
    )

    assert not _loaded(code, home=ready.home, cwd=ready.cwd) & set(HEAVY)


def test_the_app_is_light(tmp_path):
    loaded = _loaded("import vaultmem.app", home=tmp_path, cwd=tmp_path)

    assert not loaded & {*HEAVY, "click", "platformdirs"}


@pytest.mark.parametrize("name", NAMES)
def test_every_command_shows_its_help(tmp_path, name):
    """Lazy loading hides broken imports; this calls each."""
    done = Terminal(tmp_path, tmp_path / "home").ok(*name.split(), "--help")

    assert done.out.startswith(f"Usage: vaultmem {name}")
    assert max(map(len, done.out.splitlines())) <= 80


def test_every_command_is_imported_alone(tmp_path):
    """No command needs that another one was imported before it."""
    code = (
        "import importlib, os\n"
        "from vaultmem.cli.main import COMMANDS, module_of\n"
        "for name in sorted({module_of(place)[0] for place in COMMANDS.values()}):\n"
        "    child = os.fork()\n"  # it knows what every command has, and nothing of the others
        "    if not child:\n"
        "        importlib.import_module(name)\n"
        "        os._exit(0)\n"
        "    assert os.waitpid(child, 0)[1] == 0, name\n"
    )

    assert "click" in _loaded(code, home=tmp_path, cwd=tmp_path)


def test_a_sub_agent_s_hook_imports_nothing_heavy_and_no_command_line(ready):
    """Each sub-agent waits for one; the report looks at no note that did not change."""
    payload = json.dumps({"session": "s1", "prompt": "list", "sub_agent": True})
    code = (
        "from vaultmem.hooks.processes import run_hook\n"
        "said = []\n"
        f"run_hook('before_agent_start', None, {payload.encode()!r}, said.append)\n"
        "assert b'project_memory' in said[0], said\n"
    )

    loaded = _loaded(code, home=ready.home, cwd=ready.cwd)

    assert not loaded & {*HEAVY, "click"}
