"""Score tables [run, topic] to test on: easy and hard topics, with the ties that cut-offs make."""

from __future__ import annotations

import numpy as np


def simulated(runs=6, topics=25, seed=3, step=None):
    """Scores [run, topic] with easy and hard topics; rounded to multiples of `step`."""
    rng = np.random.default_rng(seed)
    x = 0.4 + rng.normal(0, 0.2, topics) + rng.normal(0, 0.12, (runs, topics))
    x += np.linspace(0, 0.08, runs)[:, None]
    x = np.clip(x, 0, 1)
    return x if step is None else np.round(np.round(x / step) * step, 10)


def scores_of(x, *, runs=None, measures=("nDCG@10",), topics=None, judged=None, **policy):
    """Scores of a table [run, topic] or [measure, run, topic]; NaN counts as a missing topic."""
    from assay.measures.measure import parse_all
    from assay.policy import Policy
    from assay.scores import MISSING, SCORED, Scores

    x = np.asarray(x, dtype=float)
    x = x[None] if x.ndim == 2 else x
    values = x.transpose(1, 0, 2)[None].copy()
    runs = tuple(runs or (f"run{i}" for i in range(values.shape[1])))
    shape = values.shape[:3]
    return Scores(
        judges=("judgments",),
        runs=runs,
        measures=parse_all(list(measures)),
        topics=tuple(topics or (f"t{i:02}" for i in range(values.shape[3]))),
        values=values,
        reasons=np.where(np.isnan(values), MISSING, SCORED).astype(np.int8),
        judged=np.full(shape, 1.0) if judged is None else np.broadcast_to(judged, shape).copy(),
        policy=Policy(**policy),
    )
