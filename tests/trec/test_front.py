"""The command line: names, long forms, standard input, exit statuses, messages, pipes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import shell
from assay.trec.names import ENTRIES
from trec.program import ours

QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 c 2\n"
RUN = "q1 Q0 b 1 2.0 tag\nq1 Q0 a 2 1.0 tag\nq2 Q0 c 1 1.0 tag\n"


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in {
        "qrels": QRELS,
        "run": RUN,
        "short": RUN[:34],
        "three": "q1 0 a\n",
        "empty": "",
        "z": "q1 map 0.4 0.1\nq2 map 1 0\n",
        "bad_z": "q1 map\n",
    }.items():
        Path(name).write_text(text, encoding="utf-8")


def test_57_measures():
    assert len(ENTRIES) == 57


@pytest.mark.parametrize(
    ("long", "short"),
    [
        ("--query_eval_wanted", "-q"),
        ("--quer", "-q"),
        ("--measure=map", "-m map"),
        ("--measure map", "-mmap"),
        ("--complete_rel_info_wanted", "-c"),
        ("--level_for_rel 2", "-l2"),
        ("--nosummary --query_eval_wanted", "-nq"),
        ("--Debug_level 0.q1", "-D0.q1"),
        ("--Judged_docs_only", "-J"),
        ("--Number_docs_in_coll=9 -m utility.0,0,0,1", "-N9 -m utility.0,0,0,1"),
        ("--Max_retrieved_per_topic 1", "-M1"),
        ("--Rel_info_format qrels_prefs -m prefs", "-Rqrels_prefs -m prefs"),
        ("--Results_format trec_results", "-T trec_results"),
        ("--Output_old_results_format x", "-o"),
        ("--Zscore z -q", "-Z z -q"),
        ("qrels -q run", "-q qrels run"),
        ("-q -- qrels run", "-q qrels run"),
    ],
)
def test_long_forms(long, short):
    mine, other = (
        ours(words if "qrels run" in text or "-q run" in text else [*words, "qrels", "run"], 10)
        for text in (long, short)
        for words in [text.split()]
    )
    assert mine == other
    assert mine.code == 0
    assert mine.out


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        ("", 1, "Usage: trec_eval"),
        ("qrels", 1, "Usage: trec_eval"),
        ("-x qrels run", 1, "trec_eval: invalid option -- 'x'"),
        ("--nope qrels run", 1, "trec_eval: unrecognized option '--nope'"),
        ("--R qrels run", 1, "trec_eval: option '--R' is ambiguous"),
        ("qrels run -m", 1, "trec_eval: option requires an argument -- 'm'"),
        ("--nosummary=1 qrels run", 1, "option '--nosummary' doesn't allow an argument"),
        ("--ver 8 qrels run", 1, "--ver must be 9 or 10, found '8'"),
        ("-M -1 qrels run", 1, "the number of documents cannot be negative"),
        ("-m nope qrels run", 1, "trec_eval: illegal measure 'nope'"),
        ("-m P.0 qrels run", 2, "trec_eval: Negative cutoff detected"),
        ("-m P.5,5 qrels run", 2, "trec_eval: duplicate cutoffs detected"),
        ("-m ndcg.1 qrels run", 2, "trec_eval: malformed pair parameters in '1'"),
        ("-R nope qrels run", 2, "trec_eval: Illegal rel_format 'nope'"),
        ("-T nope qrels run", 2, "trec_eval: Illegal retrieval results format 'nope'"),
        ("nope run", 2, "assay: nope: no such file"),
        ("qrels nope", 2, "trec_eval.get_results: Cannot read results file 'nope'"),
        ("qrels empty", 2, "assay: empty: the file is empty"),
        ("qrels .", 2, "assay: .: a folder; expected a file"),
        ("three run", 2, "assay: three:1: expected 4 columns (topic iteration doc value), found 3"),
        ("qrels three", 2, "assay: three:1: expected 6 columns"),
        ("-Z nope qrels run", 255, "trec_eval.get_zscores: Cannot read zscores file 'nope'"),
        ("-Z bad_z qrels run", 255, "trec_eval.get_zscores: Malformed line 1"),
        ("qrels short", 4, "trec_eval: result qid 'q2' not found in qrels"),
        ("-m prefs_simp qrels run", 4, "Can't calculate measure 'prefs_simp'"),
        ("-m utility.1 qrels run", 4, "improper number of coefficients"),
        ("-D 0.q7 qrels run", 7, "trec_eval: No queries with both results and relevance info"),
    ],
)
def test_errors(words, code, message):
    answer = ours(words.split(), 10)
    assert (answer.code, answer.out) == (code, "")
    assert message in answer.err
    assert "Traceback" not in answer.err


def test_the_topics_before_a_fatal_one_are_printed():
    """As trec_eval 10 prints them before it stops."""
    answer = ours(["-q", "-m", "map", "qrels", "short"], 10)
    assert answer.out == f"{'map':22}\tq1\t0.5000\n"
    assert answer.code == 4


def test_version_9_skips_topics():
    assert ours(["-q", "-m", "map", "-m", "num_q", "qrels", "short"], 9).out == (
        f"{'map':22}\tq1\t0.5000\n{'num_q':22}\tall\t1\n{'map':22}\tall\t0.5000\n"
    )


@pytest.mark.parametrize(("ver", "name"), [(9, "9.0.7"), (10, "10.0-rc3")])
def test_version(ver, name):
    answer = ours(["-v"], ver)
    assert answer.code == 0
    assert answer.err.startswith(f"trec_eval version {name}")


def test_help_names_every_measure_and_option():
    text = ours(["-h"], 10).out
    for entry in ENTRIES:
        assert entry.name in text
    for letter in "mlNRTcMJDqnZohv":
        assert f"  -{letter}, --" in text
    assert max(map(len, text.splitlines())) < 80


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.name)
def test_help_tells_what_a_measure_is(entry):
    text = ours(["-h", "-m", entry.name, "-R", "prefs"], 10).out
    assert f"\n  {entry.name}\n" in text
    assert "topic, judgment group, sub-group" in text.replace("\n      ", " ")


def installed(*words, **settings):
    """Run the command `trec_eval-assay`, by its entry point."""
    code = "import sys; sys.argv[0] = 'trec_eval'; from assay.cli import trec_eval_main as m; m()"
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        capture_output=True,
        timeout=60,
        check=False,
        **settings,
    )


@pytest.mark.parametrize("how", ["name", "pipe", "dash"])
def test_every_way_in_prints_the_same(how):
    expected = ours(["-q", "qrels", "run"], 10).out.encode()
    if how == "name":
        assert installed("-q", "qrels", "run").stdout == expected
        found = shell.process("trec_eval", "-q", "qrels", "run", text=False)
        assert found.stdout == expected
        assert shell.assay("trec_eval", "-q", "qrels", "run").stdout_bytes == expected
    else:
        name = "-" if how == "dash" else "/dev/stdin"
        assert installed("-q", "qrels", name, input=RUN.encode()).stdout == expected


def test_compressed_files():
    """More than trec_eval does."""
    import gzip

    Path("run.gz").write_bytes(gzip.compress(RUN.encode()))
    assert ours(["qrels", "run.gz"], 10) == ours(["qrels", "run"], 10)


def test_bytes_that_are_not_utf_8():
    """trec_eval knows bytes alone, and so do ids here."""
    Path("qrels").write_bytes(b"q\xe9 0 \xff 1\n")
    Path("run").write_bytes(b"q\xe9 Q0 \xff 1 1.0 \xe8\nq\xe9 Q0 a 2 1.0 \xe8\n")
    out = installed("-q", "-m", "map", "-m", "runid", "qrels", "run").stdout
    head = b"map                   \t"
    assert (
        out
        == head + b"q\xe9\t1.0000\nrunid                 \tall\t\xe8\n" + head + b"all\t1.0000\n"
    )


def test_a_reader_that_has_seen_enough():
    Path("qrels").write_text("".join(f"q{i} 0 a 1\n" for i in range(9000)), encoding="utf-8")
    Path("run").write_text("".join(f"q{i} Q0 a 1 1 t\n" for i in range(9000)), encoding="utf-8")
    script = f"{sys.executable} -m assay trec_eval -q -m all_trec qrels run | head -1"
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, timeout=60, check=True, env=os.environ
    )
    assert done.stdout == "num_ret               \tq0\t1\n"
    assert done.stderr == ""


def test_a_disk_that_is_full():
    if not Path("/dev/full").exists():  # Linux has it
        return
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [*shell.MODULE, "trec_eval", "qrels", "run"],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
        )
    message = "assay trec_eval: the output: No space left on device\n"
    assert (done.returncode, done.stderr) == (2, message)


def test_a_closed_output():
    script = f"{sys.executable} -m assay trec_eval qrels run >&-"
    done = subprocess.run(["sh", "-c", script], capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
