"""The agent's tools over the notebook, and what its replies cite of it."""

from __future__ import annotations

import json

import pytest

from tests.hooks.protocol import TOOLS_FILE
from tests.hooks.serving import SESSION
from tests.services.notebook.published import (
    FILES,
    GREEN,
    HASHES,
    POOL,
    STEMS,
    card,
    publish_notebook,
)
from vaultmem.core.citation import TAG
from vaultmem.services.notebook.card_notes import write_card
from vaultmem.services.notebook.enable import disable, enable
from vaultmem.services.switch import READ, WRITE, Place, switch
from vaultmem.store.notebook.jobs import GLOBAL, JobKind, JobStatus
from vaultmem.store.notebook.modes import Mode

GREEN_CARD = f"rollout_summaries/{STEMS[GREEN]}.md"


def project(serving) -> str:
    return serving.here.project(serving_place(serving))


def serving_place(serving):
    from vaultmem.hooks.payloads import Place as At

    return At(session=SESSION, cwd=str(serving.world.vault))


@pytest.fixture
def on(serving):
    """The notebook is on here, on this device, and published."""
    enable(serving.world.here.call(), serving.shared.home, project(serving))
    publish_notebook(serving.world)
    for session in (GREEN, POOL):
        made = card(serving.world, session)
        write_card(serving.world.here.call(), made)
        serving.here.app.notebook.cards.put(made, 0.0)
    return serving


def uses(serving) -> dict[str, int]:
    return {one.session: one.used for one in serving.here.app.notebook.cards.all()}


# list, read, search


def test_the_notebook_is_listed_shallowly_in_pages(on):
    assert on.tool("memory_list", what="notebook").splitlines() == [
        "- MEMORY.md",
        "- Skills/",
        "- memory_summary.md",
        "- rollout_summaries/",
    ]
    assert on.tool("memory_list", what="notebook", max_results=3, path=".").splitlines() == [
        "- MEMORY.md",
        "- Skills/",
        "- memory_summary.md",
        "More with cursor 3.",
    ]
    assert on.tool("memory_list", what="notebook", cursor="3") == "- rollout_summaries/"
    assert on.tool("memory_list", what="notebook", path="none") == "There is nothing there yet."


def test_lines_are_read_and_the_next_ones_named(on):
    told = on.tool("memory_read", what="notebook", path="MEMORY.md", line_offset=2, max_lines=1)

    assert told == ("MEMORY.md, lines 2-2:\nscope: running the tests\nMore with line_offset 3.")
    whole = on.tool("memory_read", what="notebook", path="memory_summary.md", max_tokens=20_000)
    assert whole == f"memory_summary.md, lines 1-4:\n{FILES['memory_summary.md'].rstrip()}"


def test_words_are_searched_line_by_line(on):
    told = on.tool(
        "memory_search",
        **{"in": "notebook"},
        queries=["POOLER", "20 connections"],
        match_mode="all_on_same_line",
        context_lines=1,
        path="MEMORY.md",
    )

    assert told == (
        "MEMORY.md:15 (POOLER, 20 connections), lines 14-16:\n"
        "## Reusable knowledge\n"
        f"- the pooler takes 20 connections [{HASHES[POOL]}]\n"
        "- nobody cites this line"
    )
    more = on.tool("memory_search", **{"in": "notebook"}, queries=["test"], max_results=1)
    assert more.endswith("\n\nMore with cursor 1.")
    nothing = on.tool(
        "memory_search", **{"in": "notebook"}, queries=["POOLER"], case_sensitive=True
    )
    assert nothing.startswith("Nothing was found.")


def test_all_words_within_lines_and_without_separators(on):
    told = on.tool(
        "memory_search",
        **{"in": "notebook"},
        queries=["running", "reuserule"],
        match_mode="all_within_lines",
        line_count=2,
        normalized=True,
    )

    assert told.startswith("MEMORY.md:2 (running, reuserule), lines 2-3:\n")


def test_notebook_row_32_a_single_query_is_refused_in_the_notebook(on):
    assert on.refusal("memory_search", **{"in": "notebook"}, query="x") == (
        "`query` is not for the notebook. Give `queries`."
    )


@pytest.mark.parametrize(
    ("name", "arguments", "sentence"),
    [
        ("memory_list", {"what": "notebook", "cursor": "x"}, "`cursor` is none of ours"),
        ("memory_list", {"what": "notebook", "cursor": "99"}, "`cursor` lies behind"),
        ("memory_list", {"what": "notebook", "path": "../x"}, "A path of the notebook"),
        ("memory_list", {"what": "notebook", "limit": 3}, "`limit` is not for the notebook. Give"),
        ("memory_list", {"path": "x"}, "`path` is for the notebook only."),
        ("memory_read", {"what": "notebook"}, "`path` is missing."),
        ("memory_read", {"what": "notebook", "path": "."}, "That is a folder"),
        ("memory_read", {"what": "notebook", "path": ".git/HEAD"}, "The notebook has nothing"),
        ("memory_read", {"what": "notebook", "path": "x", "line_offset": 0}, "`line_offset` must"),
        ("memory_read", {"what": "notebook", "path": "x", "max_lines": 0}, "`max_lines` must"),
        ("memory_read", {"what": "notebook", "path": "MEMORY.md", "line_offset": 99}, "The file"),
        ("memory_read", {"what": "notebook", "id": "x"}, "`id` is not for the notebook. Give"),
        ("memory_read", {"id": "x", "max_lines": 2}, "`max_lines` is for the notebook only."),
        ("memory_search", {"in": "notebook"}, "`queries` is missing"),
        ("memory_search", {"in": "notebook", "queries": ["x", " "]}, "`queries` is missing"),
        ("memory_search", {"query": "x", "match_mode": "any"}, "`match_mode` is for the notebook"),
        ("memory_search", {"in": "notebook", "queries": ["x"], "match_mode": "y"}, "`match_mode`"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_call_is_told(on, name, arguments, sentence):
    assert on.refusal(name, **arguments).startswith(sentence)


# where it is off


OVER_IT = [
    ("memory_list", {"what": "notebook"}),
    ("memory_read", {"what": "notebook", "path": "MEMORY.md"}),
    ("memory_search", {"in": "notebook", "queries": ["x"]}),
]


@pytest.mark.parametrize(("name", "arguments"), [*OVER_IT, ("memory_consolidate", {})])
def test_notebook_row_35_where_it_is_off_the_tools_have_nothing(on, name, arguments):
    disable(on.world.here.call(), on.shared.home, project(on))

    assert "The notebook is off for" in on.refusal(name, **arguments)


@pytest.mark.parametrize(("name", "arguments"), OVER_IT)
def test_where_recalling_is_off_the_notebook_is_closed(on, name, arguments):
    switch(on.world.here.call(), [READ], Place(session=SESSION), off=True)

    assert on.refusal(name, **arguments).startswith("Recalling is switched off in this session.")


# consolidate, notes


def test_a_rewrite_is_due_when_it_was_asked_for(on):
    before = on.here.app.notebook.jobs.generation()

    assert on.tool("memory_consolidate").startswith("The notebook will be rewritten")

    job = on.here.app.notebook.jobs.get(JobKind.CONSOLIDATE, GLOBAL)
    assert (job.status, on.here.app.notebook.jobs.generation()) == (JobStatus.PENDING, before + 1)
    assert on.shared.notebook_wanted.is_set()


def test_another_device_rewrites_it(on):
    text = on.world.read("Memory/Settings.md")
    own = on.world.here.call().vault.device
    on.world.write("Memory/Settings.md", text.replace(own, f"dev_{'0' * 25}1"))
    on.world.here.sync()

    assert on.refusal("memory_consolidate").startswith("Another device of the user")


def test_nothing_is_rewritten_where_remembering_is_off(on):
    switch(on.world.here.call(), [WRITE], Place(session=SESSION), off=True)

    assert "switched off" in on.refusal("memory_consolidate")
    assert not on.shared.notebook_wanted.is_set()


def test_a_note_is_only_left_when_the_user_asked_and_makes_a_rewrite_due(on):
    told = on.refusal("memory_add_note", title="Pooler", text="x")
    assert told.startswith("A note is left only when the user asks for it")
    before = on.here.app.notebook.jobs.generation()

    on.ask("input", text="Please remember how the pooler works.", source="interactive")
    told = on.tool("memory_add_note", title="Pooler", text="x")

    assert told.startswith("The note is kept in Memory/Notes/20")
    assert on.here.app.notebook.jobs.generation() == before + 1


# use


def test_reading_a_card_or_lines_of_the_handbook_uses_cards_once_a_prompt(on):
    on.tool("memory_read", what="notebook", path=GREEN_CARD)
    on.tool("memory_read", what="notebook", path=GREEN_CARD, line_offset=2)
    on.tool("memory_read", what="notebook", path="MEMORY.md", line_offset=15, max_lines=1)
    assert uses(on) == {GREEN: 1, POOL: 1}

    on.ask("before_agent_start", prompt="Go on.", sub_agent=False)
    on.tool("memory_read", what="notebook", path=GREEN_CARD)
    assert uses(on) == {GREEN: 2, POOL: 1}


def test_searching_and_listing_use_nothing(on):
    on.tool("memory_list", what="notebook")
    on.tool("memory_search", **{"in": "notebook"}, queries=["pooler"])

    assert uses(on) == {GREEN: 0, POOL: 0}


def cited(serving, *lines: str):
    block = "\n".join((f"<{TAG}>", *lines, f"</{TAG}>"))
    told = serving.ask("message_end", role="assistant", text=f"Done.\n{block}")
    serving.settle()
    return told["text"]


def test_a_citation_of_the_notebook_is_taken_out_and_counts_once(on):
    lines = ("MEMORY.md:12-12|note=[how tests run]", STEMS[GREEN], GREEN, "MEMORY.md:99|bad")

    assert cited(on, *lines) == "Done."
    assert uses(on) == {GREEN: 1, POOL: 0}
    cited(on, *lines)
    assert uses(on) == {GREEN: 1, POOL: 0}
    assert on.here.app.notebook.cards.get(GREEN).last_used is not None


def test_a_citation_of_nothing_counts_nothing(on):
    unknown = "0194f5a6-89ab-7cde-8123-00000000ffff"

    assert cited(on, unknown, "none.md:1-2|note=[x]", "../MEMORY.md:1-20|note=[x]") == "Done."
    assert uses(on) == {GREEN: 0, POOL: 0}


def test_a_citation_counts_nothing_where_the_notebook_is_off(on):
    disable(on.world.here.call(), on.shared.home, project(on))

    assert cited(on, GREEN) == "Done."
    assert uses(on) == {GREEN: 0, POOL: 0}


# sessions that are left out


def mode(serving):
    return serving.here.app.notebook.modes.get(SESSION).mode


def start(serving, **more):
    given = {"reason": "startup", "mode": "tui", "file": "", "nested": False, "missed": []}
    serving.ask("session_start", **given | more)
    serving.settle()


def test_a_session_counts_as_it_is(on):
    start(on)
    on.ask("before_agent_start", prompt="Go.", sub_agent=False)
    on.settle()

    assert mode(on) is Mode.ENABLED


def test_a_sub_agent_s_session_is_left_out(on):
    on.ask("before_agent_start", prompt="Go.", sub_agent=True)
    on.settle()

    assert mode(on) is Mode.DISABLED


def test_where_the_notebook_is_off_nothing_is_kept_of_sessions(on):
    disable(on.world.here.call(), on.shared.home, project(on))
    start(on, nested=True)
    on.ask("before_agent_start", prompt="Go.", sub_agent=True)
    on.settle()

    assert mode(on) is Mode.ENABLED


def test_a_session_that_is_left_out_stays_so(on):
    for _ in range(2):
        on.ask("before_agent_start", prompt="Go.", sub_agent=True)
        on.settle()
    on.here.app.notebook.modes.set(SESSION, Mode.POLLUTED, 0.0)
    on.ask("before_agent_start", prompt="Go.", sub_agent=True)
    on.settle()

    assert mode(on) is Mode.POLLUTED


def test_a_nested_agent_s_session_is_left_out(on):
    start(on, nested=True)

    assert mode(on) is Mode.DISABLED


def test_a_session_that_begins_while_remembering_is_off_is_left_out(on):
    switch(on.world.here.call(), [WRITE], Place(), off=True)
    start(on)
    switch(on.world.here.call(), [WRITE], Place(), off=False)

    assert mode(on) is Mode.DISABLED


def test_the_extension_is_told_of_the_parameters():
    tools = {one["name"]: one for one in json.loads(TOOLS_FILE.read_text())["tools"]}

    assert "memory_consolidate" in tools
    assert tools["memory_search"]["parameters"]["properties"]["match_mode"]["enum"] == [
        "any",
        "all_on_same_line",
        "all_within_lines",
    ]
