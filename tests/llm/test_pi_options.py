"""How Pi is started: with nothing of the person's but the models, and nothing kept."""

from __future__ import annotations

from vaultmem.llm.pi_worker import OPTIONS


def test_the_worker_is_started_without_anything_of_the_persons():
    assert {*OPTIONS} == {
        *("-p", "--mode", "json", "--no-session"),
        *("--no-extensions", "--no-context-files", "--no-skills", "--no-prompt-templates"),
        *("--no-themes", "--no-builtin-tools"),
    }
    assert OPTIONS[OPTIONS.index("--mode") + 1] == "json"
