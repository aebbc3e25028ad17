"""`assay spark eval`: files that a cluster reads to scores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import click

from assay.cli.command import (
    Command,
    files,
    ignore_self_option,
    labelled,
    lenient_option,
    load_plugins,
    measure_option,
    option,
    plugin_option,
    policies,
    policy_options,
)
from assay.cli.eval import FORMATS, MEASURES, chosen_form, say_what_matters, write
from assay.cli.forms import form_of, form_options
from assay.cli.talk import say
from assay.errors import AssayError

if TYPE_CHECKING:
    from assay.io.lines import Form
    from assay.scores import Scores
    from assay.spark.frames import Side

__all__ = ["command"]


@click.command("eval", cls=Command)
@click.argument("words", metavar="JUDGMENTS RUN...", nargs=-1, shell_complete=files)
@measure_option
@plugin_option
@option(
    "--master",
    metavar="URL",
    section="Cluster",
    help="Where Spark runs, such as spark://head:7077, yarn, local[4] [that of spark-submit, else "
    "local[*], this machine].",
)
@option(
    "--conf",
    "settings",
    multiple=True,
    metavar="KEY=VALUE",
    section="Cluster",
    help="A setting of Spark, such as spark.executor.memory=4g; repeatable.",
)
@option(
    "--buckets",
    type=click.IntRange(min=1),
    section="Cluster",
    help="Into how many buckets topics are hashed [one for each 262,144 rows].",
)
@option(
    "--judgments",
    "judgments",
    multiple=True,
    metavar="NAME=PATH",
    shell_complete=files,
    section="Input",
    help="A set of judgments, given once for each judge; then JUDGMENTS is left out.",
)
@lenient_option
@form_options
@policy_options("missing", "undefined", "mean", "unjudged", "negative", "ties", "precision")
@ignore_self_option
@option(
    "-o",
    "form",
    type=click.Choice(FORMATS),
    section="Output",
    help="Form of the output [table, or what the suffix of --output says].",
)
@option(
    "--per-topic",
    is_flag=True,
    section="Output",
    help="Each topic's value beside the mean, brought to this machine; with -o parquet the values "
    "alone, written by the workers.",
)
@option(
    "--output",
    metavar="FILE",
    shell_complete=files,
    section="Output",
    help="Write to this file instead of standard output; with --per-topic -o parquet a folder, at "
    "a path as Spark takes it.",
)
def command(words: tuple[str, ...], **given: Any) -> None:
    """Score runs against graded judgments, on the workers of a cluster.

    JUDGMENTS and RUN are paths as Spark takes them: files, folders, patterns, hdfs: and s3a:
    addresses; lines in TREC form, Parquet, CSV and TSV with a head, JSON lines. NAME=PATH gives one
    a name of your own. Needs the extra `spark` and Java 17 or later; workers need assay, too.

    \b
    assay spark eval q.txt bm25.run -m nDCG@10                         on this machine
    assay spark eval --master spark://head:7077 hdfs:///q.txt hdfs:///runs.parquet -m AP
    assay spark eval q.txt big.run --per-topic -o parquet --output by-topic
    """  # noqa: D301 - \b is click's mark for lines to leave alone
    output, by_topic = given["output"], given["per_topic"]
    form = chosen_form(given["form"], output)
    load_plugins(given["plugins"])
    judgments, runs = _paths(words, given["judgments"])
    spread = by_topic and form == "parquet"
    if spread and Path(output).exists():
        raise AssayError(f"{output}: there already; name a folder that is not")
    named = given["measures"] or MEASURES
    if not given["measures"]:
        say(f"no -m given: {', '.join(named)}")
    from assay.io.lines import JUDGMENTS, RUN
    from assay.measures.measure import parse_all
    from assay.policy import Policy
    from assay.spark.evaluation import outcome
    from assay.spark.session import session_on

    measures = parse_all(list(named))
    _check_forms(given)
    session = session_on(given["master"], _settings(given["settings"]))
    try:
        found = outcome(
            _side(session, judgments, JUDGMENTS, "judgments", given),
            _side(session, runs, RUN, "runs", given),
            measures,
            Policy(**policies(given)),
            per_topic=by_topic,
            strict=not given["lenient"],
            buckets=given["buckets"],
        )
        if spread:
            found.topic_frame().write.parquet(output)
            say_what_matters(cast("Scores", found), form, per_topic=False)
            return
        scores = found.scores() if by_topic else cast("Scores", found)
    finally:
        session.stop()
    write(scores, form, output, per_topic=by_topic)
    say_what_matters(scores, form, per_topic=by_topic)


def _side(
    session: Any, paths: dict[str, str], kind: Form, side: str, given: dict[str, Any]
) -> Side:
    from assay.spark.sources import read_side

    form, columns = form_of(side, given)
    strict = not given["lenient"]
    return read_side(session, paths, kind, form=form, columns=columns, strict=strict)


def _check_forms(given: dict[str, Any]) -> None:
    from assay.spark.sources import check_form

    for side in ("judgments", "runs"):
        check_form(form_of(side, given)[0])


def _paths(
    words: tuple[str, ...], judgments: tuple[str, ...]
) -> tuple[dict[str, str], dict[str, str]]:
    least = 1 if judgments else 2
    if len(words) < least:
        expected = "one RUN or more" if judgments else "JUDGMENTS and one RUN or more"
        found = f"only {words[0]!r}" if words else "neither" if not judgments else "none"
        raise AssayError(f"expected {expected}, found {found}  Help: assay spark eval -h")
    if judgments:
        return labelled(judgments, "judgment sets"), labelled(words, "runs")
    return labelled(words[:1], "judgment sets"), labelled(words[1:], "runs")


def _settings(words: tuple[str, ...]) -> dict[str, str]:
    found = {}
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or not name.startswith("spark."):
            raise AssayError(f"--conf {word}: expected KEY=VALUE, such as spark.executor.memory=4g")
        found[name] = value
    return found
