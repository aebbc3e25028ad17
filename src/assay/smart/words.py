"""Texts to words, common words left out, final s removed."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assay.smart.texts import Text

__all__ = ["COMMON", "form", "words"]

WORD = re.compile(r"[^\W_]+")
APOSTROPHES = re.compile(r"['\u2019](s\b)?")

# Words that say how a sentence is built, not what it is about; chosen by part of speech. What a
# query says to whoever answers it ("what is known of ...") is not about the subject either.
COMMON = frozenset(
    """
    a an the this that these those such same other another each every either neither both all any
    some none no many much more most few fewer several less least enough own only
    i me my mine myself we us our ours ourselves you your yours he him his himself she her hers
    herself it its itself they them their theirs themselves one ones who whom whose which what
    about above across after against along among amongst around as at before behind below beneath
    beside besides between beyond by despite down during except for from in inside into like near
    of off on onto out outside over per since through throughout till to toward towards under
    until up upon via with within without
    and but or nor if unless whether because although though while whereas than so yet
    am is are was were be been being do does did doing done have has had having can could may might
    must shall should will would ought cannot
    not never always often sometimes usually also again almost already just even ever rather quite
    very too well still then thus therefore hence however otherwise perhaps here there now where
    when why how wherein whereby thereby therein
    describe discuss discussed discussion find found give given known show shown
    """.split()  # noqa: SIM905 - a list of two hundred strings is no easier to read
)


def words(text: Text) -> list[str]:
    """The words that a text is about, in its order.

    A title that the body repeats at its beginning, as Cranfield's do, counts once.
    """
    title, body = _words(text.title), _words(text.body)
    if title and body[: len(title)] == title:
        title = []
    return [word for word in (*title, *body) if word not in COMMON]


def _words(text: str) -> list[str]:
    plain = APOSTROPHES.sub("", unicodedata.normalize("NFKC", text).casefold())
    return [word for word in WORD.findall(plain) if not word.isdecimal()]


def form(word: str) -> str:
    """A word without its final s; `gas` and `mass` keep theirs."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word
