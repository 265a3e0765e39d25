"""The keys of governance: one table of their names, types, defaults and which of two is stricter.

Names are those of the governed memory that vaultmem follows, `section.camelCase` written
`section_camel_case`. Where a name stands for no rule of ours (`qmd.*`, `piGovernance.*`) there is
no key. To add one: a row here and a field of `core.governance.Governance` at the same place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from vaultmem.core.settings import Setting, true_or_false, whole_number

if TYPE_CHECKING:
    from collections.abc import Callable

Value: TypeAlias = bool | int | float | str | None

COMPATIBILITY, STRICT = "compatibility", "strict"
OFF, HIGH_ONLY, ALL_ELIGIBLE = "off", "high-only", "all-eligible"
PROPOSE, SUPERVISED, AUTO = "propose", "supervised", "auto"
SCOPED, WAKEUP, POLICY_ONLY = "scoped", "wakeup", "policy_only"


def _fraction(value: object) -> float | None:
    """A number from 0 to 1, also written as text."""
    if isinstance(value, bool):
        return None
    try:
        number = float(value) if isinstance(value, int | float | str) else -1.0
    except (ValueError, OverflowError):
        return None
    return number if 0.0 <= number <= 1.0 else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _choice(*words: str) -> Callable[[object], str | None]:
    """A reader of one of some words, in any case, with `-` or `_`; a cleared check box is `off`."""
    by_key = {word.replace("_", "-"): word for word in words}

    def read(value: object) -> str | None:
        key = OFF if value is False else str(value).casefold().replace("_", "-")
        return by_key.get(key)

    return read


def _less(one: Value, other: Value) -> Value:
    return min(one, other, key=_number)


def _more(one: Value, other: Value) -> Value:
    return max(one, other, key=_number)


def _number(value: Value) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _fraction_key(
    name: str, default: float, meaning: str, stricter: Callable[[Value, Value], Value]
) -> Setting[Value]:
    return Setting(name, "number", default, "a number from 0 to 1", meaning, _fraction, stricter)


def _count_key(
    name: str,
    default: int | None,
    bounds: tuple[int, int],
    meaning: str,
    stricter: Callable[[Value, Value], Value],
) -> Setting[Value]:
    allowed = f"a whole number from {bounds[0]} to {bounds[1]}"
    return Setting(name, "number", default, allowed, meaning, whole_number(*bounds), stricter)


def _flag_key(
    name: str, meaning: str, stricter: Callable[[Value, Value], Value], *, default: bool
) -> Setting[Value]:
    return Setting(name, "checkbox", default, "true or false", meaning, true_or_false, stricter)


def _choice_key(name: str, default: str, words: tuple[str, ...], meaning: str) -> Setting[Value]:
    """A key whose `words` are given the loosest first."""

    def stricter(one: Value, other: Value) -> Value:
        return max(one, other, key=lambda value: words.index(str(value)))

    allowed = f"{', '.join(words[:-1])} or {words[-1]}"
    return Setting(name, "text", default, allowed, meaning, _choice(*words), stricter)


_META = "meta_consolidation"
KEYS: tuple[Setting[Value], ...] = (
    _choice_key(
        "governance_mode",
        COMPATIBILITY,
        (COMPATIBILITY, STRICT),
        "Whether what an older store brought without evidence may be applied by itself; "
        "`strict` asks for an evidence record in every case.",
    ),
    _choice_key(
        "curator_mode",
        PROPOSE,
        (AUTO, SUPERVISED, PROPOSE),
        "What a curation on command does with its patch: leave it in the inbox, ask about each "
        "operation, or apply what is selected.",
    ),
    _fraction_key(
        "curator_min_confidence", 0.75, "The least confidence that a candidate needs.", _more
    ),
    _count_key(
        "curator_min_evidence_count",
        2,
        (1, 100),
        "From how many sessions a candidate needs evidence that is not the user's own sentence.",
        _more,
    ),
    _choice_key(
        "curator_auto_curate",
        HIGH_ONLY,
        (ALL_ELIGIBLE, HIGH_ONLY, OFF),
        "What policy applies at a session's end: nothing, what is selected and above the high "
        "threshold, or all that is selected.",
    ),
    _fraction_key(
        "curator_auto_curate_high_threshold",
        0.85,
        "The confidence that `high-only` asks for.",
        _more,
    ),
    _count_key(
        "curator_inbox_prompt_threshold",
        3,
        (0, 999),
        "With how many waiting candidates the inbox opens at a session's start; 0 with any, "
        "999 never.",
        _less,
    ),
    _fraction_key(
        "maintainer_semi_stable_decay",
        0.15,
        "The confidence that a memory loses at a missed review.",
        _more,
    ),
    _fraction_key("maintainer_stable_decay", 0.05, "The same for a memory that is stable.", _more),
    _flag_key(
        "vault_enabled",
        "Whether the vault that `vault_path` names is read for links to knowledge.",
        _less,
        default=False,
    ),
    _flag_key(
        "vault_report_only",
        "Whether links to knowledge are only suggested; else a candidate gets the best one.",
        _more,
        default=True,
    ),
    Setting(
        "vault_path",
        "text",
        None,
        "a path",
        "Another vault whose notes are knowledge; only the user config can name it.",
        _text,
    ),
    _choice_key(
        "retrieval_injection_mode",
        SCOPED,
        (SCOPED, WAKEUP, POLICY_ONLY),
        "What a session is given: the memories in scope, the rules of use with counts, or the "
        "rules of use alone.",
    ),
    *(
        _count_key(
            f"retrieval_max_{part}records",
            None,
            (0, 1000),
            f"The most {what} that a report may hold.",
            _less,
        )
        for part, what in (("", "memories"), ("l1_", "L1 memories"), ("l2_", "L2 memories"))
    ),
    _flag_key(
        f"{_META}_enabled",
        "Whether identity memories (L1) are proposed where stable L2 ones add up to one.",
        _less,
        default=False,
    ),
    _choice_key(
        f"{_META}_cadence",
        "manual",
        ("session", "daily", "weekly", "manual"),
        "When that happens by itself: at each session's start, at the first of a day or a week, or "
        "never.",
    ),
    _count_key(
        f"{_META}_min_l2_records", 2, (2, 100), "How many memories one candidate needs.", _more
    ),
    Setting(
        f"{_META}_min_reinforcement_score",
        "number",
        0.0,
        "a number from 0 to 1",
        "How much each of them was reinforced at least: 1 is as much as a stable memory.",
        _fraction,
        _more,
    ),
    _count_key(
        f"{_META}_max_candidates_per_run", 5, (1, 100), "The most candidates of one run.", _less
    ),
    _count_key(
        f"{_META}_max_input_records",
        50,
        (2, 10_000),
        "The most memories that a run compares.",
        _less,
    ),
    _flag_key(
        f"{_META}_require_counterexample_search",
        "Whether what speaks against each candidate is looked for and told.",
        _more,
        default=True,
    ),
)
"""One row for each field of `Governance`, in the same order."""

USER_ONLY = frozenset(("vault_path", "vault_enabled"))
"""What widens the reach: a vault that says it is not heard."""

GUARDING = frozenset(
    key.name
    for key in KEYS
    if key.name.startswith(("governance_", "curator_", f"{_META}_", "vault_"))
    and key.name not in USER_ONLY | {"curator_inbox_prompt_threshold"}
)
"""What guards the memory: a vault can only be stricter than the user config or the default."""
