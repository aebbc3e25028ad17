"""Do the tests keep their promises? Error rates, power and coverage on simulated scores.

    python bench/calibration.py                  4,000 simulated tables a cell, some minutes
    python bench/calibration.py --tables 200     to try it; keeps nothing

Each table holds scores [run, topic] = topic + run + noise. A cell counts how often something false
was claimed (family-wise error), something true was found (power), or an interval held the truth
(coverage; for several differences: all of them at once). Shares further than three Monte Carlo
errors from what is promised are marked; what exceeds alpha is reported, not hidden. (Of some 150
shares seven would lie beyond two errors by chance alone, and hardly one beyond three.)
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
import report
from cases import CASES

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
NOISE = 0.12  # standard deviation of what runs have beside topics
EFFECT = 0.5  # of a difference, in its standard deviations, where power is asked for
EVEN, UNEVEN = "equal variances", "unequal variances"
SKEW, COARSE = "skewed", "coarse"


# ------------------------------------------------------------------------------------------ tables


def noise(kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> Array:
    """What runs have beside topics: mean 0, deviation NOISE on average; [..., run, topic]."""
    if kind == SKEW:
        return (rng.exponential(size=shape) - 1) * NOISE
    drawn = rng.normal(size=shape) * NOISE
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
        theory = partial and kind == EVEN and name == "paired t, Bonferroni"
        size = SHIFT / (NOISE * math.sqrt(2))
        row["power_in_theory"] = power.t_power(topics, size, ALPHA / len(pairs)) if theory else None
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
        effect = EFFECT * NOISE * math.sqrt(2)
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
        row["power_in_theory"] = (
            power.t_power(topics, EFFECT, ALPHA) if name == "t" and kind == EVEN else None
        )
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
        _, low, high = effects.hedges(
            batch + EFFECT * NOISE * math.sqrt(2), np.full(len(batch), ALPHA)
        )
        held["d_z"] += int(((low <= EFFECT) & (high >= EFFECT)).sum())
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


# ------------------------------------------------------------------------------ designs and gate


def designs(total: int, seed: int) -> list[dict[str, Any]]:
    """Whether the topics that `assay power` names give the promised power and width."""
    rng = np.random.default_rng([seed, 11])
    rows = []
    for difference in (0.03, 0.08):
        variance = 2 * NOISE**2
        n = power.topics_for_t(difference, variance, ALPHA, 0.8) or 0
        d = difference + rng.normal(size=(total, n)) * math.sqrt(variance)
        rows.append(_design("paired t", difference, n, float((paired.t(d).p <= ALPHA).mean()), 0.8))
        n = power.topics_for_anova(difference, RUNS, NOISE**2, ALPHA, 0.8) or 0
        means = np.array([-difference / 2, *[0.0] * (RUNS - 2), difference / 2])
        found = 0
        for _ in range(total):
            found += one_way(means[:, None] + rng.normal(size=(RUNS, n)) * NOISE) <= ALPHA
        rows.append(_design(f"one-way ANOVA, {RUNS} runs", difference, n, found / total, 0.8))
        n = power.topics_for_interval(difference, variance, ALPHA) or 0
        low, high = paired.t(rng.normal(size=(total, n)) * math.sqrt(variance)).interval(
            np.full(total, ALPHA)
        )
        width = float((high - low).mean()) / difference
        rows.append(_design("interval, mean width / width", difference, n, width, 1.0))
    return rows


def _design(
    what: str, difference: float, topics: int, got: float, promised: float
) -> dict[str, Any]:
    return {
        "design": what,
        "difference": difference,
        "topics": topics,
        "got": got,
        "promised": promised,
    }


def one_way(x: Array) -> float:
    """Test as one-way ANOVA does, which forgets the topics, as Sakai's design supposes."""
    from scipy.special import fdtrc

    k, n = x.shape
    mean = x.mean(axis=-1)
    within = float(((x - mean[:, None]) ** 2).sum()) / (k * (n - 1))
    return float(fdtrc(k - 1, k * (n - 1), n * float(mean.var(ddof=1)) / within))


def gates(kind: str, total: int, seed: int) -> list[dict[str, Any]]:
    """How often the gate misleads, and how often it decides with the topics that it asks for."""
    rng = np.random.default_rng([seed, 13])
    drop = 0.02
    n = power.topics_for_t(drop, 2 * NOISE**2, ALPHA, 0.8, sides=1) or 0
    rows = []
    for topics in (25, n):
        d = differences(kind, topics, total, rng)
        bounds = [intervals.one_sided(row, ALPHA) for row in d]
        lower, upper = (np.array(ends) for ends in zip(*bounds, strict=True))
        rows.append(
            {
                "scores": kind,
                "topics": topics,
                "tables": total,
                # at a true drop of max_drop the bound lies that much lower: PASS where L > 0
                "false_pass": float((lower > 0).mean()),
                "false_fail": float(((d.mean(axis=-1) < 0) & (upper < 0)).mean()),
                "pass": float((lower > -drop).mean()),
                "pass_in_theory": 0.8 if topics == n and kind == EVEN else None,
            }
        )
    return rows


# ----------------------------------------------------------------------------------------- report


def share(
    value: float | None, total: int, promised: float | None = None, *, least: bool = False
) -> str:
    """A share with its Monte Carlo error; marked where it breaks what is promised."""
    if value is None:
        return ""
    return f"{value:.3f}{' !' if broken(value, total, promised, least=least) else ''}"


def held_jointly(test: str) -> float:
    """What the intervals of a test promise to hold jointly at."""
    return 1 - (2 * ALPHA if "Holm" in test else ALPHA)


def broken(value: float, total: int, promised: float | None, *, least: bool = False) -> bool:
    """Whether a share lies beyond three Monte Carlo errors on the wrong side of its promise."""
    if promised is None:
        return False
    error = math.sqrt(promised * (1 - promised) / total)
    return value < promised - 3 * error if least else value > promised + 3 * error


def origin(record: dict[str, Any]) -> str:
    """Where the figures come from and how to read them."""
    total = record["tables"]
    error = math.sqrt(ALPHA * (1 - ALPHA) / total)
    return (
        f"Written by `bench/calibration.py` on {record['date']} ({record['seconds']:.0f} s, "
        f"{total:,} tables a cell, {RESAMPLES} resamples); do not edit. A share of .05 is known to "
        f"within {2 * error:.3f} (two Monte Carlo errors); **!** marks what lies beyond three on "
        "the wrong side of its promise: error above .05, coverage below .95 (.90 under Holm)."
    )


def table(heads: list[str], rows: list[list[str]]) -> str:
    """A pipe table."""
    return report.markdown([heads, *rows])


REMARKS = """\
- **Unequal variances** (deviations from 1.5 to 0.5 of the mean one): the yardstick that all pairs
  share, be it the range under permuted labels or the error of ANOVA, is too small for the runs that
  vary most. `assay compare` warns where residuals are spread unevenly; paired t with Holm keeps its
  level.
- **Holm's intervals** are Bonferroni's, cut at 0 where Holm alone rejects. Holm spends all of alpha
  on the differences that may be 0, so with such ends all hold together at 1 - 2 alpha at least,
  which is their promise here.
- **BCa** is refused under 30 topics. **d_z**'s interval supposes normal differences.
"""
PARTIAL = (
    f"Partial null: the better half of the runs lies {SHIFT} above the rest; errors are claims "
    "among "
    "runs that are equal. Coverage holds only if all 15 intervals do."
)
GATE = (
    "A true drop of all that is allowed may PASS, and no change may FAIL, with probability alpha "
    "each. The second number of topics is the one that the gate names: there no change is to PASS "
    "four times in five."
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
        REMARKS.rstrip(),
        "## Two runs: error, power under half a standard deviation, coverage",
        table(
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
        table(
            ["scores", "null", "topics", "test", "error", "power", "in theory", "joint coverage"],
            [
                [
                    row["scores"],
                    row["null"],
                    str(row["topics"]),
                    row["test"],
                    share(row["fwer"], total, ALPHA),
                    share(row["power"], total),
                    share(row["power_in_theory"], total),
                    share(row["joint_coverage"], total, held_jointly(row["test"]), least=True),
                ]
                for row in record["all_pairs"]
            ],
        ),
        "## A baseline against five runs, paired t with Holm",
        HOLM,
        table(
            ["true differences", "topics", "error", "joint coverage"],
            [
                [
                    " ".join(f"{value:g}" for value in row["true"]),
                    str(row["topics"]),
                    share(row["fwer"], total, ALPHA),
                    share(row["joint_coverage"], total, held_jointly("Holm"), least=True),
                ]
                for row in record["baseline"]
            ],
        ),
        "## Other intervals",
        table(
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
        "## Topics that `assay power` names",
        table(
            ["design", "difference", "topics", "promised", "got"],
            [
                [
                    row["design"],
                    f"{row['difference']:g}",
                    str(row["topics"]),
                    f"{row['promised']:g}",
                    f"{row['got']:.3f}",
                ]
                for row in record["designs"]
            ],
        ),
        "## The gate, `--max-drop 0.02`",
        GATE,
        table(
            [
                "scores",
                "topics",
                "PASS, drop of .02",
                "FAIL, no change",
                "PASS, no change",
                "in theory",
            ],
            [
                [
                    row["scores"],
                    str(row["topics"]),
                    share(row["false_pass"], total, ALPHA),
                    share(row["false_fail"], total, ALPHA),
                    share(row["pass"], total),
                    share(row["pass_in_theory"], total),
                ]
                for row in record["gate"]
            ],
        ),
    ]
    return "\n\n".join(parts) + "\n"


def worst(record: dict[str, Any]) -> list[list[str]]:
    """Of each test the largest error and the smallest coverage over all cells, as a table."""
    total = record["tables"]
    rows = [["test or interval", "largest error", "where", "smallest coverage", "where"]]
    seen: dict[str, list[dict[str, Any]]] = {}
    for row in record["two_runs"]:
        seen.setdefault(f"two runs: {row['test']}", []).append(row)
    for row in record["all_pairs"]:
        seen.setdefault(f"all pairs: {row['test']}", []).append(row)
    for row in record["baseline"]:
        seen.setdefault("baseline: paired t, Holm", []).append(row)
    for row in record["intervals"]:
        seen.setdefault(f"interval: {row['interval']}", []).append(row)
    for name, cells in seen.items():
        errors = [(row.get("error", row.get("fwer")), row) for row in cells]
        errors = [each for each in errors if each[0] is not None]
        held = [(row.get("coverage", row.get("joint_coverage")), row) for row in cells]
        held = [each for each in held if each[0] is not None]
        line = [name]
        for found, pick, least in ((errors, max, False), (held, min, True)):
            if not found:
                line += ["", ""]
                continue
            value, row = pick(found, key=lambda each: each[0])
            aim = held_jointly(name) if least else ALPHA
            line += [share(value, total, aim, least=least), _where(row)]
        rows.append(line)
    return rows


def _where(row: dict[str, Any]) -> str:
    return ", ".join(filter(None, [row["scores"], row.get("null"), f"{row['topics']} topics"]))


def finish(record: dict[str, Any]) -> str:
    """Add to the record what its summary shows, and give the page."""
    record["title"] = "do the tests keep their promises?"
    record["page"] = "calibration.md"
    record["about"] = f"{origin(record)}\n\n{REMARKS.rstrip()}"
    record["summary"] = worst(record)
    return summary(record)


def main() -> int:
    """Run the study."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tables", type=int, default=4000, help="simulated tables a cell [4000]")
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
    record["designs"] = designs(total, seed)
    record["gate"] = [row for kind in (EVEN, SKEW, COARSE) for row in gates(kind, total, seed)]
    record["seconds"] = time.perf_counter() - start
    page = finish(record)
    if total >= 1000:
        RESULTS.mkdir(exist_ok=True)
        path = RESULTS / f"{record['date']}-calibration.json"
        path.write_text(json.dumps(record, indent=1) + "\n")
        (RESULTS / record["page"]).write_text(page)
        report.summarise([case.name for case in CASES])
    print(page)
    print(report.plain(record["summary"]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
