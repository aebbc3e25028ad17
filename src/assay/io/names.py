"""Which column is which: what callers say, else the names that people usually give."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING

from assay.errors import AssayError
from assay.io.lines import JUDGMENTS, RUN, Form

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["PART", "ROLES", "Chosen", "Columns", "choose", "columns_given", "guessed", "is_own"]

Columns = tuple[tuple[str, str | int], ...]  # role to name, or to number from 1

# role: usual names, compared without case, blanks, hyphens and underscores; earlier names win
_WORDS = {
    "topic": ("topic", "qid", "queryid", "topicid", "qidx", "query"),
    "doc": ("doc", "docno", "docid", "documentid", "document", "pid", "passageid", "corpusid"),
    "grade": ("grade", "label", "relevance", "rel", "relevancy", "rating", "judgment", "judgement"),
    "score": ("score", "similarity", "sim", "rsv"),
    "rank": ("rank", "position"),
    "run": ("run", "runid", "runname", "system"),
    "judge": ("judge", "judgeid", "assessor", "annotator", "rater", "labeler", "labeller"),
}
ROLES = {
    RUN: ("topic", "doc", "score", "rank", "run"),
    JUDGMENTS: ("topic", "doc", "grade", "judge"),
}
PART = {RUN: "run", JUDGMENTS: "judge"}  # what a column may tell apart


@dataclass(frozen=True)
class Chosen:
    """Places of the columns, from 0, among the columns of a table."""

    topic: int
    doc: int
    value: int
    ranked: bool = False  # the value is a rank: 1 is best
    part: int | None = None  # which run, or judge, a row belongs to

    @property
    def places(self) -> list[int]:
        """Topic, doc, value and, where there is one, part."""
        return [self.topic, self.doc, self.value, *([] if self.part is None else [self.part])]


def columns_given(columns: Mapping[str, str | int] | None, kind: Form) -> Columns:
    """What the caller says of columns, checked."""
    known = ROLES[kind]
    found: dict[str, str | int] = {}
    for role, name in (columns or {}).items():
        if role not in known:
            near = get_close_matches(role, known, 1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise AssayError(
                f"columns: no part {role!r} of {kind.what}; expected {', '.join(known)}{hint}"
            )
        if isinstance(name, bool) or not name or not isinstance(name, str | int):
            raise AssayError(
                f"columns: {role}={name!r}: expected a column's name, or its number from 1"
            )
        found[role] = name
    return tuple(found.items())


def choose(heads: Sequence[str], kind: Form, columns: Columns, where: str) -> Chosen:
    """The columns of a table with these names; an error that says how to name them."""
    given = dict(columns)
    if "rank" in given and "score" not in given:
        given.setdefault("score", given["rank"])
    places = {role: _place(role, name, heads, where) for role, name in given.items()}
    value = "grade" if kind is JUDGMENTS else "score"
    places = guessed(heads, kind, where) | places
    ranked = kind is RUN and (
        ("rank" in given and given.get("score") == given["rank"])
        or (value not in places and "rank" in places)
    )
    if ranked:
        places[value] = places["rank"]
    missing = [role for role in ("topic", "doc", value) if role not in places]
    if missing:
        shown = ", ".join(map(repr, heads[:12])) + (", ..." if len(heads) > 12 else "")
        ours = missing == ["grade"] and _is_run([_plain(head) for head in heads])
        hint = "This looks like a run; judgments come first, then runs. If not, say" if ours else ""
        raise AssayError(
            f"{where}: no column for the {missing[0]} of {kind.what}; found {shown}. "
            f"{hint or 'Say'} which it is: "
            f"--columns {missing[0]}=NAME (columns={{{missing[0]!r}: 'NAME'}})"
        )
    part = places.get(PART[kind])
    _all_apart({role: places[role] for role in ("topic", "doc", value)}, part, heads, where)
    return Chosen(places["topic"], places["doc"], places[value], ranked=ranked, part=part)


def _all_apart(
    places: Mapping[str, int], part: int | None, heads: Sequence[str], where: str
) -> None:
    """Refuse one column in two roles."""
    seen: dict[int, str] = {} if part is None else {part: "name of runs or judges"}
    for role, place in places.items():
        other = seen.setdefault(place, role)
        if other != role:
            raise AssayError(
                f"{where}: column {heads[place]!r} would be both {other} and {role}; each needs a "
                "column of its own. Say which is which: --columns topic=NAME,doc=NAME "
                "(columns={'topic': 'NAME', ...})"
            )


def _place(role: str, name: str | int, heads: Sequence[str], where: str) -> int:
    """The place of a column that the caller named."""
    if isinstance(name, int):
        if not 1 <= name <= len(heads):
            raise AssayError(f"{where}: {role} is said to be column {name}; there are {len(heads)}")
        return name - 1
    same = [i for i, head in enumerate(heads) if head == name]
    plain = name.strip().lower()
    same = same or [i for i, head in enumerate(heads) if head.strip().lower() == plain]
    if len(same) == 1:
        return same[0]
    if same:
        raise AssayError(
            f"{where}: {len(same)} columns are named {name!r}; say which by its number"
        )
    near = get_close_matches(name, list(heads), 1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    shown = ", ".join(map(repr, heads[:12])) + (", ..." if len(heads) > 12 else "")
    raise AssayError(f"{where}: no column {name!r} for the {role}; found {shown}{hint}")


def guessed(heads: Sequence[str], kind: Form, where: str) -> dict[str, int]:
    """Role to place, by usual names."""
    plain = [_plain(head) for head in heads]
    found: dict[str, int] = {}
    for role in ROLES[kind]:
        words = _WORDS[role]
        if role == "grade" and not _is_run(plain):  # BEIR names its grades so
            words = (*words, "score")
        for word in words:
            same = [i for i, name in enumerate(plain) if name == word]
            if len(same) > 1:
                raise AssayError(
                    f"{where}: {heads[same[0]]!r} and {heads[same[1]]!r} may both be the {role}; "
                    "say "
                    f"which: --columns {role}=NAME (columns={{{role!r}: 'NAME'}})"
                )
            if same:
                found[role] = same[0]
                break
    return found


def _is_run(plain: Sequence[str]) -> bool:
    """Whether a score stands beside a rank or the name of a run, so that it is no grade."""
    return "score" in plain and any(name in (*_WORDS["rank"], *_WORDS["run"]) for name in plain)


def is_own(heads: Sequence[str], kind: Form, chosen: Chosen) -> bool:
    """Whether the name of the value's column belongs to this kind alone.

    `score` is a run's, but beside BEIR's `corpus-id` it may be a grade.
    """
    value = _plain(heads[chosen.value])
    if kind is JUDGMENTS:
        return value not in (*_WORDS["score"], *_WORDS["rank"])
    return "corpusid" not in map(_plain, heads) and value in (*_WORDS["score"], *_WORDS["rank"])


def _plain(name: str) -> str:
    return name.strip().lower().replace("_", "").replace("-", "").replace(" ", "")
