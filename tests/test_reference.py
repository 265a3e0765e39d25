"""The generated pages agree with the code, and the check says so where they do not."""

from __future__ import annotations

import pytest

from tests import reference


def test_the_pages_agree_with_the_code(capsys):
    assert reference.main(["--check"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("name", ["cli.md", "findings.md", "exit-codes.md"])
@pytest.mark.parametrize("broken", ["", None], ids=["changed", "missing"])
def test_a_page_that_differs_is_named(tmp_path, capsys, name, broken):
    assert reference.main(["--write"], tmp_path) == 0
    assert reference.main(["--check"], tmp_path) == 0
    if broken is None:
        (tmp_path / name).unlink()
    else:
        (tmp_path / name).write_text(broken)

    assert reference.main(["--check"], tmp_path) == 1
    assert capsys.readouterr().out.startswith(f"docs/reference/{name} differs")


def test_another_option_is_wrong_usage(capsys):
    assert reference.main([]) == 2
    assert "--check" in capsys.readouterr().out


def test_every_code_of_a_finding_is_on_the_page():
    page = reference.pages()["findings.md"]

    assert all(
        f"| {code} | {row.severity.value} |" in page for code, row in reference.CODES.items()
    )


def test_every_error_class_is_on_the_page_with_its_own_sentence():
    page = reference.pages()["exit-codes.md"]
    classes = reference.error_classes()

    assert len(classes) > 20
    assert all(f"| {one.exit_code} | `{one.__name__}` |" in page for one in classes)
