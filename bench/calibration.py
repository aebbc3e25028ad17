"""Do the tests keep their promises? Error rates, power and coverage on simulated scores.

    python bench/calibration.py                  2,000 simulated tables a cell, some minutes
    python bench/calibration.py --tables 200     to try it; keeps nothing

Each table holds scores [run, topic] = topic + run + noise. A cell counts how often something false
was claimed (family-wise error), something true was found (power), or an interval held the truth
(coverage; for several differences: all of them at once). Beside every share stands its Monte Carlo
error. Shares outside two of these errors from what is promised are marked; what exceeds alpha is
reported, not hidden.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
import math
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.stats import effects, intervals, many, paired, power
from assay.stats.arrays import steady
from assay.stats.corrections import adjusted, agreeing, levels
from assay.stats.resampling import counts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Array = np.ndarray[Any, np.dtype[Any]]

RESULTS = Path(__file__).parent / "results"
ALPHA = 0.05
RESAMPLES = 999
RUNS = 6
SHIFT = 0.08  # of the better half of the runs, under a partial null
EVEN, UNEVEN = "equal variances", "unequal variances"
SKEW, COARSE = "skewed", "coarse"


# ------------------------------------------------------------------------------------------ tables


def noise(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """What runs have beside topics: mean 0, deviation .12 on average; [..., run, topic]."""
    if kind == SKEW:
        return (rng.exponential(size=shape) - 1) * 0.12
    drawn = rng.normal(size=shape) * 0.12
    if kind == UNEVEN:  # the first run three times as noisy as the last
        scale = np.linspace(1.5, 0.5, shape[-2])
        return drawn * scale[:, None]
    return drawn


def tables(
    kind: str, means: Array, topics: int, total: int, rng: np.random.Generator
) -> Iterator[Array]:
    """Tables of scores whose runs have these true means."""
    for _ in range(total):
        x = 0.4 + rng.normal(size=topics) * 0.2 + noise(kind, (len(means), topics), rng)
        x += means[:, None]
        if kind == COARSE:  # tenths, as P@10 has them
            x = np.round(x, 1)
        yield steady(x)


def all_pairs(runs: int) -> Array:
    """Numbers of the runs of all pairs."""
    return np.stack(np.triu_indices(runs, 1), axis=-1)


# ------------------------------------------------------------------------------ several differences

Answer = tuple["Array", "Array", "Array"]  # corrected p, bounds


def with_correction(
    how: str, test: Callable[[Array], Any]
) -> Callable[[Array, Array, int], Answer]:
    """A test of differences under a correction, as `assay.compare` puts them together."""

    def answer(x: Array, pairs: Array, _seed: int) -> Answer:
        outcome = test(steady(x[pairs[:, 1]] - x[pairs[:, 0]]))
        return settled(outcome, how)

    return answer


def settled(outcome: Any, how: str) -> Answer:
    """Corrected p and the intervals that agree with it."""
    p = adjusted(outcome.p, how)
    low, high = outcome.interval(np.full(len(p), levels(outcome.p, how, ALPHA)))
    low, high, _ = agreeing(low, high, outcome.estimate, p <= ALPHA, ~np.isnan(p))
    return p, low, high


def hsd(x: Array, pairs: Array, seed: int) -> Answer:
    """Randomised Tukey HSD."""
    return settled(many.randomized_tukey_hsd(x, pairs, resamples=RESAMPLES, seed=seed), "none")


def tukey(x: Array, pairs: Array, _seed: int) -> Answer:
    """Tukey's HSD."""
    return settled(many.tukey_hsd(x, pairs), "none")


def anova(x: Array, pairs: Array, _seed: int) -> Answer:
    """ANOVA's shared error, with Holm."""
    return settled(many.anova_pairs(x, pairs), "holm")


def friedman(x: Array, pairs: Array, _seed: int) -> Answer:
    """Conover's follow-up of Friedman, with Holm."""
    return settled(many.conover(x, pairs), "holm")


def nemenyi(x: Array, pairs: Array, _seed: int) -> Answer:
    """Nemenyi's."""
    p = many.nemenyi(x, pairs)
    return p, np.full(len(p), np.nan), np.full(len(p), np.nan)


SEVERAL: dict[str, tuple[Callable[[Array, Array, int], Answer], bool]] = {
    "paired t, Holm": (with_correction("holm", paired.t), True),
    "paired t, Bonferroni": (with_correction("bonferroni", paired.t), True),
    "randomised Tukey HSD": (hsd, True),
    "Tukey HSD": (tukey, True),
    "ANOVA, Holm": (anova, True),
    "Wilcoxon, Holm": (with_correction("holm", paired.wilcoxon), False),
    "Friedman, Conover, Holm": (friedman, False),
    "Friedman, Nemenyi": (nemenyi, False),
}


def several(kind: str, partial: bool, topics: int, total: int, seed: int) -> list[dict[str, Any]]:  # noqa: FBT001
    """Family-wise error, power for any one pair, and joint coverage over all pairs of six runs."""
    rng = np.random.default_rng([seed, topics, partial])
    means = np.repeat([0.0, SHIFT if partial else 0.0], RUNS // 2)
    pairs = all_pairs(RUNS)
    truth = means[pairs[:, 1]] - means[pairs[:, 0]]
    null = truth == 0
    wrong = dict.fromkeys(SEVERAL, 0)
    found = dict.fromkeys(SEVERAL, 0.0)
    held = dict.fromkeys(SEVERAL, 0)
    for number, x in enumerate(tables(kind, means, topics, total, rng)):
        for name, (test, _) in SEVERAL.items():
            p, low, high = test(x, pairs, number)
            wrong[name] += bool((p[null] <= ALPHA).any())
            found[name] += float((p[~null] <= ALPHA).mean()) if partial else 0.0
            held[name] += bool(((low <= truth) & (truth <= high)).all())
    rows = []
    null_name = "partial null" if partial else "complete null"
    for name, (_, of_means) in SEVERAL.items():
        row = {"scores": kind, "null": null_name, "topics": topics, "test": name, "tables": total}
        row["fwer"] = wrong[name] / total
        row["power"] = found[name] / total if partial else None
        row["joint_coverage"] = held[name] / total if of_means and kind != COARSE else None
        rows.append(row)
    return rows


def baseline(
    kind: str, shifts: tuple[float, ...], topics: int, total: int, seed: int
) -> dict[str, Any]:
    """Holm against a baseline: wrong claims, wrong signs, and joint coverage of the intervals."""
    rng = np.random.default_rng([seed, topics, len(shifts)])
    means = np.array([0.0, *shifts])
    pairs = np.array([(0, i) for i in range(1, len(means))])
    truth = means[1:]
    wrong = held = 0
    for x in tables(kind, means, topics, total, rng):
        p, low, high = SEVERAL["paired t, Holm"][0](x, pairs, 0)
        claimed = p <= ALPHA
        sign = np.where(low > 0, 1, np.where(high < 0, -1, 0))
        wrong += bool((claimed & (sign != np.sign(truth))).any())
        held += bool(((low <= truth) & (truth <= high)).all())
    return {
        "scores": kind,
        "true": list(shifts),
        "topics": topics,
        "tables": total,
        "fwer": wrong / total,
        "joint_coverage": held / total,
    }


# ------------------------------------------------------------------------------------- two runs

PAIRED: dict[str, Callable[..., Any]] = {
    "t": paired.t,
    "wilcoxon": paired.wilcoxon,
    "sign": paired.sign,
    "randomization": paired.randomization,
    "bootstrap": paired.bootstrap,
}


def differences(kind: str, topics: int, total: int, rng: np.random.Generator) -> Array:
    """Differences of two runs with equal means, [table, topic]."""
    both = noise(kind, (total, 2, topics), rng)
    if kind == COARSE:
        both = np.round(both + 0.4 + rng.normal(size=(total, 1, topics)) * 0.2, 1)
    return steady(both[:, 1] - both[:, 0])


def two_runs(kind: str, topics: int, total: int, seed: int) -> list[dict[str, Any]]:
    """Error under no difference, power under half a standard deviation, coverage."""
    rng = np.random.default_rng([seed, topics])
    rows = {
        name: {"scores": kind, "topics": topics, "test": name, "tables": total} for name in PAIRED
    }
    counted = {name: np.zeros(3) for name in PAIRED}
    batches = 10  # resampling draws the same for all rows of a call
    for batch in range(batches):
        d = differences(kind, topics, total // batches, rng)
        effect = 0.5 * 0.12 * math.sqrt(2)
        for name, test in PAIRED.items():
            drawn = name in ("randomization", "bootstrap")
            options = {"resamples": RESAMPLES, "seed": batch} if drawn else {}
            outcome = test(d, **options)
            low, high = outcome.interval(np.full(len(d), ALPHA))
            shifted = test(d + effect, **options)
            counted[name] += [
                (outcome.p <= ALPHA).sum(),
                (shifted.p <= ALPHA).sum(),
                ((low <= 0) & (high >= 0)).sum(),
            ]
    size = batches * (total // batches)
    for name, row in rows.items():
        error, found, held = (counted[name] / size).tolist()
        row |= {"error": error, "power": found}
        row["power_in_theory"] = power.t_power(topics, 0.5, ALPHA) if name == "t" else None
        row["coverage"] = held if name in ("t", "randomization", "bootstrap") else None
    return list(rows.values())


def coverage(kind: str, topics: int, total: int, seed: int) -> list[dict[str, Any]]:
    """Coverage of other intervals: BCa, d_z, one-sided bounds of the gate."""
    rng = np.random.default_rng([seed, topics, 7])
    held = {"BCa": 0, "percentile bootstrap": 0, "d_z": 0, "one-sided t bound": 0}
    d = differences(kind, topics, total, rng)
    for batch in np.array_split(d, 10):
        low, high = intervals.bca(batch, ALPHA, resamples=RESAMPLES)
        held["BCa"] += int(((low <= 0) & (high >= 0)).sum())
        drawn = np.concatenate([count for _, count in counts(RESAMPLES, topics, 0)])
        means = np.sort(batch @ drawn.T / topics, axis=-1)
        held["percentile bootstrap"] += int(((means[:, 24] <= 0) & (means[:, 974] >= 0)).sum())
        _, low, high = effects.hedges(batch + 0.5 * 0.12 * math.sqrt(2), np.full(len(batch), ALPHA))
        held["d_z"] += int(((low <= 0.5) & (high >= 0.5)).sum())
        held["one-sided t bound"] += sum(intervals.one_sided(row, ALPHA)[0] <= 0 for row in batch)
    return [
        {
            "scores": kind,
            "topics": topics,
            "interval": name,
            "tables": total,
            "coverage": float(many_held) / total,
        }
        for name, many_held in held.items()
    ]


# ----------------------------------------------------------------------------------------- report


def share(
    value: float | None, total: int, promised: float | None = None, *, least: bool = False
) -> str:
    """A share with its Monte Carlo error; marked where it breaks what is promised."""
    if value is None:
        return ""
    aim = value if promised is None else promised
    error = math.sqrt(max(aim * (1 - aim), 1 / total) / total)
    broken = promised is not None and (
        value < promised - 2 * error if least else value > promised + 2 * error
    )
    return f"{value:.3f}{' !' if broken else ''}"


def markdown(heads: list[str], rows: list[list[str]]) -> str:
    """A pipe table."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def origin(record: dict[str, Any]) -> str:
    """Where the figures come from and how to read them."""
    total = record["tables"]
    error = math.sqrt(ALPHA * (1 - ALPHA) / total)
    return (
        f"Written by `bench/calibration.py` on {record['date']} ({record['seconds']:.0f} s, "
        f"{total:,} tables a cell, {RESAMPLES} resamples); do not edit. A share of .05 is known to "
        f"within {2 * error:.3f}; **!** marks what lies beyond that on the wrong side of its "
        "promise: error above .05, coverage below .95."
    )


PARTIAL = (
    f"Partial null: the better half of the runs lies {SHIFT} above the rest; errors are claims "
    "among "
    "runs that are equal. Coverage holds only if all 15 intervals do."
)
HOLM = (
    "An error is a claim with a wrong sign, or of a difference where there is none. The intervals "
    "are Bonferroni's, cut at 0 where Holm alone rejects."
)


def summary(record: dict[str, Any]) -> str:
    """The study in tables."""
    total = record["tables"]
    parts = [
        "# Calibration",
        origin(record),
        "## Two runs: error, power under half a standard deviation, coverage",
        markdown(
            ["scores", "topics", "test", "error", "power", "in theory", "coverage"],
            [
                [
                    row["scores"],
                    str(row["topics"]),
                    row["test"],
                    share(row["error"], total, ALPHA),
                    share(row["power"], total),
                    share(row["power_in_theory"], total),
                    share(row["coverage"], total, 1 - ALPHA, least=True),
                ]
                for row in record["two_runs"]
            ],
        ),
        f"## All pairs of {RUNS} runs: family-wise error, power for a pair, joint coverage",
        PARTIAL,
        markdown(
            ["scores", "null", "topics", "test", "error", "power", "joint coverage"],
            [
                [
                    row["scores"],
                    row["null"],
                    str(row["topics"]),
                    row["test"],
                    share(row["fwer"], total, ALPHA),
                    share(row["power"], total),
                    share(row["joint_coverage"], total, 1 - ALPHA, least=True),
                ]
                for row in record["all_pairs"]
            ],
        ),
        "## A baseline against five runs, paired t with Holm",
        HOLM,
        markdown(
            ["true differences", "topics", "error", "joint coverage"],
            [
                [
                    " ".join(f"{value:g}" for value in row["true"]),
                    str(row["topics"]),
                    share(row["fwer"], total, ALPHA),
                    share(row["joint_coverage"], total, 1 - ALPHA, least=True),
                ]
                for row in record["baseline"]
            ],
        ),
        "## Other intervals",
        markdown(
            ["scores", "topics", "interval", "coverage"],
            [
                [
                    row["scores"],
                    str(row["topics"]),
                    row["interval"],
                    share(row["coverage"], total, 1 - ALPHA, least=True),
                ]
                for row in record["intervals"]
            ],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def main() -> int:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=2000, help="simulated tables a cell [2000]")
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    total, seed = asked.tables, asked.seed
    start = time.perf_counter()
    record: dict[str, Any] = {
        "case": "calibration",
        "date": dt.datetime.now(tz=dt.UTC).date().isoformat(),
        "tables": total,
        "seed": seed,
        "alpha": ALPHA,
        "resamples": RESAMPLES,
    }
    kinds = (EVEN, SKEW, COARSE)
    record["two_runs"] = [
        row for kind in kinds for topics in (10, 50) for row in two_runs(kind, topics, total, seed)
    ]
    print(f"two runs: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    record["intervals"] = [
        row
        for kind in (EVEN, SKEW)
        for topics in (10, 30, 50)
        for row in coverage(kind, topics, total, seed)
    ]
    spread = [
        (0.0,) * 5,
        (0.0, 0.0, 0.08, 0.08, 0.08),
        (0.0, 0.2, 0.2, 0.2, 0.2),
        (0.04, 0.05, 0.06, 0.07, 0.08),
    ]
    record["baseline"] = [baseline(EVEN, shifts, 50, total, seed) for shifts in spread]
    print(f"baseline, intervals: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    record["all_pairs"] = []
    for kind in (EVEN, UNEVEN, SKEW, COARSE):
        for partial in (False, True):
            record["all_pairs"] += several(kind, partial, 25, total, seed)
            print(f"{kind}, {partial=}: {time.perf_counter() - start:.0f} s", file=sys.stderr)
    record["seconds"] = time.perf_counter() - start
    page = summary(record)
    if total >= 1000:
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{record['date']}-calibration.json"
        path.write_text(json.dumps(record, indent=1) + "\n")
        (RESULTS / "calibration.md").write_text(page)
    print(page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
