"""`vaultmem maintain`: what time asks of the memories, and the questions that wait for you."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from vaultmem.cli.commands.consolidate_identity import command as identity_command
from vaultmem.cli.maintained import (
    asked_json,
    inquiry_json,
    maintained_json,
    say_asked,
    say_inquiry,
    say_maintained,
)
from vaultmem.cli.memory_lines import print_changed
from vaultmem.cli.opening import call_of_person, open_or_adopt
from vaultmem.cli.output import json_option, print_json, say_wrapped
from vaultmem.cli.projects import written_of
from vaultmem.core.inquiry import InquiryStatus, Priority
from vaultmem.services import inquiries, standing_change
from vaultmem.services.lookup import find_memory
from vaultmem.services.maintain import maintain, plan
from vaultmem.services.sync import catch_up

if TYPE_CHECKING:
    from vaultmem.app import App
    from vaultmem.services.inquiries import Asked

_inquiry = click.argument("name", metavar="ID")


@click.group
def command() -> None:
    """Keep memories true: reviews, decay, the archive, questions."""


@command.command("list")
@json_option
@click.pass_obj
def list_command(app: App, *, as_json: bool) -> None:
    """List what maintenance would propose now, and why.

    Nothing is written. `vaultmem maintain run` proposes it in a patch that waits for your ticks.
    """
    found = plan(app.call())
    if as_json:
        print_json(maintained_json(found))
    else:
        say_maintained(found, ran=False)


@command.command("run")
@json_option
@click.pass_obj
def run_command(app: App, *, as_json: bool) -> None:
    """Propose what is due, in a patch that waits for you.

    One patch waits at a time, and each kind of change is proposed once in a memory's review
    period, whatever becomes of it. Nothing is ever deleted: the archive keeps notes and links.
    """
    open_or_adopt(app)
    done = maintain(app.call())
    if as_json:
        print_json(maintained_json(done))
    else:
        say_maintained(done, ran=True)


@command.command("reviewed")
@click.argument("name", metavar="ID")
@json_option
@click.pass_obj
def reviewed_command(app: App, name: str, *, as_json: bool) -> None:
    """Say that a memory was looked at and still holds.

    Its next review is one period away (`review_days`). ID is an id, the end of one (six characters
    or more), a path in the vault, or a title.
    """
    open_or_adopt(app)
    done = standing_change.reviewed(app.call(), name)
    print_changed(done, "Reviewed", as_json=as_json)


@command.command("inquiries")
@click.option(
    "--all", "everything", is_flag=True, help="Also those that were answered or withdrawn."
)
@json_option
@click.pass_obj
def inquiries_command(app: App, *, everything: bool, as_json: bool) -> None:
    """List the questions that wait for you."""
    call = app.call()
    catch_up(call)
    found = [
        one
        for one in inquiries.listed(call)
        if everything or one.inquiry.status is InquiryStatus.OPEN
    ]
    if as_json:
        print_json({"inquiries": [inquiry_json(one) for one in found]})
        return
    for one in found:
        say_inquiry(one)
    if not found:
        say_wrapped(
            "No question was asked yet."
            if everything
            else "No question waits for you. `--all` lists those that were decided."
        )
    else:
        say_wrapped(
            "Answer one with `vaultmem maintain answer ID MEMORY`, or take it back with "
            "`vaultmem maintain withdraw ID`."
        )


@command.command("ask")
@click.argument("question")
@click.option("--context", metavar="TEXT", default="", help="Why the question came up.")
@click.option(
    "--priority",
    type=click.Choice([one.value for one in Priority]),
    default=Priority.MEDIUM.value,
    show_default=True,
    help="How much an answer matters; a low one is not told by itself.",
)
@click.option("--project", metavar="P", default="", help="The project that it is about.")
@click.option("--about", metavar="ID", multiple=True, help="A memory that it is about.")
@json_option
@click.pass_obj
def ask_command(
    app: App,
    question: str,
    *,
    context: str,
    priority: str,
    project: str,
    about: tuple[str, ...],
    as_json: bool,
) -> None:
    """Note a question that only you can answer.

    It is told in reports until it is answered; the same question is noted once.
    """
    open_or_adopt(app)
    call = call_of_person(app, "maintain ask")
    done = inquiries.ask(
        call,
        question,
        context=context,
        project=written_of(app, project) or "",
        memories=[find_memory(call, name).row.id for name in about],
        priority=Priority(priority),
    )
    _print(done, as_json=as_json)


@command.command("answer")
@_inquiry
@click.argument("memory")
@json_option
@click.pass_obj
def answer_command(app: App, name: str, memory: str, *, as_json: bool) -> None:
    """Answer the question ID with a memory.

    MEMORY is an id, the end of one (six characters or more), a path in the vault, or a title; write
    it with `vaultmem add` if it is not there yet.
    """
    open_or_adopt(app)
    call = call_of_person(app, "maintain answer")
    _print(inquiries.answer(call, name, memory), as_json=as_json)


@command.command("withdraw")
@_inquiry
@json_option
@click.pass_obj
def withdraw_command(app: App, name: str, *, as_json: bool) -> None:
    """Take the question ID back; it is not asked again."""
    open_or_adopt(app)
    call = call_of_person(app, "maintain withdraw")
    _print(inquiries.withdraw(call, name), as_json=as_json)


def _print(done: Asked, *, as_json: bool) -> None:
    if as_json:
        print_json(asked_json(done))
    else:
        say_asked(done)


command.add_command(identity_command)
