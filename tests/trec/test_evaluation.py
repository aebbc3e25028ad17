"""`assay.trec_eval`: what the command prints, as numbers."""

from __future__ import annotations

import math

import polars as pl
import pytest

import assay
from trec.program import ours
from trec.test_outputs import OUTPUTS, PARAMETERS, peers

__all__ = ["peers"]

QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"x": 1}, "q3": {"y": 0}}
RUN = {"q1": {"a": 1.0, "b": 2.0}, "q3": {"y": 1.0}, "q9": {"y": 1.0}}
FORMS = {"-R prefs": "prefs", "-R qrels_prefs": "qrels_prefs", "-R qrels_jg": "qrels_jg"}


def settings_of(words):
    """Keyword arguments for a command line of OUTPUTS."""
    form = next((form for words_, form in FORMS.items() if words_ in words), "qrels")
    return {
        "rel_format": form,
        "complete": "-c" in words.split(),
        "depth": 100 if "-M100" in words else None,
        "level": 2 if "-l2" in words else 1,
        "zscores": "zscores_file" if "-Z" in words else None,
    }


def measures_of(words):
    found, rest = [], words.split()
    while rest:
        word = rest.pop(0)
        if word.startswith("-m"):
            found.append(word[2:] or rest.pop(0))
        elif word in {"-R", "-Z"}:
            rest.pop(0)
    return found or None


@pytest.mark.parametrize(("name", "words"), OUTPUTS, ids=lambda text: text.replace(" ", "_"))
def test_the_same_lines_as_the_command(peers, name, words):
    qrels, run = words.split()[-2:]
    found = assay.trec_eval(qrels, run, measures_of(words), **settings_of(words))
    assert found.lines(per_topic="-q" in words.split()) == (peers / name).read_text()


def test_files_and_objects_are_one(peers):
    words = PARAMETERS.split()[-2:]
    from_files = assay.trec_eval(*words, "all_trec")
    judgments, run = assay.read_judgments(words[0]), assay.read_run(words[1])
    for found in (
        assay.trec_eval(judgments, run, "all_trec"),
        assay.trec_eval(judgments.to_dict(), run.to_dict(), "all_trec"),
        assay.trec_eval(judgments, words[1], "all_trec"),
        assay.trec_eval(words[0], run.frame, "all_trec"),
    ):
        assert found.summary == from_files.summary
        assert found.to_dict() == from_files.to_dict()
        assert found.texts == from_files.texts
    assert from_files.tag == ours([*words, "-m", "runid"], 10).out.split("\t")[2].strip()


def test_by_hand():
    """q1: b, a, so 1/2 of its two relevant documents' precision; q2 missing; q3 nothing to find."""
    found = assay.trec_eval(QRELS, RUN, ["map", "P.5", "P_2", "gm_map", "num_ret"], complete=True)
    assert found.topics == ("q1", "q2", "q3")
    assert found.names == ("num_ret", "map", "gm_map", "P_2", "P_5")
    assert found.of("map").tolist() == [0.25, 0.0, 0.0]
    gm_map = (0.25 * 1e-5 * 1e-5) ** (1 / 3)
    assert found.summary == {
        "num_ret": 3.0,
        "map": pytest.approx(0.25 / 3, abs=1e-15),
        "gm_map": pytest.approx(gm_map, abs=1e-15),
        "P_2": pytest.approx(0.5 / 3, abs=1e-15),
        "P_5": pytest.approx(0.2 / 3, abs=1e-15),
    }
    assert found.to_dict()["q1"]["gm_map"] == pytest.approx(math.log(0.25))


def test_values_are_not_rounded():
    qrels, run = {"q": {"a": 1, "b": 1, "c": 1}}, {"q": {"a": 1.0}}
    assert assay.trec_eval(qrels, run, "map").summary == {"map": pytest.approx(1 / 3, abs=1e-15)}


def test_shapes():
    found = assay.trec_eval(QRELS, RUN, ["map", "relstring"], ver=9)
    assert found.to_polars().rows() == [("map", "all", 0.125)]
    rows = [("map", "q1", 0.25), ("map", "q3", 0.0), ("map", "all", 0.125)]
    assert found.to_polars(per_topic=True).rows() == rows
    assert found.texts == {"relstring": {"q1": "01", "q3": "0"}}
    assert str(found.table()).splitlines()[1].split() == ["map", "0.1250"]
    assert "2 topics scored as trec_eval does" in str(found.table())
    assert "<table" in found._repr_html_()
    assert repr(found) == "TrecScores(2 values, 2 topics)"


def test_groups_leave_what_reads_plain_judgments_undefined():
    """`relstring` beside judgment groups: an error of trec_eval's, without a word of NumPy's."""
    frame = pl.DataFrame(
        [("q", "j1", "a", 1), ("q", "j2", "b", 1)],
        schema=["topic", "group", "doc", "value"],
        orient="row",
    )
    run = {"q": {"a": 1.0, "b": 2.0}}
    with pytest.raises(assay.AssayError, match="form_res_qrels: rel_info format not qrels"):
        assay.trec_eval(frame, run, ["relstring", "map_avgjg"], rel_format="qrels_jg")


def test_rbp_on_a_scale_of_many_levels():
    """Gains of levels run from 0 to 10^12, whatever they are named; 1 is named and worth 5."""
    qrels, run = {"q": {"a": 10**12, "b": 1}}, {"q": {"a": 2.0, "b": 1.0}}
    found = assay.trec_eval(qrels, run, "rbp.p=0.5,1=5").summary
    assert found == {"rbp_p=0.5,1=5": pytest.approx(0.5 + 0.25 * 5e-12, rel=1e-15)}


def test_settings():
    run = {"q1": {"a": 1.0, "u": 2.0, "c": 0.5}}
    qrels = {"q1": QRELS["q1"]}

    def value(name, **settings):
        return assay.trec_eval(qrels, run, name, **settings).summary[name]

    assert value("recip_rank") == 0.5
    assert value("recip_rank", judged_only=True) == 1.0
    assert value("recip_rank", level=2) == pytest.approx(1 / 3)
    assert value("num_ret", depth=2) == 2.0
    assert value("utility") == 1.0
    found = assay.trec_eval(qrels, run, "utility.0,0,0,1", collection=10)
    assert found.summary == {"utility_0,0,0,1": 7.0}  # neither shown nor relevant: 10 - 3


def test_groups_from_a_frame():
    """One judge finds a, the other b: half the precision at 1 of each."""
    frame = pl.DataFrame(
        [("q", "j1", "a", 1), ("q", "j1", "b", 0), ("q", "j2", "a", 0), ("q", "j2", "b", 1)],
        schema=["topic", "group", "doc", "value"],
        orient="row",
    )
    run = {"q": {"a": 2.0, "b": 1.0}}
    found = assay.trec_eval(frame, run, ["P_avgjg.1", "map_avgjg"], rel_format="qrels_jg")
    assert found.summary == {"map_avgjg": 0.75, "P_avgjg_1": 0.5}
    prefs = frame.with_columns(sub=pl.lit("0"))
    found = assay.trec_eval(prefs, run, "prefs_simp", rel_format="prefs")
    assert found.summary == {"prefs_simp": 0.5}


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: assay.trec_eval(QRELS, RUN), "topic 'q2' is judged.*complete=True.*ver=9"),
        (lambda: assay.trec_eval(QRELS, RUN, "mapp"), "no measure 'mapp'; did you mean 'map'"),
        (lambda: assay.trec_eval(QRELS, RUN, "rbp", ver=9), "9 has no measure 'rbp'; version 10"),
        (lambda: assay.trec_eval(QRELS, RUN, "P.0"), "Negative cutoff"),
        (lambda: assay.trec_eval(QRELS, RUN, ["ndcg.1=2", "ndcg.1=3"]), "two sets of parameters"),
        (
            lambda: assay.trec_eval({"q": {"a": 0.5}}, RUN),
            "document 'a': the grade 0.5 is no whole",
        ),
        (lambda: assay.trec_eval(QRELS, "nope.run"), "^nope.run: no such file"),
        (lambda: assay.trec_eval("nope.txt", RUN), "^nope.txt: no such file"),
        (lambda: assay.trec_eval(QRELS, RUN, ver=8), "ver must be one of 9, 10, found 8"),
        (lambda: assay.trec_eval(QRELS, RUN, rel_format="x"), "rel_format must be one of qrels"),
        (lambda: assay.trec_eval(QRELS, RUN, rel_format="prefs"), "columns topic, group, sub, doc"),
        (lambda: assay.trec_eval(QRELS, RUN, 5), "measures are names such as.*found 5"),
        (lambda: assay.trec_eval(QRELS, RUN, level="2"), "level='2': must be a whole number"),
        (lambda: assay.trec_eval(QRELS, RUN, level=1.5), "level=1.5: must be a whole number"),
        (lambda: assay.trec_eval(QRELS, RUN, depth=-1), "depth=-1: must be at least 0"),
        (lambda: assay.trec_eval(QRELS, RUN, collection=True), "collection=True: must be a whole"),
        (lambda: assay.trec_eval(QRELS, RUN, complete="no"), "complete='no': must be True or"),
        (lambda: assay.trec_eval({"r": {"a": 1}}, RUN, ver=9), "No queries with both"),
        (lambda: assay.trec_eval(QRELS, RUN, "map", complete=True).of("P"), "no measure 'P' here"),
    ],
)
def test_mistakes(call, message):
    with pytest.raises(assay.AssayError, match=message):
        call()


def test_a_mixed_call_with_latin_1(tmp_path):
    (tmp_path / "run").write_bytes(b"q1 Q0 \xe9 1 1.0 t\n")
    with pytest.raises(assay.AssayError, match="not UTF-8"):
        assay.trec_eval({"q1": {"a": 1}}, tmp_path / "run")
