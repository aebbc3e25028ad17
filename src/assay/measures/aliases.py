"""Names of other tools, read as assay's: trec_eval's, ranx's and ir_measures' second names."""

from __future__ import annotations

import re

__all__ = ["from_alias", "no_measure", "with_cutoffs"]

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
    "num_nonrel_judged_ret": "NumNonrelRet",
    "utility": "Utility",
    "yaap": "YAAP",
    "binG": "BinG",
    "ndcg_rel": "nDCGrel",
    "Rndcg": "RnDCG",
    "ideal_dcg": "IdealDCG",
    "rbp": "TopicRBP",
    "rbp_resid": "RBPResidual",
}

# trec_eval's names for what is no measure in assay
_NO_MEASURE = {
    "gm_map": "AP, averaged geometrically: AP with --mean geometric (mean='geometric')",
    "gm_bpref": "Bpref, averaged geometrically: Bpref with --mean geometric (mean='geometric')",
    "relstring": "a picture of the list: see assay explain",
    "runid": "the tag of the run, not a number",
    "official": "trec_eval's word for many: here 'trec' stands for them, without gm_map",
    **{
        name: f"trec_eval's word for many, which `assay trec_eval -m {name}` understands"
        for name in ("set", "all_trec", "prefs", "all_prefs", "qrels_jg")
    },
}

# trec_eval's names with a cut-off or level: ndcg_cut_10, ndcg_cut.10
_TREC_AT = {
    "ndcg_cut": "nDCG",
    "map_cut": "AP",
    "P": "P",
    "recall": "R",
    "success": "Success",
    "iprec_at_recall": "IPrec",
    "relative_P": "RelP",
    "unj": "Unjudged",
}


def from_alias(text: str) -> str | None:
    """Assay's own spelling of another tool's name, or None where there is none."""
    if text in _TREC:
        return _TREC[text]
    second = re.fullmatch(r"(\w+)((?:\(.*\))?\s*(?:@.*)?)", text, re.DOTALL)
    if second and second[1] in _SECOND:
        return _SECOND[second[1]] + second[2]
    trec = re.fullmatch(r"([A-Za-z_]+?)[_.](\d+(?:\.\d+)?|\.\d+)", text)
    if trec and trec[1] in _TREC_AT:
        return f"{_TREC_AT[trec[1]]}@{trec[2]}"
    if trec and trec[1] == "Rprec_mult":
        return f"RprecMult(x={trec[2]})"
    if trec and trec[1] == "set_F":
        beta = float(trec[2]) ** 0.5  # trec_eval's parameter is the square of beta
        return f"SetF(beta={beta!r})"
    return _from_trec(text) or _from_ranx(text)


def _from_trec(text: str) -> str | None:
    """Of names with parameters, those that set gains, persistence or weights."""
    table = re.fullmatch(r"(ndcg|dcg)[_.]([^=,]+=[^=,]+(?:,[^=,]+=[^=,]+)*)", text)
    if table:
        return f"{_TREC[table[1]]}(gains={{{table[2].replace('=', ':')}}})"
    persistence = re.fullmatch(r"(rbp|rbp_resid)[_.]p=([^=,]+)", text)
    if persistence:
        return f"{_TREC[persistence[1]]}(p={persistence[2]})"
    weights = re.fullmatch(r"utility[_.]([^,]+),([^,]+),([^,]+),0(?:\.0*)?", text)
    if weights:  # another last weight needs the size of the collection, which trec_eval takes as 0
        return "Utility(a={},b={},c={})".format(*weights.groups())
    return None


def with_cutoffs(text: str) -> tuple[str, ...]:
    """trec_eval's name with several cut-offs, `P.5,10`, as several names; else nothing."""
    name, _, cuts = text.partition(".")
    several = re.fullmatch(r"[^,]+(,[^,]+)+", cuts) and name in {*_TREC_AT, "Rprec_mult"}
    return tuple(f"{name}.{cut.strip()}" for cut in cuts.split(",")) if several else ()


def no_measure(text: str) -> str | None:
    """What a name of trec_eval's means that stands for no measure here."""
    return _NO_MEASURE.get(text.partition(".")[0])


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
