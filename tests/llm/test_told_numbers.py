"""What a server or Pi tells of tokens, cost and limits is believed within bounds only."""

from __future__ import annotations

import json

import pytest

from vaultmem.llm.model import MOST_TOLD, Usage, told_cost, told_tokens
from vaultmem.llm.reply import parse_reply, remaining_percent


@pytest.mark.parametrize(
    ("told", "tokens", "cost"),
    [
        (7, 7, 7.0),
        (10**23, MOST_TOLD, None),
        (-3, 0, None),
        (0.5, 0, 0.5),
        (float("inf"), 0, None),
        (float("nan"), 0, None),
        (10**400, MOST_TOLD, None),
        ("7", 0, None),
        (None, 0, None),
    ],
)
def test_numbers_that_cannot_be_are_not_believed(told, tokens, cost) -> None:
    assert (told_tokens(told), told_cost(told)) == (tokens, cost)


def test_a_reply_with_a_lying_usage_is_a_reply_still() -> None:
    told = {"prompt_tokens": 10**23, "completion_tokens": -1, "cost": 10**400}
    body = {"choices": [{"message": {"content": "x"}}], "usage": told}
    reply = parse_reply(json.dumps(body))
    assert reply is not None
    assert (reply.text, reply.usage) == ("x", Usage(MOST_TOLD, 0, None))


@pytest.mark.parametrize(
    ("limit", "left"), [("inf", "inf"), ("10", "nan"), ("nan", "1"), ("inf", "1"), ("5", "inf")]
)
def test_limits_without_an_end_are_unknown(limit: str, left: str) -> None:
    headers = {"x-ratelimit-limit-tokens": limit, "x-ratelimit-remaining-tokens": left}
    assert remaining_percent(headers) is None
