"""Precision and its kin: the relevant among what is shown, the shown among what is relevant."""
# mypy: allow-untyped-defs, allow-untyped-calls
# ruff: noqa: ANN001, ANN201 - arrays of any library; a kernel reads like its formula

from __future__ import annotations

from math import inf

from assay.measures.arrays import array_namespace, count, defined, first_hit, hits, indicator, ratio
from assay.measures.registry import measure

NONE = "no relevant document"
KENT = "Kent et al. 1955, https://doi.org/10.1002/asi.5090060209"
RIJSBERGEN = "van Rijsbergen 1979, Information Retrieval, 2nd ed., chapter 7"
STABILITY = "Buckley & Voorhees 2000, https://doi.org/10.1145/345508.345543"


@measure(
    "P",
    formula="relevant documents among the first k / k",
    paper=KENT,
    cutoff="required",
    notes="Divided by k even where fewer were retrieved, as trec_eval and ranx do; SetP divides by "
    "the number retrieved.",
)
def precision(grade, rank, *, k, rel=1, tie_first=None, tie_last=None):
    """Precision: the share of the first k that is relevant.

    >>> from numpy import array
    >>> print(precision(array([2.0, 0, 1]), array([1.0, 2, 5]), k=5))
    0.4
    """
    return hits(grade, rank, rel, k, tie_first, tie_last) / k


@measure(
    "R",
    formula="relevant documents among the first k / R, the relevant documents of the topic",
    paper=KENT,
    cutoff="required",
    undefined=NONE,
)
def recall(grade, rank, base, *, k, rel=1, tie_first=None, tie_last=None):
    """Recall: the share of the relevant documents that the first k hold.

    >>> from numpy import array
    >>> print(recall(array([2.0, 0, 1]), array([1.0, 2, 5]), array([2.0, 1, 1, 1, 0]), k=5))
    0.5
    """
    return ratio(hits(grade, rank, rel, k, tie_first, tie_last), count(base >= rel, base))


@measure(
    "F",
    formula="(1 + beta^2) P R / (beta^2 P + R), 0 where P and R are 0",
    paper=RIJSBERGEN,
    undefined=NONE,
    exempt={"tail": "without a cut-off precision divides by the number retrieved"},
    notes="Without a cut-off P divides by the number retrieved (SetF). ir_measures hands its beta "
    "to trec_eval's set_F, which reads it as beta^2.",
)
def f(grade, rank, base, retrieved, *, beta=1, rel=1, k=inf, tie_first=None, tie_last=None):
    """Weighted harmonic mean of precision and recall.

    >>> from numpy import array
    >>> grade, rank, base = array([2.0, 1]), array([1.0, 5]), array([2.0, 1, 1, 1])
    >>> print(f(grade, rank, base, array(9.0), k=5))  # 2 x .4 x .5 / (.4 + .5)
    0.444
    """
    found, relevant = hits(grade, rank, rel, k, tie_first, tie_last), count(base >= rel, base)
    shown = retrieved if k == inf else k
    return defined(ratio((1 + beta**2) * found, beta**2 * relevant + shown, empty=0.0), relevant)


@measure(
    "Fallout",
    formula="nonrelevant documents among the first k / nonrelevant documents of the collection",
    paper=RIJSBERGEN,
    higher_is_better=False,
    worst=1.0,
    undefined="with N: no nonrelevant document",
    exempt={"tail": "documents without a judgment count as nonrelevant"},
    notes="The collection has N documents. Without N it is what is known of it for the topic, the "
    "documents retrieved or judged, and a run that shows nothing nonrelevant has fallout 0.",
)
def fallout(
    grade, rank, base, judged, retrieved, *, N=None, rel=1, k=inf, tie_first=None, tie_last=None
):
    """Fallout: the share of the nonrelevant documents that is shown.

    >>> from numpy import array
    >>> grade, rank, base = array([2.0, 0]), array([1.0, 3]), array([2.0, 1, 0, 0])
    >>> print(fallout(grade, rank, base, array(4.0), array(3.0), N=10))  # 2 of 8
    0.25
    """
    xp = array_namespace(grade)
    found, relevant = hits(grade, rank, rel, k, tie_first, tie_last), count(base >= rel, base)
    shown = xp.minimum(retrieved, xp.full_like(retrieved, k))
    if N is not None:
        return ratio(shown - found, N - relevant)
    known = retrieved + judged - count(rank < inf, rank)
    return ratio(shown - found, known - relevant, empty=0.0)


@measure(
    "Success",
    formula="1 where a relevant document stands among the first k, else 0",
    paper="Sanderson 2010, https://doi.org/10.1561/1500000009",
    cutoff="required",
    undefined=NONE,
)
def success(grade, rank, base, *, k, rel=1, tie_first=None, tie_last=None):
    """Whether the first k hold a relevant document.

    >>> from numpy import array
    >>> print(success(array([0.0, 1]), array([1.0, 4]), array([1.0, 0]), k=5))
    1.0
    """
    hit = indicator(grade >= rel, grade)
    found = first_hit(lambda r: indicator(r <= k, r), hit, rank, tie_first, tie_last)
    return defined(found, count(base >= rel, base))


@measure("Rprec", formula="precision at rank R", paper=STABILITY, undefined=NONE)
def r_precision(grade, rank, base, *, rel=1, tie_first=None, tie_last=None):
    """Precision at R, the number of relevant documents: there it equals recall.

    >>> from numpy import array
    >>> print(r_precision(array([1.0, 0, 1]), array([1.0, 2, 4]), array([1.0, 1, 1, 0])))
    0.333
    """
    relevant = count(base >= rel, base)
    limit = array_namespace(base).expand_dims(relevant, axis=-1)
    return ratio(hits(grade, rank, rel, limit, tie_first, tie_last), relevant)
