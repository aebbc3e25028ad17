"""A report as trec_eval's lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.trec.names import Column
    from assay.trec.report import Report

__all__ = ["summary_lines", "topic_lines"]

SHARE = 512  # topics whose lines are made at once


def topic_lines(report: Report) -> Iterator[bytes]:
    """The lines of each topic, topic by topic."""
    shown = [
        (i, _head(column, report), _is_count(column, report), column.entry.name == "relstring")
        for i, column in enumerate(report.columns)
        if column.entry.name not in {"runid", "num_q"} and column.entry.average != "geometric"
    ]
    for begin in range(0, len(report.topics), SHARE):
        topics = report.topics[begin : begin + SHARE]
        values = report.values[:, begin : begin + SHARE].T.tolist()
        lines: list[str] = []
        for topic, row in zip(topics, values, strict=True):
            for i, head, count, text in shown:
                if text:
                    lines.append(f"{head}{topic}\t'{report.texts[i][topic]}'\n")
                else:
                    lines.append(f"{head}{topic}\t{_number(row[i], count=count)}\n")
        yield _encoded("".join(lines), report)


def summary_lines(report: Report) -> bytes:
    """The lines of all topics together."""
    lines = []
    for column, value in zip(report.columns, report.summary, strict=True):
        if column.entry.name == "runid":
            lines.append(f"{column.name:<22}\tall\t{report.tag}\n")
        elif value is not None:
            head = _head(column, report)
            lines.append(f"{head}all\t{_number(value, count=_is_count(column, report))}\n")
    return _encoded("".join(lines), report)


def _head(column: Column, report: Report) -> str:
    mark = "Z" if report.zscores and column.entry.name != "relstring" else ""
    name = column.name
    if report.latin:  # as the terminal wrote it, byte by byte
        name = name.encode(errors="surrogateescape").decode("latin-1")
    return f"{mark}{name:<22}\t"


def _is_count(column: Column, report: Report) -> bool:
    return column.entry.average == "sum" and not report.zscores


def _number(value: float, *, count: bool) -> str:
    if value != value:  # noqa: PLR0124 - not a number
        return "  -nan"
    return str(int(value)) if count else f"{value:6.4f}"


def _encoded(text: str, report: Report) -> bytes:
    return text.encode("latin-1") if report.latin else text.encode(errors="surrogateescape")
