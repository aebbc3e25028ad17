"""Names of trec_eval, ranx and ir_measures, read as assay's own.

The rows of ranx were compared with ranx 0.3.21, which is in bench's environment only: on random
lists the alias gives its values to 1e-12 (rbp on binary judgments; ranx adds up raw grades).
"""

from __future__ import annotations

import pytest

from assay.errors import AssayError
from assay.measures import aliases, parse
from assay.measures.measure import parse_all

SAME = {
    # trec_eval
    "map": "AP",
    "recip_rank": "RR",
    "Rprec": "Rprec",
    "bpref": "Bpref",
    "infAP": "infAP",
    "ndcg": "nDCG",
    "dcg": "DCG",
    "11pt_avg": "AP11",
    "num_q": "NumQ",
    "num_ret": "NumRet",
    "num_rel": "NumRel",
    "num_rel_ret": "NumRelRet",
    "set_P": "SetP",
    "set_recall": "SetR",
    "set_F": "SetF",
    "set_map": "SetAP",
    "set_relative_P": "SetP(relative=True)",
    "num_nonrel_judged_ret": "NumNonrelRet",
    "utility": "Utility",
    "yaap": "YAAP",
    "binG": "BinG",
    "ndcg_rel": "nDCGrel",
    "Rndcg": "RnDCG",
    "ideal_dcg": "IdealDCG",
    "rbp": "TopicRBP",
    "rbp_resid": "RBPResidual",
    "relative_P_10": "RelP@10",
    "unj.20": "Unjudged@20",
    "Rprec_mult_0.20": "RprecMult(x=0.2)",
    "set_F.4": "SetF(beta=2)",
    "set_F_0.25": "SetF(beta=0.5)",
    "ndcg_cut_10": "nDCG@10",
    "ndcg_cut.10": "nDCG@10",
    "map_cut_100": "AP@100",
    "P_5": "P@5",
    "P.5": "P@5",
    "recall_1000": "R@1000",
    "success_1": "Success@1",
    "iprec_at_recall_0.10": "IPrec@0.1",
    "iprec_at_recall.0.00": "IPrec@0.0",
    "ndcg.1=2,2=3": "nDCG(gains={1:2,2:3})",
    "ndcg_1=0.5": "nDCG(gains={1:0.5})",
    "dcg.1=4": "DCG(gains={1:4})",
    "rbp.p=0.5": "TopicRBP(p=0.5)",
    "rbp_p=0.5": "TopicRBP(p=0.5)",
    "rbp_resid.p=0.8": "RBPResidual(p=0.8)",
    "rbp_resid_p=0.8": "RBPResidual(p=0.8)",
    "utility.2,-1,0.5,0": "Utility(a=2,c=0.5)",
    # ir_measures
    "MAP": "AP",
    "MAP(rel=2)@10": "AP(rel=2)@10",
    "MRR@10": "RR@10",
    "NDCG@10": "nDCG@10",
    "NDCG(dcg='exp-log2')@10": "nDCG(gain='exp')@10",
    "BPref": "Bpref",
    "RPrec(judged_only=True)": "Rprec(unjudged='condensed')",
    "Precision@5": "P@5",
    "Recall(rel=2)@5": "R(rel=2)@5",
    "SetRelP": "SetP(relative=True)",
    "NumRet(rel=2)": "NumRet(rel=2)",
    "RBP(rel=1)": "RBP(rel=1)",
    # ranx
    "mrr@10": "RR@10",
    "map@100": "AP@100",
    "map-l2": "AP(rel=2)",
    "ndcg@10": "nDCG@10",
    "ndcg@10-l3": "nDCG(gains={1:0,2:0})@10",
    "ndcg@10-l1": "nDCG@10",
    "ndcg_burges@10": "nDCG(gain='exp')@10",
    "dcg@5": "DCG@5",
    "dcg_burges@5-l2": "DCG(gain='exp',gains={1:0})@5",
    "precision@5": "P@5",
    "precision": "SetP",
    "precision-l2": "SetP(rel=2)",
    "recall@5-l2": "R(rel=2)@5",
    "recall": "SetR",
    "f1@5": "F@5",
    "f1": "F",
    "hit_rate@5": "Success@5",
    "hits@5": "NumRelRet@5",
    "hits": "NumRelRet",
    "r-precision": "Rprec",
    "rbp.95": "RBP(p=0.95,rel=1)",
    "rbp.50-l2": "RBP(p=0.5,rel=2)",
}


@pytest.mark.parametrize(("theirs", "ours"), SAME.items())
def test_alias(theirs, ours):
    assert str(parse(theirs)) == str(parse(ours)) == ours


def test_every_alias_is_tried():
    tried = set(SAME)
    assert set(aliases._TREC) <= tried
    for table in (aliases._SECOND, aliases._RANX, aliases._TREC_AT):
        for name in table:
            assert any(alias.startswith(name) for alias in tried), name


@pytest.mark.parametrize(
    "name", ["rbp@95", "ndcg.5", "utility.1,1,1,1", "G.1=2", "P_", "map(rel=2)", "f2@5"]
)
def test_no_alias(name):
    with pytest.raises(AssayError, match=r"unknown measure|cannot read"):
        parse(name)


def test_several_cutoffs_in_one_name():
    found = parse_all(["P.5,10", "ndcg_cut.10", "iprec_at_recall..10,.20", "Rprec_mult.0.2,1.0"])
    assert list(map(str, found)) == [
        *("P@5", "P@10", "nDCG@10", "IPrec@0.1", "IPrec@0.2"),
        *("RprecMult(x=0.2)", "RprecMult(x=1)"),
    ]


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("gm_map", "--mean geometric"),
        ("relstring.20", "assay explain"),
        ("runid", "the tag"),
        ("official", "'trec' stands"),
        ("all_trec", "-m all_trec"),
    ],
)
def test_names_of_no_measure_say_what_to_do(name, meant):
    with pytest.raises(AssayError, match=f"is no measure but .*{meant}"):
        parse(name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("P(judged_only='no')@5", "judged_only must be True or False, found 'no'"),
        ("P(judged_only=True,unjudged='nonrelevant')@5", "judged_only= and unjudged= say the same"),
        ("nDCG(dcg='log2',gain='exp')", "dcg= and gain= say the same"),
    ],
)
def test_words_of_ir_measures_that_contradict(name, message):
    with pytest.raises(AssayError, match=message):
        parse(name)
