"""Three searches of one collection: by word forms, by word stems, by concepts of a thesaurus."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.errors import AssayError
from assay.io.whole import new_folder
from assay.judges.tabular import Tabular
from assay.run import Run
from assay.smart.stems import stem
from assay.smart.synonyms import Synonyms, read_synonyms
from assay.smart.texts import Text, in_order, read_texts
from assay.smart.vectors import WEIGHTS, cosines, vectors
from assay.smart.words import form, words
from assay.writing import write_run

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["Process", "Search", "search"]

GAPS = 1.5  # highest id by the number of queries, from which on ids hardly count them
FEW = 10  # queries that say nothing of how they are numbered


@dataclass(frozen=True)
class Process:
    """One way of analysing language, and what it made of the texts."""

    name: str
    terms: int  # different ones in the documents
    per_document: float  # mean number of different terms
    per_query: float
    matched: float  # mean share of the documents that have a term of the query


@dataclass(frozen=True)
class Search:
    """The runs, each over the whole collection, and how they came about."""

    runs: tuple[Run, ...]
    processes: tuple[Process, ...]
    documents: int
    queries: int
    weight: str
    notes: tuple[str, ...] = ()

    def write(self, folder: str | Path) -> tuple[Path, ...]:
        """Write a .run file for each run into a new folder, or nothing at all."""
        with new_folder(folder) as made:
            for run in self.runs:
                write_run(run, made / f"{run.label}.run")
        return tuple(Path(folder) / f"{run.label}.run" for run in self.runs)

    def verdict(self) -> str:
        """One sentence."""
        names = ", ".join(process.name for process in self.processes)
        return (
            f"{len(self.runs)} runs ({names}), each with all {self.documents} documents for each "
            f"of {self.queries} queries by the cosine of {self.weight} weights."
        )

    def table(self) -> Any:
        """A table that prints itself."""
        from assay.judges.tabular import page

        return page(self)

    def tabulars(self) -> tuple[Tabular, ...]:
        """What each process made of the texts."""
        rows = tuple(
            (each.name, each.terms, each.per_document, each.per_query, each.matched)
            for each in self.processes
        )
        note = "means; matched: share of the documents that have a term in common with the query"
        heads = ("process", "terms", "terms a document", "terms a query", "matched")
        return (Tabular("processes", "process", heads, rows, (note,)),)

    def to_polars(self) -> pl.DataFrame:
        """All runs as one frame: run, topic, doc, score."""
        return pl.concat(
            [run.frame.select(pl.lit(run.label).alias("run"), pl.all()) for run in self.runs]
        )


def search(
    documents: Any,
    queries: Any,
    *,
    synonyms: Synonyms | str | Path | None = None,
    weight: str = "tf",
    by_position: bool = False,
) -> Search:
    """Search a collection in two ways, or three with synonyms, as SMART did in 1968.

    `documents` and `queries` are files, see `assay.smart.read_texts`, or sequences of `Text`.

    * word-form: words without common ones and without final s.
    * word-stem: words without common ones and without suffixes.
    * thesaurus: the stems' classes in `synonyms`; stems without a class stand for themselves.

    Every document is ranked for every query: 0 where they share no term. `weight` is `tf` (as in
    1968), `binary`, `log` or `tfidf`. `by_position` numbers the queries 1, 2, 3, ...

    >>> documents = [Text("d1", "lung infections"), Text("d2", "broken bones")]
    >>> form, stem = search(documents, [Text("q", "infected lungs")]).runs
    >>> [round(score, 2) for _, _, score in form]  # infected is another form than infection
    [0.71, 0.0]
    >>> [round(score, 2) for _, _, score in stem]
    [1.0, 0.0]
    """
    if weight not in WEIGHTS:
        raise AssayError(f"weight={weight!r}: must be one of {', '.join(map(repr, WEIGHTS))}")
    collection, asked = _texts(documents), _texts(queries, by_position=by_position)
    ways: dict[str, Callable[[str], tuple[str, ...]]] = {
        "word-form": lambda word: (form(word),),
        "word-stem": lambda word: (stem(word),),
    }
    notes = [] if by_position else _gaps([query.id for query in asked])
    if synonyms is None:
        notes.append("no synonyms: word-form and word-stem only, no thesaurus")
    else:
        known = synonyms if isinstance(synonyms, Synonyms) else read_synonyms(synonyms)
        ways["thesaurus"] = lambda word: known.concepts(stem(word))
    words_of = [[words(text) for text in texts] for texts in (collection, asked)]
    silent = [text.id for text, found in zip(asked, words_of[1], strict=True) if not found]
    if silent:
        notes.append(
            f"{len(silent)} of {len(asked)} queries hold common words only ({' '.join(silent[:5])})"
            ": all their documents have score 0"
        )
    runs, processes = [], []
    for name, way in ways.items():
        made = [[_counted(text, way) for text in texts] for texts in words_of]
        run, process = _searched(name, collection, asked, made, weight)
        runs.append(run)
        processes.append(process)
    return Search(tuple(runs), tuple(processes), len(collection), len(asked), weight, tuple(notes))


def _texts(given: Any, *, by_position: bool = False) -> tuple[Text, ...]:
    if isinstance(given, list | tuple) and given and all(isinstance(x, Text) for x in given):
        return in_order(given) if by_position else tuple(given)
    return read_texts(given, by_position=by_position)


def _gaps(ids: Sequence[str]) -> list[str]:
    """A note on ids that leave many numbers out, as Cranfield's queries do."""
    if len(ids) < FEW or not all(each.isdecimal() for each in ids):
        return []
    numbers = sorted(map(int, ids))
    if numbers[0] != 1 or numbers[-1] <= len(ids) * GAPS:
        return []
    some = " ".join(map(str, numbers[:5]))
    text = (
        f"{len(ids)} queries have ids from 1 to {numbers[-1]} ({some} ...): where judgments number"
    )
    return [f"{text} them by position, as Cranfield's do, add --by-position (by_position=True)"]


def _counted(text: Sequence[str], way: Callable[[str], tuple[str, ...]]) -> Mapping[str, float]:
    """How often each term stands in a text; a word with several terms is shared among them."""
    counts: Counter[str] = Counter()
    for word, often in Counter(text).items():
        terms = way(word)
        for term in terms:
            counts[term] += often / len(terms)  # type: ignore[assignment]
    return counts


def _searched(
    name: str,
    documents: Sequence[Text],
    queries: Sequence[Text],
    made: Sequence[Sequence[Mapping[str, float]]],
    weight: str,
) -> tuple[Run, Process]:
    vocabulary = {term: i for i, term in enumerate(sorted(set().union(*made[0])))}
    rows, asked = (vectors(texts, vocabulary) for texts in made)
    score = cosines(asked, rows, weight)
    frame = pl.DataFrame(
        {
            "topic": np.repeat([query.id for query in queries], len(documents)),
            "doc": np.tile([document.id for document in documents], len(queries)),
            "score": score.reshape(-1),
        }
    )
    place = np.repeat(np.arange(len(queries)), len(documents))
    frame = (
        frame.with_columns(_place=place)
        .sort("_place", "score", "doc", descending=[False, True, True])
        .drop("_place")
    )
    process = Process(
        name,
        len(vocabulary),
        float(np.mean([len(text) for text in made[0]])),
        float(np.mean([len(text) for text in made[1]])),
        float((score > 0).mean()),
    )
    return Run(frame, label=name, tag=name), process
