"""Results that can be drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Pictured", "save_picture"]


class Pictured:
    """Gives a result its pictures."""

    def plot(self, kind: str | None = None, *, preset: str = "screen", **options: Any) -> Any:
        """A picture, as an Altair chart that shows itself in a notebook (extra: show).

        Where there are several kinds, the first is drawn unless one is named; a wrong name is
        answered with all of them. `preset` is screen, paper or slide; options are those of the
        kind, see docs/7-pictures.md. `assay.save_picture` writes it as PNG, SVG, PDF or HTML.
        """
        from assay.show.charts import draw

        return draw(self, kind, preset=preset, **options)


def save_picture(picture: Any, path: str | Path) -> None:
    """Write a picture in the form that the suffix names: .png, .svg, .pdf or .html.

    The page needs nothing but itself: no request leaves it. The file appears whole or not at all.
    """
    from assay.show.charts import save

    save(picture, path)
