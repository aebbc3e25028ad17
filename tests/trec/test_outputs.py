"""trec_eval 10's own inputs give its own outputs, byte by byte."""

from __future__ import annotations

import contextlib

import pytest

from trec.program import ours

PARAMETERS = (
    "-q -miprec_at_recall..10,.20,.25,.75,.50 -m P.5,7,3 -m recall.20,2000 "
    "-m Rprec_mult.5.0,0.2,0.35 -mutility.2,-1,0,0 -m 11pt_avg..25,.5,.75 -mndcg.1=3,2=9,4=4.5 "
    "-mndcg_cut.10,20,23.4 -msuccess.2,5,20 qrels.test results.test"
)
OUTPUTS = [
    ("out.test", "qrels.test results.test"),
    ("out.test", "qrels.test.with-comments results.test"),
    ("out.comment.test", "qrels.comment.test results.comment.test"),
    ("out.test.a", "-m all_trec qrels.test results.test"),
    ("out.test.aq", "-m all_trec -q qrels.test results.test"),
    ("out.test.aqc", "-m all_trec -q -c qrels.test results.trunc"),
    ("out.test.aqcM", "-m all_trec -q -c -M100 qrels.test results.trunc"),
    ("out.test.aql", "-m all_trec -mrelstring.20 -q -l2 qrels.rel_level results.test"),
    ("out.test.aqZ", "-q -m all_trec -Z zscores_file qrels.test results.test"),
    ("out.test.prefs", "-m all_prefs -q -R prefs prefs.test prefs.results.test"),
    ("out.test.prefs", "-m all_prefs -q -R prefs prefs.comment.test prefs.results.test"),
    ("out.test.qrels_prefs", "-m all_prefs -q -R qrels_prefs qrels.test results.test"),
    ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.123 results.test"),
    ("out.test.qrels_jg", "-m qrels_jg -q -R qrels_jg qrels.comments.123 results.test"),
    ("out.test.meas_params", PARAMETERS),
]


@pytest.fixture
def peers(shared):
    folder = shared / "peers" / "trec_eval"
    with contextlib.chdir(folder):
        yield folder


@pytest.mark.parametrize(("name", "words"), OUTPUTS, ids=lambda text: text.replace(" ", "_"))
def test_output(peers, name, words):
    answer = ours(words.split(), 10)
    assert (answer.err, answer.code) == ("", 0)
    assert answer.out.encode("latin-1") == (peers / name).read_bytes()
