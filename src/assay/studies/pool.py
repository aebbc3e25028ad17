"""Do the judgments treat all runs alike? Shallower pools, and runs that had not contributed.

Zobel 1998 (https://doi.org/10.1145/290941.291014): take away from the judgments what only one run
brought into the pool, and score it as a newcomer. Groups of runs go together, since runs of one
group find the same documents (Buckley, Dimmick, Soboroff & Voorhees 2007,
https://doi.org/10.1007/s10791-007-9032-x). Every such set of judgments is a judge who judged less.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.align import Judged
from assay.errors import AssayError
from assay.inputs import inputs
from assay.judges.coefficients import tau_b
from assay.judges.jackknife import Estimate, around
from assay.judges.panel import Panel, batch_means, gathered, loaded, plain_measure
from assay.judges.prepare import read_groups, unknown_names
from assay.judges.tabular import Array, Tabular, listed, page
from assay.measures.measure import Measure, parse_all
from assay.pictured import Pictured
from assay.stats.arrays import steady
from assay.studies.scoring import check_whole

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["DEPTHS", "Left", "PoolStudy", "Shallow", "pool_depth", "study_pool"]

MEASURES = ("nDCG@10", "AP")
DEPTHS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 75, 100, 150, 200, 500, 1000)
JUDGED = 0.95  # share of a run's first documents that is judged where it contributed
SOME = 0.5  # of the runs that are judged so far at the best depth
COLUMNS = (
    *("run", "contributed", "alone judged", "alone relevant"),
    *("mean", "without", "change", "rank", "rank without", "lost"),
)
MOST = 10  # runs that the table of those that move most shows
BEYOND = (
    "Leaving out what only one run found says nothing about relevant documents that no run found: "
    "a new kind of system may still be underrated."
)


@dataclass(frozen=True)
class Left:
    """What one run, or one group of runs, alone brought into the pool, and what it is worth."""

    name: str
    runs: tuple[int, ...]
    contributed: bool
    judged: int  # documents that nobody else brought in
    relevant: int  # of these
    without: Array  # [run, measure] means of all runs under the judgments without them


@dataclass(frozen=True)
class Shallow:
    """Judgments of the documents that contributors put above a depth, and what they do."""

    depth: int
    judged: int
    relevant: int
    means: Array  # [run, measure]
    tau: tuple[Estimate, ...]  # for each measure, with the ranking under all judgments


@dataclass(frozen=True, eq=False)
class PoolStudy(Pictured):
    """Ranks of runs under all judgments, and under those that would be there without some."""

    measures: tuple[Measure, ...]
    runs: tuple[str, ...]
    topics: tuple[str, ...]
    depth: int  # of the pool
    contributors: tuple[bool, ...]
    judged: int
    relevant: int
    rel: float
    means: Array  # [run, measure] under all judgments
    alone: tuple[Left, ...]  # one for each run
    groups: tuple[Left, ...]
    shallow: tuple[Shallow, ...]
    how: str  # how depth and contributors were found
    notes: tuple[str, ...] = ()
    title = "pool"
    main = ("summary", "depths", "groups", "moved")

    def ranks(self, means: Array) -> Array:
        """Ranks of runs from 1, the best first, [run, measure]; equal means share the best."""
        value = steady(np.where(self._up(), means, -means))
        return np.asarray((value[None] > value[:, None]).sum(axis=1) + 1)

    def _up(self) -> Array:
        return np.asarray([measure.definition.higher_is_better for measure in self.measures])

    def moved(self, left: Left) -> Array:
        """Places that each of its runs loses without what it alone brought in, [run, measure]."""
        runs = list(left.runs)
        return (self.ranks(left.without) - self.ranks(self.means))[runs]

    def change(self, left: Left) -> Array:
        """Change of each of its runs' mean relative to the mean, [run, measure]; NaN at 0."""
        runs = list(left.runs)
        means = self.means[runs]
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.asarray((left.without[runs] - means) / np.where(means == 0, np.nan, means))

    # ------------------------------------------------------------------------------------ in words

    def verdict(self) -> str:
        """Whether runs keep their ranks, alone and by group, and what that leaves open."""
        said = [self._alone()]
        if self.groups:
            said.append(self._by_group())
        return " ".join([*said, BEYOND])

    def _alone(self) -> str:
        name = self.measures[0]
        ours = [left for left in self.alone if left.contributed]
        change = np.asarray([self.change(left)[0, 0] for left in ours])
        places = np.asarray([self.moved(left)[0, 0] for left in ours])
        keep = int((places == 0).sum())
        known = np.abs(change[~np.isnan(change)])
        size = f"{known.mean():.1%}" if len(known) else "nothing that can be told"
        text = (
            f"By {name}, {keep} of {len(ours)} contributing runs keep their rank among "
            f"{len(self.runs)} without the documents that they alone brought in; means change by "
            f"{size}"
        )
        if not len(known) or keep == len(ours):
            return f"{text} on average."
        worst = int(np.argmax(np.abs(places)))
        return f"{text} on average, and {ours[worst].name} moves most, {_places(places[worst])}."

    def _by_group(self) -> str:
        places = [(left, int(p)) for left in self.groups for p in self.moved(left)[:, 0]]
        keep = sum(1 for _, p in places if p == 0)
        worst, most = max(places, key=lambda each: abs(each[1]))
        text = (
            f"Leaving out whole groups, {keep} of {len(places)} runs of {len(self.groups)} groups "
            "keep their rank"
        )
        return f"{text}; a run of {worst.name} moves most, {_places(most)}." if most else f"{text}."

    # ---------------------------------------------------------------------------------- as tables

    def table(self) -> object:
        """The main tables; `.tabulars()` has all."""
        return page(self, *self.main)

    def to_polars(self) -> Any:
        """Long form: one row for each run and measure, as in the table `runs`."""
        import polars as pl

        return pl.DataFrame(self._runs().records())

    def tabulars(self) -> tuple[Tabular, ...]:
        """A summary, shallower pools, groups, runs, and the runs of each group."""
        grouped = (self._grouped(), self._members()) if self.groups else ()
        return (self._summary(), self._depths(), *grouped, self._moved(), self._runs())

    def _summary(self) -> Tabular:
        rows = []
        for m, measure in enumerate(self.measures):
            for what, lefts in (("run", self.alone), ("group", self.groups)):
                ours = [left for left in lefts if left.contributed]
                if not ours:
                    continue
                change = np.abs(np.concatenate([self.change(left)[:, m] for left in ours]))
                places = np.abs(np.concatenate([self.moved(left)[:, m] for left in ours]))
                known = change[~np.isnan(change)]
                rows.append(
                    (
                        str(measure),
                        what,
                        len(ours),
                        len(places),
                        int((places == 0).sum()),
                        int(places.max()),
                        float(known.mean()) if len(known) else np.nan,
                        float(known.max()) if len(known) else np.nan,
                    )
                )
        heads = (
            *("measure", "left out", "times", "runs", "keep their rank", "most places"),
            *("mean change", "largest change"),
        )
        note = (
            f"{sum(self.contributors)} of {len(self.runs)} runs contributed, to depth {self.depth} "
            f"({self.how}); changes relative to the mean, without sign"
        )
        return Tabular("summary", "leave out", heads, tuple(rows), (note,))

    def _depths(self) -> Tabular:
        rows: list[tuple[Any, ...]] = []
        full = self.ranks(self.means)
        for m, measure in enumerate(self.measures):
            for each in self.shallow:
                places = np.abs(self.ranks(each.means) - full)[:, m]
                tau = each.tau[m]
                rows.append(
                    (
                        str(measure),
                        each.depth,
                        each.judged,
                        each.judged / self.judged,
                        each.relevant / self.relevant if self.relevant else np.nan,
                        tau.value,
                        tau.low,
                        tau.high,
                        int(places.max()),
                        self.runs[int(places.argmax())] if places.any() else None,
                    )
                )
        heads = (
            *("measure", "depth", "judged", "of all", "of relevant", "tau-b", "low", "high"),
            *("most places", "run"),
        )
        note = (
            "judgments of the documents that a contributing run has among its first `depth`; tau-b "
            f"of the {len(self.runs)} runs' means with those under all {self.judged} judgments, "
            f"95 % intervals leave out topics; relevant from grade {self.rel:g}"
        )
        return Tabular("depths", "shallower pools", heads, tuple(rows), (note,))

    def _grouped(self) -> Tabular:
        rows = []
        for m, measure in enumerate(self.measures):
            ours = sorted(self.groups, key=partial(self._most, m), reverse=True)
            for left in ours:
                change, places = self.change(left)[:, m], self.moved(left)[:, m]
                worst = int(np.argmax(np.abs(places)))
                known = ~np.isnan(change)
                rows.append(
                    (
                        str(measure),
                        left.name,
                        len(left.runs),
                        left.judged,
                        left.relevant,
                        float(change[known][np.abs(change[known]).argmax()])
                        if known.any()
                        else np.nan,
                        int(places[worst]),
                        self.runs[left.runs[worst]],
                    )
                )
        heads = (
            *("measure", "group", "runs", "alone judged", "alone relevant"),
            *("largest change", "most places", "run"),
        )
        note = "alone: what only contributing runs of the group have within the depth of the pool"
        return Tabular("groups", "without a group", heads, tuple(rows), (note,))

    def _most(self, m: int, left: Left) -> int:
        """The most places that one of its runs moves."""
        return int(np.abs(self.moved(left)[:, m]).max())

    def _moved(self) -> Tabular:
        runs = self._runs()
        rows: list[tuple[Any, ...]] = []
        for measure in map(str, self.measures):
            ours = [row for row in runs.rows if row[0] == measure and row[-1] != 0]
            rows += sorted(ours, key=lambda row: -abs(row[-1]))[:MOST]
        note = f"the {MOST} runs that move most; --show runs has all; {runs.notes[0]}"
        return Tabular("moved", "without a run", runs.heads, tuple(rows), (note,))

    def _runs(self) -> Tabular:
        rows = self._rows(self.alone, ())
        note = (
            "alone: what no other contributing run has within the depth of the pool; lost: places, "
            "negative where places are won; runs that did not contribute bring in nothing"
        )
        return Tabular("runs", "without a run", ("measure", *COLUMNS), tuple(rows), (note,))

    def _members(self) -> Tabular:
        rows = [row for left in self.groups for row in self._rows((left,), (left.name,))]
        order = {str(measure): m for m, measure in enumerate(self.measures)}
        rows.sort(key=lambda row: order[row[0]])
        heads = ("measure", "group", *COLUMNS)
        return Tabular("members", "runs without their group", heads, tuple(rows))

    def _rows(self, lefts: Sequence[Left], lead: tuple[str, ...]) -> list[tuple[Any, ...]]:
        """The runs of each, by measure and then by rank."""
        full, without = self.ranks(self.means), [self.ranks(left.without) for left in lefts]
        rows = []
        for m, measure in enumerate(self.measures):
            ours = [
                (r, i, left, j) for j, left in enumerate(lefts) for i, r in enumerate(left.runs)
            ]
            for r, i, left, j in sorted(ours, key=lambda one: full[one[0], m]):
                now = int(without[j][r, m])
                rows.append(
                    (
                        str(measure),
                        *lead,
                        self.runs[r],
                        "yes" if self.contributors[r] else "no",
                        left.judged,
                        left.relevant,
                        float(self.means[r, m]),
                        float(left.without[r, m]),
                        float(self.change(left)[i, m]),
                        int(full[r, m]),
                        now,
                        now - int(full[r, m]),
                    )
                )
        return rows


def _places(moved: int) -> str:
    many = "1 place" if abs(moved) == 1 else f"{abs(moved)} places"
    return f"{many} {'down' if moved > 0 else 'up'}"


# -------------------------------------------------------------------------------------- the study


def study_pool(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] | None = None,
    *,
    depth: int | None = None,
    depths: Sequence[int] | None = None,
    contributors: Any = None,
    groups: Any = None,
    rel: float = 1.0,
    negative: str = "unjudged",
    precision: str = "float64",
    strict: bool = True,
    progress: Callable[[float], None] | None = None,
) -> PoolStudy:
    """Whether runs keep their ranks with shallower pools, and had they not contributed.

    * depth: to which rank contributing runs were judged. Without a word the deepest at which .95 of
      the documents are judged in half as many runs as at the best depth.
    * contributors: names of the runs that were pooled, a list or a file of one a line. Without a
      word those that have .95 of their documents down to `depth` judged.
    * depths: of shallower pools.
    * groups: run to group, a dictionary or a file of two columns: groups are left out as well.
    * rel: the lowest relevant grade, for counting.

    Documents that are left out become unjudged, and so count as not relevant.
    """
    named = parse_all(list(MEASURES) if measures is None else measures)
    for name, value in (("depth", depth), *(("depths", each) for each in depths or ())):
        if value is not None:
            check_whole(name, value)
    if not np.isfinite(rel):
        raise AssayError(f"rel={rel:g}: expected the lowest relevant grade, a finite number")
    tell = progress or (lambda _: None)
    judges, sources = inputs(judgments, runs, strict=strict)
    if len(judges) > 1:
        raise AssayError(f"{len(judges)} judgment sets: a pool is that of one")
    if len(sources) < 2:
        raise AssayError(f"one run ({sources[0].label}): a pool needs at least two")
    judged = Judged(judges, negative)
    panel = gathered(judged, loaded(sources, strict=strict), precision=precision)
    tell(0.4)
    grade = np.where(judged.grade[0] >= 0, judged.grade[0], np.nan)
    known = ~np.isnan(grade)
    scale = float(np.nanmax(grade, initial=0.0))
    plain = tuple(plain_measure(measure, scale) for measure in named)

    found, how = pool_depth(panel, known, depth)
    notes: list[str] = []
    pooled, whose = _contributors(panel, known, found, contributors, notes)
    first = _first_ranks(panel, pooled)
    of = _groups(groups, panel.runs, notes)

    masks = [np.ones(len(grade), dtype=bool)]
    alone = [_only(panel, pooled, found, (r,), len(grade)) for r in range(len(panel.runs))]
    together = [
        (name, mine, _only(panel, pooled, found, mine, len(grade))) for name, mine in of.items()
    ]
    shallow = sorted({d for d in depths or DEPTHS if depths or d <= found} | {found})
    masks += [~gone for gone in alone]
    masks += [~gone for _, _, gone in together]
    masks += [first <= d for d in shallow]
    kept = np.stack(masks) & known
    start = judged.start

    def draw(t: int) -> Array:
        part = slice(int(start[t]), int(start[t + 1]))
        return np.where(kept[:, part], grade[part], np.nan)

    means, values = batch_means(panel, plain, draw, len(kept), values=True)
    tell(0.9)
    notes += _unranked(named, means[0], means[1:], [*panel.runs, *of])
    relevant = known & (np.nan_to_num(grade, nan=-1.0) >= rel)

    def left(name: str, mine: tuple[int, ...], gone: Array, at: int) -> Left:
        return Left(
            name,
            mine,
            bool(pooled[list(mine)].any()),
            int((gone & known).sum()),
            int((gone & relevant).sum()),
            means[at],
        )

    R = len(panel.runs)
    pools = tuple(
        Shallow(
            d,
            int(kept[1 + R + len(together) + i].sum()),
            int((kept[1 + R + len(together) + i] & relevant).sum()),
            means[1 + R + len(together) + i],
            _taus(named, np.asarray(values), 1 + R + len(together) + i),
        )
        for i, d in enumerate(shallow)
    )
    if not pooled.all():
        notes.append(
            f"{R - int(pooled.sum())} of {R} runs did not contribute by this reckoning: they are "
            "newcomers already"
        )
    return PoolStudy(
        named,
        panel.runs,
        panel.topics,
        found,
        tuple(bool(each) for each in pooled),
        int(known.sum()),
        int(relevant.sum()),
        rel,
        means[0],
        tuple(left(run, (r,), alone[r], 1 + r) for r, run in enumerate(panel.runs)),
        tuple(left(name, mine, gone, 1 + R + i) for i, (name, mine, gone) in enumerate(together)),
        pools,
        f"{how}; {whose}",
        tuple(notes),
    )


def _unranked(
    measures: Sequence[Measure], full: Array, without: Array, names: Sequence[str]
) -> list[str]:
    """A note on those without whom nothing is left to rank by; an error where nothing ever was."""
    for measure, mean in zip(measures, full.T, strict=True):
        if np.isnan(mean).any():
            raise AssayError(
                f"{measure}: on no topic has it a value under these judgments, so there are no "
                "ranks to keep"
            )
    gone = np.asarray(np.isnan(without[: len(names)]).any(axis=(1, 2)))
    lost = [name for name, is_gone in zip(names, gone, strict=True) if is_gone]
    if not lost:
        return []
    return [
        (
            f"without {listed(lost, 4)} a measure has no value on any topic: nothing is known of "
            "ranks there, and they count as kept"
        )
    ]


def pool_depth(panel: Panel, known: Array, depth: int | None) -> tuple[int, str]:
    """The depth asked for, or the deepest to which about as many runs as anywhere are judged."""
    if depth is not None:
        return depth, "as given"
    share = _judged_share(panel, known, int(panel.retrieved.max(initial=1)))
    runs = (share >= JUDGED).sum(axis=0)
    if not runs.any():
        raise AssayError(
            f"at no depth has a run {JUDGED:.0%} of its documents judged, so the depth of the pool "
            "cannot be told; name it (depth=, --depth)"
        )
    return int(np.flatnonzero(runs >= SOME * runs.max())[-1]) + 1, (
        f"the deepest at which {JUDGED:.0%} of the documents are judged in half as many runs as at "
        "the best depth"
    )


def _judged_share(panel: Panel, known: Array, longest: int) -> Array:
    """The share of judged documents among the first k of each run, [run, k]."""
    hits = panel.hits
    ours = known[hits.pair]
    many = np.zeros((len(panel.runs), longest + 1))
    np.add.at(many, (hits.run[ours], hits.rank[ours].astype(np.int64)), 1)
    shown = np.minimum(panel.retrieved[:, :, None], np.arange(1, longest + 1)).sum(axis=1)
    return np.asarray(np.cumsum(many, axis=1)[:, 1:] / np.maximum(shown, 1))


def _contributors(
    panel: Panel, known: Array, depth: int, given: Any, notes: list[str]
) -> tuple[Array, str]:
    """Which runs were pooled, and how that is known."""
    if given is None:
        share = _judged_share(panel, known, max(depth, int(panel.retrieved.max(initial=1))))
        pooled = share[:, depth - 1] >= JUDGED
        if not pooled.any():
            raise AssayError(
                f"no run has {JUDGED:.0%} of its first {depth} documents judged; name those that "
                "contributed (contributors=, --contributors)"
            )
        return pooled, "contributed: runs of which that holds at this depth"
    if isinstance(given, str | Path):
        lines = Path(given).read_text(encoding="utf-8-sig").splitlines()
        names = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    else:
        names = [str(name) for name in given]
    ours = [name for name in names if name in panel.runs]
    if not ours:
        raise AssayError(
            f"contributors: none of the {len(names)} names is one of the runs, which are "
            f"{', '.join(panel.runs[:5])}{', ...' if len(panel.runs) > 5 else ''}"
        )
    notes += unknown_names("contributors", names, panel.runs)
    return np.isin(panel.runs, ours), "contributors as given"


def _groups(given: Any, runs: Sequence[str], notes: list[str]) -> dict[str, tuple[int, ...]]:
    """The runs of each group; runs without one are left out."""
    if given is None:
        return {}
    of = dict(given) if isinstance(given, Mapping) else read_groups(given, "run")
    found: dict[str, list[int]] = {}
    for r, run in enumerate(runs):
        if run in of:
            found.setdefault(str(of[run]), []).append(r)
    if not found:
        raise AssayError(f"groups: none of its runs is among those given, such as {runs[0]!r}")
    notes += unknown_names("groups", of, runs)
    alone = [run for run in runs if run not in of]
    if alone:
        many = f"{len(alone)} runs are" if len(alone) > 1 else "1 run is"
        notes.append(f"groups: {many} in none ({listed(alone, 4)})")
    return {name: tuple(mine) for name, mine in found.items()}


def _first_ranks(panel: Panel, pooled: Array) -> Array:
    """The best rank of each judged pair in the runs that contributed; inf in none."""
    best = np.full(len(panel.judged.doc), np.inf)
    ours = pooled[panel.hits.run]
    np.minimum.at(best, panel.hits.pair[ours], panel.hits.rank[ours])
    return best


def _only(panel: Panel, pooled: Array, depth: int, mine: tuple[int, ...], pairs: int) -> Array:
    """The pairs that only these runs, of those that contributed, have down to the depth."""
    hits = panel.hits
    within = pooled[hits.run] & (hits.rank <= depth)
    own = within & np.isin(hits.run, mine)
    found, others = np.zeros(pairs, dtype=bool), np.zeros(pairs, dtype=bool)
    found[hits.pair[own]] = True
    others[hits.pair[within & ~own]] = True
    return found & ~others


def _taus(measures: Sequence[Measure], values: Array, at: int) -> tuple[Estimate, ...]:
    """Tau of the runs' means under all judgments and under others, with its interval."""
    found = []
    for m in range(len(measures)):
        pair = values[[0, at]][:, :, m]  # [2, run, topic]
        whole = ~np.isnan(pair).any(axis=1, keepdims=True)  # [2, 1, topic]
        filled = np.where(whole, pair, 0.0)
        total, count = filled.sum(axis=-1), whole.sum(axis=-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = steady(total / count)
            without = steady((total[..., None] - filled) / (count[..., None] - whole))
        tau = float(tau_b(mean[0], mean[1]))
        left = tau_b(np.moveaxis(without[0], -1, 0), np.moveaxis(without[1], -1, 0))
        found.append(around(tau, left, (-1.0, 1.0)))
    return tuple(found)
