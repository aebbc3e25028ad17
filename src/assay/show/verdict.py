"""What a comparison says, in two or three sentences that are never stronger than its numbers."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.comparison import Comparison, Difference, Overview

__all__ = ["TEST_NAMES", "amount", "p_value", "percent", "residual_words", "signed", "verdict"]

TEST_NAMES = {
    "t": "paired t",
    "wilcoxon": "Wilcoxon signed-rank",
    "sign": "sign test",
    "randomization": "randomisation",
    "bootstrap": "studentised bootstrap",
    "friedman": "Conover after Friedman",
    "anova": "ANOVA, shared error,",
    "tukey-hsd": "Tukey HSD",
    "randomized-tukey-hsd": "randomised Tukey HSD",
}
NAMED = 5  # runs named one by one


def p_value(p: float) -> str:
    """A p-value as papers write it: `= .003`, `< .001`."""
    if p < 0.001:
        return "< .001"
    if p > 0.9995:
        return "= 1"
    text = f"{p:.3f}"
    while text.rstrip("0") in ("0.05", "0.01") and float(text) != p and len(text) < 12:
        text = f"{p:.{len(text) - 1}f}"  # on which side of the usual levels it lies
    return f"= {text.removeprefix('0')}"


def amount(value: float) -> str:
    """A number with three decimals, more where it would vanish."""
    if not math.isfinite(value):
        return "-" if math.isnan(value) else f"{value:g}".replace("inf", "infinity")
    if 0 < abs(value) < 1e-300:
        return "0"
    text = f"{value:.3f}" if abs(value) >= 0.0005 or value == 0 else f"{value:.2g}"
    return text.removeprefix("-") if not text.strip("-0.") else text


def signed(value: float) -> str:
    """A number with its sign."""
    return f"+{amount(value)}" if value > 0 else amount(value)


def percent(alpha: float) -> str:
    """The confidence of an interval, such as `95 %`."""
    return f"{100 * (1 - alpha):.4g} %"


def verdict(comparison: Comparison) -> str:
    """Two or three sentences on the primary measure."""
    about = comparison.overviews[0]
    found = comparison.under(about.measure)
    if len(comparison.runs) == 2:
        return _of_two(comparison, found[0], about)
    if comparison.plan.baseline is not None:
        return _of_baseline(comparison, found, about)
    return _of_all(comparison, found, about)


# --------------------------------------------------------------------------------------- two runs


def _of_two(comparison: Comparison, d: Difference, about: Overview) -> str:
    measure = str(d.measure)
    if d.won == d.lost == 0:
        return f"{d.run} and {d.baseline} have the same {measure} on each of {d.topics} topics."
    if math.isnan(d.p):
        return (
            f"The means of {d.run} and {d.baseline} lie {amount(abs(d.difference))} {measure} "
            "apart; "
            f"there is no p-value: {d.reason}."
        )
    flipped = d.better == d.baseline
    won, lost = (d.lost, d.won) if flipped else (d.won, d.lost)
    counts = f"{d.topics} topics, {won} won {lost} lost"
    found = f"{TEST_NAMES[comparison.plan.test]} p {p_value(d.p)}"
    if about.about != "mean":
        return _of_another_hypothesis(comparison, d, about, found)
    inside = f"{_interval(comparison, d, flip=_turned(d))}, {found}, {counts}"
    better, worse = (d.baseline, d.run) if flipped else (d.run, d.baseline)
    if d.significant:
        words = f"{better} beats {worse} by {amount(abs(d.difference))} {measure} ({inside})"
        return f"{words}{_residual(d)}."
    if d.better is None:
        return f"{d.run} and {d.baseline} have the same mean {measure} ({inside})." + _power(about)
    return (
        f"No difference is shown: {better} lies {amount(abs(d.difference))} {measure} "
        f"{'above' if d.measure.definition.higher_is_better else 'below'} {worse} ({inside}), "
        "which "
        f"is no proof that they are equal.{_power(about)}"
    )


def _turned(d: Difference) -> bool:
    """Whether the interval is told with the other sign: the larger mean minus the smaller."""
    return d.difference < 0


def _interval(comparison: Comparison, d: Difference, *, flip: bool = False) -> str:
    low, high = (-d.high, -d.low) if flip else (d.low, d.high)
    plan = comparison.plan
    kind = "plain " if plan.interval in ("plain", "bca") and _several(comparison) else ""
    kind = "joint " if plan.interval not in ("plain", "bca") and _joint(comparison) else kind
    name = "BCa interval" if plan.interval == "bca" else "interval"
    return f"{kind}{percent(plan.alpha)} {name} {_end(low)} to {_end(high)}"


def _end(value: float) -> str:
    """An end of an interval; one that p alone keeps from 0 says so."""
    if 0 < abs(value) < 1e-300:
        return "above 0" if value > 0 else "below 0"
    return amount(value)


def _several(comparison: Comparison) -> bool:
    return comparison.overviews[0].tests > 1 or len(comparison.runs) > 2


def _joint(comparison: Comparison) -> bool:
    plan = comparison.plan
    corrected = plan.correction in ("holm", "bonferroni") and comparison.overviews[0].tests > 1
    return corrected or plan.test in ("tukey-hsd", "randomized-tukey-hsd")


def _of_another_hypothesis(
    comparison: Comparison, d: Difference, about: Overview, found: str
) -> str:
    shown = "are shown to differ" if d.significant else "are not shown to differ"
    won, lost = d.won, d.lost
    return (
        f"{d.run} and {d.baseline} {shown} in {d.measure} by a test that is not one of their means "
        f"({found}, {d.topics} topics, {d.run} won {won} lost {lost}): the {about.about} of the "
        f"differences {d.run} - {d.baseline}{' that are not 0' if d.tied else ''} is "
        f"{amount(d.estimate)} ({_interval(comparison, d)}). "
        f"The means differ by {signed(d.difference)}."
    )


def _power(about: Overview) -> str:
    if not 0 < about.detectable < math.inf:
        return ""
    n = len(about.topics)
    finder = f"{n} topics" if about.about == "mean" else f"A t test on {n} topics"
    return (
        f" {finder} would find a true difference of means of {amount(about.detectable)} four times "
        "in five."
    )


def _residual(d: Difference) -> str:
    """What unjudged documents could do, as a clause."""
    words = residual_words(d)
    return f"; {words}" if words else ""


def residual_words(d: Difference) -> str:
    """What unjudged documents could do to the sign of a difference; empty where it is not known."""
    if d.residual is None or not d.difference:
        return ""
    where = f"among the first {d.measure.at:g} of either run" if d.measure.at else "in the two runs"
    if not d.residual.documents:
        return f"every document {where} is judged"
    could = d.residual.could_reverse(d.difference)
    if could is None:
        return ""
    if not could:
        return f"unjudged documents {where} could not reverse this"
    reached = f"{amount(d.residual.low)} to {amount(d.residual.high)}"
    return f"unjudged documents {where} could reverse this (difference from {reached})"


# ------------------------------------------------------------------------------------ several runs


def _listed(names: list[str]) -> str:
    shown = names[:NAMED]
    if len(names) > NAMED:
        return f"{', '.join(shown)} and {len(names) - NAMED} more"
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _how(comparison: Comparison, about: Overview) -> str:
    plan = comparison.plan
    corrected = ""
    if plan.correction != "none" and about.tests > 1:
        named = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}
        corrected = f" with {named[plan.correction]} over {about.tests}"
    elif (
        about.tests > 1
        and plan.correction == "none"
        and plan.test
        not in (
            "tukey-hsd",
            "randomized-tukey-hsd",
        )
    ):
        corrected = ", uncorrected, so each by itself"
    return f"{TEST_NAMES[plan.test].rstrip(',')}{corrected}, {len(about.topics)} topics"


def _other(about: Overview) -> str:
    return "" if about.about == "mean" else ", a test that is not one of means"


def _of_baseline(comparison: Comparison, found: tuple[Difference, ...], about: Overview) -> str:
    base, measure = comparison.plan.baseline, str(about.measure)
    shown = [d for d in found if d.significant]
    sign = 1 if about.measure.definition.higher_is_better else -1
    ups = [d for d in shown if sign * d.estimate > 0]
    downs = [d for d in shown if sign * d.estimate < 0]
    parts = []
    of_means = about.about == "mean"
    for group, verbs in (
        (ups, ("beats", "beat") if of_means else ("is", "are")),
        (downs, ("falls behind", "fall behind") if of_means else ("is", "are")),
    ):
        if group:
            each = [_clause(comparison, d, about) for d in group[:NAMED]]
            more = f"; and {len(group) - NAMED} more" if len(group) > NAMED else ""
            verb = verbs[len(group) > 1]
            if not of_means:
                verb += f" shown to differ for the {'better' if group is ups else 'worse'} from"
            parts.append(
                f"{len(group)} of {len(found)} runs {verb} {base} in {measure}: "
                f"{'; '.join(each)}{more}."
            )
    rest = [d.run for d in found if not d.significant and not math.isnan(d.p)]
    if rest:
        against = "Against" if parts else f"In {measure}, against"
        parts.append(f"{against} {base} no difference is shown for {_listed(rest)}.{_power(about)}")
    unknown = _without_p(found, [d.run for d in found if math.isnan(d.p)])
    parts += [unknown] if unknown else []
    return f"{' '.join(parts)} ({_how(comparison, about)}{_other(about)}.)"


def _without_p(found: tuple[Difference, ...], names: list[str]) -> str:
    """Why some differences are neither shown nor not shown."""
    reasons = [d.reason for d in found if math.isnan(d.p)]
    if not reasons:
        return ""
    return f"There is no p-value for {_listed(names)}: {reasons[0]}."


def _clause(comparison: Comparison, d: Difference, about: Overview) -> str:
    if about.about != "mean":
        return f"{d.run} ({about.about} {signed(d.estimate)}, p {p_value(d.p)})"
    inside = f"{_interval(comparison, d, flip=_turned(d))}, p {p_value(d.p)}"
    return f"{d.run} by {amount(abs(d.difference))} ({inside}){_residual(d).replace(';', ',', 1)}"


def _of_all(comparison: Comparison, found: tuple[Difference, ...], about: Overview) -> str:
    shown = sum(d.significant for d in found)
    measure = about.measure
    better = max if measure.definition.higher_is_better else min
    top = better(range(len(about.means)), key=lambda i: about.means[i])
    name = comparison.runs[top]
    beaten: list[str] = []
    level: list[str] = []
    for d in found:
        if name in (d.run, d.baseline) and not math.isnan(d.p):
            (beaten if d.significant else level).append(d.baseline if d.run == name else d.run)
    how = f"{_how(comparison, about)}{_other(about)}"
    verb = "is" if shown == 1 else "are"
    first = f"Of {len(found):,} pairs {shown:,} {verb} shown to differ in {measure} ({how})."
    unknown = [f"{d.run} and {d.baseline}" for d in found if math.isnan(d.p)]
    if unknown:
        named = [f"{len(unknown):,} of the pairs"] if len(unknown) > 1 else unknown
        first += f" {_without_p(found, named)}"
    shared = [
        run
        for run, mean in zip(comparison.runs, about.means, strict=True)
        if mean == about.means[top]
    ]
    if len(shared) > 1:
        return (
            f"{first} {_listed(shared)} share the best mean, {amount(about.means[top])}."
            + _power(about)
        )
    parts = [f"{name} has the best mean, {amount(about.means[top])}"]
    if beaten:
        parts.append(f"shown to differ from {_listed(beaten)}")
    if level:
        parts.append(
            f"{'but ' if beaten else ''}not from {_listed(level)}"
            if beaten
            else f"shown to differ from none of {_listed(level)}"
        )
    return f"{first} {', '.join(parts)}.{_power(about)}"
