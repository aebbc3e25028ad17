"""How each kind of picture is made from files: what to read, what may be asked, where it goes."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from assay.cli.command import (
    Command,
    Greedy,
    files,
    load_plugins,
    measure_option,
    option,
    plugin_option,
    policies,
    policy_options,
)
from assay.cli.forms import form_options, judgment_files, run_files
from assay.cli.judges import judge_options, judging, runs_option
from assay.cli.results import MEASURE, alpha_option, input_options, score, talk
from assay.cli.studies.options import given
from assay.cli.talk import progress, say
from assay.errors import AssayError
from assay.show.charts.kinds import KINDS
from assay.show.charts.look import PRESETS
from assay.show.charts.saving import FORMS, form_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from assay.cli.command import Function
    from assay.comparison import Comparison
    from assay.gain_curves import Curves
    from assay.judges.study import JudgeStudy
    from assay.retrieval_status import RetrievalStatus
    from assay.scores import Scores
    from assay.studies.gain_study import GainStudy
    from assay.studies.measures import MeasureStudy
    from assay.studies.sensitivity import SensitivityStudy

__all__ = ["command_of"]

Words = tuple[str, ...]
Settings = dict[str, Any]


@dataclass(frozen=True)
class Source:
    """What a kind of picture is made from on the command line."""

    words: str
    load: Callable[[Words, Settings], Any]
    example: str
    options: tuple[Callable[[Function], Function], ...] = (input_options,)
    greedy: bool = False


# ------------------------------------------------------------------------------------ what is read


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


def _scores(words: Words, settings: Settings, least: int = 1) -> Scores:
    _one_measure(settings)
    runs = "one RUN or more" if least == 1 else "two RUNs or more"
    found, _, _ = score(words, settings, f"JUDGMENTS and {runs}", (least, None))
    return found


def _pair(words: Words, settings: Settings) -> Scores:
    return _scores(words, settings, 2)


def _compared(words: Words, settings: Settings) -> Comparison:
    from assay.comparison import compare

    scores = _scores(words, settings, 2)
    with progress("comparing") as report:
        return compare(
            scores,
            baseline=settings.pop("baseline"),
            test=settings["test"],
            alpha=settings["alpha"],
            progress=report,
        )


def _ranked(words: Words, settings: Settings) -> Comparison:
    from assay.comparison import compare

    scores = _scores(words, settings, 2)
    return compare(scores, test="friedman", correction="holm", alpha=settings["alpha"])


def _curves(words: Words, settings: Settings, measure: str = "nDCG_JK") -> Curves:
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


def _recall(words: Words, settings: Settings) -> Curves:
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


def _status(words: Words, settings: Settings) -> RetrievalStatus:
    from assay.retrieval_status import retrieval_status

    _refuse_few(words, "JUDGMENTS and one RUN or more")
    return retrieval_status(
        judgment_files(words[:1], settings),
        run_files(words[1:], settings),
        rel=settings["rel"],
        bins=settings["bins"],
        scale=settings["scale"],
        strict=not settings["lenient"],
    )


def _measures(words: Words, settings: Settings) -> MeasureStudy:
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


def _depths(words: Words, settings: Settings) -> GainStudy:
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


def _swaps(words: Words, settings: Settings) -> SensitivityStudy:
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


def _judges(words: Words, settings: Settings) -> JudgeStudy:
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


# ------------------------------------------------------------------------------ what may be asked

depth_option = option(
    "--depth",
    type=click.IntRange(min=1),
    section="Measures",
    help="The last rank [that of the measure's cut-off, or 100].",
)
average_option = option(
    "--average",
    type=click.Choice(("ratios", "vectors")),
    default="ratios",
    show_default=True,
    section="Topics",
    help="ratios: the mean of the topics' values; vectors: mean gains over mean ideals.",
)
rel_option = option(
    "--rel",
    type=float,
    default=1.0,
    show_default=True,
    metavar="GRADE",
    section="Measures",
    help="The lowest relevant grade.",
)
bins_option = option(
    "--bins",
    type=click.IntRange(min=2),
    default=20,
    show_default=True,
    section="Picture",
    help="Steps from the lowest to the highest score.",
)
scale_option = option(
    "--scale",
    type=click.Choice(("topic", "none")),
    default="topic",
    show_default=True,
    section="Picture",
    help="topic: the scores of each topic from 0 to 1, as those of different topics can seldom be "
    "compared; none: as they are.",
)
weights_option = option(
    "--weights",
    multiple=True,
    metavar="W-W-...",
    section="Gains",
    help="A weight for each level from 0, such as 0-1-10-100; repeatable "
    "[as for assay study gains].",
)
bases_option = option(
    "--base",
    "bases",
    type=float,
    multiple=True,
    default=(2.0,),
    show_default=True,
    section="Gains",
    help="Base of the logarithm, for measures that have one; repeatable.",
)
sweep_option = option(
    "--sweep",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    section="Gains",
    help="Test at every depth from 1 to this one, corrected as one family.",
)
list_options = (
    option(
        "--levels",
        default="2,10,20,50",
        show_default=True,
        metavar="N,N,...",
        section="Artificial lists",
        help="How many relevance levels each scale has.",
    ),
    option(
        "--grades",
        type=click.Choice(("uniform", "skewed")),
        default="uniform",
        show_default=True,
        section="Artificial lists",
        help="As many items on each level as can be, or with probabilities drawn at random.",
    ),
    *(
        option(
            f"--{name}",
            type=click.IntRange(min=least),
            default=default,
            show_default=True,
            section="Artificial lists",
            help=text,
        )
        for name, least, default, text in (
            ("items", 2, 100, "Items of a list."),
            ("swaps", 1, 99, "Pairs of items that change places, at most."),
            ("repeats", 2, 100, "Lists over which a value is averaged."),
        )
    ),
)
lenient_option = option(
    "--lenient", is_flag=True, section="Input", help="Leave out bad lines and say how many."
)
test_option = option(
    "--test",
    type=click.Choice(
        (
            "t",
            "wilcoxon",
            "sign",
            "randomization",
            "bootstrap",
            "anova",
            "tukey-hsd",
            "randomized-tukey-hsd",
        )
    ),
    section="Tests",
    help="As for assay compare.",
)
baseline_option = option(
    "--baseline", metavar="RUN", section="Picture", help="The run that others are held against."
)

# options of the drawing functions, by the name of their parameter
DRAWING = {
    "run": option("--run", metavar="RUN", section="Picture", help="The run that is shown."),
    "baseline": baseline_option,
    "highlight": option(
        "--highlight",
        metavar="RUN",
        multiple=True,
        section="Picture",
        help="Of more than eight, a run that stands out; repeatable [the three best].",
    ),
    "coefficient": option(
        "--coefficient",
        metavar="NAME",
        default="kappa",
        show_default=True,
        section="Picture",
        help="kappa, overlap, ...; a wrong name is answered with all.",
    ),
    "read_at": option(
        "--read-at",
        type=click.IntRange(min=1),
        default=10,
        show_default=True,
        metavar="RANK",
        section="Picture",
        help="The rank at which the picture is read downwards and across.",
    ),
}

SOURCES = {
    "leaderboard": Source("JUDGMENTS RUN...", _scores, "q.txt *.run -m nDCG@10"),
    "topics": Source("JUDGMENTS RUN...", _scores, "q.txt *.run -m AP"),
    "swings": Source(
        "JUDGMENTS RUN RUN...", _pair, "q.txt bm25.run dense.run --run dense --baseline bm25"
    ),
    "scatter": Source("JUDGMENTS RUN RUN...", _pair, "q.txt bm25.run dense.run -m RR"),
    "heatmap": Source("JUDGMENTS RUN...", _scores, "q.txt *.run -m nDCG@10"),
    "differences": Source(
        "JUDGMENTS RUN RUN...",
        _compared,
        "q.txt *.run --baseline bm25",
        (input_options, baseline_option, test_option, alpha_option),
    ),
    "groups": Source(
        "JUDGMENTS RUN RUN...", _ranked, "q.txt *.run -m AP", (input_options, alpha_option)
    ),
    "curves": Source(
        "JUDGMENTS RUN...",
        _curves,
        "q.txt *.run -m CG --depth 50",
        (input_options, depth_option, average_option),
    ),
    "precision-recall": Source(
        "JUDGMENTS RUN...", _recall, "q.txt *.run --rel 2", (rel_option, lenient_option)
    ),
    "retrieval-scores": Source(
        "JUDGMENTS RUN...",
        _status,
        "q.txt bm25.run dense.run",
        (rel_option, bins_option, scale_option, lenient_option),
    ),
    "correlation": Source("JUDGMENTS RUN RUN...", _measures, "q.txt *.run -m nDCG@10 -m AP -m RR"),
    "significance": Source(
        "JUDGMENTS RUN RUN...",
        _depths,
        "q.txt *.run --sweep 50",
        (input_options, weights_option, bases_option, sweep_option, alpha_option),
    ),
    "sensitivity": Source(
        "", _swaps, "-m nDCG@100 -m muAP", (measure_option, plugin_option, *list_options)
    ),
    **{
        name: Source(
            "JUDGMENTS JUDGMENTS...",
            _judges,
            f"human.txt llm.txt --runs *.run{example}",
            (runs_option, *options, judge_options, policy_options("precision")),
            greedy=True,
        )
        for name, example, options in (
            ("judge-ranks", " -m nDCG@10", (measure_option, plugin_option)),
            ("tau", " -m nDCG@10", (measure_option, plugin_option)),
            ("agreement-by-rank", "", ()),
        )
    },
    "agreement": Source(
        "JUDGMENTS JUDGMENTS...",
        _judges,
        "human.txt a.txt b.txt --coefficient overlap",
        (judge_options,),
    ),
}


# --------------------------------------------------------------------------------------- commands


def command_of(name: str) -> click.Command:
    """The command that draws this kind."""
    source, drawn = SOURCES[name], KINDS[name].drawn()
    own = [
        each
        for each in inspect.signature(drawn).parameters
        if each in DRAWING and DRAWING[each] not in source.options
    ]

    def call(words: Words, **settings: Any) -> None:
        target = settings["target"]
        if target is None:
            raise AssayError(
                f"expected -o FILE, with a suffix of {', '.join(FORMS)}  "
                f"Help: {click.get_current_context().command_path} -h"
            )
        form_of(target)
        result = source.load(words, settings)
        asked = {each: settings[each] for each in own if settings[each] is not None}
        from assay.show.charts import draw, save

        save(draw(result, name, preset=settings["preset"], **asked), target)
        talk(getattr(result, "notes", ()), getattr(result, "warnings", ()))

    call.__doc__ = _help(name, drawn.__doc__ or "", source.example)
    function: Any = call
    decorators = (
        *source.options,
        *((form_options,) if source.words else ()),
        *(DRAWING[each] for each in own),
        option(
            "-o",
            "--output",
            "target",
            metavar="FILE",
            shell_complete=files,
            section="Output",
            help=f"The file to write; its suffix says the form: {', '.join(FORMS)}.",
        ),
        option(
            "--preset",
            type=click.Choice(PRESETS),
            default=PRESETS[0],
            show_default=True,
            section="Output",
            help="Sizes for a screen, a paper's column (3 1/3 inches), a slide (16 by 9).",
        ),
    )
    for decorate in reversed(decorators):
        function = decorate(function)
    function = click.argument("words", metavar=source.words, nargs=-1, shell_complete=files)(
        function
    )
    made: click.Command = click.command(name, cls=Greedy if source.greedy else Command)(function)
    return made


def _help(name: str, text: str, example: str) -> str:
    """What the drawing function says of itself, and an example."""
    words = inspect.cleandoc(text).replace("`", "")
    return f"{words}\n\n\b\nassay plot {name} {example} -o {name}.png"
