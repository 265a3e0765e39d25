"""Reviews of pull requests: stored without secrets, resolved, matched, taken over, purged."""

from __future__ import annotations

import pytest

from tests.services.purging import places_with
from tests.store import old_reviews
from vaultmem.core.reviewing.comment import (
    CommentStatus,
    PullRequest,
    Resolution,
    Review,
    ReviewComment,
)
from vaultmem.errors import AgentRefusedError, ImportSourceError, ReviewFileError
from vaultmem.services.purge import purge
from vaultmem.services.report import report
from vaultmem.services.reviewing.pull_requests import (
    bring_reviews,
    history,
    match_skipped,
    resolve,
    safe_text,
    skipped_comments,
    store_review,
)

OF = PullRequest("acme", "tide", 12)
TOKEN = "ghp_" + "a1B2" * 9
HIDDEN = f"ghp_a1B2\u200b{'a1B2' * 8}"
GONE = "[redacted_secret:github_token]"


def skipped(body="Name it.", reason="It is a test.", **more):
    more = {"path": "src/a.py", "line": 3} | more
    return ReviewComment(body=body, status=CommentStatus.SKIPPED, skip_reason=reason, **more)


def posted(body="Name it.", **more):
    return ReviewComment(**{"path": "src/a.py", "line": 3, "body": body} | more)


def review(*comments, **more):
    return Review(of=OF, comments=comments, **more)


@pytest.mark.parametrize("agent", [None, "pi"])
def test_a_review_is_stored_on_this_machine_and_nowhere_in_the_vault(ready, agent):
    before = ready.snapshot()
    call = ready.here.call(agent=agent)

    done = store_review(call, review(posted(), skipped(), skipped(), head_sha="abc", author="bot"))

    assert (done.id, done.posted, done.skipped) == (1, 1, 2)
    (found,) = history(call, OF)
    assert found.review.created.endswith("+00:00")
    assert [one.id for one in skipped_comments(call, OF)] == [2, 3]
    assert ready.snapshot() == before
    assert "Name it" not in report(call, prompt="Please review this PR").text


def test_no_secret_is_stored_in_any_text(ready):
    texts = dict.fromkeys(("path", "body", "severity", "thread_id", "posted_at", "response"), TOKEN)
    store_review(
        ready.here.call(), review(skipped(reason=f"because {TOKEN}", **texts), author=TOKEN)
    )
    resolve(ready.here.call(), OF, "x", line=None, resolution=Resolution.FIXED, response=TOKEN)

    assert places_with([ready.vault, ready.here.home], ["a1B2a1B2"]) == set()
    (one,) = skipped_comments(ready.here.call(), OF)
    assert one.comment.body == GONE
    assert one.comment.skip_reason == f"because {GONE}"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("One\n  two\n\tthree  \r\n", "One\n  two\n    three"),
        ("a\u202eb\x1bc\u200bd", "abcd"),
        (TOKEN, GONE),
        (HIDDEN, GONE),
        ("\n\n", ""),
    ],
)
def test_texts_are_what_a_person_can_see(text, kept):
    assert safe_text(text) == kept


def test_a_reason_that_nobody_can_see_is_none(ready):
    with pytest.raises(ReviewFileError, match="Say why"):
        store_review(ready.here.call(), review(posted(), skipped(reason="\u200b\u200b")))
    assert history(ready.here.call(), OF) == ()


def test_a_comment_is_resolved_by_its_place(ready):
    call = ready.here.call(agent="pi")
    store_review(call, review(posted(), posted("Other.", line=9)))

    done = resolve(
        call, OF, "src/a.py", line=3, resolution=Resolution.ACCEPTED, response=f"No: {TOKEN}"
    )

    assert done is not None
    assert (done.comment.resolution, done.comment.response) == ("resolved_accepted", f"No: {GONE}")
    assert resolve(call, OF, "src/b.py", line=None, resolution=Resolution.FIXED) is None


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("src/a.py", "./src/a.py"),
        ("./src/a.py", "src/a.py"),
        ("src\\a.py", "src/a.py"),
        ("src/a.py", ".\\src\\a.py"),
    ],
)
def test_a_place_is_one_however_its_path_is_spelled(ready, stored, asked):
    call = ready.here.call()
    store_review(call, review(posted("Look.", path=stored)))
    done = resolve(call, OF, asked, line=None, resolution=Resolution.FIXED)
    assert done is not None
    assert done.comment.path == stored
    assert resolve(call, OF, "a.py", line=None, resolution=Resolution.FIXED) is None


def test_what_was_skipped_before_is_known_in_the_next_round(ready):
    store_review(ready.here.call(), review(skipped(), posted("Log it.", line=7)))

    found = match_skipped(
        ready.here.call(), review(posted("name it!", line=90), posted("Log it.", line=7))
    )

    assert [one.match and one.match.likeness for one in found] == ["same", None]
    assert len(history(ready.here.call(), OF)) == 1


class TestBring:
    @pytest.fixture
    def old(self, ready):
        path = old_reviews.make(ready.folder / "pr-reviews.db")
        old_reviews.review(path)
        old_reviews.comment(path, body=f"Use {TOKEN}.", status="skipped", skip_reason="A test.")
        old_reviews.comment(path, line=-1)
        return path

    def test_reviews_come_once_without_secrets(self, ready, old):
        before = old.read_bytes()

        first = bring_reviews(ready.here.call(), old)
        again = bring_reviews(ready.here.call(), old)

        assert (first.rows, first.comments, first.reviews, first.taken) == (1, 2, 1, 1)
        assert (again.reviews, again.known, again.known_comments) == (0, 1, 1)
        assert [one.where for one in first.quarantined] == ["pr_comments:2"]
        assert old.read_bytes() == before
        (one,) = skipped_comments(ready.here.call(), OF)
        assert one.comment.body == f"Use {GONE}."
        assert len(history(ready.here.call(), OF)) == 1

    def test_what_is_new_since_comes_along(self, ready, old):
        bring_reviews(ready.here.call(), old)
        old_reviews.review(old, head_sha="def")

        done = bring_reviews(ready.here.call(), old)

        assert (done.reviews, done.known) == (1, 1)

    def test_an_empty_store_makes_no_file(self, ready):
        path = old_reviews.make(ready.folder / "empty.db")

        assert bring_reviews(ready.here.call(), path).rows == 0
        assert not (ready.here.call().vault.state.folder / "pr-reviews.sqlite").exists()

    def test_an_agent_may_not_and_nothing_is_read(self, ready):
        with pytest.raises(AgentRefusedError):
            bring_reviews(ready.here.call(agent="pi"), ready.folder / "no.db")

    def test_what_is_no_store_is_named(self, ready):
        with pytest.raises(ImportSourceError):
            bring_reviews(ready.here.call(), ready.folder / "no.db")


def test_a_purge_takes_what_a_memory_said_out_of_the_reviews(ready):
    text = "Never paste quokka rosters into zeppelin tables."
    identifier = ready.memory("Memory/Lessons/Quokka.md", text, category="lesson")
    ready.here.sync()
    store_review(
        ready.here.call(),
        review(posted(f"Look at this:\n{text}\nPlease."), skipped(reason=text), posted()),
    )

    assert purge(ready.here.call(), identifier).finished

    assert places_with([ready.vault, ready.here.home], ["quokka"]) == set()
    (found,) = history(ready.here.call(), OF)
    bodies = [one.comment.body for one in found.comments]
    assert bodies == ["Look at this:\nPlease.", "Name it.", "Name it."]


@pytest.mark.parametrize("text", ["key {}\u200bABC", "key\u200b{}"])
def test_a_secret_with_hidden_characters_beside_it_is_named_by_its_kind(text):
    key = "AKIA" + "QWERTYUIOPASDF12"
    wanted = text.replace("\u200b", "").format("[redacted_secret:aws_access_key]")
    assert safe_text(text.format(key)) == wanted
