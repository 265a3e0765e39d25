"""Rows of the governed memory's facts that only a whole vault can show.

What one function decides is tested at `core`; `tests.acceptance.rows` says where each row is held.
"""

from __future__ import annotations

import subprocess

from tests.acceptance.making import (
    adds,
    applied,
    candidate,
    hear,
    memory,
    on,
    proposed,
    say,
    told,
)
from tests.core.fakes import fake
from vaultmem.core.ids import with_prefix
from vaultmem.core.operation import Op
from vaultmem.services.curate import session_end
from vaultmem.services.inbox import decide
from vaultmem.services.purge import purge
from vaultmem.services.search import search

AGENT = {"AI_AGENT": "coder"}


def test_row_020_a_token_reaches_no_file(vault):
    token = "gh" + "p_" + fake(40)
    for agent in (None, "pi"):
        done = say(vault, f"Always use token {token}", agent=agent)
        assert done.outcome == "refused"
        assert [one.code for one in done.findings] == ["VM601"]
        assert token not in done.findings[0].message
    for place in (vault.vault, vault.here.home):
        for file in place.rglob("*"):
            if file.is_file():
                assert token.encode() not in file.read_bytes(), file


def test_row_032_the_same_statement_does_not_come_back_under_another_id(vault):
    """Not even where the user said it again, which would be applied of any other statement."""
    said = "Always rotate the keys on Monday."
    done = say(vault, said)
    purge(vault.here.call(), done.id)
    again = hear(vault, f"{said.upper()[0]}{said[1:].replace(' keys', '  keys')}")
    assert again.outcome == "refused"
    assert [one.code for one in again.findings] == ["VM321"]
    other = hear(vault, "Always rotate the logs on Monday.")
    session_end(vault.here.call())
    assert [row.id for row in _standing(vault)] == [with_prefix(other.id, "mem")]


def test_row_035_the_same_statement_is_counted_and_not_added(vault):
    first = say(vault, "Use canonical JSONL as source of truth.")
    second = say(vault, "use canonical JSONL as source of truth")
    assert (second.outcome, second.id) == ("reinforced", first.id)
    assert len(_standing(vault)) == 1
    assert _standing(vault)[0].evidence_count == 3


def test_row_050_a_shared_tag_leaves_both_in_force(vault):
    tags = ("memory/correction",)
    old = say(vault, "Never commit secrets to git.", tags=tags)
    one = candidate(vault, "Don't use npm for installs.", tags=tags)
    from vaultmem.notes.candidate import Decision

    done = decide(vault.here.call(), one.id, Decision.APPROVE)
    assert done.id == with_prefix(one.id, "mem")
    assert {row.status for row in _standing(vault)} == {"active"}
    assert memory(vault, old.id).superseded_by == ()


def test_row_068_an_agent_can_only_propose(vault):
    assert say(vault, "Use bun.", agent="pi").outcome == "candidate"
    assert _standing(vault) == []


def test_rows_062_and_063_a_purge_leaves_no_word_anywhere(vault):
    """Statement, title, evidence, candidate, patch, log, file names, state, cache and index."""
    words = ("zyzzyva", "abc123")
    statement = "The zyzzyva host is abc123."
    one = candidate(vault, statement)
    assert any("/System/Evidence/" in path for path in vault.snapshot())
    applied(vault, proposed(vault, adds(one)))
    identifier = with_prefix(one.id, "mem")
    say(vault, "Use bun for installs.")
    left = proposed(vault, on(identifier, Op.CONTEST, reason="zyzzyva moved"))
    day = vault.here.call().local.date().isoformat()
    vault.write(
        f"Memory/System/Log/{day} agent log {vault.here.id}.md",
        f"---\ntype: log\n---\n- {statement}\n- Something else.\n",
    )
    assert _found(vault, "zyzzyva") != []
    other = vault.device()
    other.sync()
    done = purge(vault.here.call(), identifier)
    assert done.finished
    other.sync()
    for place in (vault.vault, vault.here.home, other.home):
        for file in place.rglob("*"):
            assert not any(word in file.name.casefold() for word in words), file
            if file.is_file():
                data = file.read_bytes().lower()
                assert not any(word.encode() in data for word in words), file
    assert _found(vault, "zyzzyva") == []
    assert "Something else." in vault.read(f"Memory/System/Log/{day} agent log {vault.here.id}.md")
    assert vault.path("Memory/Lessons/Use bun for installs.md").exists()
    assert left.id


def test_row_088_a_contested_rule_is_no_hard_rule_whatever_its_confidence(vault):
    done = say(vault, "Never use sudo.", pin=True)
    vault.replace(done.path, "type: memory\n", "type: memory\nrule: avoid_pattern\n")
    vault.here.sync()
    from vaultmem.services.ratify import ratify

    ratify(vault.here.call(), done.id)
    before = told(vault)
    applied(vault, proposed(vault, on(done.id, Op.CONTEST)))
    after = told(vault)
    assert "Hard rules" in before
    assert "Hard rules" not in after
    assert "Never use sudo." in after


def test_row_095_a_natural_question_finds_its_memory(vault):
    done = say(vault, "Run bun test in the package folder.")
    assert _found(vault, "how should I run bun tests?") == [done.id]


def test_row_096_a_memory_of_the_project_is_told_in_it(terminal):
    repo = terminal.cwd.parent / "app"
    repo.mkdir()
    (repo / "package.json").write_text('{"name": "@org/app"}')
    subprocess.run(["git", "init", "-q", repo], check=True)
    remote = ["git", "-C", str(repo), "remote", "add", "origin", "https://x@github.com/org/app.git"]
    subprocess.run(remote, check=True)
    vault, terminal.cwd = str(terminal.cwd), repo
    added = terminal.ok(
        "--vault", vault, "add", "Use bun.", "--category", "lesson", "--scope", "project", "--json"
    ).json
    assert added["outcome"] == "added"
    assert "Use bun." in terminal.ok("--vault", vault, "report", "--json").json["text"]


def _standing(world):
    return world.here.call().vault.baseline.standings()


def _waiting(world):
    from vaultmem.services.inbox import waiting

    return waiting(world.here.call())


def _found(world, query):
    app = world.here.app()
    return [hit.id for hit in search(app.call(), app.engine, query).hits]
