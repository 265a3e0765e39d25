"""The vault's key on this device: it signs ledger lines and hashes what must not be readable.

The key never lies in the vault. A person carries it to another device as one line of text.
"""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import TYPE_CHECKING, Final, NamedTuple

from vaultmem.core.finding import Finding, finding
from vaultmem.errors import KeyMissingError
from vaultmem.store.private import create_private, private_file, read_private, write_private

if TYPE_CHECKING:
    from pathlib import Path

KEY_BYTES: Final = 32
MAC_DIGITS: Final = 32
"""Hex digits of a mac: 128 bits, which nobody can guess and a person can still look at."""
_HEADER: Final = "vaultmem-key"
_VERSION: Final = "1"


class Key:
    """32 random bytes that never show: not in a repr, not in a message, not in a pickle."""

    __slots__ = ("_secret",)

    def __init__(self, secret: bytes) -> None:
        """Hold the secret.

        Raises:
            ValueError: if it is not 32 bytes.
        """
        if len(secret) != KEY_BYTES:
            raise ValueError("a key is 32 bytes")
        self._secret = secret

    def mac(self, domain: str, message: bytes) -> str:
        """HMAC-SHA256 (RFC 2104) of the message, 32 hex digits; each domain has macs of its own."""
        from hmac import digest  # readers of unsigned things never need it

        return digest(self._secret, domain.encode() + b"\0" + message, "sha256").hex()[:MAC_DIGITS]

    def verify(self, domain: str, message: bytes, mac: str) -> bool:
        """Whether `mac` is this key's for that message, in time that does not depend on it."""
        from hmac import compare_digest  # as above

        return compare_digest(self.mac(domain, message).encode(), mac.encode())

    def export_text(self, vault_id: str) -> str:
        """The key as one line for another device: `vaultmem-key:1:<vault id>:<base64>:<check>`."""
        encoded = urlsafe_b64encode(self._secret).decode().rstrip("=")
        return _with_check(f"{_HEADER}:{_VERSION}:{vault_id}:{encoded}")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Key):
            return NotImplemented
        return self.verify("equal", b"", other.mac("equal", b""))

    def __hash__(self) -> int:
        return hash(self.mac("equal", b""))

    def __repr__(self) -> str:
        return "Key(…)"

    def __reduce__(self) -> str:
        raise TypeError("a key is not pickled")


def key_from_text(text: str, vault_id: str) -> Key:
    """Read the line that `Key.export_text` made; blanks and line breaks in it do not matter.

    Raises:
        KeyMissingError: if the line is malformed, mistyped, or of another vault. The message never
            repeats it.
    """
    parts = "".join(text.split()).split(":")
    if len(parts) != 5 or parts[0] != _HEADER:
        raise KeyMissingError(
            f"That is not a key. Paste the whole line that `vaultmem key export` printed; it "
            f"begins `{_HEADER}:`."
        )
    _, version, owner, encoded, _ = parts
    if version != _VERSION:
        raise KeyMissingError(
            f"The key has format {version[:8]}, which this version does not know. Update vaultmem."
        )
    if _with_check(":".join(parts[:4])) != ":".join(parts):
        raise KeyMissingError("The key was cut or mistyped. Paste the whole line once more.")
    if owner != vault_id:
        raise KeyMissingError(
            f"The key belongs to the vault {owner}, this one is {vault_id}. "
            "Run `vaultmem key export` in a copy of this vault."
        )
    try:
        return Key(urlsafe_b64decode(encoded + "=" * (-len(encoded) % 4)))
    except ValueError:
        raise KeyMissingError(
            "The key has the wrong length. Run `vaultmem key export` again."
        ) from None


class KeyFile(NamedTuple):
    """The file in the state folder that holds the key of one vault, 0600."""

    path: Path
    vault_id: str

    def create(self) -> Key:
        """Make a random key for a new vault.

        Raises:
            KeyMissingError: if this device already has one, which is never overwritten.
            ReadOnlyError, DiskFailedError: if it cannot be written.
        """
        key = Key(os.urandom(KEY_BYTES))
        if not create_private(self.path, self._line(key)):
            raise KeyMissingError(
                "This device already has a key for the vault. "
                "Run `vaultmem key export` to see it; a second one is never made."
            )
        return key

    def load(self) -> Key | None:
        """The key of this device, or None if it has none.

        Raises:
            KeyMissingError: if the file is damaged or belongs to another vault.
            UnsafePathError: if it is a link or belongs to another user.
            ReadOnlyError, DiskFailedError: if it cannot be read.
        """
        data = read_private(self.path)
        if data is None:
            return None
        return key_from_text(data.decode("ascii", "replace"), self.vault_id)

    def check(self) -> tuple[Finding, ...]:
        """Correct the file's permissions; what there is to say about it.

        Raises:
            UnsafePathError: if it is a link or belongs to another user.
        """
        corrected = private_file(self.path)
        try:
            key = self.load()
        except KeyMissingError as error:
            return (finding("VM404", str(error)),)
        if key is None:
            return (finding("VM403"),)
        if corrected:
            text = "Other users could read this device's key; the file is 0600 now."
            return (finding("VM401", text, remedy="If others use this machine, make a new vault."),)
        return ()

    def import_text(self, text: str, *, replace: bool = False) -> Key:
        """Take over the key that another device exported.

        Args:
            text: the line of `vaultmem key export`.
            replace: the person wants this key even if this device has another one.

        Raises:
            KeyMissingError: if the line is no key of this vault, or this device has a different
                key and `replace` was not given.
            ReadOnlyError, DiskFailedError: if it cannot be written.
        """
        key = key_from_text(text, self.vault_id)
        if create_private(self.path, self._line(key)):
            return key
        if not replace and not self._is_already(key):
            raise KeyMissingError(
                "This device has a different key for the vault; what it signed would count no "
                "more. Add `--replace` if that is what you want."
            )
        write_private(self.path, self._line(key))
        return key

    def _is_already(self, key: Key) -> bool:
        try:
            return self.load() == key
        except KeyMissingError:
            return False

    def _line(self, key: Key) -> bytes:
        return key.export_text(self.vault_id).encode() + b"\n"


def _with_check(text: str) -> str:
    """The text with a checksum that finds a slip of the hand; it tells nothing of the key."""
    return f"{text}:{sha256(text.encode()).hexdigest()[:8]}"
