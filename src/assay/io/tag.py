"""The tag of a run: the last column, which a file that was cut short may lack at its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from assay.io.lines import RUN, data_lines

if TYPE_CHECKING:
    from assay.io.stream import Piece

__all__ = ["TagWatch"]

_MANY = 20  # lines, the last one and those it is compared with


class TagWatch:
    """Follows the pieces of a run and remembers its last lines."""

    def __init__(self) -> None:
        self._lines: list[tuple[int, list[bytes]]] = []  # physical number, fields

    def see(self, piece: Piece) -> None:
        """Look at the end of the next piece."""
        data, start = piece.data, len(piece.data)
        for _ in range(_MANY):
            start = data.rfind(b"\n", 0, max(0, start - 1)) + 1
        number = piece.line + data.count(b"\n", 0, start)
        for found, line in data_lines(data[start:], number):
            self._lines.append((found, line.split(None, len(RUN.columns) - 1)))
        self._lines = self._lines[-_MANY:]

    @property
    def tag(self) -> str:
        """The tag of the last line; empty without one."""
        fields = self._lines[-1][1] if self._lines else []
        return fields[-1].strip().decode("utf-8", "replace") if _tagged(fields) else ""

    def warning(self, name: str) -> str | None:
        """What to say where the last line alone lacks its tag."""
        *before, (number, last) = self._lines or [(0, [])]
        if not before or _tagged(last) or not all(_tagged(fields) for _, fields in before):
            return None
        return (
            f"{name}:{number}: the last line alone lacks its tag: was the file cut short? "
            "Its score may be incomplete"
        )


def _tagged(fields: list[bytes]) -> bool:
    return len(fields) == len(RUN.columns)
