# Everything that CI runs is here; `just --list` shows it.

python := env("PYTHON", "python")

# Else each of a thousand processes compiles what it imports
export PYTHONDONTWRITEBYTECODE := ""

# What must be green before a change lands
check: lint types imports test docs

# Formatting and lint
lint:
    ruff check .
    ruff format --check .

# Static types
types:
    mypy

# The layers
imports:
    lint-imports

# All tests with branch coverage; four processes for two cores, since many wait for others
test:
    {{python}} -m pytest -n 4 --dist worksteal --cov --cov-report= -q
    {{python}} -m coverage report --fail-under=95
    {{python}} -m coverage report --fail-under=100 --include='vaultmem/core/*,vaultmem/notes/*'

# Person, agent, policy, a second machine and kill -9 on one vault: `ci`, or `long` for a night
faults PROFILE="ci":
    {{python}} -m pytest tests/faults -n 2 -q --dist worksteal --faults {{PROFILE}}

# Hostile input for all that reads: `ci`, or new one for `minutes`, an `hour` or a `night` in all
fuzz PROFILE="ci" *ARGS:
    {{python}} -m pytest tests/fuzz -q --fuzz {{PROFILE}} {{ARGS}}

# Every property with new examples, many times as many as in the suite
properties *ARGS:
    {{python}} -m pytest -n 2 -q -m hypothesis --hypothesis-profile wide {{ARGS}}

# A year day by day: what is told, kept and lost, and what it costs
year:
    {{python}} -m pytest tests/simulation/whole_year.py -q -s

# Three busy weeks of the notebook: the used cards stay, the unused go
weeks:
    {{python}} -m pytest tests/simulation/busy_weeks.py -q -s

# Mutants of patches, scoring, guards and frontmatter; below 85 % killed fails (`pip install -e '.[dev,proof]'`)
mutants *PARTS:
    nice {{python}} -m tests.mutants {{PARTS}}

# The generated reference pages agree with the code
docs:
    {{python}} -m tests.reference --check

# Write the generated reference pages and the pictures of terminals anew
docs-write:
    {{python}} -m tests.reference --write
    {{python}} -m tests.recordings --write

# The docs as a site in build/site; a broken link, anchor or navigation fails
site:
    NO_MKDOCS_2_WARNING=1 {{python}} -m mkdocs build --strict --quiet --config-file .ci/site.yml

# Speed and memory at 1,000 and 10,000 notes, as ratios to a reference of the same run
bench *ARGS:
    {{python}} -m tests.benchmarks {{ARGS}}

# Every promise played on real vaults: a table, 1 if one is broken; `--broken` shows each can fail
evals *ARGS:
    {{python}} -m tests.evals {{ARGS}}

# Retrieval quality on the sets at hand; fails below what it must reach, and takes minutes
eval DIR="../shared/eval":
    {{python}} tests/benchmarks/retrieval.py {{DIR}}/nl2bash --floor ndcg10=.60
    {{python}} tests/benchmarks/retrieval.py {{DIR}}/nl2bash --with-command --floor ndcg10=.67
    {{python}} tests/benchmarks/retrieval.py {{DIR}}/devmem --floor mrr=.76 --floor hit5=.80

# Renew the hash-pinned constraints (needs pip-tools)
lock:
    pip-compile --quiet --strip-extras --extra dev --generate-hashes --allow-unsafe \
        --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-header --no-annotate \
        --output-file .ci/constraints.txt pyproject.toml

# Build main.js of the Obsidian plugin from its sources (Node and the packages come by themselves)
plugin:
    {{python}} -m tests.obsidian_plugin.build --write

# A wheel and a source archive
build:
    {{python}} -m build
