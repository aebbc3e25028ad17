"""A paragraph on methods for exactly what was run, and BibTeX for what it cites."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from assay import __version__
from assay.show.report.bibliography import ENTRIES, TESTS, Entry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from assay.comparison import Comparison
    from assay.measures.measure import Measure
    from assay.reporting import Report

__all__ = ["bibtex", "cited", "methods"]

_DOI = re.compile(r"https://doi\.org/(\S+?)(?=[;,)]*(?:\s|$))")
_AUTHOR = re.compile(r"(?:discount .*? of )?(.*?) (\d{4})\b")
NAMES = {
    "t": "paired t test",
    "wilcoxon": "Wilcoxon signed-rank test",
    "sign": "sign test",
    "randomization": "randomisation test on the mean difference",
    "bootstrap": "studentised bootstrap test",
    "friedman": "Conover's test after Friedman's",
    "anova": "t test over the error that a two-way ANOVA shares",
    "tukey-hsd": "Tukey HSD test",
    "randomized-tukey-hsd": "randomised Tukey HSD test",
}
CORRECTIONS = {
    "holm": "Holm's correction",
    "bonferroni": "Bonferroni's correction",
    "bh": "Benjamini and Hochberg's control of the false discovery rate",
}
UNJUDGED = {
    "nonrelevant": "Documents without a judgment counted as not relevant",
    "condensed": "Documents without a judgment were removed from the lists",
}
TIES = {
    "trec": "documents of equal score were ordered by decreasing document id",
    "expected": "documents of equal score gave the expected value over their orders",
    "best": "documents of equal score were ordered best first",
    "worst": "documents of equal score were ordered worst first",
}
MISSING = {
    "worst": "A topic that a run lacks was given the measure's worst value",
    "skip": "A topic that a run lacks was left out",
    "error": "No run lacks a topic",
}


def methods(report: Report, cite: Callable[[list[str]], str]) -> str:
    """The paragraph; `cite` turns keys of BibTeX into a citation."""
    return " ".join(_sentences(report, cite))


def _sentences(report: Report, cite: Callable[[list[str]], str]) -> Iterator[str]:
    scores, facts = report.scores, report.description.judgments[0]
    grades = sorted(map(float, facts.grades))
    runs = "one run" if len(scores.runs) == 1 else f"{len(scores.runs)} runs"
    yield (
        f"We scored {runs} on {facts.topics} topics with {facts.judgments:,} judgments "
        f"(grades {grades[0]:g} to {grades[-1]:g}) by {_named(scores.measures, cite)}, "
        f"using assay {__version__}."
    )
    yield (
        f"{UNJUDGED.get(scores.policy.unjudged, '')}; {TIES[scores.policy.ties]}. "
        f"{MISSING[scores.policy.missing]}; a topic on which a measure is undefined "
        f"{'counted as 0' if scores.policy.undefined == 'zero' else 'was left out'}."
    )
    if report.comparison is not None:
        yield from _tests(report.comparison, cite)


def _named(measures: tuple[Measure, ...], cite: Callable[[list[str]], str]) -> str:
    parts = [f"{measure}{_citation(papers_of(measure), cite)}" for measure in measures]
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _citation(entries: list[Entry], cite: Callable[[list[str]], str]) -> str:
    return f" {cite([entry.key for entry in entries])}" if entries else ""


def _tests(comparison: Comparison, cite: Callable[[list[str]], str]) -> Iterator[str]:
    plan, first = comparison.plan, comparison.overviews[0]
    which = (
        "The two runs were compared"
        if len(comparison.runs) == 2
        else f"Each run was compared with {plan.baseline}"
        if plan.baseline is not None
        else "All pairs of runs were compared"
    )
    drawn = ""
    if plan.test in ("randomization", "bootstrap", "randomized-tukey-hsd"):
        drawn = f" with {plan.resamples:,} random draws (seed {plan.seed})"
    test = f"{NAMES[plan.test]}{_citation(tests_of(plan.test), cite)}{drawn}"
    yield (
        f"{which} by the {test}, two-sided, at a level of {plan.alpha:g}, on the "
        f"{len(first.topics)} topics on which every run has a value of {first.measure}."
    )
    if plan.correction != "none" and first.tests > 1:
        yield (
            f"p-values carry {CORRECTIONS[plan.correction]}"
            f"{_citation(tests_of(plan.correction), cite)} over {first.tests} differences."
        )
    elif plan.test in ("tukey-hsd", "randomized-tukey-hsd"):
        yield "Its p-values and intervals hold over all pairs together."
    if len(comparison.overviews) > 1 and plan.family == "primary":
        yield f"{first.measure} is the primary measure; tests of the others are exploratory."
    if plan.baseline is None and len(comparison.runs) > 2:
        yield f"Letters show groups of runs{_citation(tests_of('letters'), cite)}."


# ------------------------------------------------------------------------------------- citations


def papers_of(measure: Measure) -> list[Entry]:
    """The papers that a measure's definition cites; those that are not known by their title too."""
    found: list[Entry] = []
    for part in measure.definition.paper.split("; "):
        said = _DOI.search(part)
        doi = said[1] if said else ""
        author = _AUTHOR.match(part)
        if doi in ENTRIES:
            found.append(ENTRIES[doi])
        elif author is not None:
            found.append(_unknown(part, doi, author[1], author[2]))
    return list({entry.key: entry for entry in found}.values())


def _unknown(text: str, doi: str, author: str, year: str) -> Entry:
    """An entry of what the definition says and no more."""
    authors = re.sub(r"^(after|the) ", "", author).replace(", ", " and ").replace(" & ", " and ")
    authors = authors.replace(" et al.", " and others")
    name = unicodedata.normalize("NFKD", authors.partition(" and ")[0].rpartition(" ")[2])
    key = re.sub(r"[^a-z]", "", name.lower()) + year
    fields = {"author": authors, "year": year}
    rest = re.sub(r",? ?https://\S+", "", text).partition(f"{year}")[2].strip(" ,()")
    fields |= {"note": rest} if rest else {}
    return Entry(key, "misc", fields | ({"doi": doi} if doi else {}))


def tests_of(name: str) -> list[Entry]:
    """What a test, a correction, or the letters go back to."""
    return [ENTRIES[doi] for doi in TESTS.get(name, ())]


def cited(report: Report) -> list[Entry]:
    """Every entry that the paragraph cites, in its order, each once."""
    keys: list[str] = []

    def note(given: list[str]) -> str:
        keys.extend(given)
        return ""

    methods(report, note)
    known = {entry.key: entry for entry in ENTRIES.values()}
    for measure in report.scores.measures:
        known |= {entry.key: entry for entry in papers_of(measure)}
    return [known[key] for key in dict.fromkeys(keys)]


def bibtex(report: Report) -> str:
    """The entries as BibTeX."""
    return "\n\n".join(entry.bibtex() for entry in cited(report))
