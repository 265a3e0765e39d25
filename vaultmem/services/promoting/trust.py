"""Whether what a proposal offers is the person's or a device's, whatever is decided in its note.

A decision that an agent wrote makes the bytes of the note nobody's. What is proposed there is no
worse for it, so a person's command still accepts what no agent changed.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from vaultmem.core.ledger import LedgerKind
from vaultmem.services.curating.proposals import as_written, is_the_persons
from vaultmem.services.syncing.attribution import EXTERNAL_ACT, is_earlier
from vaultmem.services.write import SINCE, content_mac

if TYPE_CHECKING:
    from vaultmem.notes.promotion import Promotion
    from vaultmem.services.call import Call
    from vaultmem.services.promoting.opened import Opened


def keep_content(call: Call, promotion: Promotion, data: bytes, *, since: int) -> None:
    """Remember that what a proposal offers is a device's or the person's.

    Args:
        call: the circumstances.
        promotion: as it is read from the note.
        data: the bytes of the note.
        since: since when they are there, as `attribution.since`; 0 for what is written now.
    """
    content = _content(call, promotion)
    if content and _kept(call, promotion.id)[0] != content:
        kept = f"{content} {content_mac(call, data)} {since}"
        call.vault.baseline.set_meta(_key(promotion.id), kept)


def is_trusted(call: Call, opened: Opened) -> bool:
    """Whether what is proposed is as a device wrote it, or as the person left it.

    Who decided what in the note does not matter for that.
    """
    if as_written(call, opened.id, opened.data) or is_the_persons(call, opened):
        return True
    content, version, since = _kept(call, opened.id)
    if not content or content != _content(call, opened.promotion):
        return False
    words = call.vault.baseline.ledger.of_hash(version, LedgerKind.ACTIVITY)
    return not any(
        line.signed
        and line.act == EXTERNAL_ACT
        and line.device != call.vault.device
        and not is_earlier(since, line.number(SINCE))
        for line in words
    )


def _content(call: Call, promotion: Promotion) -> str:
    """A keyed hash of all that accepting would put anywhere; "" without a key.

    Which memory it is about, and in what form, is in the id.
    """
    texts = (*promotion.guardrail, promotion.skill, promotion.note, promotion.draft)
    return content_mac(call, json.dumps(texts).encode())


def _kept(call: Call, identifier: str) -> tuple[str, str, int]:
    """The hash of what was proposed, that of the bytes in which it stood, and since when."""
    return call.vault.baseline.parsed_meta(_key(identifier), _parsed) or ("", "", 0)


def _parsed(text: str) -> tuple[str, str, int]:
    content, version, since = text.split(" ")
    return content, version, int(since)


def _key(identifier: str) -> str:
    return f"content {identifier}"
