"""Real data in all the forms it comes in is read, or refused with the right sentence."""

from __future__ import annotations

import pytest

import assay
from assay import AssayError


def test_every_qrels_file_of_dl21(shared):
    """A `.json.gz` among the judges holds qrels lines; the bytes tell, not the name."""
    files = sorted((shared / "dl21" / "judges").iterdir())
    assert len(files) == 28
    assert sum(path.name.endswith(".json.gz") for path in files) == 2
    sets = {
        path.name: assay.read_judgments(path) for path in files if "llama3.2.umb" not in path.name
    }
    (twofold,) = [path for path in files if path.name not in sets]
    with pytest.raises(AssayError, match=r":5597: .*judged twice, first on line 1.*contradicting"):
        assay.read_judgments(twofold)
    labels = {each.label for each in sets.values()}
    assert "sigir25.gpt-4o.umbrela.umbrela_zeroshot_dl21.clean" in labels


def test_grades_out_of_scale(shared):
    """Among the labellers of llmjudge stray grades of 5 and 10 are read, and pointed out."""
    folder = shared / "llmjudge" / "submissions"
    sets = [assay.read_judgments(path) for path in sorted(folder.glob("*.txt"))]
    odd = {each.label: each.top for each in sets if each.top > 3}
    assert max(odd.values()) == 10
    found = assay.describe(sets)
    strays = {finding.about for finding in found.findings if finding.kind == "grade out of scale"}
    assert strays == set(odd)


@pytest.mark.parametrize(
    ("path", "read", "message"),
    [
        (
            "llmjudge/human/llm4eval_test_qrel_2024.txt",
            assay.read_judgments,
            "The grades are missing",
        ),
        ("dl21/prefs/judge.00.gz", assay.read_judgments, "found 3"),
        ("dl21/prefs/judge.00.gz", assay.read_run, "expected 6 columns"),
        (
            "dl21/compatibility/dl21.binary.compatibility.gz",
            assay.read_run,
            "names are not known: 'runid,topic",
        ),
        (
            "dl21/scores/dl21.ndcg_cut10.gz",
            assay.read_judgments,
            "names are not known: 'runid,topic",
        ),
        ("trec-covid-r3/leaderboard.csv", assay.read_run, "names are not known: 'run,team"),
        ("peers/ranx/test_data/run.lz4", assay.read_run, "LZ4, which assay does not unpack"),
        ("cacm/qrels.text", assay.read_judgments, "document '0' of topic '01' is judged twice"),
        ("cranfield/cranqrel", assay.read_judgments, r":1: .*found 3: '1 184 2"),
        ("peers/NTCIREVAL/qrels", assay.read_judgments, "found 3: '0001 1410 L1'"),
        ("peers/pyterrier/light_results", assay.read_run, "found 3"),
        ("cystic-fibrosis/cf74.xml.gz", assay.read_judgments, "expected 4 columns"),
        (
            "peers/NTCIREVAL/NTCIREVAL/e-testrun",
            assay.read_run,
            "separated by ';' whose names are not known",
        ),
    ],
)
def test_refused(shared, path, read, message):
    with pytest.raises(AssayError, match=message) as caught:
        read(shared / path)
    assert str(caught.value).startswith(str(shared / path))


@pytest.mark.parametrize(
    ("path", "options", "rows"),
    [
        ("cranfield/cranqrel", {"columns": {"topic": 1, "doc": 2, "grade": 3}}, 1837),
        ("peers/NTCIREVAL/qrels", {"format": "ntcir"}, 796),
        ("cacm/qrels.cacm.txt", {}, None),
        ("peers/ranx/test_data/qrels.json", {}, None),
        ("peers/ranx/small_qrels.json", {}, None),
        ("peers/trec_eval/qrels.comment.test", {}, None),
        ("trec-covid-r3/qrels.covid-round3.txt", {}, 12713),
        ("robust03/robust03_qrels.txt.gz", {}, None),
        ("peers/cwl/neg_gain_file", {}, None),
    ],
)
def test_judgments_read(shared, path, options, rows):
    found = assay.read_judgments(shared / path, **options)
    assert len(found)
    assert rows is None or len(found) == rows


def test_ranx_files_are_one_collection(shared):
    folder = shared / "peers" / "ranx" / "test_data"
    qrels = [
        assay.read_judgments(folder / f"qrels.{suffix}").to_dict()
        for suffix in ("trec", "trec.gz", "json", "parquet")
    ]
    assert all(each == qrels[0] for each in qrels)
    runs = [
        assay.read_run(folder / f"run.{suffix}").to_dict()
        for suffix in ("trec", "trec.gz", "json", "parquet")
    ]
    assert all(each == runs[0] for each in runs)


def test_judge_groups(shared):
    sets = assay.read_judgment_sets(
        shared / "peers" / "trec_eval" / "qrels.123", format="judge_groups"
    )
    lines = (shared / "peers" / "trec_eval" / "qrels.123").read_text().splitlines()
    assert sum(map(len, sets.values())) == len(lines)
    assert set(sets) == {line.split()[1] for line in lines}
