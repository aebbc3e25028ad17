"""The same collection through every door gives identical Scores."""

from __future__ import annotations

import gzip
import json

import numpy as np
import polars as pl
import pytest

import assay
from assay.simulation import simulate

MEASURES = ["nDCG@10", "AP", "P@5", "RR"]


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    """Judgments and runs as objects, and the folder of their TREC files."""
    folder = tmp_path_factory.mktemp("doors") / "made"
    simulate(topics=8, docs=120, runs=2, depth=20, seed=3).write(folder)
    judgments = assay.read_judgments(folder / "qrels.txt")
    runs = {path.stem: assay.read_run(path) for path in sorted(folder.glob("*.run"))}
    return folder, judgments, runs


@pytest.fixture(scope="module")
def expected(world):
    return assay.evaluate(world[1], world[2], MEASURES)


def same(found, expected):
    assert found.runs == expected.runs
    assert found.topics == expected.topics
    np.testing.assert_array_equal(found.values, expected.values)
    np.testing.assert_array_equal(found.reasons, expected.reasons)


def put_csv(frame, path):
    frame.write_csv(path)


WRITERS = {
    "csv": put_csv,
    "tsv": lambda frame, path: frame.write_csv(path, separator="\t"),
    "jsonl": lambda frame, path: frame.write_ndjson(path),
    "json": lambda frame, path: path.write_text(json.dumps(frame.to_dicts())),
    "parquet": lambda frame, path: frame.write_parquet(path, row_group_size=50),
    "arrow": lambda frame, path: frame.write_ipc(path),
    "feather": lambda frame, path: frame.write_ipc(path, compression="zstd"),
    "stream": lambda frame, path: frame.write_ipc_stream(path),
}
NAMES = [
    {"topic": "topic", "doc": "doc", "grade": "grade", "score": "score"},
    {"topic": "qid", "doc": "docno", "grade": "label", "score": "score"},  # PyTerrier
    {"topic": "query-id", "doc": "corpus-id", "grade": "score", "score": "score"},  # BEIR
    {"topic": "Query_ID", "doc": "Doc_ID", "grade": "relevance", "score": "Score"},  # ir_measures
]


@pytest.mark.parametrize("names", NAMES)
@pytest.mark.parametrize("form", WRITERS)
def test_named_columns(world, expected, tmp_path, form, names):
    _, judgments, runs = world
    put = WRITERS[form]
    put(
        judgments.frame.rename({k: names[k] for k in ("topic", "doc", "grade")}),
        tmp_path / f"q.{form}",
    )
    given = {}
    for label, run in runs.items():
        given[label] = tmp_path / f"{label}.{form}"
        frame = run.frame.rename({k: names[k] for k in ("topic", "doc", "score")})
        put(frame.with_columns(extra=pl.lit("x, y")), given[label])
    same(assay.evaluate(tmp_path / f"q.{form}", given, MEASURES), expected)


@pytest.mark.parametrize("form", WRITERS)
def test_several_runs_in_one_file(world, expected, tmp_path, form):
    folder, _, runs = world
    frames = [run.frame.with_columns(run=pl.lit(label)) for label, run in runs.items()]
    path = tmp_path / f"all.{form}"
    WRITERS[form](pl.concat(frames), path)
    same(assay.evaluate(folder / "qrels.txt", path, MEASURES), expected)
    same(assay.evaluate(folder / "qrels.txt", assay.read_runs(path), MEASURES), expected)
    chosen = assay.read_run(path, run="rounded")
    assert chosen.frame.equals(runs["rounded"].frame)
    with pytest.raises(assay.AssayError, match=r"holds several runs, such as .*read_runs"):
        assay.read_run(path)
    with pytest.raises(assay.AssayError, match=r"no run 'x'; there are 'rounded', 'solid'"):
        assay.read_run(path, run="x")


def test_several_judges_in_one_file(world, tmp_path):
    _, judgments, runs = world
    other = judgments.frame.with_columns(grade=(pl.col("grade") > 1).cast(pl.Float64))
    sets = {"a": judgments, "b": assay.Judgments(other, label="b")}
    expected = assay.evaluate(sets, runs, MEASURES)
    for name in ("q.csv", "q.jsonl", "q.parquet", "q.groups"):
        form = "judge_groups" if name == "q.groups" else None
        assay.write_judgments(sets, tmp_path / name, format=form)
        read = assay.read_judgment_sets(tmp_path / name, format=form)
        found = assay.evaluate(read, runs, MEASURES)
        assert found.judges == ("a", "b")
        np.testing.assert_array_equal(found.values, expected.values)
        if form is None:
            found = assay.evaluate(tmp_path / name, runs, MEASURES)
            assert found.judges == ("a", "b")
    alone = assay.read_judgments(tmp_path / "q.groups", format="judge_groups", judge="b")
    assert alone.frame.equals(sets["b"].frame)


def doors():
    """Frames and objects of other libraries: label, then what makes one of a frame."""
    yield "polars", lambda frame: frame
    yield "lazy", lambda frame: frame.lazy()
    yield (
        "categorical",
        lambda frame: frame.with_columns(pl.col("topic", "doc").cast(pl.Categorical)),
    )
    yield "tuples", lambda frame: list(frame.iter_rows())
    yield "generator", lambda frame: (row for row in frame.iter_rows())
    yield "named", lambda frame: frame.iter_rows(named=False)
    yield "pandas", lambda frame: pytest.importorskip("pandas") and frame.to_pandas()
    yield "pyarrow", lambda frame: pytest.importorskip("pyarrow") and frame.to_arrow()
    yield "records", lambda frame: pytest.importorskip("pyarrow") and frame.to_arrow().to_reader()
    yield "views", string_views


def string_views(frame):
    """PyArrow's newer layout of text, and a dictionary."""
    pa = pytest.importorskip("pyarrow")
    table = frame.to_arrow().combine_chunks()
    table = table.set_column(0, "topic", table["topic"].cast(pa.string()).dictionary_encode())
    return table.set_column(1, "doc", table["doc"].cast(pa.string_view()))


@pytest.mark.parametrize(("name", "make"), list(doors()))
def test_frames_and_objects(world, expected, name, make):
    _, judgments, runs = world
    given = {label: make(run.frame) for label, run in runs.items()}
    same(assay.evaluate(make(judgments.frame), given, MEASURES), expected)


BY_DUCKDB = """
import json, sys
import duckdb
import assay
folder, measures = sys.argv[1], json.loads(sys.argv[2])
names = sys.argv[3:]
con = duckdb.connect()
rows = lambda name: con.sql(f"select * from read_parquet('{folder}/{name}.parquet')")
for other in ("pandas", "pyarrow"):
    assert other not in sys.modules, other
scores = assay.evaluate(rows("q"), {name: rows(name) for name in names}, measures)
for other in ("pandas", "pyarrow"):
    assert other not in sys.modules, other
whole = con.sql("select 7::hugeint as qid, 'a' as docno, sum(2) as label")
assert assay.Judgments(whole).to_dict() == {"7": {"a": 2.0}}
some = con.sql("select 'q' as qid, unnest(['a', 'b']) as docno, unnest([1, null]) as label")
assert assay.Judgments(some).to_dict() == {"q": {"a": 1.0}}
json.dump([scores.runs, scores.topics, scores.values.tolist()], open(f"{folder}/found.json", "w"))
"""


def test_duckdb(world, expected, tmp_path):
    """Relations, in a process of their own: neither pandas nor PyArrow is needed, or imported."""
    pytest.importorskip("duckdb")
    import subprocess
    import sys

    _, judgments, runs = world
    for name, each in {"q": judgments, **runs}.items():
        each.frame.write_parquet(tmp_path / f"{name}.parquet")
    command = [sys.executable, "-c", BY_DUCKDB, str(tmp_path), json.dumps(MEASURES), *runs]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    names, topics, values = json.loads((tmp_path / "found.json").read_text())
    assert (tuple(names), tuple(topics)) == (expected.runs, expected.topics)
    np.testing.assert_array_equal(np.asarray(values, dtype=np.float64), expected.values)


def test_nothing_is_imported_for_a_frame():
    import subprocess
    import sys

    code = (
        "import sys, polars as pl, assay\n"
        "before = set(sys.modules)\n"
        "run = pl.DataFrame({'qid': [1], 'docno': [2], 'score': [3.5]})\n"
        "assay.evaluate({'1': {'2': 1}}, run, 'AP')\n"
        "others = {'pandas', 'pyarrow', 'duckdb', 'ranx', 'ir_measures', 'ir_datasets'}\n"
        "assert not others & set(sys.modules), others & set(sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_pandas_with_object_columns(world, expected):
    pandas = pytest.importorskip("pandas")
    _, judgments, runs = world

    def odd(frame):
        """A column that Arrow refuses: text and whole numbers mixed."""
        table = pandas.DataFrame(
            {name: pandas.Series(frame[name].to_list(), dtype=object) for name in frame.columns}
        )
        table["meta"] = [{"a": 1} if i % 2 else "x" for i in range(len(table))]
        return table

    given = {label: odd(run.frame) for label, run in runs.items()}
    same(assay.evaluate(odd(judgments.frame), given, MEASURES), expected)


def test_ranx(world, expected):
    ranx = pytest.importorskip("ranx")
    _, judgments, runs = world
    whole = {t: {d: int(g) for d, g in docs.items()} for t, docs in judgments.to_dict().items()}
    given = [ranx.Run(run.to_dict(), name=label) for label, run in runs.items()]
    same(assay.evaluate(ranx.Qrels(whole), given, MEASURES), expected)


def test_ir_measures_tuples(world, expected):
    ir_measures = pytest.importorskip("ir_measures")
    folder, _, runs = world
    qrels = list(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    given = {label: ir_measures.read_trec_run(str(folder / f"{label}.run")) for label in runs}
    same(assay.evaluate(qrels, given, MEASURES), expected)


class DataSet:
    """What ir_datasets loads, as far as we ask."""

    def __init__(self, judgments, run):
        self.judgments, self.run = judgments, run

    def qrels_iter(self):
        from typing import NamedTuple

        class TrecQrel(NamedTuple):
            query_id: str
            doc_id: str
            relevance: int
            iteration: str

        for topic, doc, grade in self.judgments:
            yield TrecQrel(topic, doc, int(grade), "0")

    def scoreddocs_iter(self):
        from typing import NamedTuple

        class GenericScoredDoc(NamedTuple):
            query_id: str
            doc_id: str
            score: float

        for row in self.run:
            yield GenericScoredDoc(*row)


def test_ir_datasets(world, expected, monkeypatch):
    import sys
    from types import SimpleNamespace

    _, judgments, runs = world
    known = {label: DataSet(judgments, run) for label, run in runs.items()}
    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=known.__getitem__))
    given = [f"irds:{label}" for label in runs]
    same(assay.evaluate("irds:solid", given, MEASURES), expected)
    assert assay.read_run("irds:solid").label == "solid"
    with pytest.raises(assay.AssayError, match="irds:none: ir_datasets knows no such data set"):
        assay.read_run("irds:none")
    monkeypatch.setitem(sys.modules, "ir_datasets", None)
    with pytest.raises(assay.AssayError, match="pip install ir_datasets"):
        assay.read_judgments("irds:solid")


def test_real_data_set(world, expected, tmp_path, monkeypatch):
    """A data set of ir_datasets itself, whose files lie here."""
    ir_datasets = pytest.importorskip("ir_datasets")
    from ir_datasets.formats import TrecQrels, TrecScoredDocs

    folder, _, runs = world

    class Here:
        def __init__(self, path):
            self.at = path

        def path(self, force=True):
            return str(self.at)

        def stream(self):
            return self.at.open("rb")

    for label in runs:
        qrels = TrecQrels(Here(folder / "qrels.txt"), {})
        scored = TrecScoredDocs(Here(folder / f"{label}.run"))
        made = ir_datasets.Dataset(qrels, scored)
        monkeypatch.setitem(ir_datasets.registry._registered, f"here/{label}", made)
    given = [f"irds:here/{label}" for label in runs]
    same(assay.evaluate("irds:here/solid", given, MEASURES), expected)
    same(assay.evaluate(ir_datasets.load("here/solid"), given, MEASURES), expected)
    with pytest.raises(assay.AssayError, match="irds:no-such: ir_datasets knows no such data set"):
        assay.read_judgments("irds:no-such")


def test_a_data_set_that_cannot_be_fetched(monkeypatch):
    import sys
    from types import SimpleNamespace

    class Away:
        def qrels_iter(self):
            message = "All download sources failed"
            raise RuntimeError(message, ["long", "list"])
            yield

    monkeypatch.setitem(sys.modules, "ir_datasets", SimpleNamespace(load=lambda _: Away()))
    with pytest.raises(
        assay.AssayError, match="x: ir_datasets cannot provide the qrels: All download sources"
    ):
        assay.read_judgments("irds:x")
    with pytest.raises(assay.AssayError, match="x: this data set of ir_datasets has no scoreddocs"):
        assay.read_run("irds:x")


def test_ir_measures_frames_and_measures(world, expected):
    """Its frames and its measures go in as they are."""
    ir_measures = pytest.importorskip("ir_measures")
    pandas = pytest.importorskip("pandas")
    folder, _, runs = world
    qrels = pandas.DataFrame(ir_measures.read_trec_qrels(str(folder / "qrels.txt")))
    given = {
        label: pandas.DataFrame(ir_measures.read_trec_run(str(folder / f"{label}.run")))
        for label in runs
    }
    asked = [ir_measures.nDCG @ 10, ir_measures.AP, ir_measures.P @ 5, ir_measures.RR]
    found = assay.evaluate(qrels, given, asked)
    same(found, expected)
    assert [str(measure) for measure in found.measures] == MEASURES
    alone = assay.evaluate(qrels, given, ir_measures.nDCG @ 10)
    np.testing.assert_array_equal(alone.values[:, :, 0], expected.values[:, :, 0])


def test_flags_are_grades(tmp_path):
    """Yes and no are 1 and 0 through every door."""
    flags = {"q": {"a": True, "b": False}}
    frame = pl.DataFrame({"topic": ["q", "q"], "doc": ["a", "b"], "grade": [True, False]})
    frame.write_parquet(tmp_path / "f.parquet")
    frame.write_ndjson(tmp_path / "f.jsonl")
    (tmp_path / "f.json").write_text(json.dumps(flags))
    doors = [flags, frame, list(frame.iter_rows()), *tmp_path.iterdir()]
    for door in doors:
        assert assay.read_judgments(door).to_dict() == {"q": {"a": 1.0, "b": 0.0}}
    for door in (flags, frame.rename({"grade": "score"}), list(frame.iter_rows())):
        with pytest.raises(assay.AssayError):
            assay.read_run(door)


def test_null_grades_are_unjudged_through_every_door(tmp_path):
    frame = pl.DataFrame({"topic": ["q", "q"], "doc": ["a", "b"], "grade": [1, None]})
    frame.write_parquet(tmp_path / "f.parquet")
    frame.write_ipc(tmp_path / "f.arrow")
    frame.write_ndjson(tmp_path / "f.jsonl")
    (tmp_path / "f.json").write_text('{"q": {"a": 1,\n "b": null}}')
    for door in (frame, list(frame.iter_rows()), *sorted(tmp_path.iterdir())):
        found = assay.read_judgments(door)
        assert found.to_dict() == {"q": {"a": 1.0}}
        assert "1 row with no grade (null or NaN): unjudged" in str(found.dropped)


def test_what_a_frame_may_not_be():
    pandas = pytest.importorskip("pandas")
    pa = pytest.importorskip("pyarrow")
    good = pandas.DataFrame({"qid": ["q"], "docno": ["a"], "score": [1.5]})
    indexed = good.set_index(["qid", "docno"])
    for bad, message in (
        (indexed["score"], r"run: a Series of pandas; .*\.reset_index\(\)"),
        (indexed, "run: no column for the topic of a run; found 'score'"),
        (good.assign(qid=1.0), "column 'qid' holds Float64; .* Turn 12.0 into 12 first"),
        (good.assign(qid=pandas.Series([{"a": 1}], dtype=object)), "column 'qid'"),
        (good.assign(qid=pandas.Series([0.5], dtype=object)), "column 'qid' holds Float64"),
        (
            pandas.concat([good, good.assign(qid=1.5)], ignore_index=True),
            "run: row 2: column 'qid' mixes types; found 1.5",
        ),
        (pandas.concat([good, good[["score"]]], axis=1), "'score' and 'score' may both be"),
        (pa.table({"qid": ["q"], "docno": [b"\xff"], "score": [1]}), "an id is not valid UTF-8"),
        (
            pa.table({"qid": pa.RunEndEncodedArray.from_arrays([1], ["q"]), "docno": ["a"]}),
            "this pyarrow.Table cannot be taken through the Arrow C stream interface",
        ),
    ):
        with pytest.raises(assay.AssayError, match=message):
            assay.Run(bad)


def test_columns_that_cannot_be_chosen(tmp_path):
    path = tmp_path / "r.run"
    path.write_text("q1 Q0 d1 1 2.5 t\n")
    for options, message in (
        ({"columns": {"grade": 4}}, "columns: no part 'grade' of a run; expected topic, doc"),
        (
            {"columns": {"rank": 4}, "format": "trec"},
            "the form trec has its columns in fixed places",
        ),
        (
            {"columns": {"topic": 7, "doc": 3, "score": 5}},
            "topic is said to be column 7; there are 6",
        ),
        ({"columns": {"topic": "qid"}}, "r.run:1: no column 'qid' for the topic; found 'q1', 'Q0'"),
        ({"columns": {"top": 1}}, "no part 'top' of a run; .*did you mean 'topic'"),
        ({"columns": {"topic": True}}, "topic=True: expected a column's name, or its number"),
    ):
        with pytest.raises(assay.AssayError, match=message):
            assay.read_run(path, **options)
    assert assay.read_run(path, columns={"topic": 1, "doc": 3, "rank": 4}).to_dict() == {
        "q1": {"d1": -1.0}
    }


def test_ranx_json(world, expected, tmp_path):
    _, judgments, runs = world
    (tmp_path / "q.json").write_text(json.dumps(judgments.to_dict(), indent=2))
    for label, run in runs.items():
        with gzip.open(tmp_path / f"{label}.json.gz", "wt") as file:
            json.dump(run.to_dict(), file)
    given = sorted(tmp_path.glob("*.json.gz"))
    same(assay.evaluate(tmp_path / "q.json", given, MEASURES), expected)


def test_letor(world, expected, tmp_path):
    _, judgments, runs = world
    lists = {label: run.to_dict() for label, run in runs.items()}
    lines = []
    for topic, graded in judgments.to_dict().items():
        for doc in sorted(set(graded).union(*(lists[label].get(topic, {}) for label in lists))):
            features = " ".join(
                f"{i}:{lists[label].get(topic, {}).get(doc, -1000)}"
                for i, label in enumerate(lists, 1)
            )
            lines.append(f"{graded.get(doc, 0):g} qid:{topic} {features} #docid = {doc} inc = 1")
    (tmp_path / "train.txt").write_text("\n".join(lines) + "\n")
    found = assay.evaluate(tmp_path / "train.txt", tmp_path / "train.txt", MEASURES)
    assert found.runs == ("1", "2")  # a feature each
    same_labels = assay.read_judgments(tmp_path / "train.txt").to_dict()
    known = {t: docs for t, docs in judgments.to_dict().items() if docs}
    for topic, docs in known.items():
        assert docs.items() <= same_labels[topic].items()
    everything = {f"{i}": lists[label] for i, label in enumerate(lists, 1)}
    full = {
        number: {
            topic: {doc: listed.get(topic, {}).get(doc, -1000.0) for doc in same_labels[topic]}
            for topic in same_labels
        }
        for number, listed in everything.items()
    }
    again = assay.evaluate(same_labels, full, MEASURES)
    np.testing.assert_array_equal(found.values, again.values)


def test_marco_keeps_the_order(world, expected, tmp_path):
    _, judgments, runs = world
    for label, run in runs.items():
        assay.write_run(run, tmp_path / f"{label}.tsv", format="marco")
    three = {label: tmp_path / f"{label}.tsv" for label in runs}
    same(assay.evaluate(judgments, three, MEASURES), expected)
    for path in three.values():  # two columns, in rank order
        rows = [line.split("\t") for line in path.read_text().splitlines()]
        rows.sort(key=lambda row: int(row[2]))
        path.write_text("".join(f"{topic}\t{doc}\n" for topic, doc, _ in rows))
    same(assay.evaluate(judgments, three, MEASURES), expected)


def test_whole_numbers_as_ids():
    frame = pl.DataFrame({"qid": [1, 1, 2], "docid": [7, 8, 7], "label": [1, 0, 2]})
    assert assay.Judgments(frame).to_dict() == {"1": {"7": 1.0, "8": 0.0}, "2": {"7": 2.0}}


def test_no_grade_is_unjudged_and_counted():
    frame = pl.DataFrame(
        {"qid": ["1", "1", "1"], "doc": ["a", "b", "c"], "label": [1.0, None, float("nan")]}
    )
    judgments = assay.Judgments(frame)
    assert judgments.to_dict() == {"1": {"a": 1.0}}
    assert (
        str(judgments.dropped)
        == "2 rows with no grade (null or NaN): unjudged (first: judgments: row 2)"
    )
    scores = assay.evaluate(frame, {"1": {"b": 2.0, "a": 1.0}}, "AP")
    assert scores.values.item() == 0.5
    assert "no grade" in scores.warnings[0]


def test_rank_without_score():
    frame = pl.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "rank": [2, 1]})
    assert assay.Run(frame).to_dict() == {"1": {"a": -2.0, "b": -1.0}}
    frame = frame.with_columns(score=pl.lit(5.0))
    assert assay.Run(frame).to_dict() == {"1": {"a": 5.0, "b": 5.0}}
    assert assay.Run(frame, columns={"rank": "rank"}).to_dict() == {"1": {"a": -2.0, "b": -1.0}}


def test_columns_by_number(tmp_path):
    path = tmp_path / "cranqrel"
    path.write_text("1 184 2 \n1 29 2 \n2  12 3 \n")
    columns = {"topic": 1, "doc": 2, "grade": 3}
    assert assay.read_judgments(path, columns=columns).to_dict() == {
        "1": {"184": 2.0, "29": 2.0},
        "2": {"12": 3.0},
    }
    path.write_text("a;9;1.5\nb;8;2.5\n")
    assert assay.read_run(path, columns={"topic": 2, "doc": 1, "score": 3}).to_dict() == {
        "9": {"a": 1.5},
        "8": {"b": 2.5},
    }


def test_two_files_with_equal_names_of_runs(tmp_path):
    run = {"1": {"a": 1.0}}
    both = {"x": assay.Run(run, label="x"), "y": assay.Run(run, label="y")}
    assay.write_run(both, tmp_path / "dev.csv")
    assay.write_run(both, tmp_path / "test.csv")
    found = assay.evaluate({"1": {"a": 1}}, [tmp_path / "dev.csv", tmp_path / "test.csv"], "AP")
    assert found.runs == ("dev:x", "dev:y", "test:x", "test:y")


def test_blocks_of_a_scattered_table(tmp_path, monkeypatch):
    """Topics that come back, and topics that cross the shares of a file."""
    from assay.io import arrow_files

    monkeypatch.setattr(arrow_files, "SHARE", 7)
    rows = [(f"{i % 5}", f"d{i}", float(-i)) for i in range(40)]
    frame = pl.DataFrame(rows, schema=["topic", "doc", "score"], orient="row")
    judgments = {f"{t}": {f"d{i}": int(i % 3 == 0) for i in range(40)} for t in range(5)}
    expected = assay.evaluate(judgments, frame, MEASURES)
    for each in (frame, frame.sort("topic", maintain_order=True)):
        each.write_parquet(tmp_path / "r.parquet")
        found = assay.evaluate(judgments, tmp_path / "r.parquet", MEASURES)
        np.testing.assert_array_equal(found.values, expected.values)


def test_no_column_has_two_roles(tmp_path):
    """Neither where the caller says so, nor where a usual name is taken for something else."""
    (tmp_path / "r.csv").write_text("qid,docno,score\nq1,d1,1\n")
    for columns in (
        {"doc": "qid"},
        {"topic": 1, "doc": 1, "score": 3},
        {"score": "docno"},
        {"run": "qid"},
    ):
        with pytest.raises(assay.AssayError, match=r"r\.csv:1: column '[\w ]+' would be both "):
            assay.read_runs(tmp_path / "r.csv", columns=columns)
    frame = pl.DataFrame({"qid": ["q1"], "rank": [1], "docno": ["d1"]})
    for columns in ({"rank": "rank"}, {"score": "rank", "rank": "rank"}):
        assert assay.Run(frame, columns=columns).to_dict() == {"q1": {"d1": -1.0}}


@pytest.mark.parametrize(
    "head", ["run,topic,doc,score\n,q1,d1,1\n", "topic,doc,score,run\nq1,d1,1,\n"]
)
def test_a_run_without_a_name(head, tmp_path):
    """Wherever its column stands."""
    (tmp_path / "r.csv").write_text(head)
    with pytest.raises(assay.AssayError, match=r"r\.csv:2: no run: the field is empty"):
        assay.read_runs(tmp_path / "r.csv")


def test_rows_that_are_no_tuples():
    with pytest.raises(assay.AssayError, match=r"list of dictionaries; make it a frame"):
        assay.Run([{"qid": "q1", "docno": "d1", "score": 1.0}])
    with pytest.raises(assay.AssayError, match=r"list of lists; make its rows tuples"):
        assay.Judgments([["q1", "d1", 1]])


@pytest.mark.parametrize("more", ["rank", "run", "System", "run_id"])
def test_a_run_is_not_taken_for_judgments(more, tmp_path):
    """BEIR names its grades score; with a rank or a run's name beside them they are scores."""
    path = tmp_path / "r.csv"
    path.write_text(f"qid,docno,score,{more}\n1,a,2,1\n")
    for read in (assay.read_judgments, lambda p: assay.Judgments(pl.read_csv(p))):
        with pytest.raises(assay.AssayError, match=r"no column for the grade .* looks like a run"):
            read(path)
    columns = {"grade": "score"}
    assert assay.read_judgments(path, columns=columns).to_dict() == {"1": {"a": 2.0}}
    path.write_text("query-id,corpus-id, score\n1,a,2\n")
    assert assay.read_judgments(path, columns={"grade": "score"}).to_dict() == {"1": {"a": 2.0}}
