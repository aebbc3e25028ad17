"""Damaged files of each form: an error with file and line or row, or what the line reader reads."""

from __future__ import annotations

import json
import random
import re

import polars as pl
import pytest

import assay
from assay import AssayError
from assay.io import delimited

SEEDS = range(150)
PARTS = (
    b" ", b"\t", b"\n", b"\r", b"\r\n", b"\0", b"#", b'"', b'""', b"'", b",", b";",
    b"\xef\xbb\xbf", b"\xff", b"\xc3", b"\xe2\x80\xa8", b"1_000", b"nan", b"inf", b"1e400",
    b"\xd9\xa3", b"--1", b".", b"-", b"null", b"NaN", b"{", b"}", b"[", b"]", b":", b"\\", b"\\u",
    b"\\ud800", b"q1,d9,1\n", b"x" * 300, b'"d1": 2',
)  # fmt: skip
ROWS = [(f"q{1 + i // 4}", f"d{i}", (17 * i % 7) / 2) for i in range(12)]
FRAME = pl.DataFrame(ROWS, schema=["topic", "doc", "score"], orient="row")


def texts():
    """Form to the bytes of a sound file."""
    tree: dict[str, dict[str, float]] = {}
    for topic, doc, score in ROWS:
        tree.setdefault(topic, {})[doc] = score
    return {
        "csv": FRAME.write_csv().encode(),
        "tsv": FRAME.write_csv(separator="\t").encode(),
        "quoted": FRAME.write_csv(quote_style="always").encode(),
        "several": FRAME.select(pl.lit("x").alias("run"), *FRAME.columns).write_csv().encode(),
        "table": b"topic doc score\n" + b"".join(f"{t}  {d} {s}\n".encode() for t, d, s in ROWS),
        "jsonl": FRAME.write_ndjson().encode(),
        "json": json.dumps(tree, indent=1).encode(),
        "marco": b"".join(f"{t}\t{d}\t{1 + i % 4}\n".encode() for i, (t, d, _) in enumerate(ROWS)),
        "letor": b"".join(
            f"{int(s)} qid:{t} 1:{s} 2:0.5 #docid = {d}\n".encode() for t, d, s in ROWS
        ),
        "judge_groups": b"".join(f"{t} a {d} {int(s)}\n".encode() for t, d, s in ROWS),
        "ntcir": b"".join(f"{t} {d} L{int(s)}\n".encode() for t, d, s in ROWS),
    }


FORMS = texts()


def mutated(rng, data):
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        at = rng.randint(0, len(data))
        kind = rng.randrange(6)
        if kind == 0:
            data = data[:at] + data[at + rng.randint(1, 6) :]
        elif kind <= 2:
            data = data[:at] + rng.choice(PARTS) + data[at:]
        elif kind == 3:
            data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        elif kind == 4:
            data = data[:at]  # cut short
        else:
            lines = data.split(b"\n")
            i, j = rng.randrange(len(lines)), rng.randrange(len(lines))
            lines[i], lines[j] = lines[j][: rng.randint(0, len(lines[j]))], lines[i]
            data = b"\n".join(lines)
    return data


def outcome(path, form, *, strict=True):
    """All rows of the file, or the error's words."""
    given = {"quoted": "csv", "several": "csv"}.get(form, form)
    judged = form in ("judge_groups", "ntcir")
    read = assay.read_judgment_sets if judged else assay.read_runs
    try:
        found = read(path, format=given, strict=strict)
    except AssayError as error:
        return str(error)
    return repr({name: each.frame.rows() for name, each in found.items()})


@pytest.mark.parametrize("form", FORMS)
def test_damage(form, tmp_path, monkeypatch):
    path = tmp_path / "damaged.file"
    path.write_bytes(FORMS[form])
    sound = outcome(path, form)
    assert sound.startswith("{")
    errors = 0
    for seed in SEEDS:
        path.write_bytes(mutated(random.Random(f"{form} {seed}"), FORMS[form]))
        found = outcome(path, form)
        with monkeypatch.context() as patch:
            patch.setattr(delimited, "_by_polars", lambda *_: None)  # now the line reader reads all
            assert outcome(path, form) == found, seed
        if found.startswith("{"):
            continue
        errors += 1
        place = re.match(
            rf"{re.escape(str(path))}(:\d+: |: row \d+: |:\d+ |: no data|: UTF-16|: no column)",
            found,
        )
        assert place or "not JSON: nested" in found, (seed, found)
        lenient = outcome(path, form, strict=False)
        assert lenient.startswith(("{", str(path))), (seed, lenient)
    assert errors > len(SEEDS) // 4


@pytest.mark.parametrize("form", FORMS)
def test_found_out_by_itself(form, tmp_path):
    """Without `format=` a damaged file is refused, or read as what it looks like; never a crash."""
    path = tmp_path / "damaged.file"
    for seed in SEEDS:
        path.write_bytes(mutated(random.Random(f"{form} {seed}"), FORMS[form]))
        try:
            assay.read_runs(path)
        except AssayError as error:
            assert str(error).startswith(str(path)), (seed, str(error))  # noqa: PT017 - it may


@pytest.mark.parametrize("form", ["parquet", "arrow"])
def test_binary_damage(form, tmp_path):
    """Polars' complaints, panics among them, leave as one sentence that names the file."""
    path = tmp_path / "damaged.file"
    assay.write_run(FRAME, path, format=form)
    data = path.read_bytes()
    for seed in range(200):
        rng = random.Random(seed)
        at = rng.randrange(len(data))
        cut = data[:at] if seed % 3 == 0 else data[:at] + rng.randbytes(4) + data[at + 4 :]
        path.write_bytes(cut)
        try:
            assay.read_run(path)
        except AssayError as error:
            assert str(error).startswith(str(path)), (seed, str(error))  # noqa: PT017 - it may


def at(doc, column, value):
    """The column holds something else where this document stands."""
    here = pl.col("doc") == doc
    return lambda frame: frame.with_columns(
        pl.when(here).then(pl.lit(value)).otherwise(column).alias(column)
    )


def whole(**columns):
    return lambda frame: frame.with_columns(**columns)


TABLES = [
    (whole(score=pl.lit(None, pl.Float64)), r": row 1: expected a finite number as score"),
    (
        at("d5", "score", float("nan")),
        r": row 6: expected a finite number as score, found nothing",
    ),
    (at("d5", "score", float("inf")), r": row 6: expected a finite number as score, found inf"),
    (at("d2", "doc", None), r": row 3: no document"),
    (at("d2", "topic", ""), r": row 3: no topic"),
    (
        lambda f: pl.concat([f, f[4:5]]),
        r": row 13: document 'd4' of topic 'q2' stands twice in the list, first on row 5",
    ),
    (whole(score=pl.lit("high")), r": column 'score' holds String; expected numbers as score"),
    (
        whole(doc=pl.lit(1.5)),
        r": column 'doc' holds Float64; the ids of a document must be text",
    ),
    (whole(doc=pl.lit(value=True)), r": column 'doc' holds Boolean"),
    (
        lambda f: f.rename({"doc": "thing"}),
        r": no column for the doc of a run; found 'topic', 'thing', 'score'",
    ),
    (whole(docno="doc"), None),  # two usual names: the first one wins
    (whole(DOC="doc"), r": 'doc' and 'DOC' may both be the doc"),
    (lambda f: f.clear(), r"no data|no rows"),
]


@pytest.mark.parametrize(("damage", "message"), TABLES)
@pytest.mark.parametrize("door", ["parquet", "arrow", "frame", "pandas"])
def test_damaged_tables(damage, message, door, tmp_path):
    frame = damage(FRAME)
    source, name = frame, "run"
    if door == "pandas":
        source = pytest.importorskip("pandas") and frame.to_pandas()
    elif door != "frame":
        source = tmp_path / f"x.{door}"
        name = str(source)
        (frame.write_parquet if door == "parquet" else frame.write_ipc)(source)
    if message is None:
        assert assay.read_run(source).frame.equals(assay.Run(FRAME).frame)
        return
    if door in ("frame", "pandas") and not frame.height:
        return
    if (
        door == "pandas"
        and "no column" not in message
        and "both" not in message
        and "Boolean" not in message
    ):
        message = message.replace("found inf", "found").replace("String", "").split(";")[0]
        message = message if "holds" not in message else r"column '\w+' holds"
    with pytest.raises(AssayError, match=message) as caught:
        assay.read_run(source)
    assert str(caught.value).startswith(name)


CELLS = {
    "no score": lambda row: (*row[:2], None),
    "NaN": lambda row: (*row[:2], float("nan")),
    "infinite": lambda row: (*row[:2], float("-inf")),
    "no topic": lambda row: (None, *row[1:]),
    "no doc": lambda row: (row[0], None, row[2]),
    "empty topic": lambda row: ("", *row[1:]),
    "empty doc": lambda row: (row[0], "", row[2]),
}
DOORS = ("frame", "lazy", "pandas", "pyarrow", "parquet", "arrow", "jsonl", "csv", "tuples")


def through(door, rows, folder, value="score"):
    """What a caller gives, and how an error names its row n (from 1)."""
    if door == "tuples":
        return list(rows), "run: row {}: "
    schema = {"topic": pl.String, "doc": pl.String, value: pl.Float64}
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    if door in ("pandas", "pyarrow"):
        pytest.importorskip("pyarrow")
    if door == "pandas":
        return pytest.importorskip("pandas") and frame.to_pandas(), "run: row {}: "
    made = {"frame": frame, "lazy": frame.lazy(), "pyarrow": None}
    if door in made:
        return frame.to_arrow() if door == "pyarrow" else made[door], "run: row {}: "
    path = folder / f"x.{door}"
    {
        "parquet": frame.write_parquet, "arrow": frame.write_ipc,
        "jsonl": frame.write_ndjson, "csv": frame.write_csv,
    }[door](path)  # fmt: skip
    return path, f"{path}: row {{}}: " if door in ("parquet", "arrow") else f"{path}:{{}}: "


@pytest.mark.parametrize("door", DOORS)
def test_damaged_cells(door, tmp_path):
    """One bad row in each of 100 collections: the error names it; lenient reading drops it."""
    for seed in range(100):
        rng = random.Random(f"{door} {seed}")
        rows = [(f"q{rng.randrange(3)}", f"d{i}", float(rng.randrange(9))) for i in range(12)]
        bad = rng.randrange(12)
        kind = rng.choice([*CELLS, "twice"])
        damaged = list(rows)
        if kind == "twice":
            damaged.insert(bad + 1 + rng.randrange(12 - bad), (*rows[bad][:2], 1.25))
            at = next(i for i in range(12, 0, -1) if damaged[i][:2] == rows[bad][:2])
        else:
            damaged[bad], at = CELLS[kind](rows[bad]), bad
        given, place = through(door, damaged, tmp_path)
        number = at + 2 if door == "csv" else at + 1  # below the head
        with pytest.raises(AssayError) as caught:
            assay.read_run(given)
        assert str(caught.value).startswith(place.format(number)), (seed, kind, str(caught.value))
        given, _ = through(door, damaged, tmp_path)
        kept = assay.read_run(given, strict=False)
        expected = {(t, d): s for i, (t, d, s) in enumerate(rows) if kind == "twice" or i != bad}
        if kind == "twice":
            expected[rows[bad][:2]] = max(1.25, rows[bad][2])
        assert {(t, d): s for t, d, s in kept} == expected, (seed, kind)
        assert kept.dropped.counts.total() == 1


HUGE = [
    (b'{"qid": ' + b"[" * 100_000, r":1: not JSON: nested too deeply"),
    (b'{"qid": "q", "docid": "d", "score": ' + b"9" * 9999 + b"}\n", r":1: .* 9999 digits"),
    (b'{"qid": ' + b"9" * 9999 + b', "docid": "d", "score": 1}\n', r":1: .* 9999 digits"),
    (b'{"q": {"a": 1,\n"b": ' + b"9" * 9999 + b"}}", r":2: .* 9999 digits"),
    (b"[" * 100_000, r"not JSON: nested too deeply"),
    (b"2 qid:1 " + b"9" * 9999 + b":1 #docid = a\n", r":1: expected features as NUMBER:VALUE"),
    (b'topic,doc,score\nq,"a,1\n' + b"q,b,2\n" * 50_000, r":2: quotes .*read until line 50002"),
    (b"topic,doc,score\nq,a,1e999\n", r":2: the score '1e999' is beyond the largest float"),
]


@pytest.mark.parametrize(("data", "message"), HUGE)
def test_huge_fields(data, message, tmp_path):
    path = tmp_path / "huge"
    path.write_bytes(data)
    with pytest.raises(AssayError, match=message) as caught:
        assay.read_runs(path)
    assert str(caught.value).startswith(str(path))
    assert len(str(caught.value)) < 1000


def test_a_long_text_in_another_column(tmp_path):
    """A table with the passages themselves: quoted, of many lines, longer than csv's limit."""
    path = tmp_path / "long.csv"
    text = '"' + "words, and more\n" * 20_000 + '"'
    path.write_text(f"topic,text,doc,score\nq,{text},a,2\nq,{text},b,1\n")
    assert assay.read_run(path).to_dict() == {"q": {"a": 2.0, "b": 1.0}}
    path.write_text(f"topic,text,doc,score\nq,{text},a,2\nq,{text},b,x\n")
    with pytest.raises(AssayError, match=r":20003: expected a finite number as score"):
        assay.read_run(path)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"q": {"\ud800": 1.0}}, "holds half a surrogate pair"),
        ([("\ud800", "d", 1.0)], "holds half a surrogate pair"),
        (
            {"q": {"d": 10**400}},
            "expected a finite number as score of document 'd' for topic 'q', found inf",
        ),
        ([("q", "d", 10**400)], "row 1: expected text or whole numbers as ids and a finite number"),
        ([("q", "d", 1.0), ("q", "", 1.0)], "row 2: expected text or whole numbers as ids"),
        ([("q", "d", 1.0), ("q", "e")], "row 2: expected text or whole numbers as ids"),
        ([("q", "d", 1.0), ("q", "e", "1")], "row 2: expected text or whole numbers as ids"),
        ([("q", "Q0", "d", 1.0)], "row 1: expected 3 values .*, found 4"),
        (
            (x for x in ["abc"]),
            "row 1: expected a tuple of topic, document and number, found 'abc'",
        ),
        ((x for x in []), "no rows; expected tuples"),
    ],
)
def test_damaged_objects(data, message):
    with pytest.raises(AssayError, match=message):
        assay.read_run(data)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            b"topic,doc,score\nq1,d1,1\nq1,d2\n",
            r":3: expected 3 columns as in the head \(topic, doc, score\), found 2",
        ),
        (
            b'topic,doc,score\nq1,"d1,1\nq1,d2,2\n',
            r":2: quotes or line ends that do not fit, read until line 3",
        ),
        (b"topic,doc,score\nq1,d1,1\n\nq1,,2\n", r":4: no document: the field is empty"),
        (
            b"topic,doc,score\nq1,d1,1\nq1,d2,\n",
            r":3: expected a finite number as score in column 3, found ''",
        ),
        (b"topic;doc;score\nq1;d1;1,5\n", r":2: .*found '1,5'. Decimals are written with a point"),
        (
            b"topic,doc,score\nq1,d1,1\nq1,d2,2\nq1,d1,3\n",
            r":4: document 'd1' .* stands twice in the list, first on line 2",
        ),
        (
            b"a,b,c\nq1,d1,1\n",
            r"names are not known: 'a,b,c'. Say which is which: --columns topic=NAME",
        ),
        (
            b"topic,doc,points\nq1,d1,1\n",
            r":1: no column for the score of a run; found 'topic', 'doc', 'points'",
        ),
        (
            b'{"qid": "1", "docid": "d", "score": 1}\n{"qid": "1", "docid": "e"}\n',
            r":2: .*score in 'score', found nothing",
        ),
        (
            b'{"qid": 1.5, "docid": "d", "score": 1}\n',
            r":1: expected text or a whole number as 'qid', found '1.5'",
        ),
        (b'{"qid": "1", "docid": "d", "score": NaN}\n', r":1: NaN is no number that JSON knows"),
        (b'{"qid": "1", "docid": "d", "score": 1}\n{"qid": "1"\n', r":2: not JSON"),
        (b'{"q1": {"d1": 1,\n"d1": 2}}', r":2: the name 'd1' stands twice in one object"),
        (
            b'{"q1": {"d1": 1,\n"d2": "x"}}',
            r":2: topic 'q1': expected a finite number as score in 'd2', found '\"x\"'",
        ),
        (
            b"2 qid:1 1:0.5 #docid = a\n2 qid:1 1:x\n",
            r":2: expected a finite number as feature 1, found 'x'",
        ),
        (
            b"q1\td1\t1\nq1\td2\t2\nq1\td3\t4\n",
            r":1: expected 6 columns .*found 3",
        ),  # a rank is missing
        (b"q1 Q0 d1\nq1 Q0 d2\n", r":1: expected 6 columns .*found 3"),  # a file that was cut
        (b"q1 Q0 12\n", r":1: expected 6 columns"),
    ],
)
def test_words(text, message, tmp_path):
    path = tmp_path / "bad"
    path.write_bytes(text)
    with pytest.raises(AssayError, match=message) as caught:
        assay.evaluate({"q1": {"d1": 1}, "1": {"d": 1}}, path, "AP")
    assert str(caught.value).startswith(str(path))
