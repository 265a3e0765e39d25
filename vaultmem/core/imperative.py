"""Which English words can stand as an order: "run", but not "runs", "ran" or "mind"."""

from __future__ import annotations


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_NO_ORDER = _set(
    "a about again all an and any are as at bad because been before best better but by came "
    "can could cool dull did does done easy else ever even felt first for found from fun gave "
    "going gone good got great had happened happy hard has he heard her here his how "
    "i if in is it its just kept knew know last late like lost made me mind mine more most much my "
    "near never next nice no none not null of off ok on one only or our out over past please quite "
    "ran really right said same saw see seem seemed seen she should slow so some soon still such "
    "sure than that the their them then there these they this those thought to told too took true "
    "false two under understood until up us very was we went were what when where which while who "
    "why will with without worked worried would wrong wrote written yet you your broke broken "
    "always though tho token sent won lol haha gonna wanna gotta i'm it's end ended "
    "ends funny annoying weird available possible necessary needed required welcome glad"
)
"""Words after "always" or "never" that make no order of it: "never mind", "always good to see"."""

_STEMS_IN_S = _set("alias bias canvas focus bus cas")
_STEMS_IN_ED = _set("embed feed need seed speed shed proceed exceed succeed bleed breed weed shred")
_STEMS_IN_ING = _set("bring ping ring sing spring sting string swing fling cling wring")

COMMON_ORDERS = _set(
    "abstract accept access add address adhere alias align allow announce annotate answer append "
    "apply approve archive ask assert assign assume attach audit await back backport base batch "
    "be begin benchmark bind block branch break build bump bundle bypass cache call cancel cap "
    "capitalize catch change check choose cite clean clear clone close coerce collapse comment "
    "commit compare compile compress compute configure confirm consult convert copy cover create "
    "cut deduplicate declare deduct default define delete deploy deprecate derive describe "
    "destructure disable discuss document download drop dump duplicate echo edit embed emit empty "
    "enable encode encrypt enforce ensure escape evaluate exclude execute exit expand explain "
    "export expose extend extract fail favor favour fetch file fill filter finish fix flag flatten "
    "follow force fork format gate generate get give go group guard guess handle hardcode hash "
    "help hide hoist ignore implement import include increment indent inherit init inject inline "
    "install instrument interpolate invent invoke isolate iterate join keep kill label launch "
    "leave limit link lint list load localize lock log look lower lowercase maintain make map "
    "mark match measure memoize mention merge migrate minify mix mock modify monkeypatch mount "
    "move mutate name namespace nest normalise normalize notify omit open optimise optimize order "
    "output "
    "overload override overwrite pack parametrize parse pass paste patch persist pick pin place "
    "plan point poll post prefer prefix preserve print profile propagate protect prove provide "
    "publish pull push put query quote raise randomize rate read rebase rebuild record redact "
    "redirect redeploy reduce refactor refer reference reformat refresh regenerate register reject "
    "release reload rely remember remind remove rename render reopen reorder repeat replace reply "
    "report reproduce request require reserve reset resolve respect respond restart restore retain "
    "retry return reuse revert review rewrite rotate round run sanitize save scan schedule scope "
    "seed select send separate serialize serve set shadow share ship show sign silence simplify "
    "skip sort speak split squash stack stage start state step stick stop store stream strip stub "
    "style submit suggest summarise summarize support suppress swallow switch symlink sync tag "
    "talk tell template terminate test think throw tidy time touch track transform translate treat "
    "trim truncate trust try turn type uninstall unwrap update upgrade upload use validate verify "
    "version vendor wait walk warn watch wire work wrap write yield"
)
"""Verbs with which developers begin an order to an agent."""


def can_be_order(word: str) -> bool:
    """Whether a lower-case word may be a verb in its base form, told by its ending."""
    if word in COMMON_ORDERS:
        return True
    if word in _NO_ORDER or not word[:1].isalpha():
        return False
    if word.endswith("s"):
        return word.endswith("ss") or word in _STEMS_IN_S
    if word.endswith("ed"):
        return word in _STEMS_IN_ED
    if word.endswith("ing"):
        return word in _STEMS_IN_ING
    return not word.endswith(("n't", "'s", "'re", "'ve", "'m"))
