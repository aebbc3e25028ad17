"""The page: sections of HTML put into a template, data beside them, everything escaped.

The template, the style and the script are files of their own beside this one. The page's policy
names the script and the style by their hashes and allows nothing else, so that nothing that slipped
into it could run, be fetched, or send anything.
"""

from __future__ import annotations

import base64
import hashlib
import re
from importlib.resources import files
from typing import TYPE_CHECKING

from assay import __version__
from assay.show.report import sections
from assay.show.report.data import page_data, page_texts
from assay.show.report.embed import in_html, in_script
from assay.show.report.words import contents, verdict

if TYPE_CHECKING:
    from assay.reporting import Report

__all__ = ["page"]

HINT = (
    "Lines join the places of one document; point at a row, or reach it with Tab, to see its line. "
    "The entry “was” or “now” leads to the same document in the other list."
)
TEXTS = " A document's id opens its text."


def page(report: Report) -> str:
    """The report as one HTML file."""
    style, script = _part("page.css"), _part("page.js")
    parts = {
        "curves": sections.curves(report),
        "pairs": sections.pairs(report),
        "methods": sections.methods(report),
    }
    filled = {
        "policy": _policy(style, script),
        "version": in_html(__version__),
        "title": in_html(report.title),
        "contents": in_html(contents(report)),
        "links": _links([name for name, part in parts.items() if part]),
        "verdict": in_html(verdict(report)),
        "mind": sections.mind(report),
        "board": sections.leaderboard(report),
        "judgments": sections.judgments(report),
        "made": sections.made(report),
        "hint": HINT + (TEXTS if report.texts is not None else ""),
        "data": in_script(page_data(report)),
        "texts": in_script(page_texts(report)),
        "style": style,
        "script": script,
        **parts,
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: filled[found[1]], _part("page.html"))


def _part(name: str) -> str:
    return files("assay.show.report").joinpath(name).read_text(encoding="utf-8")


def _policy(style: str, script: str) -> str:
    """What the browser may do with this page: run this script, use this style, and no more."""
    return (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _links(there: list[str]) -> str:
    """Links to the sections that there are."""
    named = {
        "verdict": "Verdict",
        "leaderboard": "Leaderboard",
        "curves": "Pictures",
        "pairs": "Differences",
        "topics": "Topics",
        "judgments": "Judgments",
        "methods": "Methods",
        "made": "How it was made",
    }
    optional = {"curves", "pairs", "methods"}
    return "".join(
        f'<li><a href="#{name}">{text}</a></li>'
        for name, text in named.items()
        if name not in optional or name in there
    )
