"""Values of trec_eval's preference measures: which pairs are preferred, and where a run puts them.

A judgment group of one sub-group orders its documents by level (a document given twice counts
twice). Several sub-groups state preferences that are closed transitively, each pair once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.align import Hits, Judged, Packer
from assay.blocks import ranges
from assay.ranking import Ranking
from assay.trec.topics import Looking, Table, Topics, apply
from assay.trec.views import chunks, cut, docno_ascending

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.measures.measure import Measure
    from assay.trec.names import Column

__all__ = ["PreferenceTopics"]

Ints = np.ndarray[Any, np.dtype[np.int64]]
Floats = np.ndarray[Any, np.dtype[np.float64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]

PAIRS = 1 << 21  # preferences that are spelled out at once
FORM = "trec_eval.form_prefs_counts: "


class _ProblemError(Exception):
    """Why a topic's preferences make no sense."""


@dataclass(frozen=True)
class _Pairs:
    """Preferences as numbers of judged documents, those of a group side by side."""

    group: Ints
    better: Ints
    worse: Ints

    def where(self, rows: Mask) -> _Pairs:
        return _Pairs(self.group[rows], self.better[rows], self.worse[rows])

    @staticmethod
    def joined(parts: Sequence[_Pairs]) -> _Pairs:
        """All parts, group by group."""
        columns = [
            np.concatenate([getattr(part, name) for part in parts])
            for name in ("group", "better", "worse")
        ]
        order = np.argsort(columns[0], kind="stable")
        return _Pairs(*(column[order] for column in columns))


@dataclass(frozen=True)
class _Entries:
    """What a group says of documents: a line each (one sub-group) or a document each (several).

    Within a group by level, the highest first, then by rank.
    """

    group: Ints
    doc: Ints
    level: Floats
    closed: Mask  # by group: several sub-groups, closed transitively

    @property
    def relevant(self) -> Mask:
        return self.level > 0

    @property
    def nonrelevant(self) -> Mask:
        return np.where(self.closed[self.group], self.level == 0, ~(self.level > 0))


class PreferenceTopics(Topics):
    """Topics with preferences, from levels inside sub-groups of judgment groups."""

    reads = ("prefs",)
    repeated = "form_prefs_counts"
    descending = False

    def __init__(self, frame: pl.DataFrame, columns: Sequence[Column], look: Looking) -> None:
        if "sub" not in frame.columns:
            frame = frame.with_columns(sub=pl.lit("0"))
        docs = frame.select("topic", "doc").unique().sort("topic", "doc")
        judged = Judged([Table(docs.with_columns(grade=pl.lit(0.0)))])
        super().__init__(judged, columns, look)
        numbered = docs.with_columns(number=np.arange(docs.height))
        lines = frame.join(numbered, on=["topic", "doc"], maintain_order="left").sort(
            ["topic", "group", "sub", "value"],
            descending=[False, False, False, True],
            maintain_order=True,
        )
        level = lines["value"].to_numpy()
        self.level = level if look.ver > 9 else level.astype(np.float32).astype(np.float64)
        self.doc: Ints = lines["number"].to_numpy()
        new_group = _changes(lines, "topic", "group")
        new_sub = new_group | _changes(lines, "sub")
        self.group: Ints = np.cumsum(new_group) - 1
        self.sub: Ints = np.cumsum(new_sub) - 1
        self.first = np.append(np.flatnonzero(new_group), len(lines)).astype(np.int64)
        self.closed = np.bincount(self.group[new_sub]) > 1
        self.topic_of = self.judged.topic_of[self.doc[self.first[:-1]]]  # of each group
        self.groups = np.searchsorted(self.topic_of, np.arange(len(judged.topics) + 1))

    def settled(self, hits: Hits) -> Hits:
        """The lists as preferences see them: equal scores by ascending document."""
        return cut(docno_ascending(hits), self.look.depth)

    def score(self, hits: Hits) -> None:
        """Fill in the values of the topics, a few at a time."""
        if not len(hits.topic):
            return
        rank = np.full(len(self.judged.doc), np.inf)
        rank[hits.pair] = hits.rank
        size = np.diff(self.first).astype(np.float64) ** 2
        cost = np.concatenate(([0.0], np.cumsum(size)))[self.groups]
        topics = np.sort(hits.topic)
        share = np.cumsum(np.diff(cost)[topics]) // PAIRS
        for part in np.split(topics, np.flatnonzero(np.diff(share)) + 1):
            self._score(part, rank)

    def _score(self, topics: Ints, rank: Floats) -> None:
        groups = ranges(self.groups[topics], self.groups[topics + 1])
        looked_at = _Looked(self, topics, groups, rank)
        for i, column in enumerate(self.columns):
            if column.measure is not None and column.entry.reads in self.reads:
                found = looked_at.values(column.entry.rows, column.measure)
                self.values[i, topics] = np.nan_to_num(found, nan=0.0)
        for topic, why in looked_at.problems.items():
            self.problems.setdefault(topic, why)


def _changes(frame: pl.DataFrame, *names: str) -> Mask:
    """Where one of the columns differs from the row before."""
    changed = np.zeros(frame.height, dtype=bool)
    for name in names:
        changed |= frame[name].ne_missing(frame[name].shift(1)).to_numpy()
    return changed


class _Looked:
    """Some topics' preferences beside the ranks that a run gives their documents."""

    def __init__(self, owner: PreferenceTopics, topics: Ints, groups: Ints, rank: Floats) -> None:
        self.owner, self.topics, self.rank = owner, topics, rank
        self.problems: dict[int, tuple[str, ...]] = {}
        self.topic_of = np.searchsorted(topics, owner.topic_of[groups])  # of each group here
        self.many = np.bincount(self.topic_of, minlength=len(topics))
        self.internal = self._internal()
        lines = ranges(owner.first[groups], owner.first[groups + 1])
        group = np.searchsorted(groups, owner.group[lines])
        closed = owner.closed[groups]
        self.places = len(groups)
        entries, stated = self._ordered(lines, group, closed)
        parts, said = [stated], [entries]
        for number in np.flatnonzero(closed):
            own = lines[group == number]
            try:
                pairs, docs = self._closed(own)
            except _ProblemError as problem:
                why = tuple(str(problem).split("\n"))
                self.problems.setdefault(int(topics[self.topic_of[number]]), why)
                continue
            parts.append(_Pairs(np.full(len(pairs), number), pairs[:, 0], pairs[:, 1]))
            level = docs[1]
            said.append(
                _Entries(np.full(len(level), number), docs[0].astype(np.int64), level, closed)
            )
        self.stated = _Pairs.joined(parts)
        order = np.argsort(np.concatenate([one.group for one in said]), kind="stable")
        group, doc, level = (
            np.concatenate([getattr(one, name) for one in said])[order]
            for name in ("group", "doc", "level")
        )
        self.entries = _Entries(group, doc, level, closed)

    def _internal(self) -> Ints:
        """Place of every document within its topic: by rank, those not retrieved by name."""
        judged = self.owner.judged
        docs = ranges(judged.start[self.topics], judged.start[self.topics + 1])
        order = docs[np.lexsort((docs, self.rank[docs], judged.topic_of[docs]))]
        internal = np.zeros(len(judged.doc), dtype=np.int64)
        internal[order] = np.arange(len(order))
        shift = np.concatenate(([0], np.cumsum(np.diff(judged.start)[self.topics])))[:-1]
        topic = np.searchsorted(self.topics, judged.topic_of[docs])
        internal[docs] -= shift[topic]
        return internal

    # ------------------------------------------------------------------------- from lines to pairs

    def _ordered(self, lines: Ints, group: Ints, closed: Mask) -> tuple[_Entries, _Pairs]:
        """Groups of one sub-group: every document of a level before every one of lower levels."""
        owner = self.owner
        mine = ~closed[group]
        lines, group = lines[mine], group[mine]
        level, doc = owner.level[lines], owner.doc[lines]
        order = np.lexsort((self.internal[doc], -level, group))
        level, doc, group = level[order], doc[order], group[order]
        entries = _Entries(group, doc, level, closed)
        self._check_levels(entries)
        class_end, group_end = _ends(group, level), _ends(group)
        better = np.repeat(np.arange(len(doc)), group_end - class_end)
        worse = ranges(class_end, group_end)
        return entries, _Pairs(group[better], doc[better], doc[worse])

    def _check_levels(self, entries: _Entries) -> None:
        """No document at two levels of one sub-group."""
        order = np.lexsort((entries.doc, entries.group))
        group, doc, level = entries.group[order], entries.doc[order], entries.level[order]
        clash = (group[1:] == group[:-1]) & (doc[1:] == doc[:-1]) & (level[1:] != level[:-1])
        for row in np.flatnonzero(clash)[::-1]:  # the first of a topic stays
            topic = int(self.topics[self.topic_of[group[row]]])
            place = self.internal[doc[row]]
            self.problems[topic] = (
                f"{FORM}Internal docid {place} occurs with different rel_level in same jsg",
            )

    def _closed(self, lines: Ints) -> tuple[Ints, Floats]:
        """A group of several sub-groups: its preferences, and each document with its level."""
        owner = self.owner
        doc, level, sub = owner.doc[lines], owner.level[lines], owner.sub[lines]
        docs = np.unique(doc)
        docs = docs[np.argsort(self.internal[docs])]
        place = np.searchsorted(self.internal[docs], self.internal[doc])
        self._check_zeros(docs, place, level)
        stated = np.zeros((len(docs), len(docs)), dtype=np.float32)
        ends, starts = _ends(sub), _ends(sub, level)
        better = np.repeat(np.arange(len(doc)), ends - starts)
        stated[place[better], place[ranges(starts, ends)]] = 1
        while True:  # twice as long chains each time
            longer = np.minimum(stated + stated @ stated, 1)
            if (longer == stated).all():
                break
            stated = longer
        np.fill_diagonal(stated, 0)
        both = np.argwhere((stated > 0) & (stated.T > 0))
        if len(both):
            i, k = self.internal[docs[both[0]]]
            raise _ProblemError(
                f"{FORM}Pref inconsistency found\n"
                f"      internal rank {i} and internal rank {k} are conflicted"
            )
        last = np.zeros(len(docs))
        last[place] = level  # the last of several lines stays
        return docs[np.argwhere(stated > 0)], np.stack([docs.astype(np.float64), last])

    def _check_zeros(self, docs: Ints, place: Ints, level: Floats) -> None:
        """No document at level 0 in one line and above 0 in the next that names it."""
        order = np.argsort(place, kind="stable")
        same = place[order][1:] == place[order][:-1]
        one, other = level[order][:-1], level[order][1:]
        clash = same & (((one > 0) & (other == 0)) | ((one == 0) & (other > 0)))
        if clash.any():
            row = int(order[1:][clash].min())
            name = self.owner.judged.doc[int(docs[place[row]])]
            raise _ProblemError(f"{FORM}doc '{name}' has both 0 and non-0 rel_level assigned")

    # ------------------------------------------------------------------------- from pairs to values

    def values(self, rows: str, measure: Measure) -> Floats:
        """The measure's values, one for each topic."""
        if rows == "topic":
            return self._applied(measure, self.topic_of[self.stated.group], self.stated)
        if rows == "pair":
            return self._pairwise(measure)
        if rows == "group":
            by_group = self._applied(measure, self.stated.group, self.stated, self.places)
            return self._mean(np.nan_to_num(by_group, nan=0.0))
        resized = self._resized(retrieved=rows == "resized retrieved")
        mean = self._mean(self._applied(measure, resized.group, resized, self.places))
        return np.where(mean > 0, mean, 0.0)

    def _mean(self, by_group: Floats) -> Floats:
        total = np.bincount(self.topic_of, weights=by_group, minlength=len(self.topics))
        return np.asarray(total / self.many)

    def _applied(
        self, measure: Measure, row: Ints, pairs: _Pairs, rows: int | None = None
    ) -> Floats:
        start = np.searchsorted(row, np.arange((rows or len(self.topics)) + 1))
        rank = np.append(self.rank, np.inf)  # a document of number -1 is imagined
        one, none = np.ones(len(row)), np.zeros(len(row))
        return _packed(measure, start, (rank[pairs.better], rank[pairs.worse], one, none))

    def _pairwise(self, measure: Measure) -> Floats:
        """With each pair of documents once, and how many prefer the one or the other."""
        size = len(self.owner.judged.doc)
        key, votes = np.unique(self.stated.better * size + self.stated.worse, return_counts=True)
        better, worse = key // size, key % size
        back = worse * size + better
        at = np.minimum(np.searchsorted(key, back), max(0, len(key) - 1))
        against = np.where(key[at] == back, votes[at], 0) if len(key) else votes
        topic = np.searchsorted(self.topics, self.owner.judged.topic_of[better])
        low = np.minimum(self.internal[better], self.internal[worse])
        high = np.maximum(self.internal[better], self.internal[worse])
        unseen = np.isinf(np.maximum(self.rank[better], self.rank[worse]))
        order = np.lexsort((high, low, unseen, topic))
        start = np.searchsorted(topic[order], np.arange(len(self.topics) + 1))
        columns = (self.rank[better], self.rank[worse], votes, against)
        return _packed(measure, start, [column[order].astype(np.float64) for column in columns])

    def _resized(self, *, retrieved: bool) -> _Pairs:
        """As many nonrelevant documents as relevant ones in each group.

        Where there are fewer, imagined ones that are never retrieved join them; where there are
        more, the first of the lowest level stay. There trec_eval also compares each of them with
        the whole level, itself included.
        """
        entries, seen = self.entries, np.isfinite(self.rank)
        group, known = entries.group, seen[entries.doc] if retrieved else True
        R = np.bincount(group[entries.relevant & known], minlength=self.places)
        N = np.bincount(group[entries.nonrelevant & known], minlength=self.places)
        fewer = R >= N
        parts = [self.stated.where(fewer[self.stated.group])]
        if retrieved:
            parts[0] = parts[0].where(seen[parts[0].better] & seen[parts[0].worse])
        imagined = np.where(entries.relevant & fewer[group], (R - N)[group], 0)
        rows = np.repeat(np.arange(len(group)), imagined)
        parts.append(_Pairs(group[rows], entries.doc[rows], np.full(len(rows), -1)))
        more = [self._lowest(np.where(fewer, -1, R)), self._shortened(~fewer, retrieved=retrieved)]
        if retrieved:
            more = [part.where(seen[part.better] & seen[part.worse]) for part in more]
        return _Pairs.joined([*parts, *more])

    def _lowest(self, R: Ints) -> _Pairs:
        """Ordered groups against the first R documents of their lowest level; none where R < 0."""
        entries = self.entries
        mine = np.flatnonzero(~entries.closed[entries.group] & (R[entries.group] >= 0))
        group, doc, level = entries.group[mine], entries.doc[mine], entries.level[mine]
        class_end, group_end = _ends(group, level), _ends(group)
        lowest = np.searchsorted(class_end, group_end)  # where the last level of the group begins
        start = np.minimum(class_end, lowest)
        end = np.minimum(lowest + R[group], group_end)
        end = np.maximum(start, end)
        better = np.repeat(np.arange(len(doc)), end - start)
        worse = ranges(start, end)
        return _Pairs(group[better], doc[better], doc[worse])

    def _shortened(self, chosen: Mask, *, retrieved: bool) -> _Pairs:
        """Closed groups without the documents of level 0 after the R-th."""
        entries = self.entries
        R = np.bincount(entries.group[entries.relevant], minlength=self.places)
        zero = entries.closed[entries.group] & (entries.level == 0)
        if retrieved:
            zero &= np.isfinite(self.rank[entries.doc])
        rows = np.flatnonzero(zero)
        rows = rows[np.lexsort((self.internal[entries.doc[rows]], entries.group[rows]))]
        group = entries.group[rows]
        place = np.arange(len(rows)) - np.searchsorted(group, group)
        late = rows[place >= R[group]]
        size = len(self.owner.judged.doc)
        dropped = np.sort(entries.group[late] * size + entries.doc[late])
        mine = self.stated.where((entries.closed & chosen)[self.stated.group])
        gone = np.isin(mine.group * size + mine.better, dropped)
        gone |= np.isin(mine.group * size + mine.worse, dropped)
        return mine.where(~gone)


def _ends(*columns: Any) -> Ints:
    """For each row the end of its run of equal rows."""
    n = len(columns[0])
    last = np.zeros(n, dtype=bool)
    if n:
        last[-1] = True
    for column in columns:
        last[:-1] |= column[1:] != column[:-1]
    ends = np.flatnonzero(last) + 1
    return np.asarray(ends[np.searchsorted(ends, np.arange(n), side="right")])


def _packed(measure: Measure, start: Ints, columns: Any) -> Floats:
    """The measure's value for each list, NaN where it has no preferences."""
    found = np.full(len(start) - 1, np.nan)
    for places in chunks(np.diff(start)):
        pack = Packer(start[places], start[places + 1])
        better, worse, votes, against = (
            pack(column, padding)
            for column, padding in zip(columns, (np.nan, np.nan, 0.0, 0.0), strict=True)
        )
        nothing = np.zeros((len(places), 0))
        none = np.zeros(len(places))
        ranking = Ranking(
            nothing,
            nothing,
            nothing,
            none,
            none,
            better=better,
            worse=worse,
            votes=votes,
            against=against,
        )
        found[places] = apply(measure, ranking)
    return found
