"""A look at judgments and runs before anything is measured: what they hold, and what is odd.

Every finding says what to do about it.
"""

from __future__ import annotations

import math
import warnings
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from assay.align import Hits, Judged, join
from assay.blocks import blocks_of
from assay.errors import AssayWarning
from assay.inputs import inputs, loaded
from assay.io.lines import Dropped
from assay.pictured import Pictured

if TYPE_CHECKING:
    from collections.abc import Sequence

    from assay.judgments import Judgments
    from assay.run import Run
    from assay.show.sheet import Sheet

__all__ = ["Description", "Finding", "JudgmentFacts", "RunFacts", "describe"]

DEPTH = 20  # to which lists are compared with one another
CUTOFFS = (5, 10, 20, 50, 100, 1000)
FEW = 3  # relevant documents under which a topic says little
RARE = 0.01  # share of the judgments under which a grade may be a slip
UNEVEN = 0.1  # difference in Judged@10 that deserves a word
ALIKE = 0.99  # overlap and tau from which two runs are all but one
TIED = 0.05  # share of rows in ties that deserves a word

Floats = np.ndarray[Any, np.dtype[np.float64]]
Mask = np.ndarray[Any, np.dtype[np.bool_]]


@dataclass(frozen=True)
class Finding:
    """Something that a careful reader should know, and what to do about it."""

    about: str  # label of a run or of a judgment set
    kind: str
    text: str
    advice: str

    def __str__(self) -> str:
        return f"{self.about}: {self.text}. {self.advice[:1].upper()}{self.advice[1:]}"


@dataclass(frozen=True)
class JudgmentFacts:
    """What a judgment set holds."""

    label: str
    judgments: int
    topics: int
    grades: dict[str, int]
    relevant: int  # grade of 1 or more
    relevant_least: int  # per topic
    relevant_median: float
    relevant_most: int


@dataclass(frozen=True)
class RunFacts:
    """What a run holds, and how it stands to the judgments."""

    label: str
    documents: int
    topics: int
    missing: int
    depth_least: int
    depth_median: float
    depth_most: int
    tied: float  # share of rows whose score stands more than once in its list
    pool_depth: int  # to which all documents of every topic are judged
    relevant: int  # relevant documents retrieved
    unique: int  # of these, such that no other run retrieved
    judged: dict[str, float]  # mean Judged@k


@dataclass(frozen=True)
class Description(Pictured):
    """The facts, how alike the runs are, and the findings."""

    judgments: tuple[JudgmentFacts, ...]
    runs: tuple[RunFacts, ...]
    overlap: dict[str, dict[str, float]]  # share of the first 20 that two runs have in common
    tau: dict[str, dict[str, float]]  # of the documents among the first 20 of both
    findings: tuple[Finding, ...]

    def to_dict(self) -> dict[str, Any]:
        """Everything, in a form that JSON can hold."""
        page = asdict(self)
        return {name: _finite(value) for name, value in page.items()}

    def table(self) -> Sheet:
        """Tables for people, which print themselves in a terminal and in a notebook."""
        from assay.show.description import description_page

        return description_page(self)

    def __str__(self) -> str:
        return str(self.table())

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def describe(judgments: Any, runs: Any = (), *, strict: bool = True) -> Description:
    """Look at judgments, and at runs beside them, before anything is measured.

    They are given as to `evaluate`. With `strict=False` bad lines are left out and become findings.
    """
    none = isinstance(runs, list | tuple | dict) and not runs
    judges, sources = inputs(judgments, None if none else runs, strict=strict)
    look = _Look(judges)
    for source in sources:
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always", AssayWarning)
            run = loaded(source, strict=strict)
        for each in said:
            look.say(run.label, "cut short", f"{each.message}", "fetch or write the file again")
        look.take(run)
    return look.description()


class _Look:
    def __init__(self, judges: list[Judgments]) -> None:
        self.judges = judges
        self.judged = Judged(judges)
        self.known: Mask = np.asarray((self.judged.grade >= 0).any(axis=0), dtype=np.bool_)
        self.relevant: Mask = np.asarray((self.judged.grade >= 1).any(axis=0), dtype=np.bool_)
        self.findings: list[Finding] = []
        self.facts: list[RunFacts] = []
        self.found: list[Any] = []  # per run, which judged pairs it retrieved
        self.lists: list[dict[str, list[str]]] = []  # per run, the first documents of each topic
        self.prints: dict[Any, str] = {}  # fingerprint of lists to the first run that has it
        self.first: dict[str, str] = {}  # run to the first run with the same lists
        self.judgment_facts = [self._judge(judge) for judge in judges]
        self._compare_judges()

    def say(self, about: str, kind: str, text: str, advice: str) -> None:
        self.findings.append(Finding(about, kind, text, advice))

    # -------------------------------------------------------------------------------- judgments

    def _judge(self, judge: Judgments) -> JudgmentFacts:
        frame = judge.frame
        counts = frame["grade"].value_counts().sort("grade")
        grades = {f"{grade:g}": count for grade, count in counts.iter_rows()}
        relevant = frame.group_by("topic", maintain_order=True).agg((pl.col("grade") >= 1).sum())
        numbers = relevant["grade"].to_numpy()
        lacking = relevant.filter(pl.col("grade") == 0)["topic"].to_list()
        few = relevant.filter(pl.col("grade").is_between(1, FEW - 1))["topic"].to_list()
        if lacking:
            self.say(
                judge.label,
                "no relevant document",
                f"{_count(lacking, 'topic')} without a relevant document ({_some(lacking)})",
                "AP, nDCG and their like are undefined there: left out and counted, or --undefined "
                "zero",
            )
        if few:
            self.say(
                judge.label,
                "few relevant documents",
                f"{_count(few, 'topic')} with fewer than {FEW} relevant documents ({_some(few)})",
                "one document more or less moves their values a lot; look at intervals, not at "
                "means alone",
            )
        self._grades(judge, counts)
        self._ids(judge)
        if judge.dropped:
            self.say(
                judge.label, "left out", f"left out {judge.dropped}", "mend the data if you can"
            )
        return JudgmentFacts(
            judge.label,
            frame.height,
            len(numbers),
            grades,
            int(numbers.sum()),
            int(numbers.min()),
            float(np.median(numbers)),
            int(numbers.max()),
        )

    def _grades(self, judge: Judgments, counts: pl.DataFrame) -> None:
        levels, many = counts["grade"].to_list(), counts["count"].to_list()
        total = sum(many)
        strays = _strays(levels, many)
        if strays:
            shown = ", ".join(f"{grade:g} ({count} times)" for grade, count in strays.items())
            self.say(
                judge.label,
                "grade out of scale",
                f"grades that hardly belong to the scale: {shown}",
                "correct or remove them: one of them changes max, and so ERR and RBP of every "
                "topic",
            )
        real = [grade for grade in levels if grade != math.floor(grade)]
        if real and len(real) > len(strays):
            self.say(
                judge.label,
                "real grades",
                f"grades are real numbers, such as {real[0]:g}",
                "measures that count relevant documents need a threshold: AP(rel=0.5)",
            )
        negative = sum(count for grade, count in zip(levels, many, strict=True) if grade < 0)
        if negative:
            self.say(
                judge.label,
                "grades below 0",
                f"{negative} grades below 0: pooled but not judged",
                "if they mean not relevant, say --negative nonrelevant",
            )
        good = sum(count for grade, count in zip(levels, many, strict=True) if grade >= 1)
        if good == total or not any(0 <= grade < 1 for grade in levels):
            self.say(
                judge.label,
                "no judged nonrelevant document",
                "every judged document is relevant",
                "Bpref, infAP and --unjudged condensed say nothing here; nDCG and RR do",
            )
        top = max(many) / total
        if top > 0.95 and good < total:
            grade = levels[many.index(max(many))]
            self.say(
                judge.label,
                "one grade for nearly all",
                f"{top:.0%} of the judgments are {grade:g}",
                "few documents decide everything; look at intervals",
            )

    def _ids(self, judge: Judgments) -> None:
        for what, ids in (
            ("topic", judge.frame["topic"].unique()),
            ("document", judge.frame["doc"].unique()),
        ):
            twins = _twins(ids)
            if twins:
                a, b = twins[0]
                self.say(
                    judge.label,
                    "ids alike",
                    f"{_count(twins, f'pair of {what} ids', f'pairs of {what} ids')} differ only "
                    f"by case or white space, such as {a!r} and {b!r}",
                    "write ids in one way, in judgments and runs alike",
                )

    def _compare_judges(self) -> None:
        grade = self.judged.grade
        for i, a in enumerate(self.judges):
            for j, b in enumerate(self.judges[:i]):
                if np.array_equal(grade[i], grade[j], equal_nan=True):
                    self.say(
                        a.label,
                        "identical judgments",
                        f"holds the same judgments as {b.label}",
                        "count them as one judge",
                    )
        shares = (~np.isnan(grade)).mean(axis=1)
        for i, judge in enumerate(self.judges):
            if shares[i] < 1 and len(self.judges) > 1:
                self.say(
                    judge.label,
                    "partial judgments",
                    f"covers {shares[i]:.0%} of the pairs that any judge judged",
                    "compare judges on the pairs that all have judged",
                )
        tops = {judge.top for judge in self.judges}
        if len(tops) > 1:
            shown = ", ".join(f"{judge.label} {judge.top:g}" for judge in self.judges[:5])
            self.say(
                "judgments",
                "scales differ",
                f"the judgment sets have different largest grades ({shown})",
                "give measures their scale: ERR(max=3)@20",
            )

    # ------------------------------------------------------------------------------------- runs

    def take(self, run: Run) -> None:
        """Look at one run."""
        retrieved, deep, ranks = self._hits(run)
        sizes = run.frame.group_by("topic", maintain_order=True).len()
        if not run.frame.height:
            self.say(
                run.label,
                "empty run",
                "holds no document",
                "every topic counts as missing; was the run written?",
            )
        depth = sizes["len"].to_numpy() if run.frame.height else np.zeros(1)
        topics = set(sizes["topic"])
        missing = [topic for topic in self.judged.topics if topic not in topics]
        foreign = [topic for topic in sizes["topic"] if topic not in self.judged.number]
        tied = _tied(run.frame)
        judged = {f"{k}": float(np.mean(deep[k])) for k in CUTOFFS if k in deep}
        self._topics(run, missing, foreign, depth)
        self._scores(run, tied)
        if run.frame.height:
            self._documents(run, retrieved, judged)
        self._twin(run)
        self.found.append(retrieved)
        self.lists.append(_first(run.frame))
        self.facts.append(
            RunFacts(
                run.label,
                run.frame.height,
                len(topics),
                len(missing),
                int(depth.min()),
                float(np.median(depth)),
                int(depth.max()),
                tied,
                ranks,
                int(self.relevant[retrieved].sum()),
                0,
                judged,
            )
        )

    def _hits(self, run: Run) -> tuple[Any, dict[int, list[float]], int]:
        """Judged pairs retrieved, Judged@k of each topic, and the depth to which all is judged."""
        pairs: list[Any] = []
        shares: dict[int, list[float]] = {k: [] for k in CUTOFFS}
        pool = math.inf
        longest = 0
        for block in blocks_of(run):
            hits: Hits = join(block, self.judged, run.origin, dropped=Dropped())
            keep = self.known[hits.pair]
            pairs.append(hits.pair[keep])
            for t in range(len(hits.topic)):
                mine = slice(int(hits.start[t]), int(hits.start[t + 1]))
                rank = hits.rank[mine][keep[mine]]
                size = int(hits.retrieved[t])
                longest = max(longest, size)
                gap = np.flatnonzero(rank != np.arange(1, len(rank) + 1))
                full = int(gap[0]) if len(gap) else len(rank)
                pool = min(pool, full if full < size else math.inf)
                for k in CUTOFFS:
                    if size:
                        shares[k].append(float((rank <= k).sum()) / min(k, size))
        deep = {k: each for k, each in shares.items() if each and (k <= longest or k == CUTOFFS[0])}
        whole = longest if math.isinf(pool) else int(pool)
        return np.concatenate(pairs) if pairs else np.zeros(0, np.int64), deep, whole

    def _topics(self, run: Run, missing: list[str], foreign: list[str], depth: Any) -> None:
        if missing:
            self.say(
                run.label,
                "missing topics",
                f"{_count(missing, 'judged topic')} without a line ({_some(missing)})",
                "they get the worst value, or are left out: --missing worst, skip",
            )
        if foreign:
            self.say(
                run.label,
                "topics not judged",
                f"{_count(foreign, 'topic')} that nobody judged ({_some(foreign)})",
                "ignored; are the judgments those of this run?",
            )
        short = int((depth < 10).sum())
        if short and run.frame.height:
            self.say(
                run.label,
                "short lists",
                f"{short} of {len(depth)} topics with fewer than 10 documents",
                "P@10 still divides by 10; was the run cut?",
            )
        if run.dropped:
            self.say(run.label, "left out", f"left out {run.dropped}", "mend the file if you can")

    def _scores(self, run: Run, tied: float) -> None:
        score, frame = pl.col("score"), run.frame
        by = frame.group_by("topic", maintain_order=True).agg(
            kinds=score.n_unique(),
            many=pl.len(),
            low=score.min(),
            high=score.max(),
            whole=(score == score.floor()).all(),
            rising=(score.diff() > 0).sum(),
        )
        several = by.filter(pl.col("many") > 1)
        if not several.height:
            return
        flat = several.filter(pl.col("kinds") == 1).height
        if flat:
            self.say(
                run.label,
                "all scores tied",
                f"all documents have the same score in {flat} of {by.height} topics",
                "the order is then that of ids, not the system's; were scores lost?",
            )
        elif tied > TIED:
            self.say(
                run.label,
                "ties",
                f"{tied:.0%} of its rows stand in ties",
                "see how much they matter: --ties expected, or best and worst",
            )
        counts = pl.col("whole") & (pl.col("kinds") == pl.col("many"))
        steps = pl.col("high") - pl.col("low") + 1 == pl.col("many")
        looks = several.filter(counts & steps & (pl.col("low").abs() <= 1)).height
        if looks > several.height / 2:
            self.say(
                run.label,
                "scores look like ranks",
                "scores are the whole numbers 1, 2, 3 and so on",
                f"the highest score is taken as best; if 1 is best, {_turned(run)}",
            )
        rising = several.filter(pl.col("rising") > 0.9 * (pl.col("many") - 1)).height
        if rising > several.height / 2:
            self.say(
                run.label,
                "scores rise",
                f"scores rise from the first line to the last in {rising} of {by.height} topics",
                "the highest score is taken as best; distances and ranks must be negated",
            )
        narrow = frame.select(pl.col("topic"), score.cast(pl.Float32)).n_unique()
        wide = frame.select("topic", "score").n_unique()
        if narrow < wide:
            self.say(
                run.label,
                "float32 ties",
                f"{_count(range(wide - narrow), 'score becomes a tie', 'scores become ties')} when "
                "rounded to float32",
                "tools that round (trec_eval 9, pytrec_eval) may differ; --precision float32 does "
                "as they",
            )

    def _documents(self, run: Run, retrieved: Any, judged: dict[str, float]) -> None:
        if not len(retrieved):
            shown = self.judged.doc[0] if len(self.judged.doc) else ""
            self.say(
                run.label,
                "nothing judged",
                "none of its documents is judged for its topic",
                f"do ids have the same form? Judged is {shown!r}, retrieved "
                f"{run.frame['doc'][0]!r}",
            )
        self._alike_ids(run, "document", run.frame["doc"], self.judged.doc, "count as unjudged")
        topics = pl.Series(self.judged.topics, dtype=pl.String)
        self._alike_ids(run, "topic", run.frame["topic"], topics, "are ignored")
        if "10" in judged and judged["10"] < 0.5 and len(retrieved):
            self.say(
                run.label,
                "few judged documents",
                f"only {judged['10']:.0%} of its first 10 documents are judged",
                "its values may be too low: compare under --unjudged condensed and bounds",
            )

    def _alike_ids(self, run: Run, what: str, ids: pl.Series, judged: pl.Series, so: str) -> None:
        """Ids of a run that nobody judged as they are written."""
        unique, known = ids.unique(), judged.unique()
        unknown = unique.filter(~unique.is_in(known.implode()))
        alike = _plain(unknown.sort()).join(_plain(known), on="plain", maintain_order="left")
        if alike.height:
            a, b = alike["id"][0], alike["id_right"][0]
            many = alike["id"].unique().to_list()
            self.say(
                run.label,
                "ids alike",
                f"{_count(many, f'{what} id')} {'differs' if len(many) == 1 else 'differ'} from "
                f"judged ones only by case or white space, such as {a!r} and {b!r}",
                f"they {so}: write ids in one way",
            )

    def _twin(self, run: Run) -> None:
        ordered = run.frame.sort("topic", "score", "doc", descending=[False, True, True])
        rows = ordered.select("topic", "doc").with_row_index().hash_rows()
        mark = (len(rows), int(np.bitwise_xor.reduce(rows.to_numpy())))
        first = self.first[run.label] = self.prints.setdefault(mark, run.label)
        if first != run.label:
            self.say(
                run.label,
                "identical runs",
                f"the same lists as {first}",
                "leave one out: tests and correlations count it twice",
            )

    # ---------------------------------------------------------------------------------- together

    def description(self) -> Description:
        overlap, tau = self._alike()
        facts = self._with_unique()
        self._uneven(facts)
        return Description(
            tuple(self.judgment_facts), tuple(facts), overlap, tau, tuple(self.findings)
        )

    def _with_unique(self) -> list[RunFacts]:
        from dataclasses import replace

        times = np.zeros(len(self.relevant), dtype=np.int64)
        for found in self.found:
            times[found] += 1
        return [
            replace(facts, unique=int((self.relevant[found] & (times[found] == 1)).sum()))
            if len(self.found) > 1
            else facts
            for facts, found in zip(self.facts, self.found, strict=True)
        ]

    def _uneven(self, facts: list[RunFacts]) -> None:
        shares = [(each.judged["10"], each.label) for each in facts if "10" in each.judged]
        if len(shares) > 1 and max(shares)[0] - min(shares)[0] > UNEVEN:
            (low, worst), (high, best) = min(shares), max(shares)
            self.say(
                "runs",
                "uneven judging",
                f"Judged@10 runs from {low:.2f} ({worst}) to {high:.2f} ({best})",
                "runs with more unjudged documents may be underrated: compare under --unjudged "
                "condensed "
                "and bounds",
            )
        depths = {each.depth_most for each in facts}
        if len(depths) > 1 and max(depths) >= 2 * min(depths):
            self.say(
                "runs",
                "depths differ",
                f"the longest lists have from {min(depths)} to {max(depths)} documents",
                f"compare at cut-offs up to {min(depths)}; AP and R favour long lists",
            )

    def _alike(self) -> tuple[dict[str, dict[str, float]], dict[str, dict[str, float]]]:
        """Overlap and tau of each two runs, averaged over the topics that both have."""
        labels = [facts.label for facts in self.facts]
        n = len(labels)
        if n < 2:
            return {}, {}
        shared, sums, topics, counted = (np.zeros((n, n)) for _ in range(4))
        for topic in dict.fromkeys(topic for lists in self.lists for topic in lists):
            common, size, agree, both = _topic_alike([lists.get(topic, []) for lists in self.lists])
            there = size > 0
            shared[there] += common[there] / size[there]
            topics += there
            pairs = both > 0
            sums[pairs] += agree[pairs] / both[pairs]
            counted += pairs
        with np.errstate(invalid="ignore", divide="ignore"):
            overlap, tau = shared / topics, sums / counted
        self._near(labels, overlap, tau)
        return _square(labels, overlap), _square(labels, tau)

    def _near(self, labels: list[str], overlap: Floats, tau: Floats) -> None:
        for i, a in enumerate(labels):
            for j, b in enumerate(labels[:i]):
                known = self.first[a] == self.first[b]
                if overlap[i, j] >= ALIKE and tau[i, j] >= ALIKE and not known:
                    self.say(
                        a,
                        "runs all but identical",
                        f"its first {DEPTH} documents are all but those of {b} (overlap "
                        f"{overlap[i, j]:.3f}, tau {tau[i, j]:.3f})",
                        "count them as one system",
                    )


# ----------------------------------------------------------------------------------------- details


def _topic_alike(lists: Sequence[list[str]]) -> tuple[Floats, Floats, Floats, Floats]:
    """Of one topic, for each two runs: documents shared, size, agreeing minus not, pairs shared."""
    docs = {doc: i for i, doc in enumerate(dict.fromkeys(doc for each in lists for doc in each))}
    rank = np.full((len(lists), len(docs)), np.inf, dtype=np.float32)
    for r, each in enumerate(lists):
        rank[r, [docs[doc] for doc in each]] = np.arange(len(each))
    there = np.isfinite(rank)
    count = there.astype(np.float64)
    lengths = count.sum(axis=1)
    size = np.minimum(lengths[:, None], lengths[None, :])
    agree, both = np.zeros((len(lists), len(lists))), np.zeros((len(lists), len(lists)))
    for r, each in enumerate(lists):
        mine = rank[:, [docs[doc] for doc in each]]  # how all runs rank this run's documents
        first, second = np.triu_indices(len(each), 1)
        known = np.isfinite(mine[:, first]) & np.isfinite(mine[:, second])
        with np.errstate(invalid="ignore"):
            right = mine[:, first] < mine[:, second]
        both[r] = known.sum(axis=1)
        agree[r] = 2 * (known & right).sum(axis=1) - both[r]
    return count @ count.T, size, agree, both


def _first(frame: pl.DataFrame) -> dict[str, list[str]]:
    """The first documents of each topic, in rank order."""
    ordered = frame.sort("score", "doc", descending=True)
    heads = ordered.group_by("topic", maintain_order=True).agg(pl.col("doc").head(DEPTH))
    return dict(heads.iter_rows())


def _turned(run: Run) -> str:
    """How to make the lowest score the best."""
    if run.origin.path is None:
        return "negate them"
    if run.origin.door is None:
        return "turn them round: --columns runs:topic=1,doc=3,rank=5"
    return "turn them round: --columns runs:rank=score"


def _tied(frame: pl.DataFrame) -> float:
    sizes = frame.group_by("topic", "score").len()["len"]
    return float(sizes.filter(sizes > 1).sum()) / max(1, frame.height)


def _plain(ids: pl.Series) -> pl.DataFrame:
    """Ids beside themselves without case and white space."""
    return pl.DataFrame({"id": ids}).with_columns(
        plain=pl.col("id").str.replace_all(r"\s+", "").str.to_lowercase()
    )


def _twins(ids: pl.Series) -> list[tuple[str, str]]:
    """Ids that differ only by case or white space."""
    groups = _plain(ids.sort()).group_by("plain", maintain_order=True).agg("id")
    twins = groups.filter(pl.col("id").list.len() > 1)["id"].to_list()
    return [(found[0], found[1]) for found in twins]


def _strays(levels: list[float], many: list[int]) -> dict[float, int]:
    """Rare grades beyond a gap in a scale of whole numbers, or between its steps."""
    total = sum(many)
    counts = dict(zip(levels, many, strict=True))
    whole = sum(count for grade, count in counts.items() if grade == math.floor(grade))
    if whole < (1 - RARE) * total or len(levels) > 50:
        return {}
    strays = {grade: count for grade, count in counts.items() if grade != math.floor(grade)}
    usual = sorted(grade for grade in counts if grade not in strays)
    for i, grade in enumerate(usual[1:], 1):
        above = {each: counts[each] for each in usual[i:]}
        if grade - usual[i - 1] > 1 and sum(above.values()) < RARE * total:
            strays |= above
            break
    return strays


def _square(labels: list[str], values: Floats) -> dict[str, dict[str, float]]:
    return {
        a: {b: float(values[i, j]) for j, b in enumerate(labels) if j != i}
        for i, a in enumerate(labels)
    }


def _count(found: Sequence[Any], one: str, more: str = "") -> str:
    return f"{len(found)} {one if len(found) == 1 else more or one + 's'}"


def _some(names: Sequence[str], most: int = 5) -> str:
    return " ".join(map(str, names[:most])) + (" ..." if len(names) > most else "")
