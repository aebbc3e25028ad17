"""Options of `assay plot`: of what is computed, and of how it is drawn."""

from __future__ import annotations

import click

from assay.cli.command import option

__all__ = [
    "DRAWING",
    "average_option",
    "baseline_option",
    "bases_option",
    "bins_option",
    "depth_option",
    "difference_option",
    "drop_option",
    "gain_option",
    "list_options",
    "pool_option",
    "rel_option",
    "scale_option",
    "sweep_option",
    "test_option",
    "weights_option",
]


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
drop_option = option(
    "--max-drop", metavar="X|X%", section="Tests", help="The drop allowed: 0.01, or 2%."
)
gain_option = option(
    "--require-gain", metavar="X|X%", section="Tests", help="The gain that must be shown."
)
difference_option = option(
    "--difference",
    "differences",
    type=float,
    multiple=True,
    metavar="D",
    section="Tests",
    help="A true difference of means to find; repeatable [0.01 0.02 0.05 0.1].",
)
pool_option = option(
    "--pool",
    "depths",
    type=click.IntRange(min=1),
    multiple=True,
    metavar="K",
    section="Pool",
    help="Depth of a shallower pool; repeatable [1, 2, 3, 5, 7, 10, ...].",
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
    "only": option(
        "--only",
        metavar="RUN",
        multiple=True,
        section="Picture",
        help="A run to show, four at most; repeatable [the first four].",
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
