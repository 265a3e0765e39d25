"""How many examples a property tries, as a multiple of what the profile says."""

from __future__ import annotations

from hypothesis import settings


def many(times: int) -> settings:
    """As a decorator of a test: so many times the examples of the profile that is in force."""
    return settings(max_examples=times * settings.default.max_examples)
