"""trec_eval's command line, read as the GNU library's getopt_long reads it."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from assay import __version__
from assay.trec.errors import TrecError
from assay.trec.names import Requested
from assay.trec.numbers import atol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["FORMATS", "Options", "read_options"]

FORMATS = ("qrels", "qrels_jg", "prefs", "qrels_prefs")
VERSIONS = {9: "9.0.7", 10: "10.0-rc3"}
EVERYTHING = 2147483647
USAGE = """\
Usage: trec_eval [OPTIONS] RELEVANCE RESULTS
   -m NAME  measure, or nickname of several: official (the default), all_trec, set, prefs,
            all_prefs, qrels_jg; repeatable
   -q       each topic's values too
   -c       count judged topics that the results lack
   -h       all options, the form of the files, what the measures are
"""

_WITH_VALUE = frozenset("mlDNMRTZ")
_SHORT = frozenset("hvqcnJo") | _WITH_VALUE
# long name: letter, and whether a value follows; trec_eval's -o takes none and its long form one
_LONG = {
    "help": ("h", False),
    "version": ("v", False),
    "query_eval_wanted": ("q", False),
    "measure": ("m", True),
    "complete_rel_info_wanted": ("c", False),
    "level_for_rel": ("l", True),
    "nosummary": ("n", False),
    "Debug_level": ("D", True),
    "Judged_docs_only": ("J", False),
    "Number_docs_in_coll": ("N", True),
    "Max_retrieved_per_topic": ("M", True),
    "Rel_info_format": ("R", True),
    "Results_format": ("T", True),
    "Output_old_results_format": ("o", True),
    "Zscore": ("Z", True),
}
_OWN = {"ver": ("ver", True)}  # assay's own: never abbreviated, so that --v stays --version


@dataclass
class Options:
    """What a command line asks for."""

    ver: int = 10
    requested: Requested = field(default_factory=Requested)
    files: list[str] = field(default_factory=list)
    help: bool = False
    per_topic: bool = False  # -q
    summary: bool = True  # -n leaves it out
    complete: bool = False  # -c
    level: int = 1  # -l
    only_topic: str | None = None  # -D level.topic
    judged_only: bool = False  # -J
    collection: int = 0  # -N
    depth: int = EVERYTHING  # -M
    rel_format: str = "qrels"  # -R
    results_format: str = "trec_results"  # -T
    zscores: str | None = None  # -Z


def read_options(arguments: Sequence[str], program: str) -> Options:
    """Options in the order in which they stand; the first that is wrong stops everything."""
    options = Options(ver=_version(arguments, program))
    options.requested = Requested(options.ver)
    for letter, value in _parsed(arguments, program, options.files):
        _take(options, letter, value, program)
    return options


def _take(options: Options, letter: str, value: str, program: str) -> None:
    if letter == "v":
        raise TrecError(0, f"trec_eval version {VERSIONS[options.ver]} (assay {__version__})")
    if letter == "m":
        options.requested.add(value)
    elif letter == "D":
        _, dot, topic = value.partition(".")
        options.only_topic = topic if dot else None
    elif letter == "M":
        options.depth = atol(value)
        if options.depth < 0:
            raise TrecError(
                1, f"{program}: -M {value}: the number of documents cannot be negative", USAGE
            )
    elif letter in _SETTERS:
        name, what = _SETTERS[letter]
        setattr(options, name, what)
    elif letter in _VALUES:
        setattr(options, _VALUES[letter], value)
    elif letter in "lN":
        setattr(options, "level" if letter == "l" else "collection", atol(value))


_SETTERS = {
    "h": ("help", True),
    "q": ("per_topic", True),
    "n": ("summary", False),
    "c": ("complete", True),
    "J": ("judged_only", True),
}
_VALUES = {"R": "rel_format", "T": "results_format", "Z": "zscores"}


def _version(arguments: Sequence[str], program: str) -> int:
    """The last --ver, wherever it stands: it decides which measures there are."""
    ver = 10
    for letter, value in _parsed(arguments, program, [], quiet=True):
        if letter == "ver":
            if value not in ("9", "10"):
                raise TrecError(1, f"{program}: --ver must be 9 or 10, found {value!r}", USAGE)
            ver = int(value)
    return ver


def _parsed(
    arguments: Sequence[str], program: str, files: list[str], *, quiet: bool = False
) -> Iterator[tuple[str, str]]:
    """Letters with their values; what is no option goes to `files`."""
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word == "--":
            files += rest
            return
        try:
            if word.startswith("--"):
                yield _long(word[2:], rest, program)
            elif word.startswith("-") and word != "-":
                yield from _cluster(word[1:], rest, program)
            else:
                files.append(word)
                if "POSIXLY_CORRECT" in os.environ:
                    files += rest
                    return
        except TrecError:
            if not quiet:
                raise


def _cluster(letters: str, rest: list[str], program: str) -> Iterator[tuple[str, str]]:
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter not in _SHORT:
            raise TrecError(1, f"{program}: invalid option -- '{letter}'", USAGE)
        if letter in _WITH_VALUE:
            if not letters and not rest:
                raise TrecError(1, f"{program}: option requires an argument -- '{letter}'", USAGE)
            yield letter, letters or rest.pop(0)
            return
        yield letter, ""


def _long(word: str, rest: list[str], program: str) -> tuple[str, str]:
    name, equals, value = word.partition("=")
    known = _LONG | _OWN
    near = [name] if name in known else [full for full in _LONG if full.startswith(name)]
    if not near:
        raise TrecError(1, f"{program}: unrecognized option '--{word}'", USAGE)
    if len(near) > 1:
        these = " ".join(f"'--{full}'" for full in near)
        raise TrecError(
            1, f"{program}: option '--{word}' is ambiguous; possibilities: {these}", USAGE
        )
    letter, takes = known[near[0]]
    if takes and not equals:
        if not rest:
            raise TrecError(1, f"{program}: option '--{near[0]}' requires an argument", USAGE)
        value = rest.pop(0)
    elif equals and not takes:
        raise TrecError(1, f"{program}: option '--{near[0]}' doesn't allow an argument", USAGE)
    return letter, value
