"""Measures: formulas over arrays.

The contract of a kernel, stated once:

* A kernel is a pure function of arrays whose **last axis is the judged documents that the run
  retrieved, in rank order**; the leading axes are anything (topics, runs, judges, resamples). It
  returns its arrays without the last axis: one value per list, NaN where the measure is undefined.
* Positional parameters are fields of `assay.ranking.Ranking`, passed by name:

  ========== ============= ===========================================================
  grade      [..., j]      grade of each judged document retrieved; padding 0
  rank       [..., j]      its rank, from 1; padding inf
  base       [..., n]      grades of all judged documents of the topic, descending; padding 0
  judged     [...]         number of judged documents of the topic
  retrieved  [...]         number of documents that the run retrieved
  pooled     [..., q]      ranks of retrieved documents that were pooled but not judged; padding inf
  score      [..., j]      the run's score of each judged document; padding 0
  tie_first  [..., j]      first rank of the document's tie group; padding inf
  tie_last   [..., j]      last rank of the document's tie group; padding inf
  missed     [..., u]      grades of the judged documents not retrieved, descending; padding -1
  scores     [..., i]      every score of the run's list, descending; padding NaN
  better     [..., p]      for each preference the rank of the better document, inf: not retrieved
  worse      [..., p]      and that of the worse one; padding of both NaN
  votes      [..., p]      how many state the preference, where pairs are distinct; padding 0
  against    [..., p]      how many state the opposite; padding 0
  known      [..., j]      1 where the user knew the document, else 0 (measures with `known=`)
  known_base [..., n]      the same for each document of `base`
  wanted     [...]         number of documents that the user wanted (measures with `wanted=`)
  ========== ============= ===========================================================

  Because padding is rank = inf and grade = 0, and 1/inf, g/log2(inf), p**inf are 0, no kernel needs
  a mask or a rule for short lists; `rank <= k` is the cut-off.
* Keyword-only parameters are the measure's own (`rel`, `p`, `gains`, ...); `k` is the cut-off, with
  infinity for none; `start` is the first rank of a region, 1 unless `@[start..k]` is asked for.
* `tie_first=None, tie_last=None` as keyword-only parameters say that the kernel knows its expected
  value over random orders inside tie groups; they are given only under `ties="expected"`.
* Array API functions only (2024.12), no Python branch on a value of an array, no assignment into an
  array, one float dtype, division only through `ratio` where the divisor may be 0.
"""

from __future__ import annotations

from assay.measures.measure import Measure, define, parse
from assay.measures.registry import registered

__all__ = ["Measure", "define", "parse", "registered"]
