"""Whether a sentence is about work with code, or about private life."""

from __future__ import annotations

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORK = _set(
    "abstraction agent alembic alias ansible api apis app apps architecture argument arguments "
    "assert assertion assertions async autocomplete await aws azure backend bash bazel bdd "
    "benchmark benchmarks bias binary black boilerplate branch branches browser bug bugs build "
    "builds bun bundle bundler cache cargo cd cdk changelog chrome ci class classes cli client "
    "cloud code codebase comment comments commit commits compiler component components config "
    "configuration console const constants container containers controller controllers coverage "
    "css cursor daemon dark data database databases dataclass dataclasses date dates debugger "
    "debugging decorator decorators default defaults deno dependencies dependency deploy deploys "
    "design devops diff diffs directory django docker docs docstring docstrings editor ejs elixir "
    "emacs emoji emojis endpoint endpoints english enum enums env error errors eslint eval "
    "exception exceptions explain explanation explanations export exports express fastapi feature "
    "features file files fish fixture fixtures flag flags flake8 flask flow folder folders "
    "formatter formatting framework frontend function functional functions generics german gh git "
    "github gitlab global globals go golang gradle grpc handler handlers haskell helix helm helper "
    "helpers hook hooks html htmx http ide import imports indent indentation infra inheritance "
    "integration interface interfaces issue issues jargon java javascript jest jira jq js json "
    "jupyter justfile k8s key keyboard kotlin kubernetes lambda lambdas language languages laravel "
    "layer layers libraries library line lines lint linter linters linting linux lockfile log "
    "logger logging logs loop loops lua macos macros main make makefile markdown master maven "
    "merge merges metrics microservices migration migrations mock mocks model models module "
    "modules monorepo mutation mypy name names naming nested neovim nginx nix node notebook "
    "notebooks npm null nvim object objects oop orm output package packages pandas params parser "
    "patch pattern patterns pep8 perl php pip pipeline pipelines pnpm podman poetry polars "
    "postgres pr prettier print private prod production programming project projects prose "
    "protobuf protocol protocols prs pull push pushing pydantic pylint pyright pytest python query "
    "queries rails react readme rebase recursion redis redux refactor refactoring regex release "
    "releases repo repos rest return returns review reviews rewrite ripgrep rg rollback ruby ruff "
    "rust scala schema schemas scope script scripts secrets semicolon semicolons server servers "
    "shell singleton singletons snake_case snapshot snapshots sql sqlite squash sre stack staging "
    "state static string strings struct structs style svelte swift syntax tab tabs tailwind tdd "
    "template templates terminal terraform test tests testing timezone tmux tool tools tox trait "
    "traits travis trunk ts tuple tuples type types typescript typing ui unit unittest utc uv ux "
    "variable variables venv version versions vi view views vim virtualenv vite vitest vscode vue "
    "warnings web webpack whitespace windows worktree worktrees wrapper yaml yarn zed zig zsh "
    "firmware embedded kernel kernels team teams orms fintech compilers graphics robotics "
    "answers answer responses response replies reply summaries summary bullet bullets table tables "
    "list lists pairing standup mob kanban ticket tickets rebases commands command options option "
    "steps step plan plans tradeoffs examples example diagrams diagram you your"
)
"""Words of developers, and words about how an agent should talk."""

_PRIVATE = _set(
    "alcohol bar bath bed beer bike birthday boyfriend brother bread breakfast brunch bus butter "
    "cat cats cheese chess child children chocolate church cinema coffee commute concert cook "
    "cooking dad daughter dentist dinner dinners dishes dishwasher doctor dog dogs drink drinking "
    "drive driving eat eating espresso exercise family flight football friend friends fries garden "
    "gin girlfriend guitar gym gymnasium headache headphones hike hiking hobby holiday holidays "
    "home husband jog jogging juice kid kids kitchen laundry lunch marathon meat milk mom money "
    "mortgage mother mountains movie movies mondays monday music nap naps netflix nights "
    "oatmeal parking party pasta pets phone piano pizza podcast podcasts pub rain rent restaurant "
    "rice running salad salt seat seats shampoo shoes shopping shower sister sleep sleeping smoke "
    "smoking "
    "snacks snow soccer song songs son soup spicy spotify steak sugar summer sunglasses sushi "
    "swim swimming tea tennis toast toothpaste tired train travel tv vacation vacations vegan "
    "vegetarian vodka walk walks weather weekend weekends whisky wife wine winter yoga"
)
_SELF = _set("i i'm i've i'd my me mine")
_FOOD = _set("alcohol beer breakfast coffee dinner lunch meat milk pizza sugar tea wine")
"""Without a word of `_SELF` only these count: a program may be about phones or children."""
_AMBIGUOUS = _set("you your go app apps black rest dark state list lists plan step key line style")
"""Words of work that do not outweigh a word of private life."""

_WORD = re.compile(r"[a-z][\w']*")
_CODE_SHAPE = re.compile(
    r"_{3,}|\w/\w|/\w|\w\.[a-z]{1,5}\b|\b[a-z]+_[a-z]+\b|\b[a-z]+[A-Z]\w*|(?:^|\s)--?[a-z]|"
    r"\b[A-Z]{2,}s?\b|\bv?\d+\.\d+|\w\(\)|::|[<>{}=]"
)


def about_work(text: str) -> bool:
    """Whether a word of developers or the shape of code occurs; `text` in its own case."""
    return bool(_CODE_SHAPE.search(text)) or not _WORK.isdisjoint(_words(text))


def about_private_life(text: str) -> bool:
    """Whether a word of private life occurs, and nothing that settles that it is about code."""
    said = _words(text)
    if (_PRIVATE if not _SELF.isdisjoint(said) else _FOOD).isdisjoint(said):
        return False
    return (_WORK - _AMBIGUOUS).isdisjoint(said) and not _CODE_SHAPE.search(text)


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold()))
