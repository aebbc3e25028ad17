"""Spark DataFrames as rows of judgments or runs: columns found, types checked, bad rows counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import reduce
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, Dropped, Form
from assay.io.names import choose, columns_given
from assay.io.tables import UNJUDGED

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["PART", "PROBLEM", "Entry", "Side", "Summary", "plain", "side_of"]

PART = "part"  # whose rows: a run's, or a judge's
PROBLEM = "problem"  # what is wrong with a line of text, in words
COLUMNS = (PART, "topic", "doc", "value")
MOST_PARTS = 100_000
NUMBER = r"^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$"  # as in lines of text
REMEDY = "Correct it, or leave such rows out with --lenient (strict=False)"


@dataclass(frozen=True)
class Entry:
    """One DataFrame under the label that it was given, brought to COLUMNS."""

    label: str | None
    name: str  # in messages
    frame: Any


@dataclass(frozen=True)
class Owner:
    """One run, or one judge: which rows are its, and what they look like."""

    label: str
    entry: int
    part: str
    rows: int
    top: float
    grades: tuple[float, ...]


@dataclass(frozen=True)
class Summary:
    """What one look at a side's rows tells."""

    owners: tuple[Owner, ...]
    dropped: Mapping[str, Dropped] = field(default_factory=dict)  # by name of the entry

    @property
    def rows(self) -> int:
        """Of all owners."""
        return sum(owner.rows for owner in self.owners)

    @property
    def labels(self) -> tuple[str, ...]:
        """Of the owners, in their order."""
        return tuple(owner.label for owner in self.owners)


@dataclass(frozen=True)
class Side:
    """Judgments, or runs, in one DataFrame or several."""

    kind: Form
    entries: tuple[Entry, ...]

    @property
    def what(self) -> str:
        """The role of the column that tells parts apart."""
        return "judge" if self.kind is JUDGMENTS else "run"

    def summary(self, *, strict: bool, grades: bool = False) -> Summary:
        """Read all rows once: whose they are, how many, and what is wrong with them."""
        seen = self._look(grades=grades)
        dropped = {
            entry.name: self._refused(entry, rows, strict=strict)
            for entry, rows in zip(self.entries, seen, strict=True)
        }
        found = [[row for row in rows if row["bad"] == _GOOD] for rows in seen]
        for entry, rows in zip(self.entries, found, strict=True):
            if not rows:
                left = f"; left out {dropped[entry.name]}" if dropped[entry.name] else ""
                raise AssayError(f"{entry.name}: no data: expected rows of {self.kind.what}{left}")
        return Summary(self._owners(found), dropped)

    def rows(self, summary: Summary, number: Callable[[int], int]) -> Iterable[Any]:
        """The good rows of each entry, with the number of their owner and their place."""
        from pyspark.sql import functions as F  # noqa: N812 - the name that everybody gives it

        for e, entry in enumerate(self.entries):
            frame = entry.frame.withColumn("at", F.monotonically_increasing_id())
            frame = frame.filter(_bad(frame) == _GOOD)
            ours = [(o, owner) for o, owner in enumerate(summary.owners) if owner.entry == e]
            if len(ours) == 1:
                owned = frame.withColumn("owner", F.lit(number(ours[0][0])).cast("long"))
            else:
                names = entry.frame.sparkSession.createDataFrame(
                    [(owner.part, number(o)) for o, owner in ours], f"{PART} string, owner long"
                )
                owned = frame.join(F.broadcast(names), PART)
            yield owned.select("owner", "at", "topic", "doc", "value")

    # ---------------------------------------------------------------------------------- a look

    def _look(self, *, grades: bool) -> list[list[Any]]:
        """For each entry one row for each part, and for each thing that is wrong with rows of it.

        In the order of the first row that each speaks of.
        """
        from pyspark.sql import functions as F  # noqa: N812

        frames = []
        for e, entry in enumerate(self.entries):
            frame = entry.frame
            if PROBLEM not in frame.columns:
                frame = frame.withColumn(PROBLEM, F.lit(None).cast("string"))
            places = [F.lit(e).alias("entry"), F.monotonically_increasing_id().alias("at")]
            frames.append(frame.select("*", *places).withColumn("bad", _bad(frame)))
        kept = [
            F.count(F.lit(1)).alias("many"),
            F.sum(F.when(F.col("bad") == _WORDED, F.col("value"))).alias("left"),
            F.min(F.struct("at", "topic", "doc", "value")).alias("first"),
            F.max("value").alias("top"),
        ]
        if grades:
            kept.append(F.collect_set("value").alias("grades"))
        every = reduce(lambda above, below: above.unionByName(below), frames)
        rows = every.groupBy("entry", PART, "bad", PROBLEM).agg(*kept)
        found: list[list[Any]] = [[] for _ in self.entries]
        for row in rows.limit(MOST_PARTS + 1).collect():
            found[row["entry"]].append(row)
        if sum(map(len, found)) > MOST_PARTS:
            raise AssayError(
                f"the column that names each {self.what} holds more than {MOST_PARTS:,} values; is "
                f"it the right one? columns={{{self.what!r}: NAME}} says which is"
            )
        return [sorted(each, key=lambda row: row["first"]["at"]) for each in found]

    def _refused(self, entry: Entry, rows: list[Any], *, strict: bool) -> Dropped:
        """Count the bad rows; an error where reading is strict."""
        dropped = Dropped()
        for row in rows:
            if row["bad"] == _GOOD:
                continue
            first, what = row["first"], self.kind.columns[self.kind.value]
            if row["bad"] == _WORDED:
                if strict:
                    raise AssayError(row[PROBLEM])
                dropped.add(row[PROBLEM], first["doc"], int(row["left"]))
                continue
            kind = _KINDS[row["bad"]].format(what)
            where = f"{entry.name}: topic {first['topic']!r}, document {first['doc']!r}"
            if row["bad"] == _UNKNOWN and self.kind is JUDGMENTS:
                dropped.add(UNJUDGED, where, row["many"])
                continue
            if strict:
                more = f" (and {row['many'] - 1} more)" if row["many"] > 1 else ""
                raise AssayError(f"{where}{more}: {kind}, found {_shown(row, first)}. {REMEDY}")
            dropped.add(kind, where, row["many"])
        return dropped

    def _owners(self, found: list[list[Any]]) -> tuple[Owner, ...]:
        """The parts of all entries, each under a label of its own."""
        counts = Counter(row[PART] for rows in found for row in rows if len(rows) > 1)
        counts.update(
            entry.label or rows[0][PART]
            for entry, rows in zip(self.entries, found, strict=True)
            if len(rows) == 1
        )
        owners = []
        for e, (entry, rows) in enumerate(zip(self.entries, found, strict=True)):
            for row in rows:
                part = row[PART]
                label = part if len(rows) > 1 or entry.label is None else entry.label
                if len(rows) > 1 and counts[label] > 1 and entry.label is not None:
                    label = f"{entry.label}:{label}"
                grades = tuple(sorted(row["grades"])) if "grades" in row else ()
                owners.append(Owner(label, e, part, row["many"], max(0.0, row["top"]), grades))
        for label, many in Counter(owner.label for owner in owners).items():
            if many > 1:
                raise AssayError(f"{many} {self.what}s are labelled {label!r}; give each its own")
        return tuple(owners)


_GOOD, _TOPIC, _DOC, _PART, _UNKNOWN, _INFINITE, _WORDED = range(7)
_KINDS = {
    _TOPIC: "expected text or a whole number as topic",
    _DOC: "expected text or a whole number as document",
    _PART: "expected a name in the column that tells parts apart",
    _UNKNOWN: "expected a finite number as {}",
    _INFINITE: "expected a finite number as {}",
}


def _bad(frame: Any) -> Any:
    """What is wrong with each row, if anything."""
    from pyspark.sql import functions as F  # noqa: N812

    def lacks(name: str) -> Any:
        return F.col(name).isNull() | (F.col(name) == "")

    value = F.col("value")
    worded = F.col(PROBLEM).isNotNull() if PROBLEM in frame.columns else F.lit(False)  # noqa: FBT003
    return (
        F.when(worded, _WORDED)
        .when(lacks("topic"), _TOPIC)
        .when(lacks("doc"), _DOC)
        .when(lacks(PART), _PART)
        .when(value.isNull() | F.isnan(value), _UNKNOWN)
        .when(F.abs(value) == float("inf"), _INFINITE)
        .otherwise(_GOOD)
    )


def _shown(row: Any, first: Any) -> str:
    if row["bad"] in (_UNKNOWN, _INFINITE):
        value = first["value"]
        return "nothing (null or NaN)" if value is None or value != value else repr(value)  # noqa: PLR0124
    return (
        repr(first["topic"] if row["bad"] == _TOPIC else first["doc"])
        if row["bad"] != _PART
        else repr(row[PART])
    )


# ---------------------------------------------------------------------------------------- columns


def side_of(given: Any, kind: Form, columns: Mapping[str, str | int] | None) -> Side:
    """A DataFrame, or a dictionary of label to DataFrame, as one side of an evaluation."""
    what = "judgments" if kind is JUDGMENTS else "run"
    if isinstance(given, Mapping):
        if not given:
            raise AssayError(f"an empty dictionary: no {what} to work with")
        entries = tuple(
            Entry(str(label), str(label), plain(frame, kind, columns, str(label), what))
            for label, frame in given.items()
        )
        return Side(kind, entries)
    return Side(kind, (Entry(None, what, plain(given, kind, columns, what, what)),))


def plain(
    frame: Any,
    kind: Form,
    columns: Mapping[str, str | int] | None,
    name: str,
    part: str,
    *,
    text: bool = False,
) -> Any:
    """The frame with COLUMNS, ids as text and values as doubles.

    With `text` all columns hold text; what is no number becomes null, to be counted as such.
    """
    from pyspark.sql import functions as F  # noqa: N812

    if not (hasattr(frame, "mapInArrow") and hasattr(frame, "sparkSession")):
        found = f"{type(frame).__module__.partition('.')[0]}.{type(frame).__name__}"
        raise AssayError(
            f"{name}: expected a Spark DataFrame, found {found}; assay.evaluate takes files, "
            "dictionaries and the frames of other libraries"
        )
    heads = list(frame.columns)
    chosen = choose(heads, kind, columns_given(columns, kind), name)
    numbered = frame.toDF(*[f"c{i}" for i in range(len(heads))])
    types = [each.dataType for each in numbered.schema.fields]
    for place in (chosen.topic, chosen.doc, chosen.part):
        if place is not None and not _may_be_id(types[place]):
            raise AssayError(
                f"{name}: column {heads[place]!r} holds {types[place].simpleString()}; ids must be "
                "text or whole numbers"
            )
    flags = types[chosen.value].typeName() == "boolean" and kind is JUDGMENTS
    if not (flags or text or _is_number(types[chosen.value])):
        word = "rank" if chosen.ranked else kind.columns[kind.value]
        raise AssayError(
            f"{name}: column {heads[chosen.value]!r} holds "
            f"{types[chosen.value].simpleString()}; expected numbers as {word}"
        )
    value = F.col(f"c{chosen.value}")
    value = F.when(value.rlike(NUMBER), value.try_cast("double")) if text else value.cast("double")
    whose = F.lit(part) if chosen.part is None else F.col(f"c{chosen.part}").cast("string")
    return numbered.select(
        whose.alias(PART),
        F.col(f"c{chosen.topic}").cast("string").alias("topic"),
        F.col(f"c{chosen.doc}").cast("string").alias("doc"),
        (-value if chosen.ranked else value).alias("value"),
    )


def _may_be_id(kind: Any) -> bool:
    name = kind.typeName()
    whole = name.startswith("decimal") and not kind.scale
    return whole or name in (
        "string", "varchar", "char", "byte", "short", "integer", "long", "void",
        "tinyint", "smallint", "int", "bigint",
    )  # fmt: skip


def _is_number(kind: Any) -> bool:
    from pyspark.sql.types import NumericType

    return isinstance(kind, NumericType) or kind.typeName() == "void"
