"""Pictures of results, one short file for each family; `plot()` of a result comes here.

A picture is an Altair chart: it shows itself in a notebook, and `save` writes it as PNG, SVG, PDF
or as HTML that needs nothing but itself. What is drawn was computed elsewhere.
"""

from assay.show.charts.kinds import KINDS, draw, kinds_of
from assay.show.charts.look import PRESETS
from assay.show.charts.saving import html, save, svg

__all__ = ["KINDS", "PRESETS", "draw", "html", "kinds_of", "save", "svg"]
