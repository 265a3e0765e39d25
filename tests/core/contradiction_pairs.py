"""Labelled pairs of statements: contradictions, and what is none. Half of the rows are only measured.

One pair a line, `new | existing`. Of the first two tables every second row is held; the last two
are held whole: they were written after the rules, in other words, and no rule follows from them.
"""

from __future__ import annotations

from typing import NamedTuple


class Pair(NamedTuple):
    """Two statements, whether they contradict each other, and whether the row is only measured."""

    new: str
    existing: str
    conflict: bool
    held: bool


_OPPOSITE = """
Never deploy on Fridays. | Deploy on Fridays is fine now.
You may force-push without asking. | Always ask before force-pushing.
Always use sudo. | never use sudo in tests, always use podman
Don't use npm here. | Use npm here.
Always commit generated files. | Never commit generated files.
Stop using moment.js. | Use moment.js for dates.
We no longer use Jenkins. | Always use Jenkins for builds.
Use pnpm instead of npm. | Use npm instead of pnpm.
Prefer tabs over spaces. | Prefer spaces over tabs.
Use spaces, not tabs. | Use tabs, not spaces.
Avoid default exports. | Always use default exports.
Feel free to push directly to main. | Never push to main.
You can edit generated files. | Do not edit generated files by hand.
It's fine to merge without review. | Do not merge without review.
Don't mock the database. | Always mock the database in unit tests.
Mock the database. | Never mock the database.
Amending pushed commits is okay. | Never amend pushed commits.
Force-pushing is forbidden. | You may force-push.
No default exports. | Use default exports.
Never rebase shared branches. | Rebase shared branches before merging.
Don’t squash commits. | Always squash commits.
Always write docstrings for private functions. | Don't write docstrings for private functions.
Avoid using any in TypeScript. | Using any in TypeScript is acceptable.
You don't need to run the tests before pushing. | Always run the tests before pushing.
Skip the linter. | Never skip the linter.
Enable strict mode. | Disable strict mode.
Don't enable telemetry. | Enable telemetry.
Logging request bodies is allowed. | Never log request bodies.
npm is banned. | Use npm for the frontend.
Use Docker for local development. | Don't use Docker for local development.
Please stop adding comments to the code. | Add comments to the code.
Refrain from using global state. | Use global state for the config.
Always use relative imports. | Never use relative imports.
Never use print for logging. | Use print for logging.
You should not use lodash. | Prefer lodash.
We use semicolons. | We don't use semicolons.
This project uses Poetry. | Don't use Poetry in this project.
Do not run migrations automatically. | Run migrations automatically.
Reviews are not required for docs. | Reviews are required for docs.
Never ask before running tests. | Ask before running tests.
Use `git add .` to stage. | Never use `git add .`.
Committing to main is okay for small fixes. | Never commit directly to main.
It is no longer allowed to use yarn. | You can use yarn.
Must not use eval. | You may use eval.
Choose REST over GraphQL. | Choose GraphQL over REST.
Use uv rather than pip. | Use pip rather than uv.
Feature flags must be used for every change. | Don't use feature flags for every change.
We stopped using Redux. | We use Redux.
Never use inline styles. | Inline styles are fine.
Don't add co-author lines to commits. | Add co-author lines to commits.
You are allowed to delete stale branches. | Never delete stale branches.
Do not use --no-verify. | You can commit with --no-verify.
Wildcard imports are prohibited. | Use wildcard imports.
Always rebase instead of merging. | Never rebase.
Run prettier on save. | Don't run prettier on save.
Never install packages globally. | Install packages globally.
Do not publish on weekends. | Publishing on weekends is fine.
Never restart the server without asking. | You can restart the server without asking.
Don't open a pull request until the tests pass. | Open a pull request before the tests pass.
Keep secrets out of the repository. | Store secrets in the repository.
"""

_NONE = """
Never publish with a dead token. | Always publish to npm.
Do not merge without review. | Always merge with squash.
Don't commit generated files. | Never commit generated files.
Never deploy on Fridays. | Always deploy from main.
Use Python 3.12. | Don't use Python 3.9.
Never log tokens. | Always log errors.
In the smoke test, the agent must reply 'never say OK'. | Always say OK.
Never push to main. | Always push feature branches.
Run the tests before pushing. | Never push to main.
Use tabs. | Don't use tabs in YAML files.
Always use tabs except in YAML. | Never use tabs in YAML.
Never use npm. | Use pnpm.
Don't use npm, use pnpm. | Use pnpm for installs.
Always run lint. | Never run migrations on production.
Run migrations on staging. | Never run migrations on production.
When done, commit and push everything. | Never push to main.
Never commit secrets. | Commit often.
Do you never use npm? | Always use npm.
Don't skip tests. | Always run the tests.
Prefer composition over inheritance. | Avoid deep inheritance.
Avoid nested ternaries. | Use ternaries for short conditions.
Never use var. | Use const by default.
Use Node 18 in CI. | Do not use Node 16.
Don't add dependencies without asking. | Add dependencies with uv add.
Ask before adding dependencies. | Never add dependencies without asking.
Never edit MEMORY.md directly. | Edit the README directly.
Use short commit messages. | Don't use long commit messages.
Do not use regex for HTML. | Use regex for log lines.
Always use named exports. | Never use default exports.
buildah chown breaks cache mounts | Never use buildah.
The deploy failed on Friday because of DNS. | Never deploy on Fridays.
Do not rebase shared branches. | Rebase your own branches.
Write tests for every bug fix. | Don't write tests for generated code.
Avoid mocking what you do not own. | Mock the payment gateway.
Never use force push on main. | You can force-push feature branches.
Use snake_case for Python. | Never use snake_case in TypeScript.
Never store money as floats. | Store money as integer cents.
Document public functions. | Don't document private functions.
Use feature flags for risky changes. | Do not use feature flags for typos.
Don't use Docker on CI. | Use Docker for local development.
Always answer in English. | Never answer with emojis.
Do not touch the vendor folder. | Touch the lock file after an upgrade.
Never retry payments. | Always retry network errors.
Use "never" sparingly in prompts. | Always use active voice.
Always use UTC in the database. | Don't use local time in the database.
No console.log in production code. | Use the logger in production code.
Never delete migrations. | Delete dead code.
Only use sudo on staging. | Never use sudo in tests.
If the build fails, do not deploy. | Deploy from the release branch.
Never push unless the tests pass. | Push when the tests pass.
Never push to main unless the release manager approves. | Push to main when the release manager approves.
Don't ask about formatting. | Ask about API changes.
Keep functions short. | Don't keep dead code.
Prefer pytest over unittest. | Prefer pytest over nose.
Do not use pip, use uv. | Prefer uv over pip.
Never use yarn in billing-web. | Use yarn in the docs site.
Don't run the full suite locally. | Run the full suite in CI.
Stop adding emojis. | Add a changelog entry.
Never mix tabs and spaces. | Use tabs.
Avoid abbreviations in names. | Use abbreviations from the glossary.
Do not commit .env files. | Always commit migration files.
Make sure to close files. | Don't leave files open.
Test the parser with real files. | Never test against production.
Avoid sleeping in tests. | Use fake clocks in tests.
Do not use the staging key. | Use the production key.
"""

_OPPOSITE_HELD = """
from now on you may commit straight to main | Never commit to the main branch
ok to use print statements in the cli package | Don't use print statements in the CLI package.
Do NOT bump versions by hand. | Bump versions by hand when releasing.
Stop writing unit tests for getters. | Write unit tests for getters.
We never use barrel files. | Always use barrel files.
Barrel files are fine. | Avoid barrel files.
mutable default arguments are forbidden | You can use mutable default arguments.
always run the formatter before committing | Don't run the formatter before committing.
Inline SQL is not allowed. | Inline SQL is allowed.
Don't wrap errors. | Always wrap errors.
Go with Postgres instead of MySQL. | Use MySQL instead of Postgres.
Prefer async over threads. | Prefer threads over async.
Use fixtures rather than setUp methods. | Use setUp methods rather than fixtures.
You must not cache auth responses. | Cache auth responses.
No need to update the changelog. | Always update the changelog.
You don't have to ask before installing packages. | Ask before installing packages.
Never use the staging database for tests. | Use the staging database for tests.
Disable source maps in production. | Enable source maps in production.
turn off auto-formatting | Turn on auto-formatting.
Merge with a failing pipeline is OK. | Never merge with a failing pipeline.
Never commit lock files. | Lock files must be committed.
It is fine to use `any` in tests. | Never use `any` in tests.
I no longer want emojis in commit messages; never use emojis in commit messages. | Use emojis in commit messages.
Do not create new branches for hotfixes. | Create new branches for hotfixes.
Deploying on Friday afternoons is okay. | No deploys on Friday afternoons.
Nested functions should be avoided. | Use nested functions.
Don't ever use sleep in tests. | Use sleep in tests.
Always pin dependencies. | Do not pin dependencies.
Comments in German are allowed. | Never write comments in German.
Please do not use type comments. | Use type comments.
Don't mention ticket numbers in commit messages. | Mention ticket numbers in commit messages.
You may edit the generated client. | The generated client must never be edited.
Use global variables sparingly, but you can use them. | Never use global variables.
Never start the dev server. | Start the dev server before running e2e tests.
"""

_NONE_HELD = """
Don't run the formatter on generated files. | Run the formatter before committing.
Never use Postgres 12. | Use Postgres 16 in production.
Wrap errors with context. | Don't wrap errors twice.
You can read the vendor folder. | Never edit the vendor folder.
Use MySQL for the legacy app. | Never use MongoDB.
Do not log at debug level in production. | Log slow queries at warning level.
Don't use sleep in tests; poll instead. | Poll the queue every minute.
Never cache auth responses. | Cache product pages for an hour.
Always answer briefly. | Don't answer with code only.
Ask before installing packages. | Install packages with pnpm.
Never amend published commits. | Amend the last commit for typos before pushing.
Do not use the word "always" in docs. | Always document flags.
Don't block the event loop. | Block pull requests without tests.
Avoid long functions. | Prefer functions over classes.
Never trust user input. | Trust the type checker.
Only deploy from CI. | Don't deploy from laptops.
Use ruff instead of flake8. | Use mypy for types.
Use ruff instead of flake8. | Don't use flake8.
Prefer dataclasses over dicts. | Don't use nested dicts.
No TODO comments without a ticket. | Write TODO comments with a ticket.
Never force-push unless it is your own branch. | Force-push your own branch after a rebase.
Use 2 spaces in YAML. | Don't use 4 spaces in YAML.
Don't store tokens in localStorage. | Store the theme in localStorage.
We don't use Redux in the admin app. | We use Redux in the shop app.
When tests fail, don't retry. | When the network fails, retry.
Stop the dev server when you finish. | Start the dev server with make dev.
Never skip hooks. | Always run the hooks.
Close the issue after merging. | Never close an issue without a comment.
Never return null from a repository. | Return early from functions.
The team never liked Java. | Use Java 21 for the gateway.
Don't repeat yourself. | Repeat the failing test ten times.
Why should we never use mocks? | Use mocks for the mail service.
Keep the API stable; do not remove fields. | Remove unused imports.
Do not rename public functions. | Rename private helpers freely.
"""


def _pairs(table: str, *, conflict: bool, held: bool = False) -> list[Pair]:
    rows = [line.split(" | ") for line in table.strip().splitlines()]
    return [Pair(new, old, conflict, held or n % 2 == 1) for n, (new, old) in enumerate(rows)]


PAIRS = (
    *_pairs(_OPPOSITE, conflict=True),
    *_pairs(_NONE, conflict=False),
    *_pairs(_OPPOSITE_HELD, conflict=True, held=True),
    *_pairs(_NONE_HELD, conflict=False, held=True),
)
