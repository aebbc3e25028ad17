"""A comparison as tables for people, and as rows and JSON for programs."""

from __future__ import annotations

import csv
import io
import json
import math
import platform
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from assay import __version__
from assay.show.sheet import Sheet
from assay.show.table import Grid, Span
from assay.show.text import number
from assay.show.verdict import TEST_NAMES, amount, p_value, percent, residual_words, signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.comparison import Comparison, Difference, Overview
    from assay.measures.measure import Measure
    from assay.policy import Policy

__all__ = [
    "COLUMNS",
    "comparison_table",
    "correction",
    "finite",
    "how",
    "intervals",
    "row_of",
    "small_print",
    "text",
]

LISTED = 45  # differences that a table lists; of more it lists the first FEW by p
FEW = 30
SWUNG = 5  # differences whose swings are named

NOT_MEANS = "another hypothesis than that of equal means; estimate and interval are of the"
HYPOTHESES = {
    "t": "that the mean difference is 0",
    "wilcoxon": f"that differences lie evenly about 0, {NOT_MEANS} pseudo-median of the "
    "differences that are not 0",
    "sign": f"that a topic is as likely won as lost, {NOT_MEANS} median of the "
    "differences that are not 0",
    "randomization": "that the two runs are interchangeable on every topic; by the mean difference",
    "bootstrap": "that the mean difference is 0",
    "friedman": "that the order of the runs inside a topic is chance, "
    f"{NOT_MEANS} difference of mean ranks (the larger value has the larger rank)",
    "anova": "that the two means are equal; the error, shared by all pairs, is the interaction of "
    "run and topic",
    "tukey-hsd": "that the two means are equal, over all pairs of runs at once; the error, shared "
    "by all pairs, is the interaction of run and topic",
    "randomized-tukey-hsd": "that all runs are interchangeable on every topic; by the largest "
    "difference of means, over all pairs of runs at once",
}
CORRECTED = {"holm": "Holm", "bonferroni": "Bonferroni", "bh": "Benjamini-Hochberg"}


def comparison_table(comparison: Comparison) -> Sheet:
    """The comparison as a sheet."""
    grids: list[Grid] = []
    for about in comparison.overviews:
        grids.append(_runs(comparison, about))
        grids.append(_pairs(comparison, about))
    words = [comparison.verdict()]
    for about in comparison.overviews:
        words += _said(comparison, about)
    return Sheet(
        title=f"{', '.join(comparison.runs[:4])}{' ...' if len(comparison.runs) > 4 else ''}",
        grids=tuple(grids),
        paragraphs=tuple(words),
        print=tuple(how(comparison)),
        notes=comparison.notes,
        warnings=comparison.warnings,
    )


# ----------------------------------------------------------------------------------------- tables


def _runs(comparison: Comparison, about: Overview) -> Grid:
    """Means of the runs, best first where all are compared with all."""
    order = list(range(len(comparison.runs)))
    if comparison.plan.baseline is None and len(order) > 2:
        sign = -1 if about.measure.definition.higher_is_better else 1
        order.sort(key=lambda i: sign * about.means[i])
    title = f"{about.measure}{'' if about.primary else ' (exploratory)'}"
    heads: tuple[str, ...] = (
        title,
        "mean",
        "sd",
        percent(comparison.plan.alpha),
        "interval",
        "topics",
    )
    judged = about.measure.at is not None and not any(map(math.isnan, about.judged))
    if judged:
        heads += (f"Judged@{about.measure.at:g}",)
    if about.friedman is not None:
        heads += ("mean rank",)
    rows = tuple(
        (
            comparison.runs[i],
            number(about.means[i]),
            number(about.deviations[i]),
            *(_bound(end) for end in about.ends[i]),
            str(len(about.topics)),
            *([f"{about.judged[i]:.2f}"] if judged else []),
            *([f"{about.friedman.mean_ranks[i]:.2f}"] if about.friedman is not None else []),
        )
        for i in order
    )
    return Grid(heads, rows)


def _pairs(comparison: Comparison, about: Overview) -> Grid:
    found = list(comparison.under(about.measure))
    title = "difference"
    if len(found) > LISTED:
        found = sorted(found, key=lambda d: (math.isnan(d.p), d.p, -abs(d.difference)))[:FEW]
        title = f"{FEW} of {len(comparison.under(about.measure)):,} differences"
    other = about.about != "mean"
    nemenyi = about.friedman is not None
    heads = (
        title,
        "of means",
        *([about.about] if other else []),
        "low",
        "high",
        "p",
        *(["Nemenyi p"] if nemenyi else []),
        "d_z",
        "won",
        "tied",
        "lost",
        "size",
    )
    rows = tuple(
        (
            f"{d.run} - {d.baseline}",
            number(d.difference),
            *([number(d.estimate)] if other else []),
            _bound(d.low),
            _bound(d.high),
            "-" if math.isnan(d.p) else p_value(d.p).removeprefix("= "),
            *([p_value(d.nemenyi).removeprefix("= ")] if nemenyi else []),
            _size(d),
            str(d.won),
            str(d.tied),
            str(d.lost),
            d.label if math.isnan(d.relative) else f"{100 * d.relative:+.1f} % {d.label}",
        )
        for d in found
    )
    left = frozenset({0, len(heads) - 1})
    spans = tuple(_span(d) for d in found)
    return Grid(heads, rows, spans, left=left, folds=True)


def _bound(value: float) -> str:
    if 0 < abs(value) < 1e-300:
        return "> 0" if value > 0 else "< 0"
    return "-" if not math.isfinite(value) else number(value)


def _size(d: Difference) -> str:
    if math.isnan(d.d):
        return "-"
    low, high = (0.0 if 0 < abs(x) < 1e-300 else x for x in (d.d_low, d.d_high))
    return f"{d.d:.2f} ({low:.2f}, {high:.2f})"


def _span(d: Difference) -> Span | None:
    span = (d.low, d.estimate, d.high)
    return span if all(math.isfinite(x) for x in span) else None


# ------------------------------------------------------------------------------------------- words


def _said(comparison: Comparison, about: Overview) -> Iterator[str]:
    """What one measure's differences say beside the table."""
    found = comparison.under(about.measure)
    measure = about.measure
    if about.friedman is not None:
        f = about.friedman
        yield (
            f"{measure}: Friedman chi-square {f.chi_square:.2f} ({f.df} df) p {p_value(f.p)}; "
            "Iman-Davenport F "
            f"{f.f:.2f} ({f.f_df[0]}, {f.f_df[1]} df) p {p_value(f.f_p)}. "
            f"{_stars(comparison, measure)}"
        )
    if about.anova is not None:
        a = about.anova
        yield (
            f"{measure}: two-way ANOVA, runs F {a.f:.2f} ({a.df[0]}, {a.df[1]} df) "
            f"{'no p: no residual' if math.isnan(a.p) else 'p ' + p_value(a.p)}; the error is "
            "the interaction of "
            f"run and topic, standard deviation {amount(math.sqrt(a.mse))}."
        )
    few = len(found) <= SWUNG
    if few and about is comparison.overviews[0]:
        for d in found:
            if d.swings:
                named = ", ".join(f"{topic} {signed(value)}" for topic, value in d.swings)
                yield f"{measure}: largest swings {d.run} - {d.baseline}: {named}."
    if few:
        yield from (
            f"{measure}: {_residual(d)}" for d in found if d.residual and d.residual.documents
        )
    elif any(d.residual is not None for d in found):
        yield from _residuals(found, measure)


def _detectable(comparison: Comparison) -> Iterator[str]:
    """What differences the topics at hand could find."""
    plan, overviews = comparison.plan, comparison.overviews
    found = [
        f"{about.measure} {amount(about.detectable)}"
        for about in overviews
        if 0 < about.detectable < math.inf
    ]
    if found:
        level = (
            "the corrected level" if max(about.tests for about in overviews) > 1 else "this level"
        )
        if plan.correction == "none":
            level = "this level"
        if plan.test in ("tukey-hsd", "randomized-tukey-hsd"):
            level = "the level of these intervals"
        yield (
            f"smallest true difference found with power .8, by a t test at {level}: "
            f"{', '.join(found)}"
        )


def _stars(comparison: Comparison, measure: Measure) -> str:
    stars = comparison.stars(measure)
    if len(stars) > 12:
        return f"{len(stars)} statements of who beats whom: Comparison.stars()."
    return f"{'; '.join(stars) or 'No run is shown to beat another'} (** p < .01, * p < .05)."


def _residual(d: Difference) -> str:
    residual = d.residual
    if residual is None:
        return ""
    least = "" if residual.exact else ", if not further"
    words = residual_words(d) if d.significant else ""
    tail = f"; {words.partition(' (')[0]}" if words else ""
    many = f"{residual.documents:,} unjudged document{'s' * (residual.documents != 1)}"
    return (
        f"{many} could move {d.run} - {d.baseline} to anywhere "
        f"from {amount(residual.low)} to {amount(residual.high)}{least}{tail}."
    )


def _residuals(found: tuple[Difference, ...], measure: Measure) -> Iterator[str]:
    answers = [
        d.residual.could_reverse(d.difference)
        for d in found
        if d.significant and d.residual is not None
    ]
    if not answers:
        return
    safe, open_ones = answers.count(False), answers.count(True)
    yield (
        f"{measure}: of {len(answers):,} differences shown, unjudged documents could reverse "
        f"{open_ones:,} and could not reverse {safe:,}"
        + (f"; for {answers.count(None):,} it is not known." if None in answers else ".")
    )


def how(comparison: Comparison) -> Iterator[str]:
    """What was tested and how; stands under every table."""
    plan, first = comparison.plan, comparison.overviews[0]
    default = " (the default here)" if "test" in plan.chosen else ""
    name = TEST_NAMES[plan.test].rstrip(",")
    yield (
        f"test: {name}{default}, two-sided, alpha {plan.alpha:g}; it tests {HYPOTHESES[plan.test]}"
    )
    yield f"correction: {correction(comparison)}"
    yield f"intervals: {intervals(comparison)}"
    yield "means: t intervals over topics, each by itself; paired differences have their own"
    yield from _detectable(comparison)
    yield from _drawing(comparison)
    cut = plan.correction == "holm" and max(about.tests for about in comparison.overviews) > 1
    moves = first.about == "mean" and (plan.test != "t" or cut)
    moved = ", moved to 0 where it contradicts p" if moves else ""
    yield (
        "sizes: d_z, mean over standard deviation of differences (Hedges-corrected, noncentral t "
        f"interval{moved}); per cent "
        "of the baseline's mean, if that is .1 or more: 5 to 10 noticeable, above material "
        "(Sparck Jones)"
    )
    yield small_print(comparison.policy)


def small_print(policy: Policy) -> str:
    """Version and policies, the last line under every table."""
    left_out = "topics on which a run has no value are left out for all"
    return f"assay {__version__}: {policy}; {left_out}"


def _drawing(comparison: Comparison) -> Iterator[str]:
    """How often a test drew at random, or that it went through every case."""
    from assay.stats.paired import EXACT_TOPICS

    plan = comparison.plan
    if plan.test not in ("randomization", "bootstrap", "randomized-tukey-hsd"):
        return
    drawn: list[str] = []
    for about in comparison.overviews:
        n = len(about.topics)
        if plan.test == "randomization" and n <= EXACT_TOPICS:
            yield f"{about.measure}: exact, all 2^{n} exchanges"
        else:
            drawn.append(str(about.measure))
    if drawn:
        some = f"{', '.join(drawn)}: " if len(drawn) < len(comparison.overviews) else ""
        noise = math.sqrt(plan.alpha * (1 - plan.alpha) / plan.resamples)
        yield (
            f"{some}drawn at random: {plan.resamples:,} times, seed {plan.seed}; a p of "
            f"{plan.alpha:g} is known to within {2 * noise:.2g}"
        )


def correction(comparison: Comparison) -> str:
    """How p-values were corrected, in words."""
    plan, overviews = comparison.plan, comparison.overviews
    default = " (the default)" if "correction" in plan.chosen else ""
    first = overviews[0]
    rest = [about for about in overviews if not about.primary]
    alone = plan.test in ("tukey-hsd", "randomized-tukey-hsd")
    if alone:
        text = "none needed, the test holds for all pairs together"
        if first.tests > 1:
            text += f"; Bonferroni over {first.tests} measures"
    elif first.tests <= 1:
        text = "none needed for one difference"
    elif plan.correction == "none":
        text = f"none{default} over {first.tests} differences"
    else:
        text = f"{CORRECTED[plan.correction]}{default} over {first.tests} differences"
    if rest:
        names = ", ".join(str(about.measure) for about in rest)
        many = rest[0].tests
        how = "Bonferroni" if alone else CORRECTED.get(plan.correction, "uncorrected")
        text += f"; primary: {first.measure}; exploratory: {names}"
        text += f" ({how} over {many})" if many > 1 else ""
    return text


def intervals(comparison: Comparison) -> str:
    """What the intervals promise, in words."""
    plan, first = comparison.plan, comparison.overviews[0]
    level = percent(plan.alpha)
    if plan.interval == "bca":
        return f"{level} BCa, plain: each holds by itself, and it may disagree with p"
    if plan.interval == "plain":
        return f"{level}, plain: each holds by itself and agrees with the uncorrected p"
    if plan.test in ("tukey-hsd", "randomized-tukey-hsd"):
        measures = " and measures" if first.tests > 1 else ""
        return f"{level}, simultaneous over all pairs{measures}, in agreement with p"
    tests = max(about.tests for about in comparison.overviews)
    if tests <= 1 or plan.correction == "none":
        plain = ", plain: each holds by itself" if tests > 1 else ""
        return f"{level}{plain}, in agreement with p"
    if plan.correction == "bh":
        share = percent(1 - plan.alpha)
        return (
            f"of those that leave out 0 no more than {share} are expected to miss the true value "
            "(Benjamini-Yekutieli), in agreement with p"
        )
    return _simultaneous(comparison, tests, level)


def _simultaneous(comparison: Comparison, tests: int, level: str) -> str:
    """Intervals under Holm and Bonferroni."""
    plan, first = comparison.plan, comparison.overviews[0]
    text = f"{level}, simultaneous (Bonferroni over {tests}), in agreement with p"
    if first.tests <= 1:
        text = (
            f"{level}, those of the exploratory measures simultaneous (Bonferroni over {tests}), "
            "in agreement with p"
        )
    elif first.tests != tests:
        text = (
            f"{level}, simultaneous in each family (Bonferroni over {first.tests}, over {tests}), "
            "in agreement with p"
        )
    if plan.correction == "holm":
        text += (
            "; where Holm shows a sign that Bonferroni does not, the interval ends at 0, and with "
            f"such ends all hold together at {percent(2 * plan.alpha)} at least"
        )
    return text


# --------------------------------------------------------------------------------------- programs

COLUMNS = (
    "measure",
    "run",
    "baseline",
    "mean",
    "baseline_mean",
    "difference",
    "estimate",
    "low",
    "high",
    "p",
    "plain_p",
    "significant",
    "statistic",
    "topics",
    "won",
    "tied",
    "lost",
    "d",
    "d_low",
    "d_high",
    "relative",
    "label",
    "primary",
    "level",
    "reason",
    "nemenyi",
    "residual_low",
    "residual_high",
    "residual_exact",
)


def row_of(d: Difference) -> dict[str, Any]:
    """A difference as one row."""
    row = {name: getattr(d, name) for name in COLUMNS if hasattr(d, name)}
    row["measure"] = str(d.measure)
    row["residual_low"] = d.residual.low if d.residual else math.nan
    row["residual_high"] = d.residual.high if d.residual else math.nan
    row["residual_exact"] = d.residual.exact if d.residual else None
    return row


def text(comparison: Comparison, form: str) -> Iterator[str]:
    """The comparison in one of the forms of `assay compare -o`."""
    if form == "csv":
        yield from _csv(comparison)
    elif form == "json":
        yield json.dumps(_object(comparison), ensure_ascii=False, indent=2) + "\n"
    else:
        sheet = comparison_table(comparison)
        made = {"markdown": sheet.to_markdown, "latex": sheet.to_latex, "html": sheet.to_html}[
            form
        ]()
        yield f"{made}\n"


def _csv(comparison: Comparison) -> Iterator[str]:
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(COLUMNS)
    for d in comparison.differences:
        row = row_of(d)
        writer.writerow([_cell(row[name]) for name in COLUMNS])
    yield page.getvalue()


def _cell(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, float) else value


def finite(value: Any) -> Any:
    """A value as JSON knows it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {key: finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [finite(each) for each in value]
    return value


def _object(comparison: Comparison) -> dict[str, Any]:
    import numpy as np

    return {
        "versions": {
            "assay": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
        },
        "policies": asdict(comparison.policy),
        "judge": comparison.judge,
        "runs": list(comparison.runs),
        "plan": asdict(comparison.plan),
        "verdict": comparison.verdict(),
        "measures": [_measure(comparison, about) for about in comparison.overviews],
        "differences": [
            finite(row_of(d))
            | {"swings": [{"topic": topic, "difference": value} for topic, value in d.swings]}
            for d in comparison.differences
        ],
        "how": list(how(comparison)),
        "notes": list(comparison.notes),
        "warnings": list(comparison.warnings),
    }


def _measure(comparison: Comparison, about: Overview) -> dict[str, Any]:
    found: dict[str, Any] = {
        "measure": str(about.measure),
        "primary": about.primary,
        "topics": len(about.topics),
        "left_out": list(about.left_out),
        "means": dict(zip(comparison.runs, about.means, strict=True)),
        "mean_intervals": dict(zip(comparison.runs, map(list, about.ends), strict=True)),
        "judged": dict(zip(comparison.runs, about.judged, strict=True)),
        "deviations": dict(zip(comparison.runs, about.deviations, strict=True)),
        "interval_of": about.about,
        "tests": about.tests,
        "level": about.level,
        "residual_variance": about.residual_variance,
        "detectable": about.detectable,
    }
    if about.friedman is not None:
        f = about.friedman
        found["friedman"] = {
            "chi_square": f.chi_square,
            "df": f.df,
            "p": f.p,
            "f": f.f,
            "f_df": list(f.f_df),
            "f_p": f.f_p,
            "mean_ranks": dict(zip(comparison.runs, f.mean_ranks.tolist(), strict=True)),
            "stars": comparison.stars(about.measure),
        }
    if about.anova is not None:
        a = about.anova
        found["anova"] = {
            "f": a.f,
            "df": list(a.df),
            "p": a.p,
            "mse": a.mse,
            "uneven_p": a.uneven_p,
        }
    checked: dict[str, Any] = finite(found)
    return checked
