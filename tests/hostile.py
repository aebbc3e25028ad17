"""Names that try to be more than names, and a collection made of them."""

from __future__ import annotations

SCRIPT = "</script><img src=x onerror=alert(1)>"
NAMES = (
    SCRIPT,
    "<!--<script>alert(1)</script>",
    "\"'><svg onload=alert(1)>",
    "{{style}}{{data}}",
    "a&amp;b&lt;i&gt;",
    "line\u2028separator\u2029and\u202eturned",
    "__proto__",
    "`code` [link](javascript:alert(1)) | cell",
    r"\input{/etc/passwd} $x$ 100% #1 ~_^",
)
ARABIC, CHINESE = "ما هي عاصمة فرنسا؟", "法国的首都是什么？"
TOPICS = (SCRIPT, ARABIC, CHINESE, "constructor", "<b>bold</b>")


def judged() -> dict[str, dict[str, float]]:
    """The first names relevant, some nonrelevant, some unjudged, for every topic."""
    grades = [3, 2, 1, 0, 0]
    return {topic: dict(zip(NAMES, grades, strict=False)) for topic in TOPICS}


def runs() -> dict[str, dict[str, dict[str, float]]]:
    """Two runs under hostile labels: names in order and turned round."""
    forward = {name: float(-i) for i, name in enumerate(NAMES)}
    backward = {name: float(i) for i, name in enumerate(NAMES)}
    mixed = {name: float((i * 4) % 9) for i, name in enumerate(NAMES)}
    return {
        SCRIPT: dict.fromkeys(TOPICS, forward),
        "<u>under</u>": {t: (backward if i % 2 else mixed) for i, t in enumerate(TOPICS)},
    }


def texts() -> dict[str, str]:
    """A hostile text for each document but the last."""
    return {name: f"{SCRIPT}\n{name}\n{ARABIC} {CHINESE}\u2028end" for name in NAMES[:-1]}
