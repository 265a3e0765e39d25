"""Reads shell into simple commands: words, quotes, substitutions, redirections, here documents."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_DEPTH = 24
"""Substitutions within each other that are looked into; deeper ones are plain text."""

MAX_VALUE, MAX_EXPANDED = 1_024, 65_536
"""Characters of a variable that a script assigns, and of all that variables stand for in it."""

_KEYWORDS = frozenset(
    ("if", "then", "elif", "else", "fi", "while", "until", "do", "done", "esac", "!", "{", "}")
)

_VARIABLE = re.compile(r"\$(?:([A-Za-z_][A-Za-z0-9_]*)|\{([A-Za-z_][A-Za-z0-9_]*)\})")
_ASSIGNMENT = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\+?=")
_PLAIN = re.compile(r"[^\s\\'\"`$;&|()<>#*?\[{~]+")
_IN_DOUBLE = re.compile(r"[^\\\"`$]+")
_REDIRECTION = re.compile(r"<<<|<<-|<<|<>|<&|>>|>\||>&|<|>")
_CODED = re.compile(r"\\(?:[xuU]([0-9A-Fa-f]{1,4})|([0-7]{1,3}))")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "e": "\x1b"}


class Word(NamedTuple):
    """One word of a command, its quotes removed.

    Attributes:
        text: what the program gets, as far as that can be told.
        glob: whether an unquoted `*`, `?`, `[` or `{` stands for names that nobody knows here.
    """

    text: str
    glob: bool = False

    @property
    def name(self) -> str:
        """The last part of it as a path, in lower case: what a program is called by."""
        return self.text.replace("\\", "/").rpartition("/")[2].lower().removesuffix(".exe")


class Command(NamedTuple):
    """One simple command.

    Attributes:
        words: the program and its arguments.
        assigned: the variables that are set before it, or alone; name and value.
        files: the files that it is redirected from and to.
        fed: the text of its here documents and here strings.
        piped: whether the output of the command before it in the list is its input.
    """

    words: tuple[Word, ...] = ()
    assigned: tuple[tuple[str, Word], ...] = ()
    files: tuple[Word, ...] = ()
    fed: str = ""
    piped: bool = False


class _Building:
    """A command while it is read."""

    def __init__(self, *, piped: bool = False) -> None:
        self.words: list[Word] = []
        self.assigned: list[tuple[str, Word]] = []
        self.files: list[Word] = []
        self.fed: list[str] = []
        self.piped = piped

    def done(self) -> Command:
        """The command, without the words of the shell that only hold commands together."""
        words = self.words
        while words and words[0].text in _KEYWORDS:
            words = words[1:]
        return Command(
            tuple(words), tuple(self.assigned), tuple(self.files), "\n".join(self.fed), self.piped
        )


class Reader:
    """Reads one script from its first character to its last."""

    def __init__(self, text: str, variables: dict[str, str], depth: int = 0) -> None:
        self._text = text
        self._at = 0
        self._variables = variables
        self._depth = depth
        self._room = MAX_EXPANDED
        self._waiting: list[tuple[_Building, str, bool]] = []
        """Here documents whose bodies follow after this line: command, last line, tabs cut."""
        self._built: list[_Building] = []

    def read(self) -> list[Command]:
        """All commands, in the order of their ends."""
        return [command for built in self.build() if any(command := built.done())]

    def build(self) -> list[_Building]:
        """The same, not finished."""
        while self._at < len(self._text):
            self._list(inner=False)
        return self._built

    def _list(self, *, inner: bool) -> None:
        """Read commands until the text ends or, in an inner list, its `)`."""
        building = _Building()
        while self._at < len(self._text):
            char = self._text[self._at]
            if char == ")" and inner:
                self._at += 1
                break
            if char in ";&|()\n":
                building = self._separator(building)
            elif char in " \t\r":
                self._at += 1
            elif self._text.startswith("\\\n", self._at):
                self._at += 2
            elif char == "#":
                self._comment()
            elif char in "<>":
                self._redirection(building, _REDIRECTION.match(self._text, self._at))
            else:
                self._word(building)
        self._end(building)

    def _separator(self, building: _Building) -> _Building:
        text, at = self._text, self._at
        if text.startswith("&>", at):  # both outputs go to a file
            self._at += 1
            return building
        self._end(building)
        self._at += 2 if text.startswith(("&&", "||", "|&", ";;"), at) else 1
        if text[at] == "\n":
            self._here_documents()
        return _Building(piped=text[at] == "|" and not text.startswith("||", at))

    def _end(self, building: _Building) -> None:
        if not building.words:
            self._variables.update(
                (name, word.text) for name, word in building.assigned if len(word.text) <= MAX_VALUE
            )
        self._built.append(building)

    def _comment(self) -> None:
        end = self._text.find("\n", self._at)
        self._at = end if end >= 0 else len(self._text)

    def _here_documents(self) -> None:
        for building, last, tabs in self._waiting:
            building.fed.append(self._body(last, cut_tabs=tabs))
        self._waiting = []

    def _body(self, last: str, *, cut_tabs: bool) -> str:
        lines: list[str] = []
        while self._at < len(self._text):
            end = self._text.find("\n", self._at)
            end = len(self._text) if end < 0 else end
            line = self._text[self._at : end]
            self._at = end + 1
            if (line.lstrip("\t") if cut_tabs else line) == last:
                break
            lines.append(line)
        return "\n".join(lines)

    def _redirection(self, building: _Building, match: re.Match[str] | None) -> None:
        operator = match[0] if match else ""
        self._at += len(operator)
        if operator in ("<", ">") and self._text.startswith("(", self._at):
            self._inner(1)
            return
        while self._at < len(self._text) and self._text[self._at] in " \t":
            self._at += 1
        if self._at >= len(self._text) or self._text[self._at] in ";&|()<>\n":
            self._at += operator in ("<&", ">&") and self._text[self._at : self._at + 1] == "-"
            return
        word = self._one_word()
        if operator in ("<<", "<<-"):
            self._waiting.append((building, word.text, operator == "<<-"))
        elif operator == "<<<":
            building.fed.append(word.text)
        elif not (operator in ("<&", ">&") and (word.text.isdigit() or word.text == "-")):
            building.files.append(word)

    def _word(self, building: _Building) -> None:
        start = self._at
        assignment = _ASSIGNMENT.match(self._text, start)
        word = self._one_word()
        if self._text[self._at : self._at + 1] in ("<", ">") and word.text.isdigit():
            return  # the number of a file descriptor
        if assignment and not building.words:
            name, _, value = word.text.partition("=")
            building.assigned.append((name.removesuffix("+"), Word(value, word.glob)))
        else:
            building.words.append(word)

    def _one_word(self) -> Word:
        parts: list[str] = []
        glob = False
        while self._at < len(self._text):
            char = self._text[self._at]
            if match := _PLAIN.match(self._text, self._at):
                parts.append(match[0])
                self._at = match.end()
            elif char in " \t\r\n;&|()<>":
                break
            elif char == "~":
                parts.append(self._tilde(parts))
            elif char in "*?[{":
                glob = True
                parts.append(char)
                self._at += 1
            else:
                parts.append(self._special(char))
        return Word("".join(parts), glob)

    def _special(self, char: str) -> str:
        """What a quote, an escape or a substitution stands for."""
        if char == "'":
            return self._until("'", 1)
        if char == '"':
            return self._double()
        if char == "\\":
            return self._escaped()
        if char == "`":
            return self._backtick()
        if char == "$":
            return self._dollar(quoted=False)
        self._at += 1  # `#` within a word
        return char

    def _tilde(self, parts: list[str]) -> str:
        self._at += 1
        first = not parts or parts[-1].endswith(("=", ":"))
        whole = self._at >= len(self._text) or self._text[self._at] in "/ \t\r\n;&|()<>:"
        return self._expanded("HOME", "~") if first and whole else "~"

    def _expanded(self, name: str, spelled: str) -> str:
        value = self._variables.get(name, spelled)
        self._room -= len(value)
        return value if self._room >= 0 else spelled

    def _until(self, quote: str, skip: int) -> str:
        start = self._at + skip
        end = self._text.find(quote, start)
        end = len(self._text) if end < 0 else end
        self._at = end + 1
        return self._text[start:end]

    def _escaped(self) -> str:
        char = self._text[self._at + 1 : self._at + 2]
        self._at += 2
        return "" if char == "\n" else char

    def _double(self) -> str:
        self._at += 1
        parts: list[str] = []
        while self._at < len(self._text):
            char = self._text[self._at]
            if match := _IN_DOUBLE.match(self._text, self._at):
                parts.append(match[0])
                self._at = match.end()
            elif char == '"':
                self._at += 1
                break
            elif char == "\\":
                after = self._text[self._at + 1 : self._at + 2]
                parts.append(self._escaped() if after in '$`"\\\n' else f"\\{self._escaped()}")
            elif char == "`":
                parts.append(self._backtick())
            else:
                parts.append(self._dollar(quoted=True))
        return "".join(parts)

    def _backtick(self) -> str:
        """Read what is between backticks as commands; what they print is not known."""
        start, at = self._at, self._at + 1
        while at < len(self._text) and self._text[at] != "`":
            at += 2 if self._text[at] == "\\" else 1
        inner = re.sub(r"\\([\\`$])", r"\1", self._text[start + 1 : at])
        self._at = at + 1
        if self._depth >= MAX_DEPTH:
            return f"`{inner}`"
        self._built += Reader(inner, self._variables, self._depth + 1).build()
        return ""

    def _dollar(self, *, quoted: bool) -> str:
        text, at = self._text, self._at
        if match := _VARIABLE.match(text, at):
            self._at = match.end()
            return self._expanded(match[1] or match[2], match[0])
        if text.startswith("$((", at):
            self._at += 3
            return "$(("
        if text.startswith("$(", at):
            return self._inner(2)
        if text.startswith("$'", at) and not quoted:
            return self._ansi()
        if text.startswith('$"', at) and not quoted:
            self._at += 1
            return self._double()
        self._at += 1
        return "$"

    def _inner(self, skip: int) -> str:
        """Read a list in parentheses; what it prints is not known."""
        start = self._at
        self._at += skip
        if self._depth >= MAX_DEPTH:
            return self._text[start : self._at]
        self._depth += 1
        self._list(inner=True)
        self._depth -= 1
        return ""

    def _ansi(self) -> str:
        self._at += 2
        parts: list[str] = []
        while self._at < len(self._text) and self._text[self._at] != "'":
            if self._text[self._at] != "\\":
                parts.append(self._text[self._at])
                self._at += 1
                continue
            parts.append(self._ansi_escape())
        self._at += 1
        return "".join(parts)

    def _ansi_escape(self) -> str:
        match = _CODED.match(self._text, self._at)
        if match:
            self._at = match.end()
            return chr(int(match[1], 16) if match[1] else int(match[2], 8))
        char = self._text[self._at + 1 : self._at + 2]
        self._at += 2
        return _ESCAPES.get(char, char)
