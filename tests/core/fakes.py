"""Invented secrets of the right form, made at run time so that no file holds one."""

from __future__ import annotations

import random
import string

ALNUM = string.ascii_letters + string.digits
UPPER = string.ascii_uppercase + string.digits
HEX = "0123456789abcdef"
BASE64 = ALNUM + "+/"
URL64 = ALNUM + "-_"


def fake(length: int, alphabet: str = ALNUM, *, seed: int = 7) -> str:
    """Letters and digits that look drawn at random: both cases and a digit, where there are any."""
    body = "".join(random.Random(f"{seed}/{length}/{alphabet}").choices(alphabet, k=length))
    kinds = [
        next((a for a in alphabet if test(a)), "")
        for test in (str.isupper, str.islower, str.isdigit)
    ]
    core = "k7Q" if all(kinds) else "".join(kinds)
    middle = length // 2
    return (body[:middle] + core + body[middle + len(core) :])[:length]


def block(label: str, *, lines: int = 6, close: bool = True) -> str:
    """A private key between its two lines."""
    body = "\n".join(fake(64, BASE64, seed=n) for n in range(lines))
    end = f"\n-----END {label}-----" if close else ""
    return f"-----BEGIN {label}-----\n{body}{end}"


PRIVATE = "PRIVATE" + " KEY"
