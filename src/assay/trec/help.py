"""What `-h` prints: the options, the form of the files, and the measures that `-m` names."""

from __future__ import annotations

from textwrap import fill
from typing import TYPE_CHECKING

from assay.trec.names import ENTRIES, NICKNAMES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.trec.names import Entry
    from assay.trec.options import Options

__all__ = ["help_text"]

WIDTH = 79
OPTIONS = """\
Usage: {program} [OPTIONS] RELEVANCE RESULTS

Scores RESULTS against RELEVANCE and prints what trec_eval 10 prints, byte for
byte; docs/trec_eval.md lists the few cases where its number has no meaning and
assay's differs. RESULTS may be - for standard input.

  {program} qrels.txt bm25.run              the official measures
  {program} -q -c -m map -m P.5,10 qrels.txt bm25.run
  {program} -h -m ndcg                      what a measure is

What is measured
  -m, --measure NAME[.PARAMETERS]
        a measure or a nickname; repeatable; without it, official
  -l, --level_for_rel N
        a grade of N or more is relevant [1]
  -N, --Number_docs_in_coll N
        documents in the collection, for utility [0]
  -R, --Rel_info_format FORMAT
        of RELEVANCE: qrels, qrels_jg, prefs, qrels_prefs [qrels]
  -T, --Results_format FORMAT
        of RESULTS: trec_results

Which topics and documents count
  -c, --complete_rel_info_wanted
        average over all topics of RELEVANCE; those that RESULTS lacks count
        as 0 (without -c the first of them is fatal)
  -M, --Max_retrieved_per_topic N
        only the first N documents of each topic
  -J, --Judged_docs_only
        take out documents without a judgment before ranks are given
  -D, --Debug_level LEVEL[.TOPIC]
        only this topic; assay has no debugging output

What is printed
  -q, --query_eval_wanted
        the values of each topic, then the summary
  -n, --nosummary
        no summary
  -Z, --Zscore FILE
        standard scores; lines of FILE: topic measure mean deviation
  -o, --Output_old_results_format X
        accepted, without effect; the short form takes no X
  -h, --help
        this
  -v, --version
        the versions

  --ver 9|10
        be trec_eval 9 (scores of 32 bits, another rounding of recall levels,
        topics missing from RESULTS skipped, no rbp, rbp_resid, unj, dcg,
        ideal_dcg) or trec_eval 10 [10]

Exit 0 done, 1 bad usage, 2 bad files or parameters, 4 a topic that cannot be
scored, 7 no topic to score, 255 bad file for -Z.
"""
FORMATS = {
    "qrels": "topic, anything, document, grade: a whole number; below 0: pooled, but not judged",
    "qrels_jg": "topic, judgment group, document, grade: each group is a judge of its own",
    "prefs": "topic, judgment group, sub-group, document, level: within a sub-group a document of "
    "a higher level is preferred; 0 is not relevant; sub-groups of a group are joined, and "
    "preferences follow from preferences",
    "qrels_prefs": "topic, judgment group, document, level: qrels, read as preferences between "
    "documents of different levels",
}
RESULTS = (
    "topic, anything, document, anything, score, tag, in columns apart by white space; the order "
    "is by score, of equal scores the document later in the alphabet comes first (the other way "
    "round for preferences); the tag is that of the last line; lines with # are comments"
)
PLAIN = {  # what is no measure of documents
    "runid": "The tag of the results.",
    "num_q": "How many topics are scored, or with -c how many are judged.",
    "relstring": "The grades of the first documents, a character each: the digit, > above 9, - for "
    "a document without judgment, . for one pooled but not judged.",
}
TAKES = {
    "cutoffs": "ranks",
    "levels": "numbers",
    "numbers": "numbers",
    "pairs": "grade=gain pairs",
}
AVERAGES = {
    "mean": "mean over topics",
    "sum": "sum over topics",
    "geometric": "geometric mean over topics, none below 0.00001; not printed topic by topic",
    "none": "not averaged",
}
ROWS = {
    "topic": "over all preferences of a topic",
    "pair": "over pairs of documents, each once",
    "group": "mean over judgment groups",
    "resized": "mean over judgment groups with as many documents that are not relevant as relevant",
    "resized retrieved": "mean over judgment groups with as many retrieved documents that are not "
    "relevant as relevant",
}
AMONG = {
    "retrieved": "only where both documents are retrieved",
    "implied": "leaving out pairs of which neither is retrieved",
}


def help_text(options: Options, program: str = "trec_eval") -> str:
    """All that `-h` tells with the other options given."""
    return "\n".join(_parts(options, program)) + "\n"


def _parts(options: Options, program: str) -> Iterator[str]:
    yield OPTIONS.format(program=program)
    yield "Files"
    if options.rel_format in FORMATS:
        yield _folded(f"RELEVANCE, {options.rel_format}", FORMATS[options.rel_format])
    if options.results_format == "trec_results":
        yield _folded("RESULTS, trec_results", RESULTS)
    yield ""
    if options.requested.names:
        yield "Measures"
        for entry in options.requested.entries():
            yield from _measure(entry)
        return
    yield "Nicknames"
    for name, members in NICKNAMES.items():
        yield _folded(name, " ".join(members))
    own = [entry.name for entry in ENTRIES if not entry.nicknames]
    yield _folded("under no nickname", " ".join(own))
    yield "\nA name with -h tells more: -h -m ndcg"


def _folded(head: str, text: str) -> str:
    return fill(f"{head}: {text}", WIDTH, initial_indent="  ", subsequent_indent="      ")


def _measure(entry: Entry) -> Iterator[str]:
    yield f"  {entry.name}"
    for line in _about(entry):
        yield fill(line, WIDTH, initial_indent="      ", subsequent_indent="        ")


def _about(entry: Entry) -> Iterator[str]:
    from assay.measures.measure import Measure

    if entry.measure:
        definition = Measure(entry.measure).definition
        yield f"{definition.title} ({definition.name})"
        yield f"formula: {definition.formula}"
        yield f"source: {definition.paper}"
    else:
        yield PLAIN[entry.name]
    if entry.rows:
        among = AMONG.get(dict(entry.settings).get("among", ""))
        yield "; ".join(part for part in (ROWS[entry.rows], among) if part)
    if entry.reads == "qrels_jg":
        yield "mean over judgment groups (-R qrels_jg)"
    yield AVERAGES[entry.average]
    if entry.takes:
        default = ",".join(f"{x:g}" for x in entry.default) or "each grade is its gain"
        more = "; p=0.9 is the persistence" if entry.name.startswith("rbp") else ""
        yield f"parameters: {TAKES[entry.takes]}, apart by commas; without: {default}{more}"
    if entry.since > 9:
        yield f"not in version {entry.since - 1}"
