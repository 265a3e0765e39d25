"""Which files a `file_modified` trigger means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vaultmem.core.enforcement.file_pattern import MAX_FORMS, is_usable, means


@pytest.mark.parametrize(
    ("pattern", "path", "met"),
    [
        pytest.param("*.py", "src/main.py", True, id="topic_80"),
        pytest.param("*.py", "src/main.ts", False, id="topic_80b"),
        pytest.param("Dockerfile", "path/to/Dockerfile", True, id="topic_81"),
        ("Dockerfile", "path/to/Dockerfile.dev", False),
        ("dockerfile", "Dockerfile", False),
        ("src/api/", "src/api/v1/users.py", True),
        ("src/api", "packages/web/src/api/users.py", True),
        ("src/api", "src/apis/users.py", False),
        ("src/api", "src/api", True),
        ("src/api/", "api/src/users.py", False),
        ("/src/api", "src/api/users.py", True),
        ("/src/api", "web/src/api/users.py", False),
        ("src/**/*.py", "src/a/b/c.py", True),
        ("src/**/*.py", "src/c.py", True),
        ("src/**/*.py", "web/src/c.py", True),
        ("src/**/*.py", "src/c.ts", False),
        ("/src/**/*.py", "web/src/c.py", False),
        ("src/*.py", "src/a/c.py", False),
        ("src/**", "src/a/c.py", True),
        ("**/migrations/**", "db/migrations/0001.sql", True),
        ("**/migrations/**", "migrations/0001.sql", True),
        ("src/*/", "src/a/c.py", True),
        ("src/*", "src/a/c.py", False),
        ("*.{ts,tsx}", "web/a.tsx", True),
        ("*.{ts,tsx}", "web/a.js", False),
        ("{src,lib}/**/*.{py,pyi}", "lib/x/y.pyi", True),
        ("test_[ab].py", "tests/test_b.py", True),
        ("test_[!ab].py", "tests/test_b.py", False),
        ("file?.txt", "file1.txt", True),
        ("src\\api", "src/api/x.py", True),
        ("./schema.sql", "db/schema.sql", True),
        ("{a", "{a", True),
        ("a**b", "axxb", True),
        ("/etc/hosts", "/etc/hosts", True),
        ("..", "a/../b", False), ("../x", "x", False), ("~/x", "x", False), ("/", "a", False),
        ("", "a", False), (".", "a", False), ("*.py", "", False),
    ],
)  # fmt: skip
def test_a_pattern_means_files(pattern, path, met):
    assert means(pattern, path) is met


NAMES = st.text(alphabet="ab.*?[]{},!-", min_size=1, max_size=8)


@given(st.lists(NAMES, min_size=1, max_size=5).map("/".join), st.text(max_size=30))
def test_any_pattern_has_an_answer(pattern, path):
    assert means(pattern, path) in (True, False)


@given(st.lists(st.text(alphabet="ab._-", min_size=1, max_size=8), min_size=1, max_size=5))
def test_a_path_is_meant_by_itself_and_all_that_is_below(names):
    path = "/".join(names)
    if is_usable(path):
        assert means(path, path)
        assert means(path, f"x/{path}/y")
        assert means(f"**/{path}", path)


def test_a_hostile_pattern_has_an_end():
    assert not means("**/" * 60 + "x", "a/" * 2_000 + "b")
    assert not means("*a" * 90 + "b", "a" * 4_000)
    assert not is_usable("{a,b}" * 10)
    assert not is_usable("x" * 201)


def test_braces_spell_at_most_so_many():
    assert is_usable("{" + ",".join("a" * MAX_FORMS) + "}")
    assert not is_usable("{" + ",".join("a" * (MAX_FORMS + 1)) + "}")
