"""How far judges agree on documents: sizes, overlap, kappas, alpha, confusion, leniency.

Everything is a function of counts by topic, so intervals leave topics out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.errors import AssayError
from assay.judges.contingency import (
    SIGNED,
    UNIT,
    alpha,
    bias,
    coincidences,
    confusion,
    consistency,
    fleiss,
    gwet,
    kappa,
    negative_agreement,
    over,
    overlap,
    positive_agreement,
    prevalence,
    sizes,
)
from assay.judges.jackknife import Estimate, mean_of, of_sums
from assay.judges.tabular import Array, Tabular, listed
from assay.pictured import Pictured

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["LEVELS", "Agreement", "Frame", "Leniency", "PairAgreement", "agreement", "agreement_of"]

LEVELS = 20  # most levels that a scale may have to be taken as categories
BINARY = np.array([0.0, 1.0])  # relevant or not


# --------------------------------------------------------------------------------------- the study


@dataclass(frozen=True)
class PairAgreement:
    """Two judges: counts by topic and every coefficient over pairs and as a mean over topics."""

    first: str
    second: str
    binary: Array  # [topic, 2, 2]
    graded: Array | None  # [topic, K, K]
    levels: tuple[float, ...]
    micro: dict[str, Estimate]
    macro: dict[str, Estimate]


@dataclass(frozen=True)
class Leniency:
    """One judge beside the others: how freely he calls documents relevant, how far they agree."""

    judge: str
    judged: int
    relevant: int
    common_share: float  # of the pairs that all judges judged
    mean_grade: float  # over the same pairs
    bias: Estimate  # mean over the other judges of (own - theirs) / N
    overlap: Estimate  # mean over the other judges of D / C
    kappa: Estimate  # and of kappa


@dataclass(frozen=True)
class Agreement(Pictured):
    """What judges agree on, overall, by topic, by judge."""

    judges: tuple[str, ...]
    topics: tuple[str, ...]
    groups: Mapping[str, tuple[str, ...]]  # the group of each topic, by the name of the grouping
    pairs: tuple[PairAgreement, ...]
    fleiss: dict[str, Estimate]
    alpha: dict[str, Estimate]
    leniency: tuple[Leniency, ...]
    rel: tuple[float, ...]
    universe: int | None
    notes: tuple[str, ...] = ()

    def verdict(self) -> str:
        """One or two sentences."""
        one = self.pairs[0]
        share, k = one.micro["overlap"], one.micro["kappa"]
        if all(math.isnan(pair.micro["overlap"].value) for pair in self.pairs):
            return self._nothing()
        if len(self.pairs) == 1:
            text = (
                f"{one.first} and {one.second} share {share.value:.0%} of the documents that "
                "either calls relevant"
            )
            text += f", kappa {k}." if not math.isnan(k.value) else "."
        else:
            among = {pair.first for pair in self.pairs}
            who = f"{one.first} and each other judge" if len(among) == 1 else "Two judges"
            shares, kappas = (
                [pair.micro[name].value for pair in self.pairs] for name in ("overlap", "kappa")
            )
            text = (
                f"{who} share {_span(shares, '.0%')} of the documents that either calls relevant, "
                f"kappa {_span(kappas, '.2f')} ({len(self.pairs)} pairs of judges)."
            )
        most = max(self.leniency, key=lambda each: each.bias.value, default=None)
        if most is not None and most.bias.low > 0:
            rest = "the other judges on average" if len(self.judges) > 2 else "the other"
            points = f"{100 * most.bias.value:.2g}"
            more = f"{points} percentage point{'s' * (points != '1')}"
            text += f" {most.judge} is the freest, with {more} more relevant documents than {rest}."
        return text

    def _nothing(self) -> str:
        """What to say where there is nothing relevant that two judges judged."""
        judged = any(np.nansum(pair.binary) > 0 for pair in self.pairs)
        if len(self.judges) == 2:
            who = " and ".join(self.judges)
            lack = "no document is relevant to either" if judged else "no document in common"
            return f"{who} judged {f'the same documents, and {lack}' if judged else lack}."
        if judged:
            return "No document that two judges judged is relevant to either."
        return "No two judges judged a document in common."

    def table(self) -> object:
        """Tables that print themselves."""
        from assay.judges.tabular import page

        return page(self, "agreement", "kappa", "judges", "leniency")

    def tabulars(self) -> tuple[Tabular, ...]:
        """Every table as data."""
        return (
            self._sizes(),
            self._kappas(),
            *([self._several()] if self.fleiss else []),
            *([self._leniency()] if self.leniency else []),
            self._by_topic(),
            *([self._by_group()] if self.groups else []),
            *self._confusions(),
        )

    def _sizes(self) -> Tabular:
        rows = []
        for pair in self.pairs:
            A, B, C, D, N = (float(x) for x in sizes(pair.binary.sum(axis=0)))
            share, mean = pair.micro["overlap"], pair.macro["overlap"]
            rows.append(
                (
                    pair.first,
                    pair.second,
                    *map(_count, (A, B, C, D, N)),
                    share.value,
                    share.low,
                    share.high,
                    mean.value,
                    pair.micro["consistency"].value,
                    pair.macro["consistency"].value,
                )
            )
        heads: tuple[str, ...] = ("first", "second", "A", "B", "C", "D", "N", "D/C", "low", "high")
        heads += ("mean D/C", "D/sqrt(AB)", "mean D/sqrt(AB)")
        note = f"relevant: grade of at least {_rels(self.rel)}; C either judge, D both"
        return Tabular("agreement", "agreement", heads, tuple(rows), (note,))

    def _kappas(self) -> Tabular:
        names: tuple[str, ...] = (
            "kappa",
            "linear",
            "quadratic",
            "prevalence",
            "bias",
            "positive",
            "negative",
            "AC1",
            "AC2",
        )
        heads: tuple[str, ...] = (
            "first",
            "second",
            "kappa",
            "low",
            "high",
            "mean kappa",
            *names[1:],
        )
        rows = tuple(
            (
                pair.first,
                pair.second,
                pair.micro["kappa"].value,
                pair.micro["kappa"].low,
                pair.micro["kappa"].high,
                pair.macro["kappa"].value,
                *(pair.micro[name].value for name in names[1:]),
            )
            for pair in self.pairs
        )
        where = (
            "pairs judged by both"
            if self.universe is None
            else f"{self.universe} documents a topic"
        )
        note = (
            f"over {where}; linear, quadratic and AC2 over the grades, the rest relevant or not; "
        )
        note += "intervals leave out topics"
        return Tabular("kappa", "kappa", heads, rows, (note,))

    def _several(self) -> Tabular:
        found = [*self.fleiss.items(), *self.alpha.items()]
        rows = tuple((name, each.value, each.low, each.high) for name, each in found)
        return Tabular("judges", "all judges", ("coefficient", "value", "low", "high"), rows)

    def _leniency(self) -> Tabular:
        heads: tuple[str, ...] = ("judge", "judged", "relevant", "share of common", "mean grade")
        heads += ("bias", "low", "high", "D/C", "kappa")
        rows = tuple(
            (
                e.judge,
                e.judged,
                e.relevant,
                e.common_share,
                e.mean_grade,
                *(e.bias.value, e.bias.low, e.bias.high, e.overlap.value, e.kappa.value),
            )
            for e in self.leniency
        )
        note = (
            "bias: own relevant less another judge's, as a share of what both judged; bias, D/C "
            "and kappa are means over the other judges"
        )
        return Tabular("leniency", "each judge", heads, rows, (note,))

    def _by_topic(self) -> Tabular:
        rows = []
        for pair in self.pairs:
            A, B, C, D, _ = sizes(pair.binary)
            share, same, k = overlap(pair.binary), consistency(pair.binary), kappa(pair.binary)
            for t, topic in enumerate(self.topics):
                group = tuple(of[t] for of in self.groups.values())
                cells = (_count(A[t]), _count(B[t]), _count(C[t]), _count(D[t]))
                rows.append(
                    (
                        topic,
                        *group,
                        pair.first,
                        pair.second,
                        *cells,
                        float(share[t]),
                        float(same[t]),
                        float(k[t]),
                    )
                )
        heads: tuple[str, ...] = ("topic", *self.groups, "first", "second", "A", "B", "C", "D")
        return Tabular("topics", "by topic", (*heads, "D/C", "D/sqrt(AB)", "kappa"), tuple(rows))

    def _by_group(self) -> Tabular:
        rows = []
        for pair in self.pairs:
            for grouping, of in self.groups.items():
                named = np.asarray(of)
                rows += [
                    (grouping, name, *_group_row(pair, named == name)) for name in dict.fromkeys(of)
                ]
                means = [row[-4] for row in rows[-len(set(of)) :]]
                last = _group_row(pair, np.ones(len(of), dtype=bool))
                rows.append((grouping, "all", *last[:-4], float(np.nanmean(means)), *last[-3:]))
        heads: tuple[str, ...] = (
            "grouping",
            "group",
            "first",
            "second",
            "topics",
            "A",
            "B",
            "C",
            "D",
            "mean D/C",
        )
        heads += ("mean D/sqrt(AB)", "mean D/A", "mean D/B")
        note = "means over topics; in the rows `all` D/C is the mean of the groups' means"
        note += (
            "; D/A and D/B, recall and precision of the second judge by the first, are 0 where D "
            "is, and leave out topics on which A is"
        )
        return Tabular("groups", "by topic group", heads, tuple(rows), (note,))

    def _confusions(self) -> tuple[Tabular, ...]:
        rows: list[tuple[str | float | int, ...]] = []
        for pair in self.pairs:
            if pair.graded is None:
                table, levels = pair.binary.sum(axis=0), tuple(map(float, BINARY))
                if np.isnan(table).any():
                    continue
            else:
                table, levels = pair.graded.sum(axis=0), pair.levels
            by_row, by_column = table.sum(axis=1), table.sum(axis=0)
            for i, a in enumerate(levels):
                for j, b in enumerate(levels):
                    n = float(table[i, j])
                    rows.append(
                        (
                            pair.first,
                            pair.second,
                            a,
                            b,
                            int(n),
                            100 * n / by_row[i] if by_row[i] else math.nan,
                            100 * n / by_column[j] if by_column[j] else math.nan,
                        )
                    )
        if not rows:
            return ()
        heads: tuple[str, ...] = (
            "first",
            "second",
            "grade by first",
            "grade by second",
            "pairs",
            "% of row",
        )
        note = "rows: the first judge's grades, columns: the second's"
        return (Tabular("confusion", "confusion", (*heads, "% of column"), tuple(rows), (note,)),)


def _group_row(pair: PairAgreement, inside: Array) -> tuple[Any, ...]:
    """One group's counts, and its means of D/C, D/sqrt(AB), D/A and D/B over topics."""
    table = pair.binary[inside]
    A, B, C, D, _ = sizes(table)
    shares = [
        overlap(table),
        consistency(table),
        *(np.where(A == 0, np.nan, D / np.maximum(x, 1)) for x in (A, B)),
    ]
    means = (mean_of(np.asarray(share)).value for share in shares)
    total = (_count(float(x.sum())) for x in (A, B, C, D))
    return (pair.first, pair.second, int(inside.sum()), *total, *means)


def _count(x: float) -> int | float:
    return math.nan if math.isnan(x) else int(x)


def _span(values: list[float], form: str) -> str:
    """The smallest and the largest value."""
    known = [value for value in values if not math.isnan(value)] or [math.nan]
    return f"{min(known):{form}} to {max(known):{form}}"


def _rels(rel: tuple[float, ...]) -> str:
    return " / ".join(f"{each:g}" for each in dict.fromkeys(rel))


def agreement(
    grade: Array,
    topic: Array,
    *,
    judges: tuple[str, ...],
    topics: tuple[str, ...],
    rel: tuple[float, ...],
    groups: Mapping[str, tuple[str, ...]] | None = None,
    universe: int | None = None,
    pairs: tuple[tuple[int, int], ...] | None = None,
) -> Agreement:
    """Compare judges on grade[judge, pair], NaN where not judged; `rel`: thresholds.

    `universe`: documents in question for each topic. Those that a judge of the topic did not judge
    are not relevant to him.
    """
    notes = _one_sided(grade, judges, rel)
    T = len(topics)
    judged = (~np.isnan(grade)).sum(axis=1)
    grade, frame = framed(grade, topic, topics, universe)
    relevant = np.where(np.isnan(grade), np.nan, grade >= np.asarray(rel)[:, None])
    chosen = pairs or tuple((i, j) for i in range(len(judges)) for j in range(i + 1, len(judges)))
    found, fine = [], []
    for i, j in chosen:
        more = frame.between(i, j)
        binary = confusion(relevant[i], relevant[j], topic, T, BINARY)
        binary[:, 0, 0] += more
        graded, levels = _graded(grade[i], grade[j], topic, T, zero=universe is not None)
        if len(levels) > LEVELS:
            fine += [judges[i], judges[j]] if len(chosen) == 1 else [judges[j]]
        if graded is not None and universe is not None:
            zero = int(np.searchsorted(levels, 0.0))
            graded[:, zero, zero] += more
        found.append(_pair(judges[i], judges[j], binary, graded, levels))
    if fine:
        named = listed(list(dict.fromkeys(fine)))
        notes.append(f"pairs with more than {LEVELS} levels compared as relevant or not: {named}")
    if universe is not None and not frame.has.all():
        notes.append("topics that a judge did not judge at all are left out for that judge")
    many: dict[str, Estimate] = {}
    alphas: dict[str, Estimate] = {}
    if len(judges) > 1:
        every, votes = frame.all_judges, frame.votes
        many["Fleiss's kappa, relevant or not"] = fleiss(relevant, topic, T, BINARY, every)
        counts = coincidences(relevant, topic, T, BINARY, votes)
        alphas["alpha, relevant or not"] = of_sums(lambda x: alpha(x, BINARY), counts, SIGNED)
        levels = _levels(grade, zero=universe is not None)
        if 2 < len(levels) <= LEVELS:
            many["Fleiss's kappa, grades"] = fleiss(grade, topic, T, levels, every)
            counts = coincidences(grade, topic, T, levels, votes)
            for kind in ("nominal", "ordinal", "interval"):
                alphas[f"alpha, grades, {kind}"] = of_sums(_alpha(levels, kind), counts, SIGNED)
    return Agreement(
        judges,
        topics,
        groups or {},
        tuple(found),
        many,
        alphas,
        _leniencies(grade, relevant, judged, topic, judges, frame),
        rel,
        universe,
        tuple(notes),
    )


def _one_sided(grade: Array, judges: tuple[str, ...], rel: tuple[float, ...]) -> list[str]:
    """Judges to whom nothing is relevant, or everything: most likely of another scale."""
    found: dict[tuple[str, float], list[str]] = {}
    spans = {}
    for judge, row, least in zip(judges, grade, rel, strict=True):
        low, high = float(np.nanmin(row)), float(np.nanmax(row))
        spans[judge] = f"{low:g} to {high:g}"
        if high < least or low >= least:
            what = "nothing" if high < least else "everything"
            found.setdefault((what, least), []).append(judge)
    said = []
    for (what, least), these in found.items():
        one = these[0]
        if len(these) == 1:
            where = f"its grades run from {spans[one]}; name its threshold, --rel {one}=GRADE,"
        else:
            where = "their grades run from " + listed([f"{j} {spans[j]}" for j in these], 4)
            where += "; name their thresholds, --rel NAME=GRADE,"
        who = one if len(these) == 1 else f"{len(these)} judges"
        said.append(
            f"to {who} {what} is relevant from grade {least:g} on: {where} or bring it to the "
            "scale with --map"
        )
    return said


@dataclass(frozen=True)
class Frame:
    """Documents beyond the judged pairs, all of them not relevant; none without a universe."""

    has: Array  # [judge, topic] who judged the topic
    beyond: Array  # [topic] documents that nobody judged

    def between(self, i: int, j: int) -> Array:
        """Those of the topics that both judged, [topic]."""
        return np.asarray(self.beyond * (self.has[i] & self.has[j]))

    @property
    def all_judges(self) -> Array | None:
        """Those of the topics that all judged, [topic]."""
        return self.beyond * self.has.all(axis=0) if self.beyond.any() else None

    @property
    def votes(self) -> Array | None:
        """Their grades of 0, of all judges, where there are two or more."""
        count = self.has.sum(axis=0)
        return self.beyond * np.where(count > 1, count, 0) if self.beyond.any() else None


def framed(
    grade: Array, topic: Array, topics: tuple[str, ...], universe: int | None
) -> tuple[Array, Frame]:
    """Grades with 0 where a judge of the topic is silent, if there is a universe; its frame."""
    known = ~np.isnan(grade)
    has = np.stack([np.bincount(topic[row], minlength=len(topics)) > 0 for row in known])
    if universe is None:
        return grade, Frame(has, np.zeros(len(topics)))
    size = np.bincount(topic[known.any(axis=0)], minlength=len(topics))
    if (size > universe).any():
        t = int(np.argmax(size))
        raise AssayError(
            f"universe={universe}: topic {topics[t]!r} has {size[t]} judged documents; a universe "
            "counts all documents of the collection"
        )
    return np.where(~known & has[:, topic], 0.0, grade), Frame(has, (universe - size) * 1.0)


def _alpha(levels: Array, kind: str) -> Callable[[Array], Array]:
    return lambda table: alpha(table, levels, kind)


def _levels(grade: Array, *, zero: bool) -> Array:
    """The grades in use, and 0 where documents that nobody judged have it."""
    return np.unique(np.append(grade[~np.isnan(grade)], [0.0] if zero else []))


def _graded(a: Array, b: Array, topic: Array, T: int, *, zero: bool) -> tuple[Array | None, Array]:
    both = ~np.isnan(a) & ~np.isnan(b)
    levels = _levels(np.concatenate([a[both], b[both]]), zero=zero)
    if not 1 < len(levels) <= LEVELS:
        return None, levels
    return confusion(a, b, topic, T, levels), levels


_BINARY: dict[str, tuple[Callable[[Array], Array], tuple[float, float]]] = {
    "overlap": (overlap, UNIT),
    "consistency": (consistency, UNIT),
    "kappa": (kappa, SIGNED),
    "prevalence": (prevalence, SIGNED),
    "bias": (bias, SIGNED),
    "positive": (positive_agreement, UNIT),
    "negative": (negative_agreement, UNIT),
    "AC1": (gwet, SIGNED),
}


def _pair(
    first: str, second: str, binary: Array, graded: Array | None, levels: Array
) -> PairAgreement:
    micro, macro = {}, {}
    for name, (function, bounds) in _BINARY.items():
        micro[name] = of_sums(function, binary, bounds)
        macro[name] = mean_of(np.asarray(function(binary)), bounds)
    weighted: dict[str, Callable[[Array], Array]] = {
        "nominal": lambda table: kappa(table, levels),
        "linear": lambda table: kappa(table, levels, "linear"),
        "quadratic": lambda table: kappa(table, levels, "quadratic"),
        "AC2": lambda table: gwet(table, levels, "quadratic"),
    }
    for name, function in weighted.items():
        if graded is None:
            micro[name] = macro[name] = Estimate(math.nan)
        else:
            micro[name] = of_sums(function, graded, SIGNED)
            macro[name] = mean_of(np.asarray(function(graded)), SIGNED)
    return PairAgreement(first, second, binary, graded, tuple(map(float, levels)), micro, macro)


def _leniencies(
    grade: Array,
    relevant: Array,
    judged: Array,
    topic: Array,
    judges: tuple[str, ...],
    frame: Frame,
) -> tuple[Leniency, ...]:
    """Each judge beside all others, from one table for each ordered pair."""
    J, T = len(judges), frame.has.shape[1]
    tables = np.zeros((J, J, T, 2, 2))
    for i in range(J):
        for j in range(i + 1, J):
            tables[i, j] = confusion(relevant[i], relevant[j], topic, T, BINARY)
            tables[i, j, :, 0, 0] += frame.between(i, j)
            tables[j, i] = tables[i, j].swapaxes(-1, -2)
    full = ~np.isnan(grade).any(axis=0)
    common = full.sum() + (frame.beyond * frame.has.all(axis=0)).sum()
    out = []
    for j, judge in enumerate(judges):
        own = tables[j][[i for i in range(J) if i != j]]  # [other, topic, 2, 2]
        sides = own.swapaxes(0, 1)
        out.append(
            Leniency(
                judge,
                int(judged[j]),
                int(np.nansum(relevant[j])),
                float(relevant[j][full].sum() / common) if common else math.nan,
                float(grade[j][full].sum() / common) if common else math.nan,
                of_sums(lambda x: _mean_known(bias(x)), sides, SIGNED),
                of_sums(lambda x: _mean_known(overlap(x)), sides, UNIT),
                of_sums(lambda x: _mean_known(kappa(x)), sides, SIGNED),
            )
        )
    return tuple(out)


def _mean_known(x: Array) -> Array:
    """The mean along the last axis of what is defined."""
    known = ~np.isnan(x)
    return over(np.where(known, x, 0.0).sum(axis=-1), known.sum(axis=-1))


def agreement_of(
    table: Array,
    *,
    judges: tuple[str, str],
    topics: tuple[str, ...],
    groups: Mapping[str, tuple[str, ...]] | None = None,
) -> Agreement:
    """Agreement from counts alone, table[topic, 2, 2]; NaN where pairs are unknown."""
    pair = _pair(*judges, table, None, np.zeros(0))
    return Agreement(judges, topics, groups or {}, (pair,), {}, {}, (), (1.0, 1.0), None)
