"""Names that stand for many measures: `papers`, all of five papers', and `trec`, trec_eval's."""

from __future__ import annotations

from typing import Any

from assay.measures.aliases import with_cutoffs

__all__ = ["ABOUT", "NAMED_SETS", "expanded"]

# The measures of the papers in docs/papers.md. Coverage, Novelty and RelRecall are left out: they
# need to be told what the user knew, or wanted.
PAPERS = """
CG@10 DCG_JK@10 nCG@10 nDCG_JK@10 AvgCG@10 AvgDCG_JK@10 AvgnCG@10 AvgnDCG_JK@10
SR@10 MSR@10 WAP Q AGR NDPM NDPMp ADM Rho TauA TauB TauC
gP@10 gR@10 ASL ESL ESRF RHL NormR NormP RankR LogP
Satisfaction@10 Frustration@10 SFT@10 RelRel muAP NDCNG@10
RSVr1@10 RSVe1@10 RSVr2@10 RSVe2@10 RSVr3@10
E@10 PRR@0.5 EP@0.5 ScaledUtility P@10 R@10 F@10 Fallout@10 AP Rprec
"""

# trec_eval's default output, without runid and gm_map (AP with mean='geometric')
TREC = """
NumQ NumRet NumRel NumRelRet AP Rprec Bpref RR
IPrec@0.0 IPrec@0.1 IPrec@0.2 IPrec@0.3 IPrec@0.4 IPrec@0.5
IPrec@0.6 IPrec@0.7 IPrec@0.8 IPrec@0.9 IPrec@1.0
P@5 P@10 P@15 P@20 P@30 P@100 P@200 P@500 P@1000
"""

NAMED_SETS = {"papers": tuple(PAPERS.split()), "trec": tuple(TREC.split())}
ABOUT = {
    "papers": "The measures of five papers, at rank 10 where they need one",
    "trec": "What trec_eval prints when it is asked for nothing",
}


def expanded(name: Any) -> tuple[str, ...] | None:
    """The measures of a named set, or of trec_eval's `P.5,10`; None where it is no such name."""
    if not isinstance(name, str):
        return None
    return NAMED_SETS.get(name.strip()) or with_cutoffs(name.strip()) or None
