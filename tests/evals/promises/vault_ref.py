"""A memory leads to the person's own knowledge, which is read, never written, never shown around."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.evals.broken import showing
from tests.evals.case import category, equal, holds, lacks, true
from tests.services.candidates import captured

if TYPE_CHECKING:
    from tests.evals.stage import Stage

case = category("vault_ref")

NOTE = "Notes/BM25 Ranking.md"
TEXT = "Ranking by BM25 weighs rare words more than common ones and long notes less.\n"
SAYS = "Weigh rare words more than common ones in the ranking of notes."
LINK = "[[Notes/BM25 Ranking|BM25 Ranking]]"


def _knowledge(stage: Stage) -> None:
    for name in ("Apples", "Berries", "Cherries", "Dates", "Figs"):
        stage.world.write(f"Fruit/{name}.md", f"{name} are eaten raw; each has a season.\n")
    stage.world.write(NOTE, TEXT)
    stage.here.sync()


@case(broken_by=showing.NO_SUGGESTIONS)
def a_candidate_is_shown_the_note_that_holds_its_words_and_why(stage: Stage) -> None:
    _knowledge(stage)
    captured(stage.here.call(), SAYS)
    (one,) = stage.inbox()
    equal("the link", one["vault_ref_suggestions"], [LINK])
    holds("with the reason in its note", stage.world.read(one["path"]), LINK, "words: ")


@case(broken_by=showing.SUGGESTS_ANYTHING, hard=True)
def a_tag_a_piece_of_a_word_or_a_first_word_suggests_nothing(stage: Stage) -> None:
    _knowledge(stage)
    stage.world.write("Notes/The Testing Pyramid.md", "Many small tests, few of the whole.\n")
    stage.world.write("Notes/A Note.md", "A note is a file.\n")
    for text in (
        "Game theory explains why auctions fail.",
        "The ranking of a page is the client's business.",
        "Static files come from the bunny network.",
    ):
        captured(stage.here.call(), text)
    found = [one["vault_ref_suggestions"] for one in stage.inbox()]
    equal("nothing is suggested", found, [[], [], []])


@case(broken_by=showing.HIDES_NOTHING, hard=True)
def what_the_person_keeps_out_is_never_suggested(stage: Stage) -> None:
    _knowledge(stage)
    stage.world.write(NOTE, f"---\nvaultmem: false\n---\n{TEXT}")
    stage.world.write("Templates/BM25 Ranking.md", TEXT)
    captured(stage.here.call(), SAYS)
    (one,) = stage.inbox()
    equal("nothing is suggested", one["vault_ref_suggestions"], [])


@case(broken_by=showing.AGENT_SEES_ALL, hard=True)
def the_agent_sees_none_of_it(stage: Stage) -> None:
    _knowledge(stage)
    said = stage.told_by("search", "BM25 weighs rare words", "--in", "vault")
    true("the person finds it", said["hits"])
    found = stage.tool("memory_search", query="BM25 weighs rare words", **{"in": "vault"})
    lacks("the agent does not", found, "BM25 Ranking", "weighs rare words more")
    lacks("nor by reading", stage.tool("memory_read", what=NOTE, path=NOTE), "weighs rare words")


@case(broken_by=showing.LINKS_NEVER_DANGLE)
def a_link_that_leads_nowhere_is_a_finding_and_nothing_is_written(stage: Stage) -> None:
    _knowledge(stage)
    known = str(stage.says(SAYS)["id"])
    linked = stage.person("edit", known, "--set", "vault_ref", LINK)
    equal("linked", linked.code, 0)
    equal("the knowledge is what it was", stage.world.read(NOTE), TEXT)
    codes = [one["code"] for one in stage.person("doctor", "--json").json["findings"]]
    stage.world.path(NOTE).unlink()
    stage.here.sync()
    after = [one["code"] for one in stage.person("doctor", "--json").json["findings"]]
    equal("one finding more", len(after), len(codes) + 1)
