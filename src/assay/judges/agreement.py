"""How far judges agree on documents: sizes, overlap, kappas, alpha, confusion, leniency.

Everything is a function of counts: `table[..., i, j]` pairs that the first judge put in category i
and the second in j. So a topic more or less is an addition, and intervals leave topics out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.judges.jackknife import Estimate, mean_of, of_sums
from assay.judges.tabular import Array, Tabular

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = [
    "LEVELS",
    "Agreement",
    "Leniency",
    "PairAgreement",
    "agreement",
    "agreement_of",
    "alpha",
    "bias",
    "coincidences",
    "confusion",
    "consistency",
    "fleiss",
    "gwet",
    "kappa",
    "negative_agreement",
    "overlap",
    "positive_agreement",
    "prevalence",
    "sizes",
]

LEVELS = 20  # most levels that a scale may have to be taken as categories
UNIT, SIGNED = (0.0, 1.0), (-1.0, 1.0)
SCALE: tuple[float, ...] = (0.0, 1.0)  # relevant or not


# --------------------------------------------------------------------------- two judges, two grades


def sizes(table: Array) -> tuple[Array, Array, Array, Array, Array]:
    """A, B, the union C, the intersection D, and all pairs N, of tables [..., 2, 2]."""
    D = table[..., 1, 1]
    A, B = D + table[..., 1, 0], D + table[..., 0, 1]
    return A, B, A + B - D, D, table.sum(axis=(-2, -1))


def overlap(table: Array) -> Array:
    """D / C: the share of documents that both call relevant among those that either does."""
    _, _, C, D, _ = sizes(table)
    return _over(D, C)


def consistency(table: Array) -> Array:
    """D / sqrt(A B); 0 where one judge finds nothing and the other something.

    Where neither does there is nothing to agree on: NaN.
    """
    A, B, C, D, _ = sizes(table)
    value = _over(D, np.sqrt(A * B))
    return np.where((C > 0) & (A * B == 0), 0.0, value)


def prevalence(table: Array) -> Array:
    """(both relevant - both not) / N; far from 0 it drives kappa down.

    Byrt, Bishop & Carlin 1993, https://doi.org/10.1016/0895-4356(93)90018-V
    """
    return _over(table[..., 1, 1] - table[..., 0, 0], table.sum(axis=(-2, -1)))


def bias(table: Array) -> Array:
    """(A - B) / N: how much more the first judge calls relevant."""
    A, B, _, _, N = sizes(table)
    return _over(A - B, N)


def positive_agreement(table: Array) -> Array:
    """2 D / (A + B)."""
    A, B, _, D, _ = sizes(table)
    return _over(2 * D, A + B)


def negative_agreement(table: Array) -> Array:
    """2 (N - C) / (2 N - A - B)."""
    A, B, C, _, N = sizes(table)
    return _over(2 * (N - C), 2 * N - A - B)


def _over(a: Array, b: Array) -> Array:
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(b == 0, np.nan, a / np.where(b == 0, 1, b))


# -------------------------------------------------------------------------- two judges, many grades


def _closeness(values: Array, weights: str) -> Array:
    """1 for equal grades, down to 0 for the two ends of the scale."""
    distance = np.abs(values[:, None] - values[None, :])
    top = distance.max() or 1.0
    if weights == "linear":
        return np.asarray(1 - distance / top)
    if weights == "quadratic":
        return np.asarray(1 - (distance / top) ** 2)
    return np.asarray((distance == 0).astype(np.float64))


def kappa(table: Array, values: Array | None = None, weights: str = "none") -> Array:
    """Cohen's kappa of tables [..., K, K]; weighted by the distance of the grades' values."""
    closeness = _closeness(_values(table, values), weights)
    n = table.sum(axis=(-2, -1))
    p = table / np.where(n == 0, np.nan, n)[..., None, None]
    observed = (p * closeness).sum(axis=(-2, -1))
    expected = np.einsum("...i,...j,ij->...", p.sum(axis=-1), p.sum(axis=-2), closeness)
    return _over(observed - expected, _settled(1 - expected))


def gwet(table: Array, values: Array | None = None, weights: str = "none") -> Array:
    """Gwet's AC1, or AC2 with weights: chance agreement that high prevalence does not inflate.

    Gwet 2008, https://doi.org/10.1348/000711006X126600
    """
    closeness = _closeness(_values(table, values), weights)
    n = table.sum(axis=(-2, -1))
    p = table / np.where(n == 0, np.nan, n)[..., None, None]
    q = table.shape[-1]
    share = (p.sum(axis=-1) + p.sum(axis=-2)) / 2
    observed = (p * closeness).sum(axis=(-2, -1))
    expected = (
        closeness.sum() / (q * (q - 1)) * (share * (1 - share)).sum(axis=-1)
        if q > 1
        else np.ones(n.shape)
    )
    return _over(observed - expected, _settled(1 - expected))


def _values(table: Array, values: Array | None) -> Array:
    return np.arange(table.shape[-1], dtype=np.float64) if values is None else values


def _settled(x: Array | float) -> Array:
    """Exactly 0 what rounding left."""
    return np.where(np.abs(x) < 1e-12, 0.0, x)


def confusion(first: Array, second: Array, topic: Array, topics: int, levels: Array) -> Array:
    """Tables [topic, level, level] of pairs judged by both."""
    both = ~np.isnan(first) & ~np.isnan(second)
    i, j = np.searchsorted(levels, first[both]), np.searchsorted(levels, second[both])
    K = len(levels)
    cell = (topic[both] * K + i) * K + j
    return np.bincount(cell, minlength=topics * K * K).reshape(topics, K, K).astype(np.float64)


# ------------------------------------------------------------------------------------- many judges


def fleiss(grade: Array, topic: Array, topics: int, levels: Array) -> Estimate:
    """Fleiss's kappa over pairs that every judge judged, grade[judge, pair]."""
    full = ~np.isnan(grade).any(axis=0)
    code = np.searchsorted(levels, grade[:, full])
    n, K = len(grade), len(levels)
    if n < 2 or not full.any():
        return Estimate(math.nan)
    votes = np.stack([(code == k).sum(axis=0) for k in range(K)], axis=-1).astype(np.float64)
    agree = ((votes**2).sum(axis=-1) - n) / (n * (n - 1))
    rows = np.column_stack([np.ones(len(agree)), agree, votes])
    sums = np.zeros((topics, K + 2))
    np.add.at(sums, topic[full], rows)

    def value(total: Array) -> Array:
        items, agreed, share = total[..., 0], total[..., 1], total[..., 2:]
        share = share / np.where(items == 0, np.nan, items * n)[..., None]
        expected = (share**2).sum(axis=-1)
        return _over(_over(agreed, items) - expected, _settled(1 - expected))

    return of_sums(value, sums, SIGNED)


def coincidences(grade: Array, topic: Array, topics: int, levels: Array) -> Array:
    """Krippendorff's coincidences [topic, level, level]; a judge may lack any pair."""
    K = len(levels)
    votes = np.zeros((grade.shape[1], K))
    for row in grade:
        known = np.flatnonzero(~np.isnan(row))
        votes[known, np.searchsorted(levels, row[known])] += 1
    raters = votes.sum(axis=-1)
    used = np.flatnonzero(raters > 1)
    out = np.zeros((topics, K, K))
    # pairs of values within a document, each document weighing as many values as it has
    scaled = votes[used] / (raters[used] - 1)[:, None]
    order = np.argsort(topic[used], kind="stable")
    start = np.searchsorted(topic[used][order], np.arange(topics + 1))
    for t in range(topics):
        rows = order[start[t] : start[t + 1]]
        if len(rows):
            out[t] = scaled[rows].T @ votes[used][rows] - np.diag(scaled[rows].sum(axis=0))
    return out


def alpha(table: Array, values: Array, level: str = "nominal") -> Array:
    """Krippendorff's alpha of coincidences [..., K, K]: nominal, ordinal or interval."""
    margin = table.sum(axis=-1)
    n = margin.sum(axis=-1)
    if level == "interval":
        distance = (values[:, None] - values[None, :]) ** 2
    elif level == "ordinal":
        below = np.cumsum(margin, axis=-1) - margin / 2
        distance = (below[..., :, None] - below[..., None, :]) ** 2
    else:
        distance = (values[:, None] != values[None, :]).astype(np.float64)
    observed = (table * distance).sum(axis=(-2, -1))
    expected = (margin[..., :, None] * margin[..., None, :] * distance).sum(axis=(-2, -1))
    return 1 - _over(observed * (n - 1), expected)


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
    """How freely a judge calls documents relevant."""

    judge: str
    judged: int
    relevant: int
    common_share: float  # of the pairs that all judges judged
    mean_grade: float  # over the same pairs
    bias: Estimate  # mean over the other judges of (own - theirs) / N


@dataclass(frozen=True)
class Agreement:
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
        """Two sentences."""
        one = self.pairs[0]
        share, k = one.micro["overlap"], one.micro["kappa"]
        text = (
            f"{one.first} and {one.second} share {share.value:.0%} of the documents that either "
            f"calls relevant"
        )
        if not math.isnan(k.value):
            text += f", kappa {k}"
        if len(self.pairs) > 1:
            every = [pair.micro["overlap"].value for pair in self.pairs]
            text += (
                f"; over {len(every)} pairs of judges the share runs from {np.nanmin(every):.0%} "
            )
            text += f"to {np.nanmax(every):.0%}"
        freer = [each for each in self.leniency if each.bias.low > 0]
        if freer:
            most = max(freer, key=lambda each: each.bias.value)
            text += (
                f"; {most.judge} calls {most.bias.value:.0%} of all documents relevant beyond what "
                "the others do"
            )
        return text + "."

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
        return Tabular("agreement", "agreement", heads, tuple(rows), (note, *self.notes))

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
        heads: tuple[str, ...] = (
            "judge",
            "judged",
            "relevant",
            "share of common",
            "mean grade",
            "bias",
            "low",
            "high",
        )
        rows = tuple(
            (
                e.judge,
                e.judged,
                e.relevant,
                e.common_share,
                e.mean_grade,
                e.bias.value,
                e.bias.low,
                e.bias.high,
            )
            for e in self.leniency
        )
        note = "bias: own relevant less the other judges', over the pairs judged by both"
        return Tabular("leniency", "leniency", heads, rows, (note,))

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
            "; D/A and D/B, recall and precision of the second judge by the first, are 0 where D is"
        )
        return Tabular("groups", "by topic group", heads, tuple(rows), (note,))

    def _confusions(self) -> tuple[Tabular, ...]:
        rows: list[tuple[str | float | int, ...]] = []
        for pair in self.pairs:
            if pair.graded is None:
                table, levels = pair.binary.sum(axis=0), SCALE
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
        *(np.where(C == 0, np.nan, D / np.maximum(x, 1)) for x in (A, B)),
    ]
    means = (mean_of(np.asarray(share)).value for share in shares)
    total = (_count(float(x.sum())) for x in (A, B, C, D))
    return (pair.first, pair.second, int(inside.sum()), *total, *means)


def _count(x: float) -> int | float:
    return math.nan if math.isnan(x) else int(x)


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
    """Compare judges on grade[judge, pair], NaN where not judged; `rel`: thresholds."""
    notes: list[str] = []
    T = len(topics)
    relevant = np.where(np.isnan(grade), np.nan, grade >= np.asarray(rel)[:, None])
    binary_levels = np.array([0.0, 1.0])
    chosen = pairs or tuple((i, j) for i in range(len(judges)) for j in range(i + 1, len(judges)))
    found = []
    for i, j in chosen:
        binary = confusion(relevant[i], relevant[j], topic, T, binary_levels)
        if universe is not None:
            binary[:, 0, 0] = universe - (binary.sum(axis=(1, 2)) - binary[:, 0, 0])
        graded, levels = _graded(grade[i], grade[j], topic, T)
        if graded is None:
            notes.append(
                f"{judges[i]}, {judges[j]}: more than {LEVELS} levels, compared as relevant or not"
            )
        found.append(_pair(judges[i], judges[j], binary, graded, levels))
    levels = _levels(grade)
    many: dict[str, Estimate] = {}
    alphas: dict[str, Estimate] = {}
    if len(judges) > 1:
        many["Fleiss's kappa, relevant or not"] = fleiss(relevant, topic, T, binary_levels)
        counts = coincidences(relevant, topic, T, binary_levels)
        alphas["alpha, relevant or not"] = of_sums(
            lambda table: alpha(table, binary_levels), counts, SIGNED
        )
        if 2 < len(levels) <= LEVELS:
            many["Fleiss's kappa, grades"] = fleiss(grade, topic, T, levels)
            counts = coincidences(grade, topic, T, levels)
            for kind in ("nominal", "ordinal", "interval"):
                alphas[f"alpha, grades, {kind}"] = of_sums(_alpha(levels, kind), counts, SIGNED)
    return Agreement(
        judges,
        topics,
        groups or {},
        tuple(found),
        many,
        alphas,
        _leniencies(grade, relevant, topic, judges, T),
        rel,
        universe,
        tuple(notes),
    )


def _alpha(levels: Array, kind: str) -> Callable[[Array], Array]:
    return lambda table: alpha(table, levels, kind)


def _levels(grade: Array) -> Array:
    return np.unique(grade[~np.isnan(grade)])


def _graded(a: Array, b: Array, topic: Array, T: int) -> tuple[Array | None, Array]:
    both = ~np.isnan(a) & ~np.isnan(b)
    levels = _levels(np.concatenate([a[both], b[both]]))
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
    grade: Array, relevant: Array, topic: Array, judges: tuple[str, ...], T: int
) -> tuple[Leniency, ...]:
    full = ~np.isnan(grade).any(axis=0)
    out = []
    for j, judge in enumerate(judges):
        others = [i for i in range(len(judges)) if i != j]
        tables = []
        for i in others:
            both = ~np.isnan(relevant[i]) & ~np.isnan(relevant[j])
            gap = np.bincount(topic[both], relevant[j][both] - relevant[i][both], minlength=T)
            tables.append(np.stack([gap, np.bincount(topic[both], minlength=T)], axis=-1))
        counts = np.stack(tables, axis=1) if tables else np.zeros((T, 0, 2))
        freer = (
            of_sums(lambda total: _over(total[..., 0], total[..., 1]).mean(axis=-1), counts, SIGNED)
            if tables
            else Estimate(math.nan)
        )
        known = ~np.isnan(grade[j])
        out.append(
            Leniency(
                judge,
                int(known.sum()),
                int(np.nansum(relevant[j])),
                float(relevant[j][full].mean()) if full.any() else math.nan,
                float(grade[j][full].mean()) if full.any() else math.nan,
                freer,
            )
        )
    return tuple(out)


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
