"""What trec_eval, ir_measures, ranx and scikit-learn call each measure, and how they read it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assay.conventions import FORMULAS, SMALL, Convention, Retrieved, differing, value
from assay.measures.parameters import Gains

if TYPE_CHECKING:
    from collections.abc import Iterator

    from assay.measures.measure import Measure
    from assay.policy import Policy

__all__ = ["TOOLS", "Offer", "Print", "convention_of", "names_of", "prints"]

TOOLS = ("trec_eval 9", "trec_eval 10", "ir_measures", "ranx", "scikit-learn")


@dataclass(frozen=True)
class Offer:
    """A tool's name for a measure, and its convention; `none` says why it gives no value."""

    name: str
    how: Convention | None = None
    none: str = ""


@dataclass(frozen=True)
class Print:
    """What a tool would print for a list, and why it is not assay's value."""

    tool: str
    name: str
    value: float | None
    shown: str
    why: tuple[str, ...]


def convention_of(measure: Measure, policy: Policy, top: float) -> Convention:
    """Give assay's own reading of a measure under the policies."""
    given = measure.parameters
    rel = given.get("rel", 1)
    scale = "scaled" if rel is None else "binary"
    rel = rel if isinstance(rel, int | float) else 1
    mode = measure.unjudged or policy.unjudged
    return Convention(
        k=measure.k,
        rel=rel,
        precision=policy.precision,
        ties=policy.ties,
        unjudged=mode,
        negative=policy.negative,
        gain=given.get("gain", "linear"),
        gains=given.get("gains"),
        discount="none" if measure.name == "CG" else given.get("discount", "log2"),
        norm=given.get("norm", "R"),
        p=given.get("p", 0.8),
        top=given.get("max") or top,
        scale=scale,
        beta=given.get("beta", 1),
        cut=given.get("cut", "exact"),
        relative=given.get("relative", False),
        empty=0.0 if policy.undefined == "zero" else math.nan,
    )


# ------------------------------------------------------------------------------ who offers what


def _offers(measure: Measure, ours: Convention, topic: str = "1") -> dict[str, Offer]:
    """The offer of each tool that has the measure, or something of its name."""
    if measure.start != 1 or measure.name not in (*FORMULAS, "infAP", "Compat", "Accuracy"):
        return _offered_by_trec_eval(measure)
    found = {
        "trec_eval 9": _trec_eval(measure, ours, 9),
        "trec_eval 10": _trec_eval(measure, ours, 10),
        "ir_measures": _ir_measures(measure, ours, topic),
        "ranx": _ranx(measure, ours),
        "scikit-learn": _scikit_learn(measure, ours),
    }
    return {tool: offer or Offer("") for tool, offer in found.items()}


_NEW_IN_10 = ("rbp", "rbp_resid", "unj")


def _offered_by_trec_eval(measure: Measure) -> dict[str, Offer]:
    """A measure of trec_eval's own, which its citation names; else of nobody."""
    source, comma, rest = measure.definition.paper.partition(", ")
    name = rest.partition(";")[0] if comma and source == "trec_eval" else ""
    name = {"YAAP": "yaap", "SetFx": "set_F"}.get(measure.name, name)
    found = dict.fromkeys(TOOLS, Offer(""))
    if name:
        found["trec_eval 10"] = Offer(name, none="not restated here")
        found["trec_eval 9"] = Offer("") if name in _NEW_IN_10 else found["trec_eval 10"]
    return found


def _at(measure: Measure) -> str:
    return "" if measure.at is None else f"{measure.at:g}"


def _trec_eval(measure: Measure, ours: Convention, version: int) -> Offer | None:
    at, name = _at(measure), measure.name
    names = {
        "nDCG": f"ndcg_cut_{at}" if at else "ndcg",
        "AP": f"map_cut_{at}" if at else "map",
        "P": f"P_{at}",
        "R": f"recall_{at}",
        "RR": "recip_rank",
        "Success": f"success_{at}",
        "Rprec": "Rprec",
        "Bpref": "bpref",
        "infAP": "infAP",
        "AP11": "11pt_avg",
        "SetP": "set_relative_P" if ours.relative else "set_P",
        "SetR": "set_recall",
        "SetF": "set_F" if ours.beta == 1 else f"set_F.{ours.beta**2:g}",
        "SetAP": "set_map",
        "NumQ": "num_q",
        "NumRet": "num_ret" if measure.parameters.get("rel") is None else "num_rel_ret",
        "NumRel": "num_rel",
        "NumRelRet": "num_rel_ret",
    }
    if name == "IPrec":
        names["IPrec"] = f"iprec_at_recall_{measure.at:.2f}"
    if version == 10:
        names |= {"DCG": "dcg", "RBP": "rbp" if ours.p == 0.9 else f"rbp.p={ours.p:g}"}
    if name not in names:
        return None
    if name in ("AP", "R", "P", "RR", "Success", "Rprec") and ours.rel != int(ours.rel):
        return Offer(names[name], none="-l takes whole numbers")
    label = names[name]
    gains, gain = ours.gains, ours.gain
    if at or name == "DCG":  # only ndcg without a cut-off takes gains
        gains, gain = None, "linear"
    elif name == "nDCG" and (gains or gain == "exp"):
        label = "ndcg with the gains as parameters"
    if ours.rel != 1 and name not in ("nDCG", "DCG", "RBP", "NumRet"):
        label += f" -l {ours.rel:g}"
    if ours.unjudged == "condensed":
        label += " -J"
    how = replace(
        ours,
        k=math.inf if name in ("DCG", "RR", "RBP", "NumRelRet") else ours.k,
        precision="float32" if version == 9 else "float64",
        ties="trec",
        unjudged="condensed" if ours.unjudged == "condensed" else "nonrelevant",
        negative="unjudged",
        grades="whole",
        gain=gain,
        gains=gains,
        discount="log2",
        norm="R",
        cut="9" if version == 9 else "round",
        scale="topic" if name == "RBP" else ours.scale,
        empty=0.0,
    )
    return Offer(label, how)


def _ir_measures(measure: Measure, ours: Convention, topic: str) -> Offer | None:  # noqa: C901, PLR0912 - it hands measures on to eight other tools
    name, at = measure.name, _at(measure)
    via9 = _trec_eval(measure, ours, 9)
    suffix = f"@{at}" if at else ""
    options = [f"rel={ours.rel:g}"] if ours.rel != 1 and "rel" in measure.parameters else []
    if ours.unjudged == "condensed":
        options.append("judged_only=True")
    refusal = "" if _whole(ours) else "it takes whole numbers"
    how = via9.how if via9 else None
    if name == "nDCG" and ours.gain == "exp":
        options.append("dcg='exp-log2'")
        if not at:
            how = _ranx_reading(ours)
        elif how is not None:
            how = replace(how, precision="float64", gain="exp", unjudged="nonrelevant", decimals=5)
            refusal = refusal or _gdeval_refuses(topic)
    elif name == "nDCG" and ours.gains is not None:
        options.append(f"gains={Gains(ours.gains)}")
        how = replace(how, gains=ours.gains) if how else None
    elif name == "RR" and at and how is not None:
        how = replace(how, k=ours.k, precision="float64", ties="ascending", unjudged="nonrelevant")
    elif name == "ERR":
        if not at:
            return None
        how = replace(ours, top=4.0, gain="exp", ties="trec", grades="whole", precision="float64")
        how = replace(how, decimals=5, unjudged="nonrelevant", empty=0.0)
        refusal = refusal or _gdeval_refuses(topic)
    elif name == "RBP":
        if measure.parameters.get("rel") is None:
            return Offer("RBP", none="takes no grades, only rel=")
        options = [f"p={ours.p:g}", f"rel={ours.rel:g}"]
        if at:
            return Offer(f"RBP({', '.join(options)})@{at}", none="takes no cut-off")
        how = replace(
            ours, ties="file", precision="float64", unjudged="nonrelevant", grades="whole"
        )
    elif name == "Judged":
        how = replace(ours, ties="ascending", precision="float64", negative="nonrelevant")
    elif name in ("Compat", "Accuracy"):
        return Offer(f"{name}{suffix}", none="not restated here")
    elif name == "SetF" and how is not None:
        options.append(f"beta={float(ours.beta)!r}")
        how = replace(how, beta=math.sqrt(ours.beta))  # it hands beta on as beta squared
    elif name in ("AP11", "DCG") or via9 is None:
        return None
    if ours.relative:
        options.append("relative=True")
    inside = f"({', '.join(options)})" if options else ""
    return Offer(f"{name}{inside}{suffix}", None if refusal else how, refusal)


def _gdeval_refuses(topic: str) -> str:
    return "" if topic.rpartition("-")[2].isdecimal() else "gdeval wants numbers as topics"


def _whole(how: Convention) -> bool:
    return how.rel == int(how.rel)


def _ranx_reading(ours: Convention) -> Convention:
    return replace(
        ours,
        ties="numba",
        precision="float64",
        unjudged="nonrelevant",
        grades="whole",
        gains=None,
        discount="log2",
        norm="R",
        empty=0.0,
    )


def _ranx(measure: Measure, ours: Convention) -> Offer | None:
    at = f"@{_at(measure)}" if measure.at is not None else ""
    burges = "_burges" if ours.gain == "exp" else ""
    names = {
        "nDCG": f"ndcg{burges}{at}",
        "DCG": f"dcg{burges}{at}",
        "AP": f"map{at}",
        "P": f"precision{at}",
        "R": f"recall{at}",
        "RR": f"mrr{at}",
        "Success": f"hit_rate{at}",
        "F": f"f1{at}",
        "Rprec": "r-precision",
        "Bpref": "bpref",
        "RBP": f"rbp.{f'{ours.p:g}'.removeprefix('0.')}",
        "NumRelRet": f"hits{at}",
    }
    if measure.name not in names or (measure.name == "F" and ours.beta != 1):
        return None
    label = names[measure.name]
    if ours.rel != 1 and measure.name not in ("nDCG", "DCG"):
        label += f"-l{ours.rel:g}"
        if not _whole(ours):
            return Offer(label, none="it takes whole numbers")
    how = _ranx_reading(ours)
    if measure.name == "RBP":
        how = replace(how, k=math.inf, scale="raw")
    if measure.name == "Bpref":
        how = replace(how, negative="nonrelevant", no_nonrelevant=math.nan)
    return Offer(label, how)


def _scikit_learn(measure: Measure, ours: Convention) -> Offer | None:
    at = f", k={_at(measure)}" if measure.at is not None else ""
    how = replace(
        ours,
        ties="expected",
        ideal="retrieved",
        precision="float64",
        unjudged="nonrelevant",
        gain="linear",
        gains=None,
        discount="log2",
        empty=0.0,
    )
    if measure.name in ("nDCG", "DCG"):
        return Offer(f"{measure.name.lower()}_score(grades, scores{at})", how)
    if measure.name == "AP":
        how = replace(how, ties="last", norm="retrieved", k=math.inf)
        return Offer("average_precision_score(relevant, scores)", how)
    return None


def names_of(measure: Measure) -> dict[str, str]:
    """The name that each tool has for the measure; empty where it has no such measure."""
    from assay.policy import Policy

    ours = convention_of(measure, Policy(), 1.0)
    return {tool: offer.name for tool, offer in _offers(measure, ours).items()}


# ------------------------------------------------------------------------------- what they print


def prints(
    measure: Measure, retrieved: Retrieved, policy: Policy, top: float, own: float
) -> Iterator[Print]:
    """What each tool would print for the list, and why it is not assay's value `own`."""
    ours = convention_of(measure, policy, top)
    whole = all(grade == int(grade) for grade in retrieved.grades.values())
    for tool, offer in _offers(measure, ours, retrieved.topic).items():
        if not offer.name:
            yield Print(tool, "", None, "", ("no such measure",))
        elif offer.none:
            yield Print(tool, offer.name, None, "", (offer.none,))
        elif not retrieved.docs:
            yield Print(tool, offer.name, None, "", (_EMPTY[tool],))
        elif not whole and tool in ("ir_measures", "ranx"):
            yield Print(tool, offer.name, None, "", ("refuses grades that are not whole numbers",))
        elif tool == "scikit-learn" and len(retrieved.docs) == 1 and measure.name != "AP":
            yield Print(tool, offer.name, None, "", ("refuses a list of one document",))
        elif offer.how is None or measure.name not in FORMULAS:
            yield Print(tool, offer.name, None, "", ("not restated here",))
        else:
            yield _print(tool, offer.name, offer.how, measure, retrieved, ours, own)


_EMPTY = {
    "trec_eval 9": "leaves out a topic that the run lacks; 0 with -c",
    "trec_eval 10": "stops at a topic that the run lacks; 0 with -c",
    "ir_measures": "0 for a topic that the run lacks",
    "ranx": "stops at a topic that the run lacks; 0 with make_comparable=True",
    "scikit-learn": "refuses an empty list",
}


def _print(
    tool: str,
    name: str,
    how: Convention,
    measure: Measure,
    retrieved: Retrieved,
    ours: Convention,
    own: float,
) -> Print:
    found = value(measure.name, retrieved, how)
    shown = "nan" if math.isnan(found) else f"{found:.{how.decimals or 4}f}"
    if math.isclose(found, own, rel_tol=1e-9, abs_tol=1e-9 if how.decimals is None else 6e-6):
        return Print(tool, name, found, shown, ())
    fields = differing(measure.name, retrieved, ours, how)
    if how.ties == "numba" and len(retrieved.docs) <= SMALL:
        how = replace(how, ties="file")
    why = tuple(dict.fromkeys(_why(field, how) for field in fields if field != "decimals"))
    return Print(tool, name, found, shown, why or ("rounds to 5 decimals",))


def _why(field: str, theirs: Convention) -> str:
    setting = getattr(theirs, field)
    return _REASONS.get((field, setting)) or _REASONS.get((field, None)) or f"{field} is {setting}"


_REASONS: dict[tuple[str, object], str] = {
    ("k", None): "has no cut-off",
    ("precision", "float32"): "rounds scores to float32, which makes ties",
    ("precision", "float64"): "does not round scores",
    ("ties", "trec"): "orders equal scores by document id, descending",
    ("ties", "ascending"): "orders equal scores by document id, ascending",
    ("ties", "file"): "leaves equal scores in the order of the file",
    ("ties", "numba"): "sorts equal scores in no certain order (by an unstable sort)",
    ("ties", "expected"): "averages over the orders of equal scores",
    ("ties", "last"): "takes equal scores together, at the last of their ranks",
    ("unjudged", "nonrelevant"): "counts unjudged documents as not relevant",
    ("negative", "unjudged"): "takes grades below 0 as unjudged",
    ("negative", "nonrelevant"): "takes grades below 0 as judged not relevant",
    ("grades", "whole"): "cuts grades to whole numbers",
    ("gain", "linear"): "gain is the grade, not 2^grade - 1",
    ("gain", "exp"): "gain is 2^grade - 1",
    ("gains", None): "takes no table of gains",
    ("discount", "log2"): "discounts by log2(rank + 1)",
    ("ideal", "retrieved"): "takes the ideal from the retrieved documents alone",
    ("norm", "R"): "divides by R, all relevant documents",
    ("norm", "retrieved"): "divides by the relevant documents retrieved",
    ("top", None): "fixes the top of the scale at 4",
    ("scale", "topic"): "rescales grades by the topic's own largest",
    ("scale", "raw"): "takes grades as gains, above 1 too",
    ("scale", "binary"): "takes relevance as yes or no",
    ("beta", None): "reads beta as its square",
    ("cut", "round"): "rounds the number of documents for a recall level",
    ("cut", "9"): "cuts x R + .9 to a whole number of documents",
    ("empty", None): "gives 0 where the measure is undefined",
    ("no_nonrelevant", None): "gives nan where nothing is judged not relevant",
}
