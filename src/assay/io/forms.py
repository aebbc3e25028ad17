"""The one door to all forms that files come in: which form a file has, and what reads it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, RUN, Dropped, Form, read_lines
from assay.io.stream import BOM, open_bytes
from assay.io.trec import Rows, read_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator, Mapping

    from assay.io.locate import Origin
    from assay.io.names import Chosen, Columns
    from assay.io.tables import Wanted

__all__ = [
    "FORMATS",
    "Door",
    "Format",
    "named_in",
    "opened",
    "rows_of",
    "several_in",
    "wanted_format",
]

HEAD = 1 << 16  # bytes that tell the form


@dataclass(frozen=True)
class Format:
    """One form of files."""

    about: str
    module: str  # what reads it: module:function, within assay.io
    kinds: tuple[Form, ...] = (RUN, JUDGMENTS)
    unit: str = "line"
    several: bool = False  # whether it may hold several runs or judges
    named: bool = True  # whether `columns` may say which is which


FORMATS = {
    "trec": Format(
        "TREC: `topic Q0 doc rank score tag`, `topic iteration doc grade`",
        "trec:read_rows",
        named=False,
    ),
    "judge_groups": Format(
        "judgments of several judges: `topic judge doc grade`",
        "judge_groups:read",
        (JUDGMENTS,),
        several=True,
        named=False,
    ),
    "marco": Format(
        "MS MARCO's runs: `topic doc rank`, or `topic doc` in rank order",
        "marco:read",
        (RUN,),
        named=False,
    ),
    "ntcir": Format(
        "NTCIREVAL's judgments: `topic doc L2`", "ntcir:read", (JUDGMENTS,), named=False
    ),
    "csv": Format(
        "columns under a head of names, separated by commas", "delimited:read", several=True
    ),
    "tsv": Format("the same, separated by tabs", "delimited:read", several=True),
    "table": Format(
        "the same, separated by whatever the first line shows, or by white space",
        "delimited:read",
        several=True,
    ),
    "jsonl": Format("one JSON object a line", "json_files:read_json_lines", several=True),
    "json": Format(
        "one JSON object of topics to documents to numbers (ranx), or an array of objects",
        "json_files:read_json",
        several=True,
    ),
    "parquet": Format("Parquet, columns by name", "arrow_files:read", unit="row", several=True),
    "arrow": Format(
        "Arrow IPC (Feather), columns by name", "arrow_files:read", unit="row", several=True
    ),
    "letor": Format(
        "LETOR and SVMlight: `2 qid:1 1:0.3 2:0.6 #docid = d7`; labels are judgments, features "
        "runs",
        "letor:read",
        several=True,
        named=False,
    ),
}
_SEPARATORS = {"csv": ",", "tsv": "\t"}


@dataclass(frozen=True)
class Door:
    """How a file is read that is not in TREC form."""

    form: str
    columns: Columns = ()
    part: str | None = None  # the one run, or judge, that is asked for

    def rows(self, origin: Origin, wanted: Wanted) -> Iterator[Rows]:
        """All rows, with their parts."""
        home, name = FORMATS[self.form].module.split(":")
        read: Callable[..., Iterator[Rows]] = getattr(import_module(f"assay.io.{home}"), name)
        if self.form in _SEPARATORS:
            return read(origin, wanted, _SEPARATORS[self.form])
        return read(origin, wanted)

    def places(self, origin: Origin, kind: Form, topic: str, doc: str) -> list[str]:
        """Where a pair stands: `5` for a line, ` row 5`."""
        from assay.io.tables import Wanted

        unit = FORMATS[self.form].unit
        found: list[str] = []
        for rows in self.rows(origin, Wanted(kind, self.columns, Dropped())):
            same = (rows.topic == topic) & (rows.doc == doc)
            if rows.part is not None and self.part is not None:
                same &= rows.part == self.part
            for row in same.arg_true():
                number = rows.line(row)
                found.append(f" row {number}" if unit == "row" else f"{number}")
        return found


def wanted_format(name: str | None, kind: Form) -> str | None:
    """The name of a format, checked."""
    if name is None:
        return None
    known = [key for key, form in FORMATS.items() if kind in form.kinds]
    if name not in known:
        raise AssayError(
            f"format={name!r}: must be one of {', '.join(map(repr, known))} for {kind.what}"
        )
    return name


def opened(
    origin: Origin,
    kind: Form,
    *,
    format: str | None = None,  # noqa: A002 - the word that people type
    columns: Mapping[str, str | int] | None = None,
    part: str | None = None,
) -> Origin:
    """The origin with the door through which its rows come; TREC needs none."""
    from assay.io.names import columns_given

    chosen = columns_given(columns, kind)
    form = wanted_format(format, kind) or _found(origin, kind, named=bool(chosen))
    if chosen and not FORMATS[form].named:
        raise AssayError(
            f"{origin.name}: the form {form} has its columns in fixed places, so that none can "
            "be chosen; leave one of the two out, or say --format table (format='table')"
        )
    if form == "trec":
        return origin
    return replace(origin, door=Door(form, chosen, part))


def rows_of(
    origin: Origin,
    kind: Form,
    *,
    dropped: Dropped | None = None,
    unjudged: Dropped | None = None,
    whole_topics: bool = False,
) -> Generator[Rows]:
    """The rows of a file in pieces, whatever its form; with `whole_topics` cut between topics."""
    if origin.door is None:
        yield from read_rows(origin, kind, dropped=dropped, whole_topics=whole_topics)
        return
    from assay.io.tables import Wanted

    counted = Dropped() if unjudged is None else unjudged
    stream = origin.door.rows(origin, Wanted(kind, origin.door.columns, dropped, counted))
    stream = _one_part(stream, origin, kind)
    yield from _between_topics(stream) if whole_topics else stream


def _one_part(stream: Iterator[Rows], origin: Origin, kind: Form) -> Iterator[Rows]:
    """The rows of the part asked for; an error where none is and there are several."""
    part = None if origin.door is None else origin.door.part
    what = "judge" if kind is JUDGMENTS else "run"
    seen: list[str] = []
    for rows in stream:
        if rows.part is None:
            yield rows
            continue
        seen += [name for name in rows.part.unique(maintain_order=True) if name not in seen]
        if part is None and len(seen) > 1:
            raise AssayError(
                f"{origin.name}: holds several {what}s, such as {seen[0]!r} and {seen[1]!r}; "
                "choose one "
                f"({what}={seen[0]!r}), or take all: "
                f"assay.{'read_runs' if what == 'run' else 'read_judgment_sets'}"
            )
        yield rows if part is None else _kept(rows, rows.part == part)
    if part is not None and part not in seen:
        shown = ", ".join(map(repr, seen[:10])) + (", ..." if len(seen) > 10 else "")
        raise AssayError(f"{origin.name}: no {what} {part!r}; there are {shown or 'none'}")


def _kept(rows: Rows, mask: Any) -> Rows:
    """The rows that a mask keeps."""
    keep = mask.to_numpy()
    numbers = [rows.line(int(i)) for i in keep.nonzero()[0]]
    part = None if rows.part is None else rows.part.filter(mask)
    return Rows(
        rows.topic.filter(mask), rows.doc.filter(mask), rows.value[keep], rows.piece, numbers, part
    )


def _between_topics(stream: Iterator[Rows]) -> Iterator[Rows]:
    """Pieces cut between topics, wherever the rows are grouped by topic."""
    import numpy as np
    import polars as pl

    held: list[Rows] = []

    def joined(parts: list[Rows]) -> Rows:
        if len(parts) == 1:
            return parts[0]
        return Rows(
            pl.concat([part.topic for part in parts]),
            pl.concat([part.doc for part in parts]),
            np.concatenate([part.value for part in parts]),
            parts[0].piece,
            [],
        )

    for rows in stream:
        if not len(rows):
            continue
        lengths = rows.topic.rle().struct.field("len")
        cut = len(rows) - int(lengths[-1])
        if cut:
            yield joined([*held, _slice(rows, 0, cut)])
            held = []
        elif held and held[-1].topic[-1] != rows.topic[0]:
            yield joined(held)
            held = []
        held.append(_slice(rows, cut, len(rows)))
    if held:
        yield joined(held)


def _slice(rows: Rows, begin: int, end: int) -> Rows:
    if begin == 0 and end == len(rows):
        return rows
    return Rows(
        rows.topic.slice(begin, end - begin),
        rows.doc.slice(begin, end - begin),
        rows.value[begin:end],
        rows.piece,
        [] if rows.numbers is None else rows.numbers[begin:end],
    )


# -------------------------------------------------------------------------------------- which form


def _found(origin: Origin, kind: Form, *, named: bool) -> str:  # noqa: PLR0911 - one for each
    """The form that the first bytes show; TREC where nothing else is certain."""
    with open_bytes(origin.path or origin.name, origin.name) as file:
        data = file.read(HEAD)
    if data.startswith(b"PAR1"):
        return "parquet"
    if data.startswith((b"ARROW1", b"\xff\xff\xff\xff")):
        return "arrow"
    line = _first_data(data)
    if line is None:
        return "table" if named else "trec"
    if not named and read_lines(line.encode(), 1, "", kind, Dropped())[0]:
        return "trec"  # whatever its topic looks like
    if line.lstrip().startswith("{"):
        from assay.io.json_files import is_json_lines

        return "jsonl" if is_json_lines(line) else "json"
    if line.lstrip().startswith("["):
        return "json"
    if " qid:" in line or "\tqid:" in line:
        from assay.io.letor import is_letor

        if is_letor(line):
            return "letor"
    if named:
        return "table"
    return _of_columns(origin, line, kind, binary=b"\0" in data)


def _first_data(data: bytes) -> str | None:
    """The first line that holds data; None where there is none, or no text."""
    data = data.removeprefix(BOM)
    for line in data.split(b"\n"):
        if line.strip() and not line.startswith(b"#"):
            text = line.decode("utf-8", "replace").removesuffix("\r")
            return None if "\0" in text else text
    return None


def _of_columns(origin: Origin, line: str, kind: Form, *, binary: bool) -> str:
    from assay.io.delimited import BLANKS, fields_of, separator_of, split
    from assay.io.names import guessed

    mark = separator_of(line)
    for separator in dict.fromkeys((mark, BLANKS)):
        try:
            heads = split(line, separator, origin.name)
        except AssayError:
            continue
        if len(heads) >= 2 and {"topic", "doc"} <= guessed(heads, kind, origin.name).keys():
            return {",": "csv", "\t": "tsv"}.get(separator, "table")
    width = len(fields_of(line))
    if kind is RUN and width in (2, 3):
        from assay.io.marco import is_marco

        if is_marco(origin, line):
            return "marco"
    if width <= 2 and mark != BLANKS and line.count(mark) >= 2 and not binary:
        value = kind.columns[kind.value]
        shown = line if len(line) <= 80 else line[:77] + "..."
        raise AssayError(
            f"{origin.name}: columns separated by {mark!r} whose names are not known: {shown!r}. "
            "Say which "
            f"is which: --columns topic=NAME,doc=NAME,{value}=NAME, or by number where there is no "
            "head: "
            f"--columns topic=1,doc=2,{value}=3 (columns={{'topic': 1, ...}})"
        )
    return "trec"


def several_in(origin: Origin, kind: Form) -> bool:
    """Whether a file names runs, or judges, of its rows, so that it may hold several."""
    if origin.door is None or origin.door.part is not None or not FORMATS[origin.door.form].several:
        return False
    form = origin.door.form
    if form == "judge_groups" or (form == "letor" and kind is RUN):
        return True
    if form == "letor":
        return False
    _, chosen = named_in(origin, kind)
    return chosen is not None and chosen.part is not None


def named_in(origin: Origin, kind: Form) -> tuple[list[str], Chosen | None]:
    """The names of a file's columns, and which were chosen; none where it has none."""
    from assay.io.names import choose
    from assay.io.tables import Wanted

    if origin.door is None or not FORMATS[origin.door.form].named:
        return [], None
    form, wanted = origin.door.form, Wanted(kind, origin.door.columns)
    if form in ("csv", "tsv", "table"):
        from assay.io.delimited import layout_of

        layout = layout_of(origin, wanted, _SEPARATORS.get(form))
        return list(layout.heads), layout.chosen
    if form in ("parquet", "arrow"):
        from assay.io.arrow_files import schema_of

        heads = list(schema_of(origin))
    else:
        from assay.io.json_files import names_in

        heads = names_in(origin)
    return heads, choose(heads, kind, wanted.columns, origin.name) if heads else None
