"""Names of other tools, read as assay's: trec_eval's, ranx's and ir_measures' second names."""

from __future__ import annotations

import re

__all__ = ["from_alias"]

# ir_measures' second names, and ranx's where a cut-off may follow
_WORDS = {
    "MAP": "AP",
    "MRR": "RR",
    "NDCG": "nDCG",
    "BPref": "Bpref",
    "RPrec": "Rprec",
    "Precision": "P",
    "Recall": "R",
    "NumRelRet": "NumRelRet",
    "map": "AP",
    "mrr": "RR",
    "ndcg": "nDCG",
    "dcg": "DCG",
    "precision": "P",
    "recall": "R",
    "f1": "F",
    "hit_rate": "Success",
    "hits": "Hits",
    "bpref": "Bpref",
    "r-precision": "Rprec",
}

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
    trec = re.fullmatch(r"([A-Za-z_]+?)[_.](\d+(?:\.\d+)?)", text)
    if trec and trec[1] in _TREC_AT:
        return f"{_TREC_AT[trec[1]]}@{trec[2]}"
    if trec and trec[1] == "set_F":
        beta = float(trec[2]) ** 0.5  # trec_eval's parameter is the square of beta
        return f"SetF(beta={beta!r})"
    ranx = re.fullmatch(r"([\w-]+?)(?:\.(\d+))?(?:@(\d+))?(?:-l(\d+))?", text)
    if ranx is None:
        return None
    name, digits, at, level = ranx.groups()
    options = [f"rel={level}"] if level else []
    if name == "rbp" and digits:
        target, options = "RBP", [f"p=0.{digits}", f"rel={level or 1}"]
    elif name in ("ndcg_burges", "dcg_burges"):
        target, options = _WORDS[name.removesuffix("_burges")], ["gain='exp'"]
    elif name in _WORDS and not digits:
        target = _WORDS[name]
        options = [] if target in ("nDCG", "DCG") else options
    elif name == "NumRelRet":
        target = name
    else:
        return None
    brackets = f"({','.join(options)})" if options else ""
    return f"{target}{brackets}" + (f"@{at}" if at else "")
