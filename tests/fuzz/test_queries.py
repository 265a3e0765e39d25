"""What is typed or said to find something: words in every script and syntax, answered or nothing."""

from __future__ import annotations

import contextlib
import tempfile
from functools import cache
from pathlib import Path

from hypothesis import strategies as st

from tests.fuzz import seeds
from tests.fuzz.fuzzer import fuzz
from tests.fuzz.hostile import TOKENS, mutants, texts
from tests.fuzz.stage import stage
from tests.index.make import memory, note
from vaultmem.core.context import Context
from vaultmem.core.detection import detect
from vaultmem.core.notebook.text_search import MatchMode, Question, search_texts
from vaultmem.core.query_class import classify
from vaultmem.core.report import build_report
from vaultmem.errors import BrowseError, VaultmemError
from vaultmem.index.documents import Source
from vaultmem.index.keyword import KeywordIndex
from vaultmem.services.lookup import find_memory
from vaultmem.services.report import report

SYNTAX = st.lists(
    st.one_of(
        st.sampled_from(["AND", "OR", "NOT", "(", ")", '"', "*", "?", "~", "^2", "title:", "[a TO z]", "-", "+", "/x/"]),
        st.sampled_from(["files", "name", "Git", "\u6f6e\u4f4d", "caf\u00e9", "retryCount", "pg_dump", "12:30", "v1.2.3"]),
        texts,
    ),
    max_size=8,
).map(" ".join)  # fmt: skip
QUERIES = st.one_of(SYNTAX, texts, st.text(max_size=300))


@cache
def _words() -> KeywordIndex:
    index = KeywordIndex(Path(tempfile.mkdtemp(prefix="words-", dir=stage().folder)))
    documents = [
        memory(f"m{at}", token.decode("utf-8", "replace")) for at, token in enumerate(TOKENS)
    ]
    documents += [
        note(f"Notes/{at}.md", data.decode("utf-8", "replace"))
        for at, data in enumerate(seeds.BLOCKS[:40])
    ]
    index.apply(
        [*documents, memory("known", "Add files by name, never all at once.")], [], stamp="1"
    )
    return index


@fuzz(QUERIES, st.integers(1, 50), examples=40)
def test_any_query_has_hits_that_hold_a_word_of_it(query, limit):
    hits = _words().search(query, sources=frozenset(Source), limit=limit)
    assert len(hits) <= limit
    assert len({one.key for one in hits}) == len(hits)
    assert all(0 <= one.coverage <= 1 and one.terms for one in hits)


@fuzz(mutants([*seeds.BLOCKS, *TOKENS]), examples=8)
def test_any_text_is_indexed_beside_the_others_and_taken_out_again(data):
    index, text = _words(), data.decode("utf-8", "replace")
    index.apply([note("Notes/new.md", text)], [], stamp="2")
    found = index.search("never files name", sources={Source.MEMORY}, limit=5)
    assert found[0].key == "known"
    index.search(text, sources=frozenset(Source), limit=5)
    index.apply([], ["Notes/new.md"], stamp="3")
    assert "Notes/new.md" not in index.keys


@fuzz(QUERIES, examples=40)
def test_any_prompt_has_a_class_and_may_be_a_correction_or_not(prompt):
    classify(prompt)
    detect(prompt)


@cache
def _standings():
    with stage().set() as world:
        world.here.sync()
        return list(world.here.call().vault.baseline.standings())


@fuzz(QUERIES, st.integers(0, 3000), st.floats(0, 4e9), examples=30)
def test_a_report_for_any_prompt_keeps_its_budget(prompt, budget, now):
    made = build_report(_standings(), Context(now=now, prompt=prompt), budget=budget)
    assert made.tokens <= max(budget, 0)


TEXTS = st.lists(
    st.tuples(st.sampled_from(["MEMORY.md", "a/b.md"]), mutants(seeds.OURS).map(lambda data: data.decode("utf-8", "replace"))),
    max_size=2,
)  # fmt: skip


@fuzz(
    TEXTS,
    st.lists(st.one_of(texts, st.sampled_from(["a", "the", "id"])), max_size=3),
    st.sampled_from(list(MatchMode)),
    st.integers(-1, 8),
    st.booleans(),
    st.booleans(),
    st.integers(-1, 5),
    examples=30,
)
def test_lines_of_the_notebook_are_found_or_the_question_refused(
    files, queries, mode, count, case, normalized, around
):
    question = Question(tuple(queries), mode, count, case, normalized, around)
    with contextlib.suppress(BrowseError):
        found = search_texts(files, question)
        lines = dict(files)
        for one in found.matches:
            assert one.path in lines
            assert 1 <= one.start <= one.line


@fuzz(st.one_of(QUERIES, st.deferred(lambda: st.sampled_from(stage().paths))), examples=10)
def test_any_name_finds_a_memory_or_says_what_to_do(name):
    with stage().set() as world:
        world.here.sync()
        call = world.here.call()
        with contextlib.suppress(VaultmemError):
            find_memory(call, name)
        report(call, prompt=name)
