"""Preferences that judgments imply: relevant documents before nonrelevant ones."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, count, defined, indicator, ratio, total
from assay.measures.registry import measure


@measure(
    "Bpref",
    formula="(1/R) sum over relevant documents retrieved of 1 - min(n, R) / min(N, R); n of the "
    "topic's N documents judged nonrelevant stand before the document",
    paper="Buckley & Voorhees 2004, https://doi.org/10.1145/1008992.1009000",
    undefined="no relevant document",
    notes="trec_eval's form; the paper divides by R. Without a nonrelevant document a relevant one "
    "counts 1 (trec_eval), where ranx has NaN.",
)
def bpref(grade, base, judged, *, rel=1):
    """Binary preference: how rarely a judged nonrelevant document stands before a relevant one.

    >>> from numpy import array
    >>> base = array([1.0, 1, 0, 0])  # at the second relevant document n = 1
    >>> print(bpref(array([1.0, 0, 1, 0]), base, array(4.0)))  # (1 + (1 - 1/2)) / 2
    0.75
    """
    xp = array_namespace(grade)
    hit = indicator(grade >= rel, grade)
    R = count(base >= rel, base)
    nonrelevant = xp.expand_dims(xp.minimum(judged - R, R), axis=-1)
    before = xp.minimum(xp.cumulative_sum(1 - hit, axis=-1), xp.expand_dims(R, axis=-1))
    return ratio(total(hit * (1 - ratio(before, nonrelevant, empty=0.0))), R)


@measure(
    "Accuracy",
    formula="share of the pairs of a relevant and another document, both among the first k, that "
    "stand in the right order; 1/2 where there is no such pair",
    paper="ir_measures; the area under the ROC curve, Hanley & McNeil 1982, "
    "https://doi.org/10.1148/radiology.143.1.7063747",
    undefined="no relevant document",
    exempt={
        "ideal": "relevant documents alone form no pair: 1/2, as where nothing is known",
        "swap": "with a cut-off, a relevant document that comes among the first k brings pairs in",
        "tail": "a document without a judgment counts as not relevant",
    },
    notes="ir_measures leaves out topics of which no relevant document was retrieved, and fails "
    "where nothing else was.",
)
def accuracy(grade, rank, base, retrieved, *, rel=1, k=inf):
    """Probability that a relevant document stands before another one, both retrieved.

    >>> from numpy import array
    >>> base = array([1.0, 1])  # before rank 1: 0 others, before rank 3: 1 of 2
    >>> print(accuracy(array([1.0, 1]), array([1.0, 3]), base, array(4.0)))  # 3 of 4 pairs
    0.75
    """
    xp = array_namespace(grade)
    hit = indicator((grade >= rel) & (rank <= k), grade)
    found = xp.sum(hit, axis=-1)
    wrong = xp.where(hit > 0, rank - xp.cumulative_sum(hit, axis=-1), xp.zeros_like(hit))
    pairs = found * (xp.minimum(retrieved, xp.full_like(retrieved, k)) - found)
    right = ratio(pairs - xp.sum(wrong, axis=-1), pairs, empty=0.5)
    return defined(right, count(base >= rel, base))
