"""Eight processes that write at once, with the lock, lose no update."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.store.crash_driver import KEY
from vaultmem.store.files import create_file, is_temporary
from vaultmem.store.ledger import FOLDER, read_ledger

REPOSITORY = Path(__file__).parents[2]
PROCESSES = 8
ROUNDS = 50


def _run_all(vault: Path) -> None:
    command = [sys.executable, "-m", "tests.store.write_driver", str(vault), str(ROUNDS)]
    running = [
        subprocess.Popen([*command, str(number)], cwd=REPOSITORY, stderr=subprocess.PIPE, text=True)
        for number in range(PROCESSES)
    ]
    for process in running:
        _, errors = process.communicate()
        assert process.returncode == 0, errors


def test_no_replacement_and_no_ledger_line_is_lost(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    create_file(vault, "Memory/Note.md", b"")
    _run_all(vault)
    expected = [f"{number} {turn}" for number in range(PROCESSES) for turn in range(ROUNDS)]
    assert sorted((vault / "Memory/Note.md").read_text().split("\n")[:-1]) == sorted(expected)
    (path,) = (vault / "Memory" / FOLDER).glob("*.md")
    lines, findings = read_ledger(path.read_bytes(), KEY, path=path.name)
    assert sorted(str(line.values["turn"]) for line in lines) == sorted(expected)
    assert all(line.signed for line in lines)
    assert findings == ()
    assert [path for path in vault.rglob(".*") if is_temporary(path.name)] == []
