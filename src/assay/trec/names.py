"""trec_eval's names: its 57 measures in order, their parameters, assay's measure for each."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.measures.measure import Measure
from assay.trec.errors import TrecError
from assay.trec.numbers import atof, atol, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["ENTRIES", "NICKNAMES", "Column", "Entry", "Requested"]

CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
ELEVEN = tuple(tenth / 10 for tenth in range(11))
MULTIPLES = tuple(fifth / 5 for fifth in range(1, 11))
EVERYTHING = 1 << 31
FAMILIES = (  # those that the measures below come from: no need to load the others
    "average_precision",
    "counts",
    "cumulated_gain",
    "interpolated",
    "precision",
    "preference",
    "reciprocal_rank",
    "sets",
    "trec_gain",
    "trec_precision",
    "trec_preferences",
)
for _family in FAMILIES:
    import_module(f"assay.measures.{_family}")
LETTERS = {
    "O": "official",
    "S": "set",
    "T": "all_trec",
    "A": "all_prefs",
    "P": "prefs",
    "J": "qrels_jg",
}


@dataclass(frozen=True)
class Entry:
    """One of trec_eval's measures."""

    name: str
    nicknames: str  # letters of `LETTERS`
    measure: str = ""  # assay's name; none for what is no measure
    average: str = "mean"  # or sum, geometric, none
    reads: str = "qrels"  # or qrels_jg, prefs, any
    takes: str = ""  # cutoffs, levels, numbers, pairs
    default: tuple[float, ...] = ()
    graded: bool = False  # works on gains, whatever -l says
    parameter: str = ""  # which parameter of assay's measure a number sets
    settings: tuple[tuple[str, Any], ...] = ()
    rows: str = ""  # preferences: what makes a list, and which of them count
    since: int = 9


def _prefs(name: str, letters: str, measure: str, rows: str, among: str, **more: Any) -> Entry:
    settings = () if among == "all" else (("among", among),)
    return Entry(name, letters, measure, reads="prefs", rows=rows, settings=settings, **more)


_EVERY = "OSTAPJ"
ENTRIES: tuple[Entry, ...] = (
    Entry("runid", _EVERY, average="none", reads="any"),
    Entry("num_q", _EVERY, average="sum", reads="any"),
    Entry("num_ret", "OST", "NumRet", "sum"),
    Entry("num_rel", "OST", "NumRel", "sum"),
    Entry("num_rel_ret", "OST", "NumRelRet", "sum"),
    Entry("map", "OT", "AP"),
    Entry("gm_map", "OT", "AP", "geometric"),
    Entry("Rprec", "OT", "Rprec"),
    Entry("bpref", "OT", "Bpref"),
    Entry("recip_rank", "OT", "RR"),
    Entry("iprec_at_recall", "OT", "IPrec", takes="levels", default=ELEVEN),
    Entry("P", "OT", "P", takes="cutoffs", default=CUTOFFS),
    Entry("relstring", "T", average="none", takes="numbers", default=(10,)),
    Entry("recall", "T", "R", takes="cutoffs", default=CUTOFFS),
    Entry("infAP", "T", "infAP"),
    Entry("gm_bpref", "T", "Bpref", "geometric"),
    Entry("Rprec_mult", "T", "RprecMult", takes="levels", default=MULTIPLES, parameter="x"),
    Entry("utility", "ST", "Utility", takes="numbers", default=(1, -1, 0, 0)),
    Entry("11pt_avg", "T", "MeanIPrec", takes="numbers", default=ELEVEN),
    Entry("binG", "T", "BinG"),
    Entry("G", "T", "G", takes="pairs", graded=True),
    Entry("dcg", "", "DCG", takes="pairs", graded=True, since=10),
    Entry("ideal_dcg", "", "IdealDCG", takes="pairs", graded=True, since=10),
    Entry("ndcg", "T", "nDCG", takes="pairs", graded=True),
    Entry("ndcg_rel", "T", "nDCGrel", takes="pairs", graded=True),
    Entry("Rndcg", "T", "RnDCG", takes="pairs", graded=True),
    Entry("ndcg_cut", "T", "nDCG", takes="cutoffs", default=CUTOFFS, graded=True),
    Entry("map_cut", "T", "AP", takes="cutoffs", default=CUTOFFS),
    Entry("relative_P", "T", "RelP", takes="cutoffs", default=CUTOFFS),
    Entry("success", "T", "Success", takes="cutoffs", default=(1, 5, 10)),
    Entry("set_P", "ST", "SetP"),
    Entry("set_relative_P", "ST", "SetP", settings=(("relative", True),)),
    Entry("set_recall", "ST", "SetR"),
    Entry("set_map", "ST", "SetAP"),
    Entry("set_F", "ST", "SetFx", takes="numbers", default=(1,), parameter="x"),
    Entry("num_nonrel_judged_ret", "T", "NumNonrelRet", "sum"),
    _prefs("prefs_num_prefs_poss", "AP", "NumPref", "topic", "all", average="sum"),
    _prefs("prefs_num_prefs_ful", "AP", "NumPrefOk", "topic", "all", average="sum"),
    _prefs("prefs_num_prefs_ful_ret", "AP", "NumPrefOk", "topic", "retrieved", average="sum"),
    _prefs("prefs_simp", "AP", "PrefSimp", "topic", "all"),
    _prefs("prefs_pair", "AP", "PrefPair", "pair", "all"),
    _prefs("prefs_avgjg", "AP", "PrefSimp", "group", "all"),
    _prefs("prefs_avgjg_Rnonrel", "A", "PrefSimp", "resized", "all"),
    _prefs("prefs_simp_ret", "A", "PrefSimp", "topic", "retrieved"),
    _prefs("prefs_pair_ret", "A", "PrefPair", "pair", "retrieved"),
    _prefs("prefs_avgjg_ret", "A", "PrefSimp", "group", "retrieved"),
    _prefs("prefs_avgjg_Rnonrel_ret", "A", "PrefSimp", "resized retrieved", "all"),
    _prefs("prefs_simp_imp", "A", "PrefSimp", "topic", "implied"),
    _prefs("prefs_pair_imp", "A", "PrefPair", "pair", "implied"),
    _prefs("prefs_avgjg_imp", "A", "PrefSimp", "group", "implied"),
    Entry("map_avgjg", "J", "AP", reads="qrels_jg"),
    Entry("P_avgjg", "J", "P", reads="qrels_jg", takes="cutoffs", default=CUTOFFS),
    Entry(
        "Rprec_mult_avgjg",
        "J",
        "RprecMult",
        reads="qrels_jg",
        takes="levels",
        default=MULTIPLES,
        parameter="x",
    ),
    Entry("yaap", "", "YAAP"),
    Entry("rbp", "T", "TopicRBP", takes="pairs", graded=True, since=10),
    Entry("rbp_resid", "T", "RBPResidual", takes="pairs", graded=True, since=10),
    Entry("unj", "T", "Unjudged", takes="cutoffs", default=(5, 10, 20), since=10),
)
_BY_NAME = {entry.name: entry for entry in ENTRIES}
NICKNAMES = {
    nickname: tuple(entry.name for entry in ENTRIES if letter in entry.nicknames)
    for letter, nickname in LETTERS.items()
}


@dataclass(frozen=True)
class Column:
    """One value that is printed for a topic, for the summary, or for both."""

    name: str  # as printed
    entry: Entry
    measure: Measure | None = None
    gains: tuple[tuple[int, float], ...] = ()  # level and gain, as the command line sets them
    depth: int = 0  # of relstring


@dataclass
class Requested:
    """The measures that a command line asks for."""

    ver: int = 10
    names: set[str] = field(default_factory=set)
    parameters: dict[str, str] = field(default_factory=dict)  # the first given with each name

    def add(self, text: str) -> None:
        """Take one `-m`: a name or nickname, and parameters after the first full stop."""
        name, dot, parameters = text.partition(".")
        if dot and not parameters:
            raise TrecError(
                1,
                f"trec_eval: improper measure in parameter '{name}'",
                f"trec_eval: illegal measure '{name}'",
            )
        members = NICKNAMES.get(name, (name,) if name in _BY_NAME else ())
        members = tuple(one for one in members if _BY_NAME[one].since <= self.ver)
        if not members:
            raise TrecError(1, f"trec_eval: illegal measure '{name}'")
        self.names.update(members)
        if dot:
            self.parameters.setdefault(name, parameters)

    def entries(self) -> list[Entry]:
        """What is asked for, in trec_eval's order; without a word, what `official` names."""
        names = self.names or NICKNAMES["official"]
        return [entry for entry in ENTRIES if entry.name in names and entry.since <= self.ver]

    def columns(self, level: int = 1, collection: int = 0) -> list[Column]:
        """Every value to be printed; the first parameter that is wrong stops everything."""
        return [
            column
            for entry in self.entries()
            for column in self._columns(entry, max(1, level), collection)
        ]

    def _columns(self, entry: Entry, level: int, collection: int) -> Iterator[Column]:
        text = self.parameters.get(entry.name) if entry.takes else None
        if entry.takes in ("cutoffs", "levels"):
            for x in _ascending(entry, text):
                short = f"{entry.name}_{int(x)}" if entry.takes == "cutoffs" else _short(entry, x)
                yield Column(short, entry, self._measure(entry, level, x))
            return
        name = entry.name if text is None else f"{entry.name}_{text}"
        if entry.takes == "pairs":
            pairs = _pairs(entry, text)
            persistence = [value for key, value in pairs if key == "p"]
            settings = {"p": persistence[-1]} if persistence else {}
            gains = tuple((atol(key), gain) for key, gain in pairs if self.ver == 9 or whole(key))
            yield Column(name, entry, self._measure(entry, level, **settings), gains)
        elif entry.takes == "numbers":
            numbers = [atof(part) for part in text.split(",")] if text else list(entry.default)
            yield self._numbered(entry, name, level, numbers, collection)
        else:
            yield Column(name, entry, self._measure(entry, level))

    def _numbered(
        self, entry: Entry, name: str, level: int, numbers: list[float], collection: int
    ) -> Column:
        if entry.name == "relstring":
            return Column(name, entry, depth=int(numbers[0]) if 0 < numbers[0] < EVERYTHING else 0)
        if entry.name == "11pt_avg":
            levels = ",".join(map(repr, numbers))
            return Column(name, entry, self._measure(entry, level, levels=levels))
        if entry.name == "set_F":
            return Column(name, entry, self._measure(entry, level, numbers[0]))
        if len(numbers) != len(entry.default):
            return Column(name, entry)  # an error, but only where the first topic is evaluated
        weights = dict(zip("abcd", numbers, strict=True))
        return Column(name, entry, self._measure(entry, level, **weights, N=collection))

    def _measure(
        self, entry: Entry, level: int, x: float | None = None, **settings: Any
    ) -> Measure | None:
        """Assay's measure; whatever trec_eval accepts as a parameter is let through unchecked."""
        if not entry.measure:
            return None
        measure = Measure(entry.measure)
        definition = measure.definition
        given = dict(entry.settings) | settings
        if x is not None and entry.parameter:
            given[entry.parameter] = x
        if "rel" in definition.parameters and not entry.graded and entry.name != "num_ret":
            given["rel"] = level
        if "cut" in definition.parameters:
            given["cut"] = "round" if self.ver >= 10 else "9"
        chosen = tuple(
            (key, given[key])
            for key in definition.parameters
            if key in given and given[key] != definition.defaults.get(key)
        )
        return Measure(entry.measure, chosen, None if entry.parameter else x)


def _ascending(entry: Entry, text: str | None) -> list[float]:
    """Cut-offs or levels, each once."""
    if text is None:
        return list(entry.default)
    read: Callable[[str], float] = atol if entry.takes == "cutoffs" else atof
    found = sorted(map(read, text.split(",")))
    if entry.takes == "cutoffs" and found[0] <= 0:
        raise _refused(entry, "trec_eval: Negative cutoff detected")
    if len(set(found)) < len(found):
        raise _refused(entry, "trec_eval: duplicate cutoffs detected")
    return found


def _short(entry: Entry, x: float) -> str:
    """The name with its level: trec_eval has room for eight characters behind the underscore."""
    return f"{entry.name}_{x:3.2f}"[: len(entry.name) + 9]


def _pairs(entry: Entry, text: str | None) -> list[tuple[str, float]]:
    """`name=number` pairs."""
    if text is None:
        return []
    marks = "".join(c for c in text if c in ",=")
    if not re.fullmatch("=(,=)*", marks):
        raise _refused(entry, f"trec_eval: malformed pair parameters in '{text}'")
    return [
        (key, atof(value)) for key, _, value in (part.partition("=") for part in text.split(","))
    ]


def _refused(entry: Entry, why: str) -> TrecError:
    return TrecError(2, why, f"trec_eval: Cannot initialize measure '{entry.name}'")
