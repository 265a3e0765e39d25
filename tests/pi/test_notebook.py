"""The notebook beside the real Pi: told, browsed, cited, and rewritten while the agent rests."""

from __future__ import annotations

import os
import stat
from dataclasses import replace
from typing import TYPE_CHECKING

import psutil
import pytest

from tests.pi.driver import texts
from tests.pi.installed import BOTH
from tests.pi.model_server import MODEL, calls, says
from tests.pi.processes import eventually, serving
from tests.pi.test_sections import section
from tests.services.notebook.published import (
    GREEN,
    HASHES,
    POOL,
    STEMS,
    card,
    publish_notebook,
)
from tests.services.notebook.scripted_run import (
    LINE,
    RESTED,
    dreamt,
    learned,
    rested,
    rewritten,
    with_model,
)
from vaultmem.core.citation import TAG
from vaultmem.services.notebook.card_notes import write_card
from vaultmem.services.notebook.enable import enable
from vaultmem.store.notebook.catalog import NotebookCatalog
from vaultmem.store.notebook_history import History
from vaultmem.store.project import project_identity

if TYPE_CHECKING:
    from tests.pi.driver import Pi, Rpc
    from tests.pi.installed import Installed
    from tests.pi.model_server import ModelServer
    from tests.world import World


@pytest.fixture
def catalog(world: World):
    """What this machine knows of cards and jobs."""
    world.here.sync()
    made = NotebookCatalog(world.here.call().vault.state.folder)
    yield made
    made.close()


@pytest.fixture
def on(world: World, pi: Pi, catalog: NotebookCatalog, known: str) -> Pi:
    """A Pi in whose project the notebook is on."""
    app = world.here.app()
    enable(world.here.call(), app.home, project_identity(pi.project, cache=app.home.cache).id)
    return pi


@BOTH
def test_the_notebook_is_told_browsed_and_cited(
    on: Pi, model: ModelServer, world: World, catalog: NotebookCatalog
):
    publish_notebook(world)
    for session in (GREEN, POOL):
        made = card(world, session)
        write_card(world.here.call(), made)
        catalog.cards.put(made, 0.0)
    block = f"<{TAG}>\nMEMORY.md:15-15|note=[connections]\n{STEMS[GREEN]}\nbroken:1|x\n</{TAG}>"
    model.script(
        calls("memory_list", what="notebook"),
        calls("memory_search", queries=["pooler"], **{"in": "notebook"}),
        calls("memory_read", what="notebook", path="MEMORY.md", line_offset=1, max_lines=3),
        calls("memory_read", what="notebook", path="../secret"),
        says(f"Twenty.\n\n{block}"),
    )

    ran = on.run("How many connections does the pooler take?")

    assert (ran.stdout, ran.code) == ("Twenty.\n", 0)
    told = section(model.requests[0].system_prompt, "notebook")
    assert "run the tests before a commit" in told
    listed, found, read, refused = model.last.results()
    assert "- MEMORY.md\n- Skills/" in listed
    assert f"- the pooler takes 20 connections [{HASHES[POOL]}]" in found
    assert read.startswith("MEMORY.md, lines 1-3:\n# Task Group: tests of the site\n")
    assert "never leads upwards" in refused
    assert [text for text in texts(on.session(), "assistant") if text] == ["Twenty."]
    assert "note=[connections]" not in on.session_text()
    assert eventually(
        lambda: {one.session: one.used for one in catalog.cards.all()} == {GREEN: 1, POOL: 1}
    )


def test_where_the_notebook_is_off_nothing_of_it_is_told(
    pi: Pi, model: ModelServer, world: World, known: str
):
    publish_notebook(world)
    model.script(calls("memory_list", what="notebook"), calls("memory_consolidate"), says("None."))

    pi.run("How many connections does the pooler take?")

    assert "<notebook>" not in model.requests[0].system_prompt
    assert all("The notebook is off for" in one for one in model.last.results())


def history(world: World) -> History:
    return History(world.here.call().vault.state.history)


def rewrite_while_it_rests(pi: Pi, model: ModelServer, world: World) -> None:
    """The agent asks for a rewrite; then it rests, and the next session is told of the result."""
    model.script(
        calls("memory_consolidate"),
        says("It will be."),
        learned(),
        *rewritten(),
        dreamt(),
        says("As I know.", "again"),
    )
    with pi.rpc() as talk:
        talk.prompt("Please rewrite the notebook.")
        assert eventually(lambda: history(world).head_id(), 120)
        assert eventually(world.path("Memory/MEMORY.md").is_file)
        assert LINE in world.read("Memory/MEMORY.md")
    pi.run("And again, what comes before a commit?")
    assert LINE in section(model.last.system_prompt, "notebook")
    assert model.unexpected == []


def test_while_the_agent_rests_the_notebook_is_rewritten_through_an_endpoint(
    on: Pi, model: ModelServer, world: World, catalog: NotebookCatalog
):
    rested(on.agent / "sessions", on.project)
    with_model(world, llm=model.url, llm_model=MODEL)

    rewrite_while_it_rests(on, model, world)

    (made,) = catalog.cards.all()
    assert (made.session, made.slug) == (RESTED, "make_test")


@BOTH
def test_and_through_the_real_pi_as_worker(
    on: Pi, model: ModelServer, world: World, installed: Installed, version: str, monkeypatch
):
    programs = on.project.parent / "bin"
    programs.mkdir()
    started = f'exec "{installed.node}" "{installed.cli(version)}" "$@"'
    (programs / "pi").write_text(f"#!/bin/sh\n{started}\n")
    (programs / "pi").chmod(stat.S_IRWXU)
    on.variables["PATH"] = f"{programs}{os.pathsep}{on.environment()['PATH']}"
    monkeypatch.setenv("PATH", on.variables["PATH"])  # who agrees here has that Pi, too
    rested(on.agent / "sessions", on.project)
    with_model(world, llm="pi", llm_model=f"fake/{MODEL}")

    rewrite_while_it_rests(on, model, world)

    worker = [one for one in model.requests if "notebook_write" in one.tool_names]
    assert worker
    assert all("bash" not in one.tool_names for one in worker)


def closed(talk: Rpc, world: World) -> None:
    """The person ends the agent."""
    talk.close()


def killed(talk: Rpc, world: World) -> None:
    """The process beside the agent is killed, so that it can end nothing."""
    for process in serving(world.here.home):
        process.kill()


@pytest.mark.parametrize("end", [closed, killed])
def test_a_run_ends_with_the_agent(on: Pi, model: ModelServer, world: World, end):
    rested(on.agent / "sessions", on.project)
    with_model(world, llm=model.url, llm_model=MODEL)
    model.script(
        calls("memory_consolidate"),
        says("It will be."),
        replace(learned(), delay=60.0),
    )
    with on.rpc() as talk:
        talk.prompt("Please rewrite the notebook.")
        assert eventually(lambda: len(model.requests) > 2)  # the run waits for its model
        end(talk, world)
        assert eventually(lambda: not runs(world), 30)
    assert history(world).head_id() is None


def runs(world: World) -> list[psutil.Process]:
    """The processes that work on the notebook of this vault."""
    found = []
    for process in psutil.process_iter():
        try:
            words = process.cmdline()
        except psutil.Error:
            continue
        if str(world.vault) in words and words[-3:] == ["notebook", "run", "--if-due"]:
            found.append(process)
    return found
