"""Guardrails of the person's memories, for the handlers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from vaultmem.core.enforcement.tool_call import read_call
from vaultmem.core.enforcement.turn import Called, Turn
from vaultmem.hooks import guarding
from vaultmem.hooks.answers import RESULT_SECONDS, Appended, Rules, Verdict
from vaultmem.hooks.here import Later
from vaultmem.services.enforcing.changed import changed_files
from vaultmem.services.enforcing.check import check_call, check_result
from vaultmem.services.enforcing.focus import task_focus
from vaultmem.services.enforcing.rules import block_rules
from vaultmem.services.enforcing.run_after import SECONDS
from vaultmem.services.enforcing.verify import verify

if TYPE_CHECKING:
    from vaultmem.core.enforcement.literal import BlockRule
    from vaultmem.hooks.here import Here
    from vaultmem.hooks.payloads import Place, ToolCalled, ToolDone, TurnEnded
    from vaultmem.services.enforcing.check import Followed
    from vaultmem.services.enforcing.verify import Checked


def verdict(here: Here, event: ToolCalled) -> Verdict:
    """Whether a rule blocks a tool."""
    found = check_call(
        here.policy(),
        event.tool,
        event.input,
        cwd=here.cwd(event),
        session=event.session,
        project=here.project(event),
        prompt=here.known(event).prompt,
    )
    return Verdict(block=found.block, reason=found.reason)


def followed(here: Here, event: ToolDone, told: tuple[str, ...]) -> Appended | Later:
    """What rules have to say after a tool ran; commands of theirs run apart.

    Args:
        here: the thread's view.
        event: what ran.
        told: what is said of it anyway.
    """
    found = check_result(
        here.policy(),
        event.tool,
        event.input,
        cwd=here.cwd(event),
        session=event.session,
        project=here.project(event),
        prompt=here.known(event).prompt,
        is_error=event.is_error,
        changed=_changed(here, event),
    )
    said = (*told, found.append)
    if not found.due:
        return _appended(*said)
    return Later(lambda own: _run(own, event, found, said))


def _changed(here: Here, event: ToolDone) -> tuple[str, ...]:
    """The files that its commands name and changed, where we saw it begin."""
    begun = here.known(event).begun.pop(event.call, 0)
    cwd = here.cwd(event)
    if not begun:
        return ()
    known = guarding.variables(here, str(cwd))
    return changed_files(
        event.input, cwd=cwd, variables=known, since_ns=begun, failed=event.is_error
    )


def _run(here: Here, event: ToolDone, found: Followed, said: tuple[str, ...]) -> Appended:
    """Run the commands, in a window of their own: what they write is not the person's."""
    from vaultmem.config import clean_environment
    from vaultmem.services.enforcing.run_after import run_due

    with guarding.running(here, f"{event.call} after"):
        text = run_due(
            here.policy(),
            found.due,
            root=here.shared.project(here.app, event.cwd).root,
            environment=clean_environment(here.shared.agent),
            session=event.session,
        )
    return _appended(*said, text)


def _appended(*texts: str) -> Appended:
    return Appended(append="\n\n".join(filter(None, texts)))


def checked(here: Here, event: TurnEnded, since: int) -> Checked:
    """What the checks at the end of a turn found."""
    return verify(
        here.policy(),
        _turn(here, event, since),
        session=event.session,
        project=here.project(event),
        tools=event.available or None,
    )


def focus(here: Here, event: TurnEnded, since: int) -> str:
    """The open items, where the agent only talked; "" for nothing to say."""
    turn = _turn(here, event, since)
    return task_focus(here.policy(), turn, session=event.session, project=here.project(event))


def rules(here: Here, at: Place) -> Rules:
    """The literal block rules that hold in a session, the guard's among them."""
    call = here.policy()
    block = (
        *guarding.literal_rules(here),
        *block_rules(call, project=here.project(at), session=at.session),
    )
    runs = bool(call.vault.run_after)
    return Rules(
        version=_version(block, runs=runs),
        block=block,
        result_seconds=RESULT_SECONDS + (int(SECONDS) if runs else 0),
    )


def _version(block: tuple[BlockRule, ...], *, runs: bool) -> str:
    from hashlib import blake2b

    return blake2b(repr((block, runs)).encode("utf-8", "replace"), digest_size=8).hexdigest()


def _turn(here: Here, event: TurnEnded, since: int) -> Turn:
    known = here.known(event)
    calls = tuple(
        Called(
            one.tool,
            read_call(one.tool, one.input).command,
            one.ran and one.call not in known.blocked,
        )
        for one in known.calls
    )
    prompt = known.prompt if event.by_user else ""
    return Turn(prompt=prompt, calls=calls, since=since, retried=known.retried, reply=event.text)
