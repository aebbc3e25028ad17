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
    given = {"quoted": "csv"}.get(form, form)
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
