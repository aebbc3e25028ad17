"""What Hypothesis draws: topics, lists, measures."""

from __future__ import annotations

from hypothesis import strategies as st

from lists import listed

GRADES = st.sampled_from((-1, 0, 0, 1, 1, 2, 3))
DOCS = [f"d{i}" for i in range(8)] + [f"u{i}" for i in range(3)]


@st.composite
def topics(draw):
    """Judgments of one topic; -1 is pooled but not judged."""
    docs = draw(st.lists(st.sampled_from(DOCS[:8]), unique=True))
    return {doc: draw(GRADES) for doc in docs}


@st.composite
def rankings(draw):
    """Documents in rank order, judged or not."""
    return listed(draw(st.lists(st.sampled_from(DOCS), unique=True)))
