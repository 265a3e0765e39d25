"""The words that give each class of prompts away, every inflection written out.

Chosen by the labelled prompts of the tests. A word with a second, everyday meaning ("release the
lock", "merge sort", "tag cloud") counts only beside a word that settles it.
"""

from __future__ import annotations

from vaultmem.core.query_words import Signal
from vaultmem.core.query_words import word_set as _set

_REMOTE = _set(
    "git github gitlab origin upstream remote remotes fork forks main master develop trunk branch "
    "branches commit commits committed committing rebase rebased rebasing"
)
_VERSIONED = _set("version versions release releases released releasing semver changelog")
_SHIPPED = _VERSIONED | _set("npm pypi crate crates registry package packages wheel")
_HELD = _set(
    "lock locks mutex mutexes semaphore semaphores memory resource resources handle handles buffer "
    "buffers connection connections pointer pointers gil button mouse key keys lease leases slots"
)
_WORKING = _set(
    "work works working start starts starting build builds building compile compiles compiling "
    "load loads loading run runs running connect connects connecting boot boots booting respond "
    "responds responding render renders rendering open opens opening stay save saves saving show "
    "showing appear update updating refresh fire trigger match return find resolve import locate "
    "read close apply persist parse accept recognize recognise scroll"
)
_REVIEWED = _set(
    "code mr mrs diff diffs patch patches changeset changes branch branches commit commits comment "
    "comments feedback findings it src module modules function implementation refactoring py ts "
    "tsx js rs java cpp"
)
_PROCESS = _set(
    "process processes worker workers server servers container containers thread threads pod pods "
    "job jobs app script program daemon kernel service keeps kept"
)
_BRANCHES = _set("branch branches git origin master develop")
_BRANCHING = _set("git origin create creating off delete switch")
_WISHED = _set("should must shall make let return raise when")
_HANDLED = _set("handle handles handled handling gracefully tolerate tolerates")

PR_REVIEW: tuple[Signal, ...] = (
    Signal(_set("pr prs")),
    Signal(
        _set("pull merge"), then=_set("request requests req reqs reqest reqests requst requsts")
    ),
    Signal(_set("codereview codereviews")),
    Signal(
        _set("review reviews reviewed reviewing rereview reveiw reveiws"),
        beside=_REVIEWED,
    ),
    Signal(_set("reviewer reviewers codeowner codeowners nit nits nitpick nitpicks")),
    Signal(
        _set("critique critiques feedback opinion"), beside=_set("code change changes patch diff")
    ),
    Signal(
        _set("look"),
        then=_set("over through"),
        beside=_set("code change changes diff patch branch"),
    ),
    Signal(_set("revue revues revisión revisar"), beside=_set("code código")),
    Signal(_set("mr mrs"), beside=_set("gitlab merge open draft green branch pipeline approved")),
    Signal(_set("requested"), then=_set("changes")),
    Signal(
        _set("diff diffs changeset changesets"),
        beside=_set("look looks over through in on comment comments unrelated"),
    ),
)

GIT_RELEASE: tuple[Signal, ...] = (
    Signal(
        _set(
            "commit commits committed committing comit comits comited commited commiting committe "
            "committen"
        ),
        # "commit to main" is git, "commit to a style" is not.
        not_next=_set("transaction transactions offset offsets to"),
        not_after=_set("session conn connection cursor db transaction transactions offset phase"),
    ),
    Signal(
        _set("commit commits committed committing commited commiting"),
        then=_set("to"),
        beside=_REMOTE | _set("repo repository"),
    ),
    Signal(_set("rebase rebases rebased rebasing")),
    Signal(
        _set("unstage unstaged staged worktree worktrees submodule submodules gitignore reflog")
    ),
    Signal(_set("fork forks forked"), beside=_set("sync upstream")),
    Signal(_set("version versions"), beside=_set("next bump raise cut publish hochsetzen")),
    Signal(_set("bisect bisects bisected bisecting")),
    Signal(
        _set("git"),
        then=_set("add bisect branch checkout clone fetch pull push reset revert stash switch tag"),
    ),
    Signal(
        _set("stash stashes stashed stashing"),
        beside=_REMOTE | _set("changes work pop apply staged unstaged"),
    ),
    Signal(_set("checkout check checked"), then=_set("out main master"), beside=_BRANCHES),
    Signal(_set("branch branches branched branching"), beside=_BRANCHING),
    Signal(_set("fast"), then=_set("forward forwarded forwarding"), beside=_REMOTE),
    Signal(_set("revert reverts reverted reverting"), beside=_REMOTE | _set("change changes")),
    Signal(
        _set("amend amends amended amending"), beside=_REMOTE | _set("message last previous it")
    ),
    Signal(_set("changelog changelogs semver")),
    Signal(_set("deploy deploys deployed deploying deployment deployments")),
    Signal(_set("redeploy redeploys redeployed redeploying redeployment")),
    Signal(_set("déployer déploie déploiement desplegar despliega despliegue")),
    Signal(_set("veröffentlichen veröffentliche veröffentlicht"), beside=_SHIPPED),
    Signal(
        _set("roll rolls rolled rolling rollback rollbacks rollout"),
        beside=_VERSIONED | _set("prod production staging"),
    ),
    Signal(_set("hotfix hotfixes hotfixed")),
    Signal(
        _set("release releases released releasing prerelease"),
        not_then=_HELD,
        # Compilers build in a mode or profile of that name.
        not_next=_set("mode profile"),
    ),
    Signal(_set("ship ships shipped shipping"), beside=_SHIPPED | _set("prod production it")),
    Signal(
        _set("push pushes pushed pushing pushe pushen gepusht"),
        beside=_REMOTE | _VERSIONED | _set("force tag tags it everything now"),
        not_then=_set("notification notifications button value item element"),
    ),
    Signal(
        _set("tag tags tagged tagging"),
        beside=_VERSIONED
        | _set("git github origin commit commits push pushing pushed sign signed"),
    ),
    Signal(
        _set("merge merges merged merging mergen gemergt"),
        beside=_REMOTE | _set("conflict conflicts squash"),
        not_next=_set("sort"),
    ),
    Signal(_set("publish publishes published publishing"), beside=_SHIPPED),
    Signal(_set("bump bumps bumped bumping"), beside=_SHIPPED),
    Signal(_set("cherry"), then=_set("pick picks picked picking")),
    Signal(_set("squash squashes squashed squashing"), beside=_REMOTE | _set("merge")),
)

DEBUG: tuple[Signal, ...] = (
    Signal(
        _set("error errors errored erroring"),
        not_next=_set(
            "free handling handler handlers boundary boundaries prone page pages type types class "
            "classes codes message messages banner banners state states toast dialog label"
        ),
        not_after=_set("no without zero 0"),
        not_beside=_HANDLED,
    ),
    Signal(
        _set("error"),
        then=_set("message messages"),
        beside=_set("get gets got getting see sees saw seeing following says prints with when"),
    ),
    Signal(_set("stacktrace stacktraces traceback tracebacks backtrace backtraces")),
    Signal(_set("stack"), then=_set("trace traces overflow overflows")),
    Signal(_set("fail fails failed failing"), not_next=_set("safe fast closed open over soft")),
    Signal(
        _set("failure failures"),
        not_next=_set("mode modes"),
        not_after=_set("no without zero 0"),
        not_beside=_HANDLED,
    ),
    Signal(
        _set("exception exceptions"),
        not_next=_set("of to"),
        not_then=_set("hierarchy class classes type types"),
        not_beside=_HANDLED,
    ),
    Signal(_set("unhandled"), then=_set("promise rejection rejections exception exceptions")),
    Signal(_set("bug bugs buggy debug debugs debugged debugging debugger")),
    Signal(_set("troubleshoot troubleshoots troubleshooting diagnose diagnoses diagnosing")),
    Signal(_set("segfault segfaults segfaulted segfaulting")),
    Signal(_set("segmentation"), then=_set("fault faults")),
    Signal(_set("core"), then=_set("dump dumped dumps")),
    Signal(_set("panic panics panicked panicking")),
    Signal(
        _set(
            "crash crashes crashed crashing oom oomkilled threadsanitizer addresssanitizer valgrind"
        )
    ),
    Signal(_set("hang hangs hung hanging"), not_next=_set("on out")),
    Signal(_set("stuck freezes froze unresponsive misbehaves misbehaving glitch glitches")),
    Signal(_set("dies died dying killed"), beside=_PROCESS),
    Signal(_set("throws threw throwing"), not_beside=_WISHED),
    Signal(_set("complains complained complaining")),
    Signal(
        _set("keeps"),
        then=_set(
            "growing restarting disappearing resetting reloading spinning jumping flickering "
            "reconnecting disconnecting returning showing saying telling getting"
        ),
    ),
    Signal(_set("disappears disappeared vanishes vanished garbled mangled corrupt corrupted")),
    Signal(_set("incorrect incorrectly wrongly mismatch mismatched nondeterministic")),
    Signal(_set("worked"), beside=_set("yesterday before earlier until last")),
    Signal(_set("used"), then=_set("to"), beside=_set("work")),
    Signal(_set("longer anymore"), beside=_WORKING),
    Signal(_set("nan null undefined"), beside=_set("why get getting got gives shows instead")),
    Signal(_set("undefined"), then=_set("reference variable method function is")),
    Signal(_set("unable"), then=_set("to")),
    Signal(
        _set("could"), then=_set("not"), beside=_set("find resolve import connect open read load")
    ),
    Signal(_set("denied refused"), beside=_set("permission access connection")),
    Signal(_set("not"), then=_set("found"), not_beside=_WISHED | _set("if")),
    Signal(_set("not"), then=_set("defined callable iterable subscriptable")),
    Signal(_set("no"), then=_set("such"), beside=_set("file table column module command")),
    Signal(_set("expected"), beside=_set("got but actual")),
    Signal(_set("shows returns prints gives renders"), beside=_set("instead")),
    Signal(_set("does"), then=_set("nothing")),
    Signal(_set("going"), then=_set("on"), beside=_set("what whats")),
    Signal(_set("happening happens"), beside=_set("what whats why")),
    Signal(_set("warning warnings"), beside=_set("get gets getting got fix")),
    Signal(_set("fix fixes fixing"), beside=_set("test tests ci build pipeline")),
    Signal(_set("log logs"), beside=_set("attached below heres")),
    Signal(_set("exits exited"), then=_set("immediately early unexpectedly")),
    Signal(_set("blow blows blew blowing"), then=_set("up")),
    Signal(_set("deadlock deadlocks deadlocked")),
    Signal(_set("race"), then=_set("condition conditions")),
    Signal(_set("data"), then=_set("race races")),
    Signal(_set("infinite endless"), then=_set("loop loops recursion")),
    Signal(_set("leak leaks leaked leaking flaky broken broke")),
    Signal(_set("breaks"), not_after=_set("line page word section")),
    Signal(
        _set("regression regressions"),
        not_next=_set("test tests suite model models"),
        not_after=_set("linear logistic"),
    ),
    Signal(_set("times timed timing"), then=_set("out")),
    Signal(
        _set("timeout timeouts"),
        beside=_set("see seeing get getting got hit hitting intermittent random sporadic why"),
    ),
    Signal(
        _set("400 401 403 404 422 429 500 502 503 504"),
        beside=_set("get gets got getting returns returning"),
        not_next=_set("rows users items ms lines records results requests per"),
        not_beside=_WISHED - _set("when"),
    ),
    Signal(
        _set("doesnt didnt wont cant cannot isnt arent stops stopped"),
        then=_WORKING,
    ),
    # What is asked for is no complaint: "do not work on this file".
    Signal(_set("not"), then=_WORKING, not_after=_set("do must should shall may please to or and")),
    Signal(_set("nothing"), then=_set("works worked happens happened loads shows")),
    Signal(_set("shows returns prints displays"), then=_set("nothing")),
    Signal(
        _set("wrong"),
        beside=_set(
            "what whats went goes going something since numbers output result results has have had "
            "returns shows prints gives displays picks uses gets"
        ),
    ),
    Signal(
        _set("empty missing blank twice duplicated stale ignored slow slower"), beside=_set("why")
    ),
    Signal(
        _set("unexpected weird strange odd"),
        then=_set("behaviour behavior output result results token end value"),
    ),
    Signal(_set("cause causes"), beside=_set("root find finding found identify track")),
    Signal(_set("track tracks tracking tracked"), beside=_set("down")),
    Signal(_set("figure figured figuring"), then=_set("out"), beside=_set("why")),
    Signal(
        _set("investigate investigates investigated investigating"),
        beside=_set("why cause issue problem log logs"),
    ),
    Signal(
        _set("reproduce reproduces reproduced reproducing repro"),
        beside=_set("issue problem it here locally steps"),
    ),
    Signal(
        _set("issue issues problem problems"),
        beside=_set("having hit hitting weird strange intermittent"),
    ),
    # German, French, Spanish, Italian, Portuguese and Russian.
    Signal(_set("fehler fehlermeldung fehlermeldungen fehlgeschlagen fehlschlägt kaputt defekt")),
    Signal(_set("absturz abstürze abgestürzt stürzt hängt"), not_next=_set("von mit")),
    Signal(_set("schlägt schlagen"), beside=_set("fehl")),
    Signal(_set("funktioniert geht läuft startet"), then=_set("nicht nichts")),
    Signal(_set("erreur erreurs plante plantage bogue échec échoue")),
    Signal(_set("marche fonctionne démarre"), then=_set("pas plus")),
    Signal(_set("errores fallo fallos falla fallan errore errori erro erros falha falhas")),
    Signal(_set("no non não"), then=_set("funciona funzionano funziona arranca parte compila")),
    Signal(_set("ошибка ошибки ошибку ошибке ошибок падает")),
)
