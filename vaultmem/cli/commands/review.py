"""`vaultmem review`: what reviews of pull requests said, and the guidelines learned from them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from vaultmem.cli import review_lines
from vaultmem.cli.opening import open_or_adopt
from vaultmem.cli.output import json_option, other_project_option, print_json
from vaultmem.cli.projects import read_of, written_of
from vaultmem.cli.typed_path import TypedPath
from vaultmem.core.reviewing.comment import PullRequest, Resolution
from vaultmem.services.call import refuse_agent
from vaultmem.services.reviewing import pull_requests
from vaultmem.services.reviewing.guidelines import add_guideline, list_guidelines
from vaultmem.store.review_file import MAX_BYTES, read_review, read_text_file, review_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, TypeVar

    from vaultmem.app import App
    from vaultmem.core.reviewing.comment import Review

    Command = TypeVar("Command", bound=Callable[..., Any])

NOT_FOUND = 1
"""The exit code where no comment is at the place that was named (topic-memory.md, section 17)."""

_file = click.argument("file", metavar="FILE", type=TypedPath(path_type=Path))


def _of_pull_request(command: Command) -> Command:
    """Give a command the arguments OWNER REPO N."""
    command = click.argument("number", metavar="N", type=click.IntRange(min=1))(command)
    command = click.argument("repo", metavar="REPO")(command)
    return click.argument("owner", metavar="OWNER")(command)


@click.group
def command() -> None:
    """Keep reviews of pull requests, and what they taught."""


@command.command("store")
@_file
@json_option
@click.pass_obj
def store_command(app: App, file: Path, *, as_json: bool) -> None:
    """Store a review of a pull request on this machine.

    FILE is JSON, `-` for standard input: `metadata` with `owner`, `repo`, `pr_number`, and, if you
    like, `head_sha` and `author`; `comments`, a list, each with `path`, `line`, `body`, `severity`,
    and `status` posted or skipped. A skipped one has a `skip_reason`. If anything in it is wrong,
    nothing is stored. The file stays. Secrets are redacted.
    """
    open_or_adopt(app)
    done = pull_requests.store_review(app.call(), _read(file))
    if as_json:
        print_json(review_lines.stored_json(done))
    else:
        review_lines.say_stored(done)


@command.command("skipped")
@_of_pull_request
@json_option
@click.pass_obj
def skipped_command(app: App, owner: str, repo: str, number: int, *, as_json: bool) -> None:
    """List the comments that were skipped, with the reasons.

    OWNER REPO N name the pull request.
    """
    found = pull_requests.skipped_comments(app.call(), PullRequest(owner, repo, number))
    if as_json:
        print_json({"comments": [review_lines.skipped_json(one) for one in found]})
    else:
        review_lines.say_skipped(found)


@command.command("match")
@_file
@json_option
@click.pass_obj
def match_command(app: App, file: Path, *, as_json: bool) -> None:
    """Tell which comments repeat one that was skipped.

    FILE is a review as for `review store`, before it is posted; nothing is stored. A comment
    repeats one of the same pull request and file that says the same, wherever its line went, or
    nearly the same within 50 lines.
    """
    found = pull_requests.match_skipped(app.call(), _read(file))
    if as_json:
        print_json({"comments": [review_lines.matched_json(one) for one in found]})
    else:
        review_lines.say_matched(found)


@command.command("resolve")
@_of_pull_request
@click.option("--path", metavar="P", required=True, help="The file of the comment.")
@click.option("--line", metavar="L", type=click.IntRange(min=1), help="Its line; any without it.")
@click.option(
    "--status",
    required=True,
    type=click.Choice([one.value for one in Resolution]),
    help="What became of it.",
)
@click.option("--response", metavar="T", default="", help="What the author answered.")
@click.option(
    "--response-file",
    metavar="F",
    type=TypedPath(path_type=Path),
    help="A file that holds the answer; it counts before --response.",
)
@json_option
@click.pass_obj
def resolve_command(
    app: App,
    owner: str,
    repo: str,
    number: int,
    *,
    path: str,
    line: int | None,
    status: str,
    response: str,
    response_file: Path | None,
    as_json: bool,
) -> int:
    """Say what became of a comment that was posted.

    OWNER REPO N name the pull request. Meant is the newest posted comment of that file and line;
    where there is none, the exit code is 1.
    """
    if response_file is not None:
        response = read_text_file(response_file).decode("utf-8", "replace")
    of = PullRequest(owner, repo, number)
    found = pull_requests.resolve(
        app.call(), of, path, line=line, resolution=Resolution(status), response=response
    )
    if as_json:
        print_json(review_lines.resolved_json(found))
    else:
        review_lines.say_resolved(found, of, path, line)
    return NOT_FOUND if found is None else 0


@command.command("history")
@_of_pull_request
@json_option
@click.pass_obj
def history_command(app: App, owner: str, repo: str, number: int, *, as_json: bool) -> None:
    """Show every review of a pull request, the oldest first.

    OWNER REPO N name the pull request.
    """
    found = pull_requests.history(app.call(), PullRequest(owner, repo, number))
    if as_json:
        print_json({"reviews": [review_lines.review_json(one) for one in found]})
    else:
        review_lines.say_history(found)


@command.command("import")
@click.argument("path", type=TypedPath(path_type=Path))
@json_option
@click.pass_obj
def import_command(app: App, path: Path, *, as_json: bool) -> None:
    """Take over the reviews that another tool stored.

    PATH is its file, `.pi/data/pr-reviews.db` or `reviews.db` of the project, which is only read.
    Reviews that came before are passed over.
    """
    refuse_agent("review import", app.env.agent)
    open_or_adopt(app)
    done = pull_requests.bring_reviews(app.call(), path)
    if as_json:
        print_json(review_lines.brought_json(done))
    else:
        review_lines.say_brought(done)


@command.group("guideline")
def guideline_group() -> None:
    """Keep what reviewers of a project should heed."""


@guideline_group.command("add")
@click.argument("text")
@other_project_option
@json_option
@click.pass_obj
def add_command(app: App, text: str, *, project: str | None, as_json: bool) -> None:
    """Add a guideline to the note of the project.

    TEXT is one sentence, such as why a finding was skipped, said in general. An agent proposes: its
    line gets an open box in the note, and holds once you tick it or add the same text yourself.
    """
    open_or_adopt(app)
    done = add_guideline(app.call(), text, written_of(app, project) or app.project.id)
    if as_json:
        print_json({"outcome": done.outcome.value, "path": done.path, "text": done.text})
    else:
        review_lines.say_added(done)


@guideline_group.command("list")
@other_project_option
@json_option
@click.pass_obj
def list_command(app: App, *, project: str | None, as_json: bool) -> None:
    """List the guidelines of a project, and what is proposed."""
    found = list_guidelines(app.call(), read_of(app, project) or app.project.id)
    if as_json:
        print_json(review_lines.guidelines_json(found))
    else:
        review_lines.say_guidelines(found)


def _read(file: Path) -> Review:
    if str(file) != "-":
        return read_review(file)
    raw = getattr(sys.stdin, "buffer", None)
    return review_of(raw.read(MAX_BYTES + 1) if raw else sys.stdin.read(MAX_BYTES + 1).encode())
