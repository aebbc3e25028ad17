"""Names of other tools, read as assay's: trec_eval's, ranx's and ir_measures' second names."""

from __future__ import annotations

import re

__all__ = ["from_alias"]

# ir_measures' second names; parameters and cut-off follow as they do in assay
_SECOND = {
    "MAP": "AP",
    "MRR": "RR",
    "NDCG": "nDCG",
    "BPref": "Bpref",
    "RPrec": "Rprec",
    "Precision": "P",
    "Recall": "R",
}

# ranx's names: NAME@k-lN, where N is the smallest grade that counts
_RANX = {
    "map": "AP",
    "mrr": "RR",
    "ndcg": "nDCG",
    "ndcg_burges": "nDCG",
    "dcg": "DCG",
    "dcg_burges": "DCG",
    "precision": "P",
    "recall": "R",
    "f1": "F",
    "hit_rate": "Success",
    "hits": "NumRelRet",
    "bpref": "Bpref",
    "r-precision": "Rprec",
}
_WHOLE_LIST = {"precision": "SetP", "recall": "SetR"}  # what they are without a cut-off

# trec_eval's names without a parameter
_TREC = {
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
    "SetRelP": "SetP(relative=True)",  # ir_measures
}

# trec_eval's names with a cut-off or level: ndcg_cut_10, ndcg_cut.10
_TREC_AT = {
    "ndcg_cut": "nDCG",
    "map_cut": "AP",
    "P": "P",
    "recall": "R",
    "success": "Success",
    "iprec_at_recall": "IPrec",
}


def from_alias(text: str) -> str | None:
    """Assay's own spelling of another tool's name, or None where there is none."""
    if text in _TREC:
        return _TREC[text]
    second = re.fullmatch(r"(\w+)((?:\(.*\))?\s*(?:@.*)?)", text, re.DOTALL)
    if second and second[1] in _SECOND:
        return _SECOND[second[1]] + second[2]
    trec = re.fullmatch(r"([A-Za-z_]+?)[_.](\d+(?:\.\d+)?)", text)
    if trec and trec[1] in _TREC_AT:
        return f"{_TREC_AT[trec[1]]}@{trec[2]}"
    if trec and trec[1] == "set_F":
        beta = float(trec[2]) ** 0.5  # trec_eval's parameter is the square of beta
        return f"SetF(beta={beta!r})"
    return _from_ranx(text)


def _from_ranx(text: str) -> str | None:
    ranx = re.fullmatch(r"([\w-]+?)(?:\.(\d+))?(?:@(\d+))?(?:-l(\d+))?", text)
    if ranx is None:
        return None
    name, digits, at, level = ranx.groups()
    if name == "rbp" and digits:
        return f"RBP(p=0.{digits},rel={level or 1})" + (f"@{at}" if at else "")
    if name not in _RANX or digits:
        return None
    target = _RANX[name] if at else _WHOLE_LIST.get(name, _RANX[name])
    options = [f"rel={level}"] if level else []
    if target in ("nDCG", "DCG"):  # ranx takes the gain from grades below the level
        below = ",".join(f"{grade}:0" for grade in range(1, int(level or 1)))
        options = ["gain='exp'"] if name.endswith("_burges") else []
        options += [f"gains={{{below}}}"] if below else []
    brackets = f"({','.join(options)})" if options else ""
    return f"{target}{brackets}" + (f"@{at}" if at else "")
