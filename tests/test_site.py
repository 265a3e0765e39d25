"""The docs site builds strictly, needs no network to be read, and shows what the Markdown says."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from tests import recordings
from tests.cli.terminal import Terminal
from tests.reference import every_command

REPOSITORY = Path(__file__).resolve().parents[1]
CONFIG = REPOSITORY / ".ci" / "site.yml"
DOCS = REPOSITORY / "docs"
PAGES = sorted(DOCS.rglob("*.md"))
SHOWN = {
    "list_item_open": "li",
    "table_open": "table",
    "fence": "pre",
    "code_block": "pre",
    "heading_open": "heading",
}
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
CALL = re.compile(r"(?<![\w/])vaultmem ([^|]*)")


def build(config: Path, target: Path) -> subprocess.CompletedProcess[str]:
    """Build the site as `just site` does."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "--color", "build", "--strict", "-f", str(config), "-d", str(target)],
        cwd=target.parent, env={"NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip


class Page(HTMLParser):
    """What a built page shows, and what a browser fetches to show it."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.shown: Counter[str] = Counter()
        self.fetched: list[str] = []
        self.mermaid = False
        self._article = False
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self._article |= tag == "article"
        if tag in {"script", "img", "iframe", "source", "video"}:
            self.fetched += [values[one] for one in ("src", "srcset") if values.get(one)]
        if tag == "link":
            self.fetched.append(values["href"])
        self.mermaid |= "mermaid" in (values.get("class") or "")
        if self._article and tag in {"li", "table", "pre", *HEADINGS}:
            self.shown["heading" if tag in HEADINGS else tag] += 1

    def handle_endtag(self, tag):
        self._article &= tag != "article"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    target = tmp_path_factory.mktemp("site") / "out"
    done = build(CONFIG, target)
    assert done.returncode == 0, done.stderr
    return target


def test_every_page_of_the_docs_is_in_the_site(site):
    expected = {page.relative_to(DOCS).with_suffix(".html").as_posix() for page in PAGES}

    assert expected == {
        path.relative_to(site).as_posix()
        for path in site.rglob("*.html")
        if path.name != "404.html"
    }


def test_the_site_fetches_nothing_from_elsewhere(site):
    for path in site.rglob("*.html"):
        page = Page(path.read_text(encoding="utf-8"))
        away = [one for one in page.fetched if re.match(r"(?:\w+:)?//", one)]
        assert (path.name, away, page.mermaid) == (path.name, [], False)
    for path in [*site.rglob("*.css"), *site.rglob("*.svg")]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"@import|url\(\s*[\"']?(?:\w+:)?//", text), path.name


@pytest.mark.parametrize("source", PAGES, ids=lambda page: page.relative_to(DOCS).as_posix())
def test_the_site_shows_the_lists_tables_and_code_that_the_page_has(site, source):
    tokens = MarkdownIt("commonmark").enable("table").parse(source.read_text(encoding="utf-8"))
    expected = Counter(SHOWN[one.type] for one in tokens if one.type in SHOWN)

    path = site / source.relative_to(DOCS).with_suffix(".html")
    assert Page(path.read_text(encoding="utf-8")).shown == expected


BROKEN = {
    "a link to a page that is not there": "[gone](gone.md)",
    "a link to a heading that is not there": "[gone](#gone)",
    "a link to a heading of another page that is not there": "[gone](other.md#gone)",
    "a link outside of the docs": "[out](../README.md)",
    "a picture that is not there": "![gone](gone.svg)",
    "an absolute link": "[root](/other.md)",
}


@pytest.mark.parametrize("text", ["", *BROKEN.values()], ids=["nothing", *BROKEN])
def test_a_build_fails_on(text, tmp_path):
    assert _small(tmp_path, {"index.md": f"# One\n\n{text}\n", "other.md": "# Two\n"}) == bool(text)


def test_a_build_fails_on_a_page_that_the_navigation_lacks_or_names_in_vain(tmp_path):
    pages = {"index.md": "# One\n", "other.md": "# Two\n"}

    assert _small(tmp_path / "more", {**pages, "third.md": "# Three\n"})
    assert _small(tmp_path / "less", {"index.md": "# One\n"})


def _small(folder: Path, pages: dict[str, str]) -> bool:
    """Whether a site of these pages, with the settings of ours, fails."""
    docs = folder / "docs"
    docs.mkdir(parents=True)
    for name, text in pages.items():
        (docs / name).write_text(text, encoding="utf-8")
    config = folder / "site.yml"
    config.write_text(
        f"INHERIT: {CONFIG}\ndocs_dir: docs\nsite_dir: out\nnav:\n  - index.md\n  - other.md\n",
        encoding="utf-8",
    )
    done = build(config, folder / "out")
    assert "Config value" not in done.stderr
    return done.returncode != 0


# Commands in blocks


def _typed(page: Path) -> list[str]:
    """What a reader is told to type: the lines after `$ ` in blocks of code, joined where they go on."""
    fences = MarkdownIt("commonmark").parse(page.read_text(encoding="utf-8"))
    blocks = [one.content.replace("\\\n", " ") for one in fences if one.type == "fence"]
    return [line[2:] for block in blocks for line in block.splitlines() if line.startswith("$ ")]


@pytest.mark.parametrize(
    "page",
    [one for one in PAGES if _typed(one)],
    ids=lambda page: page.relative_to(DOCS).as_posix(),
)
def test_every_command_in_a_block_of_a_page_exists_with_its_options(page):
    known = dict(every_command())
    wrong = []
    calls = [one for line in _typed(page) for one in CALL.findall(line)]
    for call in calls:
        words = shlex.split(re.sub(r"^--vault \S+ ", "", call), comments=True)
        path = next((tuple(words[:n]) for n in (3, 2, 1) if tuple(words[:n]) in known), None)
        options = {opt for one in known[path].params for opt in one.opts} if path else set()
        if (
            not options | {"--help"} >= {word for word in words if word.startswith("--")}
            or not path
        ):
            wrong.append(call)
    assert wrong == []


def test_the_first_ten_minutes_go_as_written(tmp_path):
    person = Terminal(tmp_path, tmp_path / "home")
    (tmp_path / "Notes").mkdir()
    (tmp_path / "code/app").mkdir(parents=True)
    ran = []

    for line in _typed(DOCS / "how-to/first-ten-minutes.md"):
        words = [one.replace("~", str(tmp_path)) for one in shlex.split(line)]
        agent = {"AI_AGENT": words.pop(0)[9:]} if words[0].startswith("AI_AGENT=") else {}
        if words[0] == "cd":
            person.cwd = Path(words[1])
            continue
        assert words[0] == "vaultmem"
        done = person.run(*words[1:], typed=None if agent else "y\nn\n", env=agent)
        ran.append((done.code, line))

    assert [line for code, line in ran if code] == []
    assert len(ran) > 9
    assert sorted(one.name for one in (tmp_path / "Notes/Memory").rglob("*.md")) != []
    assert not (tmp_path / "Notes/Memory/Settings.md").exists()


# Pictures of terminals


@pytest.mark.parametrize("one", recordings.RECORDINGS, ids=lambda one: one.name)
def test_a_recording_shows_what_the_commands_say_now(one):
    assert recordings.stale([one]) == [], "Run `python -m tests.recordings --write`."


@pytest.mark.parametrize("one", recordings.RECORDINGS, ids=lambda one: one.name)
def test_a_recording_loads_nothing_and_tells_nothing_of_this_machine(one):
    svg = (recordings.ASSETS / f"{one.name}.svg").read_text(encoding="utf-8")

    assert re.findall(r"https?://[^\"\s<]+", svg) == ["http://www.w3.org/2000/svg"]
    said = recordings.words(svg)
    assert "$ vaultmem " in said
    assert not re.search(r"(?<![\w~.])/(?:tmp|home|root|usr|var|Users)\b", said)


def test_each_recording_is_shown_on_a_page_with_words_for_who_cannot_see_it():
    text = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    found = re.findall(r"!\[([^\]]*)\]\([./]*assets/(\S+)\.svg\)", text)
    shown = {name: alt for alt, name in found}

    assert set(shown) == {one.name for one in recordings.RECORDINGS}
    assert all(len(alt) > 20 for alt in shown.values())
    assert {path.stem for path in recordings.ASSETS.iterdir()} == set(shown)


def test_a_stale_or_missing_recording_is_told(tmp_path, capsys):
    one = recordings.RECORDINGS[0]
    svg = (recordings.ASSETS / f"{one.name}.svg").read_text(encoding="utf-8")
    place = tmp_path / f"{one.name}.svg"

    assert recordings.stale([one], tmp_path) == [one.name]
    place.write_text(svg.replace("Remembered:", "Forgotten:"), encoding="utf-8")
    assert recordings.stale([one], tmp_path) == [one.name]
    place.write_text(svg, encoding="utf-8")
    assert recordings.stale([one], tmp_path) == []
    assert recordings.main(["--else"]) == 2
    assert "--write" in capsys.readouterr().out
