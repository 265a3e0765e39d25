"""Where the notebook's section is told, and that it is the published version."""

from __future__ import annotations

import pytest

from tests.services.notebook.noting import (
    HANDBOOK,
    NEXT,
    PROJECT,
    SUMMARY,
    put,
)
from vaultmem.core.notebook.section import NOTEBOOK, NOTEBOOK_TOKENS
from vaultmem.services.capturing.shown import was_shown
from vaultmem.services.inject import inject
from vaultmem.services.switch import READ, Place, switch


def _asked(world, project=PROJECT, **options):
    app = world.here.app(agent="pi")
    return inject(app.call(), app.engine, project=project, prompt="Release it", **options)


def test_the_section_is_the_published_summary_and_the_last_one(published):
    made = _asked(published, session="s1")
    assert [one.name for one in made.sections][-1] == NOTEBOOK
    assert "- Sign every tag. [ab12]" in made.notebook.text.split("\n")
    assert 0 < made.notebook.tokens <= made.notebook.cap == NOTEBOOK_TOKENS
    assert made.text.endswith("\n</notebook>")
    assert made.text.count("Sign every tag") == 1


def test_it_stays_the_same_to_the_byte_until_a_new_version(published):
    first = _asked(published).notebook.text
    published.write("Memory/Lessons/Other.md", "---\ntype: memory\n---\nSomething else.\n")
    assert _asked(published).notebook.text == first
    put(published.here, NEXT)
    assert "Sign and push tags" in _asked(published).notebook.text


def test_an_edit_that_is_not_published_is_not_told(published):
    published.write(SUMMARY, "broken\n- Always push.\n")
    assert "Always push" not in _asked(published).text
    published.here.sync()
    assert "Always push" not in _asked(published).text
    assert "Sign every tag" in _asked(published).text


@pytest.mark.parametrize("project", ["", "example.org/team/other"])
def test_it_is_told_only_where_the_person_switched_the_notebook_on(published, project):
    assert _asked(published, project).notebook.text == ""


def test_the_projects_identity_is_compared_without_case(published):
    assert _asked(published, PROJECT.upper()).notebook.text


def test_it_is_not_told_where_reading_is_off(published):
    switch(published.here.call(), (READ,), Place(), off=True)
    made = _asked(published)
    assert made.notebook.text == ""
    assert made.text == ""


def test_nothing_is_told_before_the_first_version(noted):
    noted.write(HANDBOOK, "# Mine\n")
    noted.write(SUMMARY, "broken\n")
    noted.here.sync()
    assert _asked(noted).notebook.text == ""


def test_what_an_agent_was_told_of_it_is_never_learned_from(published):
    assert not was_shown(published.here.call(), "Sign every tag.")
    _asked(published, session="s1")
    assert was_shown(published.here.call(), "Sign every tag.")
