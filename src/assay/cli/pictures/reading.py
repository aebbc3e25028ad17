"""From files to the results that pictures are drawn from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import load_plugins, policies
from assay.cli.forms import judgment_files, run_files
from assay.cli.judges import judging
from assay.cli.results import MEASURE, score
from assay.cli.studies.options import given
from assay.cli.talk import progress, say
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.comparison import Comparison
    from assay.description import Description
    from assay.gain_curves import Curves
    from assay.gating import Gate
    from assay.judges.study import JudgeStudy
    from assay.powering import Power
    from assay.scores import Scores
    from assay.status_values import RetrievalStatus
    from assay.studies.axioms import AxiomStudy
    from assay.studies.gain_study import GainStudy
    from assay.studies.measures import MeasureStudy
    from assay.studies.pool import PoolStudy
    from assay.studies.robust import RobustStudy
    from assay.studies.sensitivity import SensitivityStudy

__all__ = [
    "Settings",
    "Words",
    "read_axioms",
    "read_compared",
    "read_curves",
    "read_depths",
    "read_described",
    "read_gate",
    "read_judges",
    "read_looked",
    "read_measures",
    "read_pair",
    "read_pool",
    "read_power",
    "read_ranked",
    "read_recall",
    "read_robust",
    "read_scores",
    "read_status",
    "read_swaps",
]

Words = tuple[str, ...]
Settings = dict[str, Any]


def _one_measure(settings: Settings) -> None:
    if len(settings["measures"]) > 1:
        raise AssayError(
            f"a picture shows one measure, found {len(settings['measures'])}: "
            f"{', '.join(settings['measures'])}"
        )


def _refuse_few(words: Words, expected: str) -> None:
    if len(words) < 2:
        found = f"found {len(words)} file(s)" if words else "found nothing"
        where = click.get_current_context().command_path
        raise AssayError(f"expected {expected}, {found}  Help: {where} -h")


def _refuse_bounds(settings: Settings) -> None:
    if settings["unjudged"] == "bounds":
        raise AssayError(
            "--unjudged bounds makes two values of one; ask for lowest, and then for highest"
        )


def read_scores(words: Words, settings: Settings, least: int = 1) -> Scores:
    """Scores by one measure."""
    _one_measure(settings)
    _refuse_bounds(settings)
    runs = "one RUN or more" if least == 1 else "two RUNs or more"
    found, _, _ = score(words, settings, f"JUDGMENTS and {runs}", (least, None))
    return found


def read_pair(words: Words, settings: Settings) -> Scores:
    """Scores of two runs or more."""
    return read_scores(words, settings, 2)


def read_compared(words: Words, settings: Settings) -> Comparison:
    """Differences of runs."""
    from assay.comparison import compare

    scores = read_scores(words, settings, 2)
    with progress("comparing") as report:
        return compare(
            scores,
            baseline=settings.pop("baseline"),
            test=settings["test"],
            alpha=settings["alpha"],
            progress=report,
        )


def read_ranked(words: Words, settings: Settings) -> Comparison:
    """Mean ranks, by Friedman's test."""
    from assay.comparison import compare

    scores = read_scores(words, settings, 2)
    return compare(scores, test="friedman", correction="holm", alpha=settings["alpha"])


def read_curves(words: Words, settings: Settings, measure: str = "nDCG_JK") -> Curves:
    """A measure by rank."""
    _one_measure(settings)
    _refuse_few(words, "JUDGMENTS and one RUN or more")
    load_plugins(settings["plugins"])
    if not settings["measures"]:
        say(f"no -m given: {measure}")
    from assay.gain_curves import curves

    with progress("scoring") as report:
        return curves(
            judgment_files(words[:1], settings),
            run_files(words[1:], settings),
            list(settings["measures"]) or measure,
            depth=settings["depth"],
            average=settings["average"],
            strict=not settings["lenient"],
            progress=report,
            **policies(settings),
        )


def read_recall(words: Words, settings: Settings) -> Curves:
    """Precision by recall."""
    from assay.gain_curves import curves

    _refuse_few(words, "JUDGMENTS and one RUN or more")
    with progress("scoring") as report:
        return curves(
            judgment_files(words[:1], settings),
            run_files(words[1:], settings),
            f"PR(rel={settings['rel']:g})",
            strict=not settings["lenient"],
            progress=report,
        )


def read_status(words: Words, settings: Settings) -> RetrievalStatus:
    """Scores of documents by what the judgments say of them."""
    from assay.status_values import retrieval_status

    _refuse_few(words, "JUDGMENTS and one RUN or more")
    return retrieval_status(
        judgment_files(words[:1], settings),
        run_files(words[1:], settings),
        rel=settings["rel"],
        bins=settings["bins"],
        scale=settings["scale"],
        strict=not settings["lenient"],
    )


def read_measures(words: Words, settings: Settings) -> MeasureStudy:
    """Taus between measures."""
    judgments, runs, rest = given(words, settings)
    from assay.studies.measures import study_measures

    if not settings["measures"]:
        say("no -m given: the grid of Imafouo & Tannier, five measures on scores and nine on ranks")
    with progress("comparing measures") as report:
        return study_measures(
            judgments,
            runs,
            list(settings["measures"]) or None,
            resamples=100,  # power is not in the picture
            draws=1,
            progress=report,
            **rest,
        )


def read_depths(words: Words, settings: Settings) -> GainStudy:
    """Significance by depth."""
    judgments, runs, rest = given(words, settings)
    from assay.studies.gains import MEASURES, study_gains

    if not settings["measures"]:
        say(f"no -m given: {', '.join(MEASURES)}")
    with progress("weighing") as report:
        return study_gains(
            judgments,
            runs,
            list(settings["measures"]) or None,
            weights=list(settings["weights"]) or None,
            bases=settings["bases"],
            depths=(settings["sweep"],),
            sweep=settings["sweep"],
            scenarios=(),
            alpha=settings["alpha"],
            progress=report,
            **rest,
        )


def read_swaps(words: Words, settings: Settings) -> SensitivityStudy:
    """Values of artificial lists."""
    if words:
        raise AssayError(f"{words[0]}: the lists are artificial, no file is read")
    load_plugins(settings["plugins"])
    from assay.studies.sensitivity import MEASURES, study_sensitivity

    if not settings["measures"]:
        say(f"no -m given: {', '.join(MEASURES)}")
    with progress("swapping") as report:
        return study_sensitivity(
            list(settings["measures"]) or None,
            levels=_levels(settings["levels"]),
            items=settings["items"],
            swaps=settings["swaps"],
            repeats=settings["repeats"],
            distributions=settings["grades"],
            progress=report,
        )


def _levels(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise AssayError(f"--levels {text}: expected whole numbers, such as 2,10,20,50") from None


def read_judges(words: Words, settings: Settings) -> JudgeStudy:
    """Judges, with the systems that they rank."""
    _refuse_few(words, "two JUDGMENTS or more")
    where = click.get_current_context().command_path
    if "runs" in settings and not settings["runs"]:
        raise AssayError(f"expected --runs RUN...: systems are what is ranked  Help: {where} -h")
    if "measures" in settings:
        _one_measure(settings)
        load_plugins(settings["plugins"])
        if not settings["measures"]:
            say(f"no -m given: {MEASURE}")
    from assay.judges.study import JudgeStudy, compare_judges

    with progress("comparing") as report:
        found = compare_judges(
            judgment_files(words, settings),
            run_files(settings["runs"], settings) if "runs" in settings else None,
            (list(settings.get("measures", ())) or [MEASURE]) if "runs" in settings else None,
            every_pair=None if "runs" in settings else True,
            progress=report,
            **judging(settings),
            **policies(settings),
        )
    if not isinstance(found, JudgeStudy):
        raise AssayError(f"{words[0]}: a table of counts; a picture needs the judgments themselves")
    return found


def read_gate(words: Words, settings: Settings) -> Gate:
    """The gate's decision."""
    scores, _, _ = score(words, settings, "JUDGMENTS, BASELINE and CANDIDATE", (2, 2))
    from assay.gating import gate

    return gate(
        scores,
        max_drop=settings["max_drop"],
        require_gain=settings["require_gain"],
        alpha=settings["alpha"],
    )


def read_power(words: Words, settings: Settings) -> Power:
    """Topics that differences take."""
    _one_measure(settings)
    scores, _, _ = score(words, settings, "JUDGMENTS and two RUNs or more", (2, None))
    from assay.powering import DIFFERENCES, power

    return power(scores, difference=settings["differences"] or DIFFERENCES, alpha=settings["alpha"])


def read_robust(words: Words, settings: Settings) -> RobustStudy:
    """Where one run beats the other."""
    _one_measure(settings)
    judgments, runs, rest = given(words, settings)
    if len(runs) != 2:
        raise AssayError(f"expected JUDGMENTS and two RUNs, found {len(runs)} RUNs")
    from assay.studies.robust import MEASURE as FIRST
    from assay.studies.robust import study_robust

    if not settings["measures"]:
        say(f"no -m given: {FIRST}")
    with progress("perturbing") as report:
        return study_robust(
            judgments, runs, list(settings["measures"]) or None, progress=report, **rest
        )


def read_described(words: Words, settings: Settings) -> Description:
    """The judgments, and runs beside them."""
    where = click.get_current_context().command_path
    if not words:
        raise AssayError(f"expected JUDGMENTS, found nothing  Help: {where} -h")
    from assay.description import describe

    return describe(
        judgment_files(words[:1], settings),
        run_files(words[1:], settings),
        strict=not settings["lenient"],
    )


def read_looked(words: Words, settings: Settings) -> Description:
    """The runs beside the judgments."""
    _refuse_few(words, "JUDGMENTS and one RUN or more")
    return read_described(words, settings)


def read_pool(words: Words, settings: Settings) -> PoolStudy:
    """Shallower pools."""
    judgments, runs, rest = given(words, settings)
    from assay.studies.pool import MEASURES, study_pool

    if not settings["measures"]:
        say(f"no -m given: {', '.join(MEASURES)}")
    with progress("pooling") as report:
        return study_pool(
            judgments,
            runs,
            list(settings["measures"]) or None,
            depths=settings["depths"] or None,
            progress=report,
            **rest,
        )


def read_axioms(words: Words, settings: Settings) -> AxiomStudy:
    """Properties of measures."""
    if words:
        raise AssayError(f"{words[0]}: the lists are all small ones, no file is read")
    load_plugins(settings["plugins"])
    from assay.studies.axioms import MEASURES, study_axioms

    if not settings["measures"]:
        say(f"no -m given: {', '.join(MEASURES)}")
    with progress("testing") as report:
        return study_axioms(list(settings["measures"]) or None, progress=report)
