"""How pictures look: sizes for a screen, a paper's column and a slide; colours, dashes, shapes.

Colours are those of Okabe & Ito (2008), https://jfly.uni-koeln.de/color/, told apart with every
kind of colour vision; the yellow, too pale for a line on white, gives way to a grey. In grey print
dashes and shapes tell lines apart, and lightness the cells of a heat map.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from assay.errors import AssayError

__all__ = ["COLORS", "DASHES", "DIVERGING", "INK", "LIGHT", "PALE", "PRESETS", "SEQUENTIAL"]
__all__ += ["SHAPES", "Look", "look"]

INK = "#222222"
PALE = "#8c8c8c"
LIGHT = "#d9d9d9"
BLUE, VERMILLION, GREEN, PURPLE = "#0072b2", "#d55e00", "#009e73", "#cc79a7"
ORANGE, SKY = "#e69f00", "#56b4e9"
COLORS = (BLUE, VERMILLION, GREEN, PURPLE, ORANGE, SKY, "#7f7f7f", "#000000")
# in widths of the line
DASHES = (
    [1, 0],
    [3.5, 1.5],
    [1, 1],
    [4.5, 1.5, 1, 1.5],
    [6, 2],
    [2.5, 1, 1, 1, 1, 1],
    [2.5, 2.5],
    [1, 2],
)
SHAPES = (
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
    "triangle-left",
)
SEQUENTIAL = ["#f7fbff", "#c6dbef", "#6baed6", "#2171b5", "#08306b"]  # lightness falls all the way
DIVERGING = [VERMILLION, "#f0a868", "#f7f7f7", "#7db8dc", "#004c78"]  # ends of unlike lightness

FONT = "Helvetica Neue, Arial, Liberation Sans, DejaVu Sans, sans-serif"


@dataclass(frozen=True)
class Look:
    """Sizes in pixels; in PDF a pixel is a point, 1/72 inch."""

    name: str
    width: int  # of the whole picture
    height: int  # of the plot
    half: int  # of each plot where there are two
    font: float
    line: float
    point: float  # area of a mark
    scale: float  # pixels of a PNG for each

    @property
    def title(self) -> float:
        """Size of the title."""
        return round(self.font * 1.17, 1)

    @property
    def thin(self) -> float:
        """Width of a line that only helps the eye."""
        return round(self.line * 0.5, 2)

    def config(self) -> dict[str, Any]:
        """The Vega-Lite configuration."""
        axis = {
            "labelColor": INK,
            "titleColor": INK,
            "labelFontSize": self.font,
            "titleFontSize": self.font,
            "titleFontWeight": "normal",
            "titlePadding": self.font * 0.5,
            "labelPadding": self.font * 0.3,
            "domainColor": PALE,
            "tickColor": PALE,
            "gridColor": "#ebebeb",
            "tickSize": self.font * 0.35,
            "domainWidth": self.thin,
            "tickWidth": self.thin,
            "gridWidth": self.thin,
            "labelFlush": False,
        }
        return {
            "font": FONT,
            "background": "white",
            "numberFormat": "~r",
            "padding": round(self.font * 0.6),
            "axis": axis,
            "header": {
                "labelColor": INK,
                "titleColor": INK,
                "labelFontSize": self.font,
                "titleFontSize": self.font,
            },
            "legend": {
                "labelColor": INK,
                "titleColor": INK,
                "labelFontSize": self.font,
                "titleFontSize": self.font,
                "titleFontWeight": "normal",
                "symbolSize": self.point,
                "gradientThickness": self.font,
            },
            "title": {
                "color": INK,
                "fontSize": self.title,
                "subtitleColor": "#444444",
                "subtitleFontSize": self.font,
                "subtitlePadding": self.font * 0.4,
                "anchor": "start",
                "frame": "bounds",
                "offset": self.font,
                "lineHeight": self.title * 1.2,
                "subtitleLineHeight": self.font * 1.25,
            },
            "text": {"fontSize": self.font, "color": INK},
            "view": {"stroke": None},
        }


_LOOKS = {
    each.name: each
    for each in (
        Look("screen", 640, 340, 210, 12, 2, 50, 2),
        Look("paper", 240, 150, 95, 7, 1.1, 16, 5),  # a column of 3 1/3 inches
        Look("slide", 960, 360, 140, 18, 3.2, 120, 2),  # 13 1/3 by 7 1/2 inches
    )
}
PRESETS = tuple(_LOOKS)


def look(preset: str) -> Look:
    """The sizes of a preset."""
    if preset not in _LOOKS:
        raise AssayError(f"preset={preset!r}: must be one of {', '.join(PRESETS)}")
    return _LOOKS[preset]
