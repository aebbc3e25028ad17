"""trec_eval's prefs: levels within sub-groups of documents, as statements on pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import polars as pl

from assay.axioms import Violation, violations
from assay.errors import AssayError
from assay.statements import SCHEMA, frame_of, gathered, relation_of

if TYPE_CHECKING:
    from assay.io.lines import Dropped
    from assay.io.locate import Origin
    from assay.io.verdicts import Graded
    from assay.relations import Relation

__all__ = ["of_levels"]


def of_levels(graded: Graded, origin: Origin, dropped: Dropped | None) -> pl.DataFrame:
    """Statements of trec_eval's prefs.

    Within a judge's sub-group a document of a higher level is preferred. One sub-group makes a weak
    order, ties included; several make a partial order, closed by transitivity, in which equal
    levels say nothing.
    """
    names = ("topic", "judge", "group", "doc", "level", "line")
    rows = pl.DataFrame(graded.rows, schema=names, orient="row")
    rows = _each_doc_once(rows, origin, dropped)
    made = []
    for part in rows.partition_by("topic", "judge", maintain_order=True):
        groups = part.partition_by("group", maintain_order=True)
        stated = pl.concat([_of_group(group, ties=len(groups) == 1) for group in groups])
        if not stated.height:
            continue
        stated = gathered(stated).with_columns(votes=pl.lit(1, dtype=pl.Int64))
        if len(groups) > 1:
            relation = relation_of(stated)
            topic, judge = part.row(0)[:2]
            if relation.consistent:
                stated = frame_of(topic, judge, relation.closure())
            elif dropped is None:
                raise _inconsistent(origin, topic, judge, relation)
        made.append(stated)
    return pl.concat(made) if made else pl.DataFrame(schema=SCHEMA)


def _each_doc_once(rows: pl.DataFrame, origin: Origin, dropped: Dropped | None) -> pl.DataFrame:
    keys = ["topic", "judge", "group", "doc"]
    again = rows.filter(rows.select(keys).is_duplicated())
    if not again.height:
        return rows
    first = again.row(0, named=True)
    same = again.filter(pl.all_horizontal(pl.col(key) == first[key] for key in keys))["line"]
    if dropped is None:
        raise AssayError(
            f"{origin.name}:{same[1]}: document {first['doc']!r} of topic {first['topic']!r} "
            f"stands twice in sub-group {first['judge']} {first['group']}, first on line "
            f"{same[0]}; keep one of the two"
        )
    kept = rows.unique(keys, keep="first", maintain_order=True)
    where = f"{origin.name}:{same[1]}"
    dropped.add("a document given twice in a sub-group", where, rows.height - kept.height)
    return kept


def _of_group(group: pl.DataFrame, *, ties: bool) -> pl.DataFrame:
    ordered = group.sort("level", descending=True, maintain_order=True)
    level = ordered["level"].to_numpy()
    a, b = np.triu_indices(len(level), 1)
    tie = level[a] == level[b]
    if not ties:
        a, b, tie = a[~tie], b[~tie], tie[~tie]
    line = ordered["line"].to_numpy()
    return pl.DataFrame(
        {
            "topic": ordered["topic"].gather(a),
            "judge": ordered["judge"].gather(a),
            "better": ordered["doc"].gather(a),
            "worse": ordered["doc"].gather(b),
            "tie": tie,
            "votes": np.ones(len(a), dtype=np.int64),
            "lines": np.sort(np.stack([line[a], line[b]], axis=1), axis=1).tolist(),
        },
        schema=SCHEMA,
    )


def _inconsistent(origin: Origin, topic: str, judge: str, relation: Relation) -> AssayError:
    axiom, steps = next(violations(relation, limit=1))
    shown = Violation(axiom, steps, topic, judge)
    return AssayError(
        f"{origin.name}:{shown.lines[-1]}: the sub-groups of one judge contradict each other: "
        f"{shown}. Put them under different judges, or use --lenient (strict=False)"
    )
