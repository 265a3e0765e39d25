"""The key: made once, never shown, carried as one line that tells when it was mistyped."""

from __future__ import annotations

import copy
import hmac
import pickle
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.errors import KeyMissingError, UnsafePathError
from vaultmem.store.key import Key, KeyFile, key_from_text

if TYPE_CHECKING:
    from pathlib import Path

ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W2"
OTHER_ID = "vault_01JDR3Z8Q4M5N6P7R8S9T0V1W3"
SECRET = bytes(range(32))
KEY = Key(SECRET)
TEXT = KEY.export_text(ID)

secrets = st.binary(min_size=32, max_size=32)


@pytest.fixture
def file(tmp_path: Path) -> KeyFile:
    return KeyFile(tmp_path / "key", ID)


# Macs


def test_a_mac_is_hmac_sha256_of_domain_and_message() -> None:
    expected = hmac.new(SECRET, b"ledger\0message", "sha256").hexdigest()[:32]
    assert KEY.mac("ledger", b"message") == expected


@given(one=secrets, other=secrets, message=st.binary())
def test_a_mac_is_verified_by_the_same_key_only(one: bytes, other: bytes, message: bytes) -> None:
    mac = Key(one).mac("ledger", message)
    assert len(mac) == 32
    assert set(mac) <= set("0123456789abcdef")
    assert Key(one).verify("ledger", message, mac)
    assert Key(other).verify("ledger", message, mac) is (one == other)
    assert not Key(one).verify("content", message, mac)
    assert not Key(one).verify("ledger", message + b" ", mac)


@pytest.mark.parametrize("mac", ["", "unsigned", "é" * 32, KEY.mac("ledger", b"x")[:31]])
def test_what_is_no_mac_verifies_nothing(mac: str) -> None:
    assert not KEY.verify("ledger", b"x", mac)


def test_a_key_never_shows() -> None:
    shown = f"{KEY} {KEY!r} {[KEY]}"
    assert shown == "Key(…) Key(…) [Key(…)]"
    for leak in (pickle.dumps, copy.copy, copy.deepcopy):
        with pytest.raises(TypeError):
            leak(KEY)


def test_keys_are_equal_by_their_bytes() -> None:
    assert Key(SECRET) == KEY
    assert hash(Key(SECRET)) == hash(KEY)
    assert Key(bytes(32)) != KEY
    assert KEY != SECRET


@pytest.mark.parametrize("length", [0, 16, 31, 33])
def test_a_key_has_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match="32 bytes"):
        Key(bytes(length))


# The line of text


@given(secrets)
def test_an_exported_key_is_imported_again(secret: bytes) -> None:
    text = Key(secret).export_text(ID)
    assert text.startswith(f"vaultmem-key:1:{ID}:")
    assert len(text.split()) == 1
    assert key_from_text(text, ID) == Key(secret)


@pytest.mark.parametrize(
    "text", [f"  {TEXT}\n", f"{TEXT[:40]}\n{TEXT[40:]}", "\t".join(TEXT), f"{TEXT}\r\n"]
)
def test_blanks_and_line_breaks_do_not_matter(text: str) -> None:
    assert key_from_text(text, ID) == KEY


def _resealed(*parts: str) -> str:
    """A line with a right checksum, as somebody could make by hand."""
    from vaultmem.store.key import _with_check

    return _with_check(":".join(parts))


BODY = TEXT.split(":")[3]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "That is not a key"),
        ("hello", "That is not a key"),
        (BODY, "That is not a key"),
        (TEXT.replace("vaultmem-key", "vaultmen-key"), "That is not a key"),
        (TEXT + ":x", "That is not a key"),
        (TEXT.replace(":1:", ":2:", 1), "Update vaultmem"),
        (TEXT[:-1], "cut or mistyped"),
        (TEXT[:-1] + ("0" if TEXT[-1] != "0" else "1"), "cut or mistyped"),
        (TEXT.replace(BODY, BODY.swapcase()), "cut or mistyped"),
        (TEXT.replace(ID, OTHER_ID), "cut or mistyped"),
        (KEY.export_text(OTHER_ID), "belongs to the vault"),
        (_resealed("vaultmem-key", "1", ID, BODY[:-4]), "wrong length"),
        (_resealed("vaultmem-key", "1", ID, BODY + "AAAA"), "wrong length"),
        (_resealed("vaultmem-key", "1", ID, "ü" * 43), "wrong length"),
        (_resealed("vaultmem-key", "1", ID, "A"), "wrong length"),
    ],
)
def test_a_wrong_line_is_refused_with_the_reason_and_never_repeated(text: str, words: str) -> None:
    with pytest.raises(KeyMissingError) as caught:
        key_from_text(text, ID)
    assert words in str(caught.value)
    assert BODY not in str(caught.value)
    assert BODY.swapcase() not in str(caught.value)


# The file


def test_a_key_is_made_once(file: KeyFile) -> None:
    assert file.load() is None
    key = file.create()
    assert file.load() == key
    assert file.path.stat().st_mode & 0o777 == 0o600
    with pytest.raises(KeyMissingError, match="already has a key"):
        file.create()
    assert file.load() == key


def test_two_vaults_have_two_keys(tmp_path: Path) -> None:
    one, two = KeyFile(tmp_path / "one", ID).create(), KeyFile(tmp_path / "two", ID).create()
    assert one != two


def test_a_key_is_carried_to_another_device(tmp_path: Path) -> None:
    here, there = KeyFile(tmp_path / "here", ID), KeyFile(tmp_path / "there", ID)
    key = here.create()
    assert there.import_text(key.export_text(ID)) == key
    assert there.load() == key
    assert there.path.stat().st_mode & 0o777 == 0o600
    assert there.import_text(key.export_text(ID)) == key  # again: nothing to say


def test_a_different_key_is_replaced_only_on_demand(file: KeyFile) -> None:
    key = file.create()
    with pytest.raises(KeyMissingError, match="--replace"):
        file.import_text(TEXT)
    assert file.load() == key
    assert file.import_text(TEXT, replace=True) == KEY
    assert file.load() == KEY


def test_a_damaged_key_is_an_error_and_is_mended_by_import(file: KeyFile) -> None:
    file.create()
    file.path.write_bytes(b"vaultmem-key:1:\xff")
    with pytest.raises(KeyMissingError):
        file.load()
    with pytest.raises(KeyMissingError, match="--replace"):
        file.import_text(TEXT)
    file.import_text(TEXT, replace=True)
    assert file.load() == KEY


def test_a_key_of_another_vault_is_not_taken_for_this_ones(tmp_path: Path) -> None:
    KeyFile(tmp_path / "key", OTHER_ID).create()
    with pytest.raises(KeyMissingError, match="belongs to the vault"):
        KeyFile(tmp_path / "key", ID).load()


def test_the_check_says_what_is_wrong(file: KeyFile) -> None:
    assert [found.code for found in file.check()] == ["VM403"]
    file.create()
    assert file.check() == ()
    file.path.chmod(0o640)
    assert [found.code for found in file.check()] == ["VM401"]
    assert file.check() == ()
    file.path.write_text("nonsense")
    (found,) = file.check()
    assert found.code == "VM404"
    assert "nonsense" not in found.message


def test_a_link_in_the_place_of_the_key_is_refused(tmp_path: Path) -> None:
    real = KeyFile(tmp_path / "real", ID)
    real.create()
    (tmp_path / "key").symlink_to(real.path)
    link = KeyFile(tmp_path / "key", ID)
    for read in (link.load, link.check):
        with pytest.raises(UnsafePathError):
            read()
