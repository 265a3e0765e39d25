"""Switch remembering and recalling off and on, on this machine: everywhere or in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.core.wording import argument
from vaultmem.errors import CaptureRefusedError
from vaultmem.store.switches import Switch, read_switches, write_switches

if TYPE_CHECKING:
    from collections.abc import Sequence

    from vaultmem.services.call import Call

WRITE, READ = "write", "read"
_CODE = {WRITE: "VM623", READ: "VM624"}


class Place(NamedTuple):
    """Where something is off: in one project, in one session, or everywhere."""

    project: str | None = None
    session: str | None = None

    def spelled(self) -> tuple[str, str]:
        """As the file has it."""
        if self.session is not None:
            return "session", self.session
        return ("all", "") if self.project is None else ("project", self.project)


def switch(call: Call, what: Sequence[str], place: Place, *, off: bool) -> tuple[Switch, ...]:
    """Switch something off or on in one place; what is off afterwards, in all places.

    Switched on everywhere, it is on in every project and session too.

    Raises:
        AgentRefusedError: if an agent calls.
        ReadOnlyError, DiskFailedError: if it cannot be kept.
    """
    call.person_only("off" if off else "on")
    with call.vault.lock():
        known = read_switches(call.vault.state.folder)
        changed = {Switch(one, *place.spelled()) for one in what}
        if off:
            known |= changed
        elif place == Place():
            known = frozenset(one for one in known if one.what not in what)
        else:
            known -= changed
        write_switches(call.vault.state.folder, known)
    return tuple(sorted(known))


def switched_off(
    call: Call, what: str, *, project: str | None = None, session: str | None = None
) -> Finding | None:
    """What to say where `what` is off for a project or a session; None where it is on."""
    for one in sorted(read_switches(call.vault.state.folder)):
        if one.what == what and one.name == {"project": project, "session": session}.get(
            one.where, ""
        ):
            return finding(_CODE[what], _sentence(one), remedy=_remedy(one))
    return None


def refuse_switched_off(call: Call, *, project: str | None, session: str | None) -> None:
    """Stop where remembering is off.

    Raises:
        CaptureRefusedError: with what to do about it.
    """
    if off := switched_off(call, WRITE, project=project, session=session):
        raise CaptureRefusedError(off.sentence)


def _sentence(one: Switch) -> str:
    doing = "Remembering" if one.what == WRITE else "Recalling"
    where = {"project": " in this project", "session": " in this session"}.get(one.where, "")
    return f"{doing} is switched off{where}."


def _remedy(one: Switch) -> str:
    place = f" --{one.where} {argument(one.name)}" if one.name else ""
    command = f"vaultmem on --{one.what}{place}"
    return f"The person can switch it on with `{command}`."
