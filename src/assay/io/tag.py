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
        self._fields: list[list[bytes]] = []
        self._piece: Piece | None = None  # the one that holds the last line

    def see(self, piece: Piece) -> None:
        """Look at the end of the next piece."""
        data, start = piece.data, len(piece.data)
        for _ in range(_MANY):
            start = data.rfind(b"\n", 0, max(0, start - 1)) + 1
        lines = [line for _, line in data_lines(data[start:], 0)]
        if lines:
            self._fields += [line.split(None, len(RUN.columns) - 1) for line in lines]
            self._fields, self._piece = self._fields[-_MANY:], piece

    @property
    def tag(self) -> str:
        """The tag of the last line; empty without one."""
        fields = self._fields[-1] if self._fields else []
        return fields[-1].strip().decode("utf-8", "replace") if _tagged(fields) else ""

    def warning(self, name: str) -> str | None:
        """What to say where the last line alone lacks its tag."""
        if self._piece is None or _tagged(self._fields[-1]):
            return None
        if len(self._fields) == 1 or not all(_tagged(fields) for fields in self._fields[:-1]):
            return None
        number = max(number for number, _ in data_lines(self._piece.data, self._piece.line))
        return (
            f"{name}:{number}: the last line alone lacks its tag: was the file cut short? "
            "Its score may be incomplete"
        )


def _tagged(fields: list[bytes]) -> bool:
    return len(fields) == len(RUN.columns)
