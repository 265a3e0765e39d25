"""`vaultmem review`: what is printed, its JSON, and what is refused."""

from __future__ import annotations

import json

import pytest

from tests.cli.terminal import write
from tests.cli.test_json import COMMANDS, LISTS
from tests.store import old_reviews
from vaultmem.store.pr_reviews import ReviewStore

ABOUT = {"owner": "acme", "repo": "tide", "pr_number": 12, "head_sha": "abcdef0123456789"}
OF = ["acme", "tide", "12"]
POSTED = {"path": "src/a.py", "line": 3, "body": "Look.\n\nThen leap.", "severity": "high"}
WHOLE = {"body": "Tests are missing."}
SKIPPED = {"path": "src/b.py", "body": "Name it.", "status": "skipped", "skip_reason": "A test."}


def review(*comments, **about):
    return json.dumps({"metadata": ABOUT | about, "comments": list(comments)})


@pytest.fixture
def stored(terminal):
    """A review with two posted comments and a skipped one."""
    terminal.ok("review", "store", "-", stdin=review(POSTED, WHOLE, SKIPPED, author="bot"))
    return terminal


def state(terminal):
    return list((terminal.home / "state").glob("vault_*/pr-reviews.sqlite"))


def test_topic_row_101_what_is_wrong_is_stored_not_at_all(terminal):
    write(terminal.cwd / "wrong.json", review(POSTED, {"status": "invalid"}))

    done = terminal.run("review", "store", "wrong.json")

    assert (done.code, done.out) == (33, "")
    assert "In comment 2, `status` is none of posted, skipped." in done.err
    assert state(terminal) == []
    assert (
        terminal.ok("review", "history", *OF).out == "No review of this pull request is stored.\n"
    )


def test_topic_row_103_what_was_posted_and_skipped_is_counted(terminal):
    write(terminal.cwd / "review.json", review(POSTED, SKIPPED, POSTED, SKIPPED))

    done = terminal.ok("review", "store", "review.json")

    assert "2 posted" in done.out
    assert "2 skipped" in done.out
    assert (terminal.cwd / "review.json").exists()


def test_json_has_the_documented_keys(stored):
    store = stored.ok("review", "store", "-", "--json", stdin=review(POSTED)).json
    assert set(store) == COMMANDS["review store"]
    skipped = stored.ok("review", "skipped", *OF, "--json").json
    assert set(skipped) == COMMANDS["review skipped"]
    shape = LISTS["comments` of `review skipped`, `skipped` of `review match"]
    assert [set(one) for one in skipped["comments"]] == [shape]
    matched = stored.ok("review", "match", "-", "--json", stdin=review(SKIPPED, POSTED)).json
    assert set(matched) == COMMANDS["review match"]
    old, new = matched["comments"]
    assert set(old) == set(new) == LISTS["comments` of `review match"]
    assert (set(old["skipped"]), new["skipped"]) == (shape, None)
    history = stored.ok("review", "history", *OF, "--json").json
    assert set(history) == COMMANDS["review history"]
    assert all(set(one) == LISTS["reviews` of `review history"] for one in history["reviews"])
    shape = LISTS["comments` of `review history`, `comment` of `review resolve"]
    assert [set(one) for one in history["reviews"][0]["comments"]] == [shape] * 3
    at = ["--path", "src/a.py", "--status", "resolved_fixed", "--json"]
    resolved = stored.ok("review", "resolve", *OF, *at).json
    assert set(resolved) == COMMANDS["review resolve"]
    assert set(resolved["comment"]) == shape
    none = stored.run("review", "resolve", *OF, *at, "--line", "9")
    assert (none.code, none.json) == (1, {"resolved": False, "comment": None})


def test_guidelines_as_json(terminal):
    added = terminal.ok("review", "guideline", "add", "Ask for tests.", "--json").json
    assert set(added) == COMMANDS["review guideline add"]
    listed = terminal.ok("review", "guideline", "list", "--json").json
    assert set(listed) == COMMANDS["review guideline list"]
    (one,) = listed["guidelines"]
    assert set(one) == LISTS["guidelines` of `review guideline list"]
    assert (one["standing"], listed["findings"]) == ("holds", [])


def test_the_history_is_for_people(stored):
    at = ["--path", "src/a.py", "--status", "resolved_bad_fix"]
    write(stored.cwd / "answer.txt", "It leaps\nnow.")
    stored.ok("review", "resolve", *OF, *at, "--response", "no", "--response-file", "answer.txt")

    assert stored.ok("review", "history", *OF).out.splitlines()[1:] == [
        "- src/a.py:3  [high] Look. Then leap.",
        "  resolved_bad_fix. It leaps now.",
        *("- (the whole)  Tests are missing.", "  Posted."),
        *("- src/b.py  Name it.", "  Skipped: A test."),
    ]
    assert stored.ok("review", "history", *OF).out.startswith("Review 1 by bot at abcdef012345, ")


def test_what_was_done_with_a_comment_is_what_the_store_says(terminal, tmp_path):
    reason = POSTED | {"skip_reason": "Not any more."}
    terminal.ok("review", "store", "-", stdin=review(reason, SKIPPED))
    (file,) = state(terminal)
    ReviewStore(file.parent).cut(lambda text: text.replace("A test.", ""))

    assert terminal.ok("review", "history", *OF).out.splitlines()[2::2] == [
        "  Posted.",
        "  Skipped.",
    ]
    assert terminal.ok("review", "skipped", *OF).out == "- src/b.py  Name it.\n  Skipped.\n"


def test_what_was_skipped_is_listed_with_its_reason(stored):
    assert stored.ok("review", "skipped", *OF).out == "- src/b.py  Name it.\n  Skipped: A test.\n"
    assert "guideline" not in stored.ok("review", "store", "-", stdin=review(POSTED)).out


def test_a_project_that_only_guidelines_name_is_known_by_its_last_part(terminal):
    terminal.ok("review", "guideline", "add", "Ask for tests.", "--project", "host/acme/tide")

    done = terminal.ok("review", "guideline", "list", "--project", "tide")
    assert done.out == "- Ask for tests.\n"
    assert terminal.run("review", "guideline", "list", "--project", "bay").code == 17


def test_an_answer_that_is_not_there_is_named(stored):
    at = ["--path", "src/a.py", "--status", "resolved_fixed", "--response-file", "no.txt"]
    done = stored.run("review", "resolve", *OF, *at)
    assert done.code == 33
    assert "no.txt is not there" in done.err


def test_without_reviews_each_command_says_so(terminal):
    assert "No comment" in terminal.ok("review", "skipped", *OF).out
    assert terminal.ok("review", "match", "-", stdin=review(POSTED)).out.splitlines()[-2:] == [
        "  New.",
        "1 comment, 0 skipped before.",
    ]
    assert "no review guidelines for" in terminal.ok("review", "guideline", "list").out
    assert state(terminal) == []


def test_what_is_alike_is_told_apart_from_what_is_the_same(stored):
    long = "Name this number here, so that readers know what it means."
    other = "Name this number, so that the readers here know what it means."
    stored.ok("review", "store", "-", stdin=review(SKIPPED | {"body": long}))

    done = stored.ok("review", "match", "-", stdin=review(SKIPPED | {"body": other}))
    assert "It is much like 4 at src/b.py: A test." in done.out


@pytest.mark.parametrize("number", ["0", "-1", "x"])
def test_a_number_that_is_none_is_wrong_usage(terminal, number):
    assert terminal.run("review", "history", "acme", "tide", "--", number).code == 2


def test_the_reviews_of_another_tool_come_once(terminal):
    path = old_reviews.make(terminal.home.parent / "pr-reviews.db")
    old_reviews.review(path)
    old_reviews.comment(path)
    old_reviews.comment(path, status="skipped")

    done = terminal.ok("review", "import", str(path), "--json").json
    assert set(done) == COMMANDS["review import"]
    assert done["read"] == {"reviews": 1, "comments": 2}
    assert done["stored"] == {"reviews": 1, "comments": 1}
    assert [set(one) for one in done["quarantined"]] == [{"where", "reason"}]
    again = terminal.ok("review", "import", str(path)).out
    assert "0 reviews stored, with 0 comments.\n1 review stored before.\n" in again
    assert "1 row could not be taken:\n- pr_comments:2: " in again


def test_a_broken_note_of_guidelines_is_told_in_the_list(terminal):
    write(terminal.cwd / "Memory/Review/broken.md", "---\na: [\n---\n- One\n")

    done = terminal.ok("review", "guideline", "list")
    assert "Memory/Review/broken.md" in done.out


def test_what_an_agent_ticked_is_listed_apart(terminal):
    note = terminal.cwd / "Memory/Review/mine.md"
    command = ["review", "guideline", "add", "Skip security remarks."]
    path = terminal.ok(*command, "--json", env={"AI_AGENT": "coder"}).json["path"]
    note = terminal.cwd / path
    note.write_text(note.read_text().replace("[ ]", "[x]"))
    terminal.ok("sync", env={"AI_AGENT": "coder"})

    listed = terminal.ok("review", "guideline", "list").out
    assert "Written while an agent could write" in listed
    assert "- Skip security remarks." in listed
    assert terminal.ok(*command).out.startswith("Accepted in ")
