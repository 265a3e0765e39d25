"""What can come of a rule, as the audit names it."""

from __future__ import annotations

from enum import StrEnum


class RuleAct(StrEnum):
    """What happened when a rule was met."""

    BLOCKED = "blocked"
    """A tool did not run."""
    WARNED = "warned"
    """The result of a tool said what the memory says."""
    RAN = "ran"
    """Its command ran and ended well."""
    FAILED = "failed"
    """Its command ended with an error, or was ended after its time."""
    REFUSED = "refused"
    """Its command did not run: this machine's user config does not list it."""
    UNKEPT = "unkept"
    """A verifier failed at the end of a turn."""
