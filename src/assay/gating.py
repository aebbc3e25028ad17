"""The gate: may a candidate replace the baseline? One-sided bounds of the mean change decide."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from assay.comparison import check_alpha, check_scores, chosen_judge, refuse_bounds
from assay.errors import AssayError
from assay.pictured import Pictured
from assay.policy import Policy
from assay.scores import MISSING, UNDEFINED
from assay.stats.arrays import Array, spread, steady
from assay.stats.corrections import adjusted
from assay.stats.intervals import one_sided
from assay.stats.power import detectable, topics_for_t

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.measures.measure import Measure
    from assay.scores import Scores

__all__ = ["FAIL", "INCONCLUSIVE", "PASS", "Check", "Gate", "Margin", "gate"]

PASS, FAIL, INCONCLUSIVE = "pass", "fail", "inconclusive"
JUDGED_GAP = 0.1  # in Judged@k, from which the two runs are not judged alike
POWER = 0.8


@dataclass(frozen=True)
class Margin:
    """A drop or a gain, absolute or in per cent of the baseline's mean: `0.01` or `2%`."""

    value: float
    percent: bool = False

    @classmethod
    def parse(cls, given: float | str | Margin, what: str) -> Margin:
        """Read a margin; `what` names it in errors."""
        if isinstance(given, Margin):
            return given
        text = str(given).strip()
        percent = text.endswith("%")
        try:
            value = float(text.removesuffix("%"))
        except ValueError:
            value = math.nan
        if not 0 <= value < math.inf:
            raise AssayError(
                f"{what}: expected a number of at least 0 such as 0.01, or a share of the "
                "baseline's mean "
                f"such as 2%, found {given!r}"
            )
        return cls(value, percent)

    def of(self, base_mean: float) -> float:
        """The margin in units of the measure."""
        return self.value / 100 * abs(base_mean) if self.percent else self.value

    def __str__(self) -> str:
        return f"{self.value:g}%" if self.percent else f"{self.value:g}"


@dataclass(frozen=True)
class Check:
    """The gate under one measure. A change below 0 is one for the worse, whatever the measure."""

    measure: Measure
    outcome: str
    baseline_mean: float
    candidate_mean: float
    change: float
    lower: float  # one-sided bounds of the change, each at level 1 - alpha
    upper: float
    max_drop: float  # NaN where none was asked for
    topics: int
    left_out: int
    excludable: float  # smallest drop that these topics exclude, with power .8, if nothing changed
    needed: int | None  # topics that exclude max_drop in this way; None where no number does
    gain: float  # required; NaN where none was
    gain_p: float  # corrected, that the change is no more than the gain
    gained: bool
    collapsed: tuple[tuple[str, float, float], ...]  # topics with their values before and after
    reasons: tuple[str, ...]  # why nothing can be concluded, whatever the numbers

    @property
    def dropped(self) -> bool:
        """Whether the drop seen exceeds what is allowed."""
        return not math.isnan(self.max_drop) and self.change < -self.max_drop


@dataclass(frozen=True, eq=False, repr=False)
class Gate(Pictured):
    """The decision, and what it rests on."""

    baseline: str
    candidate: str
    judge: str
    checks: tuple[Check, ...]
    max_drop: Margin | None
    require_gain: Margin | None
    alpha: float
    strict: bool
    policy: Policy = field(default_factory=Policy)
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"Gate({self.candidate!r} against {self.baseline!r}: {self.outcome})"

    @property
    def outcome(self) -> str:
        """The worst outcome of all measures: pass, fail or inconclusive."""
        outcomes = {check.outcome for check in self.checks}
        return FAIL if FAIL in outcomes else INCONCLUSIVE if INCONCLUSIVE in outcomes else PASS

    @property
    def exit_code(self) -> int:
        """0 lets the build go on, 1 stops it."""
        return int(any(self.stops(check) for check in self.checks))

    def stops(self, check: Check) -> bool:
        """Whether one measure stops the build."""
        if check.outcome == INCONCLUSIVE:
            lacking = self.require_gain is not None and not check.gained
            return self.strict or check.dropped or lacking
        return check.outcome == FAIL

    def paragraph(self) -> str:
        """Why, in words."""
        from assay.show.gate import paragraph

        return paragraph(self)

    def table(self) -> Any:
        """A table for people, which prints itself in a terminal and in a notebook."""
        from assay.show.gate import gate_table

        return gate_table(self)

    def to_markdown(self) -> str:
        """A summary for a pull request."""
        from assay.show.gate import summary

        return summary(self)

    def to_junit(self) -> str:
        """The checks as JUnit XML, which build servers show."""
        from assay.show.gate import junit

        return junit(self)

    def _repr_html_(self) -> str:
        html: str = self.table()._repr_html_()
        return html


def gate(
    scores: Scores,
    *,
    baseline: str | None = None,
    candidate: str | None = None,
    max_drop: float | str | None = None,
    require_gain: float | str | None = None,
    alpha: float = 0.05,
    strict: bool = False,
    measures: Sequence[str | Measure] | None = None,
    judge: str | None = None,
) -> Gate:
    """Decide whether `candidate` may replace `baseline`, under every measure of `scores`.

    With L and U the one-sided bounds of the mean change, each at level 1 - alpha: a measure passes
    where L > -max_drop, fails where the mean change is below -max_drop and U < 0, and is
    inconclusive otherwise. All measures must pass.

    * baseline, candidate: the first and the second run, where not named.
    * max_drop: what is allowed, absolute (`0.01`) or of the baseline's mean (`"2%"`).
    * require_gain: the change must also be shown to exceed this, with Holm's correction over the
      measures.
    * strict: inconclusive stops the build too; otherwise it does so only where the drop seen
      exceeds max_drop, or a required gain is not shown.
    * measures: those to decide on; others of the scores only tell by their Judged@k how evenly the
      two runs are judged.
    """
    check_scores(scores)
    check_alpha(alpha)
    if max_drop is None and require_gain is None:
        raise AssayError("the gate needs max_drop, such as 0.01 or '2%', or require_gain, or both")
    drop = None if max_drop is None else Margin.parse(max_drop, "max_drop")
    gain = None if require_gain is None else Margin.parse(require_gain, "require_gain")
    refuse_bounds(scores)
    base, other = _two(scores, baseline, candidate)
    judge_at, judge = chosen_judge(scores, judge)
    rows = [_Row(scores, judge_at, m, base, other) for m in _deciding(scores, measures)]
    for row in rows:
        row.refuse(drop)
    gains = adjusted(np.array([row.gain_p(gain) for row in rows]), "holm")
    checks = tuple(
        row.check(drop, gain, float(p), alpha) for row, p in zip(rows, gains, strict=True)
    )
    notes, warnings = [*scores.notes], [*scores.warnings]
    for row in rows:
        if row.missing[0]:
            warnings.append(
                f"{row.names[0]}, the baseline, lacks {row.missing[0]} topic(s): its mean may be "
                "lower than what the candidate is to replace"
            )
        if row.left_out:
            notes.append(
                f"{row.measure}: {row.left_out} topic(s) left out, since one of the two has no "
                "value there"
            )
        if row.undefined:
            notes.append(
                f"{row.measure}: {row.undefined} topic(s) without a value for any run left out"
            )
    return Gate(
        baseline=scores.runs[base],
        candidate=scores.runs[other],
        judge=judge,
        checks=checks,
        max_drop=drop,
        require_gain=gain,
        alpha=alpha,
        strict=strict,
        policy=scores.policy,
        notes=tuple(dict.fromkeys(notes)),
        warnings=tuple(dict.fromkeys(warnings)),
    )


def _two(scores: Scores, baseline: str | None, candidate: str | None) -> tuple[int, int]:
    runs = list(scores.runs)
    for run in (baseline, candidate):
        if run is not None and run not in runs:
            raise AssayError(f"no run {run!r} in these scores; there are: {', '.join(runs)}")
    if len(runs) != 2 and (baseline is None or candidate is None):
        raise AssayError(
            f"the gate compares two runs, found {len(runs)} ({', '.join(runs[:5])}); name "
            "baseline and candidate"
        )
    rest = [run for run in runs if run not in (baseline, candidate)]
    baseline = baseline or rest.pop(0)
    candidate = candidate or rest.pop(0)
    if baseline == candidate:
        raise AssayError(f"baseline and candidate are both {baseline!r}; nothing to compare")
    return runs.index(baseline), runs.index(candidate)


def _deciding(scores: Scores, measures: Sequence[str | Measure] | None) -> Sequence[int]:
    from assay.measures.measure import parse_all

    wanted = scores.measures if measures is None else parse_all(measures)
    for each in wanted:
        if each not in scores.measures:
            found = ", ".join(map(str, scores.measures))
            raise AssayError(f"no measure {str(each)!r} in these scores; there are: {found}")
    return [scores.measures.index(each) for each in wanted]


class _Row:
    """The two runs under one measure."""

    def __init__(self, scores: Scores, judge: int, m: int, base: int, other: int) -> None:
        self.measure = scores.measures[m]
        self.names = (scores.runs[base], scores.runs[other])
        both = scores.values[judge, [base, other], m]
        reasons = scores.reasons[judge, [base, other], m]
        whole: Array = np.asarray(~np.isnan(both).any(axis=0))
        self.topics = [t for t, keep in zip(scores.topics, whole, strict=True) if keep]
        self.x: Array = both[:, whole]
        self.missing = [int((row == MISSING).sum()) for row in reasons]
        undefined = (reasons == UNDEFINED).any(axis=0) & ~whole
        self.undefined = int(undefined.sum())
        self.left_out = int((~whole & (reasons == MISSING).any(axis=0) & ~undefined).sum())
        removed = (self.measure.unjudged or scores.policy.unjudged) == "condensed"
        self.unjudged = "are left out, which flatters it" if removed else "count as not relevant"
        self.judged, self.at = _judged(scores, judge, m, [base, other])
        self.sign = 1.0 if self.measure.definition.higher_is_better else -1.0
        self.d = steady(self.sign * (self.x[1] - self.x[0]))
        if not self.topics:
            raise AssayError(
                f"{self.measure}: on no topic do both runs have a value; nothing to decide on"
            )

    def gain_p(self, gain: Margin | None) -> float:
        """One-sided p that the change is no more than the gain."""
        if gain is None or len(self.topics) < 2:
            return math.nan
        from scipy.special import stdtr

        n = len(self.topics)
        mean, deviation = (float(value) for value in spread(self.d))
        over = mean - gain.of(float(self.x[0].mean()))
        if deviation == 0:  # all topics gain or none does: the sign test
            return 2.0**-n if over > 0 else 1.0
        return float(stdtr(n - 1, -over / (deviation / math.sqrt(n))))

    def check(self, drop: Margin | None, gain: Margin | None, gain_p: float, alpha: float) -> Check:
        """The decision under this measure."""
        n, base_mean = len(self.topics), float(steady(self.x.mean(axis=-1))[0])
        change, deviation = (float(value) for value in spread(self.d))
        allowed = drop.of(base_mean) if drop else math.nan
        wanted = gain.of(base_mean) if gain else math.nan
        reasons = tuple(self._doubts(alpha))
        lower, upper = one_sided(self.d, alpha) if n > 1 else (-math.inf, math.inf)
        gained = gain is None or gain_p <= alpha
        outcome = _outcome(change, lower, upper, allowed)
        if gain is not None and outcome != FAIL and not gained:
            outcome = FAIL if upper < wanted else INCONCLUSIVE
        variance = deviation**2 if n > 1 else math.nan
        known = n > 1 and variance > 0
        return Check(
            measure=self.measure,
            outcome=INCONCLUSIVE if reasons else outcome,
            baseline_mean=base_mean,
            candidate_mean=float(steady(self.x.mean(axis=-1))[1]),
            change=change,
            lower=lower,
            upper=upper,
            max_drop=allowed,
            topics=n,
            left_out=self.left_out,
            excludable=detectable(n, variance, alpha, POWER, sides=1) if known else math.nan,
            needed=topics_for_t(allowed, variance, alpha, POWER, sides=1)
            if known and allowed > 0
            else None,
            gain=wanted,
            gain_p=gain_p,
            gained=gained,
            collapsed=tuple(self._collapsed()),
            reasons=reasons,
        )

    def refuse(self, drop: Margin | None) -> None:
        """Refuse a drop that no candidate could exceed, under which all would pass."""
        if drop is None:
            return
        about = self.measure.definition
        if drop.percent:
            least = (about.low if about.higher_is_better else math.nan) == 0
            if least and drop.value >= 100:
                raise AssayError(
                    f"max_drop={str(drop)!r}: {self.measure} cannot drop by more than all of the "
                    "baseline's mean, so every candidate would pass; allow less than 100%"
                )
        elif drop.value >= about.high - about.low:
            raise AssayError(
                f"max_drop={drop.value:g}: {self.measure} lies between {about.low:g} and "
                f"{about.high:g}, so no candidate could drop by more; for {drop.value:g} per cent "
                f"of the baseline's mean write {drop.value:g}%"
            )

    def _doubts(self, alpha: float) -> Sequence[str]:
        """Why the numbers may not be trusted."""
        found = []
        n = len(self.topics)
        if n < 2:
            found.append("a single topic has no spread to bound the mean with")
        elif np.ptp(self.d) == 0 and self.d[0] and 2.0**-n > alpha:
            found.append(
                f"all {n} topics change by the same amount, and so few show nothing without a "
                "spread to bound the mean with"
            )
        if self.missing[1]:
            found.append(f"{self.names[1]} lacks {self.missing[1]} topic(s)")
        gap = float(self.judged[0] - self.judged[1])
        if gap > JUDGED_GAP + 1e-9:  # .4 - .3 is more than .1 by rounding alone
            found.append(
                f"Judged@{self.at} of {self.names[1]} is {self.judged[1]:.2f}, of {self.names[0]} "
                f"{self.judged[0]:.2f}: the candidate's unjudged documents {self.unjudged}"
            )
        return found

    def _collapsed(self) -> Sequence[tuple[str, float, float]]:
        """Topics that lost over half of their value, and over half of the baseline's mean."""
        before, after = self.x
        scale = abs(float(before.mean())) / 2
        lost = (-self.d > np.abs(before) / 2) & (-self.d > scale) & (scale > 0)
        order = np.argsort(self.d, kind="stable")
        return [
            (self.topics[t], float(before[t]), float(after[t])) for t in order.tolist() if lost[t]
        ]


def _judged(scores: Scores, judge: int, m: int, runs: list[int]) -> tuple[Array, str]:
    """Judged@k of the two runs at the measure's cut-off, else where they differ most."""
    shown = scores.judged[judge][runs]
    if np.isnan(shown[:, m]).any():
        gaps = np.nan_to_num(shown[0] - shown[1], nan=-1.0)
        m = int(gaps.argmax())
    at = scores.measures[m].at
    return shown[:, m], f"{at:g}" if at is not None else "k"


def _outcome(change: float, lower: float, upper: float, allowed: float) -> str:
    if math.isnan(allowed) or lower > -allowed:
        return PASS
    if lower == upper == change == 0:  # no topic changed, so that none dropped: max_drop may be 0
        return PASS
    return FAIL if change < -allowed and upper < 0 else INCONCLUSIVE
