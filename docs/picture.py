"""Draw the README's picture from the collection that `assay demo` simulates (extra: show)."""

from __future__ import annotations

import tempfile
from pathlib import Path

import altair as alt
import polars as pl

import assay

TARGET = Path(__file__).parent / "images" / "demo.png"
MEASURE = "nDCG@10"
BLUE = "#2b6cb0"


def scores() -> assay.Scores:
    """The demo's runs, scored."""
    with tempfile.TemporaryDirectory() as folder:
        assay.simulate().write(folder)
        runs = sorted(Path(folder).glob("*.run"))
        return assay.evaluate(Path(folder) / "qrels.txt", runs, [MEASURE])


def leaderboard(means: pl.DataFrame) -> alt.LayerChart:
    """Mean of each run with its 95 % interval over topics."""
    best_first = means.sort("value", descending=True)["run"].to_list()
    base = alt.Chart(means).encode(y=alt.Y("run:N", sort=best_first, title=None))
    x = alt.X("low:Q", title=f"mean {MEASURE}, 95 % interval", scale=alt.Scale(domain=[0, 0.8]))
    rule = base.mark_rule(strokeWidth=2, color=BLUE).encode(x=x, x2="high:Q")
    point = base.mark_point(filled=True, size=90, color=BLUE).encode(x="value:Q")
    return (rule + point).properties(width=300, height=150, title="Who serves people better?")


def swings(differences: pl.DataFrame) -> alt.Chart:
    """Difference of two runs on each topic, sorted."""
    return (
        alt.Chart(differences)
        .mark_bar(color=BLUE)
        .encode(
            x=alt.X("topic:N", sort="-y", axis=alt.Axis(labels=False, ticks=False), title="topics"),
            y=alt.Y("difference:Q", title=f"{MEASURE}: solid - rounded"),
        )
        .properties(width=300, height=150, title="On which topics?")
    )


def main() -> None:
    """Evaluate, draw, write."""
    found = scores()
    apart = found.of("solid", MEASURE) - found.of("rounded", MEASURE)
    topics = pl.DataFrame({"topic": found.topics, "difference": apart}).drop_nans()
    chart = leaderboard(found.mean()) | swings(topics)
    TARGET.parent.mkdir(exist_ok=True)
    chart.configure(font="DejaVu Sans, sans-serif").save(TARGET, scale_factor=2)


if __name__ == "__main__":
    main()
