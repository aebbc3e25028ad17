"""The report: runs and judgments as one page that a search team discusses in a meeting.

`report` does what `evaluate`, `compare`, `describe` and `curves` do, once, on data read once, and
keeps it together with what was read and how: a `Report` is written as HTML, Markdown or LaTeX.
"""

from __future__ import annotations

import hashlib
import inspect
import warnings as warning
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from assay.comparison import chosen_judge, compare, refuse_bounds
from assay.description import describe
from assay.errors import AssayError, AssayWarning
from assay.evaluation import evaluate
from assay.gain_curves import curves
from assay.inputs import inputs, loaded
from assay.io.texts import read_texts
from assay.listing import listing
from assay.measures.measure import Measure, parse_all

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from assay.comparison import Comparison
    from assay.description import Description
    from assay.gain_curves import Curves
    from assay.judgments import Judgments
    from assay.listing import Listing
    from assay.run import Run
    from assay.scores import Scores

__all__ = ["FileFact", "Report", "report"]

FORMS = ("html", "markdown", "latex")
SUFFIXES = {".html": "html", ".htm": "html", ".md": "markdown", ".tex": "latex"}
MOST_RESIDUALS = 50  # differences for which it is told what unjudged documents could do
CURVED = 100  # ranks of a curve
LINES = 8  # curves in one picture
NAMED = 4  # runs that a title names


@dataclass(frozen=True)
class FileFact:
    """A file that was read, so that it can be known again."""

    role: str  # judgments, run, texts
    label: str
    name: str  # as it was given
    size: int | None = None  # bytes; None where nothing is left to be counted
    sha256: str = ""


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """Scores, differences, lists and how they were made, ready to be written."""

    title: str
    scores: Scores
    judge: str
    comparison: Comparison | None  # None where there is a single run
    description: Description
    listing: Listing
    curves: tuple[Curves, ...]
    texts: Mapping[str, str] | None
    files: tuple[FileFact, ...]
    command: str
    methods: bool
    notes: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        sizes = len(self.scores.runs), len(self.scores.measures), len(self.scores.topics)
        return "Report({!r}: {} run(s), {} measure(s), {} topic(s))".format(self.title, *sizes)

    def verdict(self) -> str:
        """What it comes to, in words."""
        from assay.show.report.words import verdict

        return verdict(self)

    def html(self) -> str:
        """One page that needs no other file and asks for none."""
        from assay.show.report.page import page

        return page(self)

    def markdown(self) -> str:
        """The same story as text, for a pull request."""
        from assay.show.report.markdown import markdown

        return markdown(self)

    def latex(self) -> str:
        """Tables for the package booktabs, with marks of significance."""
        from assay.show.report.latex import latex

        return latex(self)

    def text(self, form: str) -> str:
        """The report as `"html"`, `"markdown"` or `"latex"`."""
        if form not in FORMS:
            raise AssayError(f"format={form!r}: must be one of {', '.join(map(repr, FORMS))}")
        made: str = getattr(self, form)()
        return made

    def save(self, path: str | Path, *, format: str | None = None) -> None:  # noqa: A002
        """Write it, in the form that the suffix says: .html, .md, .tex; whole or not at all."""
        from assay.io.whole import replacing

        text = self.text(form_for(path, format))
        with replacing(path) as work:
            work.write_text(text, encoding="utf-8", errors="backslashreplace", newline="\n")


def form_for(path: str | Path, form: str | None) -> str:
    """The form asked for, or what the file's suffix says."""
    if form is None:
        form = SUFFIXES.get(Path(path).suffix.lower())
    if form is None:
        known = ", ".join(SUFFIXES)
        raise AssayError(f"{path}: expected a name that ends in {known}, or format= (--format)")
    return form


def report(
    judgments: Any,
    runs: Any,
    measures: str | Measure | Sequence[str | Measure] = "nDCG@10",
    *,
    baseline: str | None = None,
    title: str | None = None,
    texts: str | Path | Mapping[str, str] | None = None,
    methods: bool = False,
    depth: int = 100,
    judge: str | None = None,
    test: str | None = None,
    correction: str | None = None,
    alpha: float = 0.05,
    interval: str = "simultaneous",
    family: str = "primary",
    resamples: int = 10_000,
    seed: int = 0,
    missing: str = "worst",
    undefined: str = "skip",
    unjudged: str = "nonrelevant",
    ties: str = "trec",
    precision: str = "float64",
    negative: str = "unjudged",
    ignore_self: bool = False,
    strict: bool = True,
    command: str | None = None,
    progress: Callable[[float], None] | None = None,
) -> Report:
    """Make a report of runs under judgments: scores, differences, lists, and how they were made.

    The first measure is the one that the verdict is about. Judgments, runs and policies are those
    of `assay.evaluate`, baseline and tests those of `assay.compare`.

    * title: of the page; the runs' names without it.
    * texts: documents' texts to look at: a file of JSON lines such as `{"id": "d1", "text": ...}`,
      or a mapping.
    * methods: add a paragraph on methods, with BibTeX, for exactly what was run.
    * depth: how many documents of each list can be looked at.
    * command: what to print as the command that made it, instead of this call.

    >>> judged = {"q1": {"d1": 2, "d2": 0}, "q2": {"d3": 1}, "q3": {"d4": 1}}
    >>> old = {topic: {"d2": 9.5, "d1": 7.0, "d3": 4.0} for topic in judged}
    >>> new = {topic: {"d1": 8.5, "d3": 6.0, "d4": 4.0} for topic in judged}
    >>> made = report(judged, {"old": old, "new": new}, ["nDCG@10", "RR"])
    >>> made
    Report('old and new': 2 run(s), 2 measure(s), 3 topic(s))
    >>> print(made.verdict())
    No difference is shown: new lies 0.333 nDCG@10 above old ...
    >>> made.save("report.html")  # doctest: +SKIP
    """
    given = dict(locals())
    _check_depth(depth)
    step = _Steps(progress)
    judged, listed, said = _read(judgments, runs, strict=strict)
    files = _files(judged, listed, texts)
    step.done(0.15)
    named = parse_all(measures)
    policy: dict[str, Any] = {
        "missing": missing,
        "undefined": undefined,
        "unjudged": unjudged,
        "ties": ties,
        "precision": precision,
        "negative": negative,
        "ignore_self": ignore_self,
    }
    scores = evaluate(judged, listed, named, strict=strict, progress=step.share(0.1), **policy)
    refuse_bounds(scores)
    j, name = chosen_judge(scores, judge)
    plan: dict[str, Any] = {
        "baseline": baseline,
        "test": test,
        "correction": correction,
        "alpha": alpha,
        "interval": interval,
        "family": family,
        "resamples": resamples,
        "seed": seed,
    }
    comparison = _compared(scores, name, judged[j], listed, plan, step, strict=strict)
    description = describe(judged[j], listed, strict=strict)
    step.done(0.15)
    ours = [_with_top(measure, judged) for measure in scores.measures]
    shown = listing(judged[j], listed, ours, scores.policy, depth=depth, progress=step.share(0.15))
    drawn = _curves(judged[j], listed, scores, policy, baseline, step)
    wanted = {doc for topic in shown.documents for doc in topic.docs}
    held, unknown = _texts(texts, wanted)
    step.done(0.05)
    made = scores if comparison is None else comparison
    return Report(
        title=_title(scores.runs, name) if title is None else title,
        scores=scores,
        judge=name,
        comparison=comparison,
        description=description,
        listing=shown,
        curves=drawn,
        texts=held,
        files=files,
        command=_call(given) if command is None else command,
        methods=methods,
        notes=(*made.notes, *unknown),
        warnings=tuple(dict.fromkeys((*said, *made.warnings))),
    )


def _check_depth(depth: Any) -> None:
    if isinstance(depth, bool) or not isinstance(depth, int) or depth < 1:
        raise AssayError(f"depth={depth!r}: must be a whole number of at least 1")


UNTOLD = ("texts", "command", "progress")  # of a call, since they are no plain values


def _call(given: Mapping[str, Any]) -> str:
    """The call in Python, with what differs from the defaults."""
    told = [
        f"{name}={given[name]!r}"
        for name, parameter in inspect.signature(report).parameters.items()
        if parameter.kind is parameter.KEYWORD_ONLY
        and name not in UNTOLD
        and given[name] != parameter.default
    ]
    measures = [str(measure) for measure in parse_all(given["measures"])]
    return f"assay.report({', '.join(['judgments', 'runs', repr(measures), *told])})"


class _Steps:
    """Shares one progress bar among the stages."""

    def __init__(self, progress: Callable[[float], None] | None) -> None:
        self.progress, self.before = progress, 0.0

    def done(self, share: float) -> None:
        """A stage that tells nothing of itself is over."""
        self.before += share
        if self.progress is not None:
            self.progress(min(1.0, self.before))

    def share(self, share: float) -> Callable[[float], None] | None:
        """What the next stage may report to."""
        if self.progress is None:
            return None
        report, before = self.progress, self.before
        self.before += share
        return lambda part: report(min(1.0, before + share * part))


def _title(runs: tuple[str, ...], judge: str) -> str:
    if len(runs) <= 2:
        return " and ".join(runs)
    return ", ".join(runs) if len(runs) <= NAMED else f"{len(runs)} runs under {judge}"


# ----------------------------------------------------------------------------------------- reading


def _read(
    judgments: Any, runs: Any, *, strict: bool
) -> tuple[list[Judgments], list[Run], list[str]]:
    """Everything in memory, and what was said about it."""
    judges, sources = inputs(judgments, runs, strict=strict)
    with warning.catch_warnings(record=True) as said:
        warning.simplefilter("always", AssayWarning)
        found = [loaded(source, strict=strict) for source in sources]
    return judges, found, [str(each.message) for each in said]


def _files(judges: list[Judgments], runs: list[Run], texts: Any) -> tuple[FileFact, ...]:
    """What was read, each file once."""
    named = [("judgments", each.label, each.origin) for each in judges]
    named += [("run", each.label, each.origin) for each in runs]
    found: dict[tuple[str, str], FileFact] = {}
    for role, label, origin in named:
        where = origin.path
        name = origin.name if where is not None else "given in memory"
        fact = _fact(role, label, name, where)
        key = (role, name if where is not None else label)
        if key in found:  # one file with several runs
            fact = replace(found[key], label=f"{found[key].label}, {label}")
        found[key] = fact
    if isinstance(texts, str | Path):
        found["texts", str(texts)] = _fact("texts", "", str(texts), str(texts))
    return tuple(found.values())


def _fact(role: str, label: str, name: str, path: str | None) -> FileFact:
    if path is None or not Path(path).is_file():
        return FileFact(role, label, name)
    with Path(path).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return FileFact(role, label, name, Path(path).stat().st_size, digest)


def _texts(given: Any, wanted: set[str]) -> tuple[Mapping[str, str] | None, tuple[str, ...]]:
    """Texts of the documents shown, and how many there are none of."""
    if given is None:
        return None, ()
    if isinstance(given, str | Path):
        found = read_texts(given, wanted)
    else:
        found = {doc: given[doc] for doc in wanted if doc in given}
    if not found:
        example = min(wanted, default="")
        raise AssayError(
            f"texts: none of the {len(wanted):,} documents shown has a text; do ids have the same "
            f"form? Shown is, for example, {example!r}"
        )
    lacking = len(wanted) - len(found)
    return found, ((f"texts: {lacking:,} of {len(wanted):,} documents have none",) * bool(lacking))


# ------------------------------------------------------------------------------------------ stages


def _compared(
    scores: Scores,
    judge: str,
    judged: Judgments,
    runs: list[Run],
    plan: dict[str, Any],
    step: _Steps,
    *,
    strict: bool,
) -> Comparison | None:
    """All pairs, or each run with the baseline; nothing where there is one run."""
    if len(scores.runs) < 2:
        if plan["baseline"] is not None:
            raise AssayError(
                f"baseline={plan['baseline']!r}: there is one run only, {scores.runs[0]!r}, and "
                "nothing to compare it with"
            )
        step.done(0.25)
        return None
    found = compare(scores, judge=judge, progress=step.share(0.2), **plan)
    if len(found.differences) <= MOST_RESIDUALS:
        progress = step.share(0.05)
        found = found.with_residuals(judged, runs, strict=strict, progress=progress)
    else:
        step.done(0.05)
    return found


def _with_top(measure: Measure, judges: list[Judgments]) -> Measure:
    """The measure with the top of its scale."""
    if not measure.uses_top or measure.parameters["max"] is not None:
        return measure
    return measure(max=max(judge.top for judge in judges) or 1.0)


def _curves(
    judged: Judgments,
    runs: list[Run],
    scores: Scores,
    policy: dict[str, Any],
    baseline: str | None,
    step: _Steps,
) -> tuple[Curves, ...]:
    """The first measure by rank, if it can be cut anywhere, and precision by recall; best runs."""
    first = scores.measures[0]
    chosen = [runs[scores.runs.index(name)] for name in _best(scores, baseline)]
    lists = [run.frame.group_by("topic").len()["len"].max() for run in chosen if run.frame.height]
    deepest = max((most for most in lists if isinstance(most, int)), default=1)
    settled = {**policy, "undefined": "skip"} if policy["undefined"] == "error" else policy
    asked: list[tuple[Any, int | None]] = [("PR", None)] if policy["ties"] != "expected" else []
    if first.definition.cutoff in ("optional", "required") and first.start == 1:
        depth = min(CURVED, deepest)
        named = replace(first, at=depth if first.definition.cutoff == "required" else None)
        asked.insert(0, (named, depth))
    return tuple(
        curves(judged, chosen, named, depth=depth, progress=step.share(0.05), **settled)
        for named, depth in asked
    )


def _best(scores: Scores, baseline: str | None) -> list[str]:
    """The runs whose curves are drawn, best first: as many as lines can be told apart."""
    measure = scores.measures[0]
    sign = -1 if measure.definition.higher_is_better else 1
    ordered = sorted(scores.runs, key=lambda run: sign * scores.value(run, measure))
    found = ordered[:LINES]
    if baseline is not None and baseline not in found:
        found = [*found[:-1], baseline]
    return found
