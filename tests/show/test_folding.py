"""Tables whose columns go below each other where a terminal is narrow."""

from __future__ import annotations

import pytest

from assay.show.table import Grid, folded, text_of


@pytest.mark.parametrize("label", ["AP", "nDCG@10", "a label of some length"])
@pytest.mark.parametrize("width", range(40, 90))
def test_no_line_is_wider_than_the_terminal(label, width):
    heads = ("a title of the table", *(f"column {i}" for i in range(9)))
    grid = Grid(heads, ((label, *"123456789"),), folds=True)
    for part in folded(grid, width):
        lines = ["".join(text for text, _ in line) for line in text_of([part], width)]
        assert max(map(len, lines)) <= width


def test_every_column_is_shown_once():
    heads = ("title", *(f"column {i}" for i in range(9)))
    grid = Grid(heads, (("AP", *"123456789"),), folds=True)
    assert [head for part in folded(grid, 50) for head in part.heads[1:]] == list(heads[1:])
