"""Make golden.json: what tools that the tests do not install print for a few lists.

    TREC_EVAL_9=... TREC_EVAL_10=... python make_golden.py

with ranx 0.3.21, ir_measures 0.4.3, cwl-eval 1.0.12, array-api-compat and assay's sources on the
path; trec_eval built from the tags v9.0.8 (of 2020) and v10.0 of github.com/usnistgov/trec_eval.
"""

from __future__ import annotations

import json
import math
import os
import random
import re
import subprocess
import tempfile
from pathlib import Path

from assay.conventions import Retrieved
from assay.measures.measure import parse
from assay.policy import Policy
from assay.tools import _offers, convention_of

HERE = Path(__file__).parent
MEASURES = [
    "nDCG",
    "nDCG@3",
    "nDCG(gain='exp')@10",
    "nDCG(gain='exp')",
    "nDCG(gains={1:1,2:5,3:7})",
    "DCG",
    "DCG@5",
    "AP",
    "AP@5",
    "AP(rel=2)",
    "P@5",
    "P(rel=2)@5",
    "R@5",
    "RR",
    "RR(rel=2)",
    "Success@3",
    "F@5",
    "F",
    "Rprec",
    "Bpref",
    "IPrec@0.3",
    "IPrec@0.6",
    "AP11",
    "RBP(p=0.9)",
    "RBP(rel=1,p=0.5)",
    "SetP",
    "SetP(relative=True)",
    "SetR",
    "SetF",
    "SetF(beta=2)",
    "SetAP",
    "NumRet",
    "NumRel",
    "NumRelRet",
]


def lists() -> list[Retrieved]:
    """Lists with ties, scores that float32 makes equal, unjudged documents, odd orders."""
    rng = random.Random(20261)
    found = []
    for number in range(1, 15):
        length, judged = rng.choice([1, 4, 9, 16, 18, 25]), rng.choice([4, 10, 20])
        pool = [f"d{i}" for i in range(max(length, judged) + 5)]
        docs = rng.sample(pool, length)
        kind = ("ties", "few", "float32")[number % 3]
        scores = [
            {
                "ties": float(rng.randint(0, 3)),
                "few": round(rng.random() * length) / 2,
                "float32": 1 + rng.randint(0, 5) * 1e-9 + rng.randint(0, 3) / 10,
            }[kind]
            for _ in docs
        ]
        if number % 2:
            order = sorted(range(length), key=lambda i: -scores[i])
            docs, scores = [docs[i] for i in order], [scores[i] for i in order]
        grades = {doc: float(rng.choice([-1, 0, 0, 1, 2, 3])) for doc in rng.sample(pool, judged)}
        if number == 5:
            grades = dict.fromkeys(grades, 0.0)
        elif max(grades.values()) <= 0:
            grades[docs[0]] = 1.0
        found.append(Retrieved(tuple(docs), tuple(scores), grades, str(number)))
    return found


def trec_eval(program: str, files: list[str], name: str, gains: str) -> dict[str, float]:
    """Values by topic."""
    base, *options = name.split(" with the gains", maxsplit=1)[0].split()
    cut = re.fullmatch(r"(ndcg_cut|map_cut|P|recall|success)_(\d+)", base)
    level = re.fullmatch(r"iprec_at_recall_(\S+)", base)
    asked = f"{cut[1]}.{cut[2]}" if cut else f"iprec_at_recall.{level[1]}" if level else base
    asked = f"ndcg.{gains}" if "with the gains" in name else asked
    command = [program, "-q", "-n", *options, "-m", asked, *files]
    out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return {topic: float(value) for _, topic, value in (line.split() for line in out.splitlines())}


def main() -> None:
    import ir_measures
    from ranx import Qrels, Run
    from ranx import evaluate as ranx_evaluate

    topics = lists()
    values: dict[str, dict[str, dict[str, float]]] = {}
    with tempfile.TemporaryDirectory() as folder:
        qrels, run = Path(folder, "q"), Path(folder, "r")
        qrels.write_text(
            "".join(f"{t.topic} 0 {d} {g:.0f}\n" for t in topics for d, g in t.grades.items())
        )
        run.write_text(
            "".join(
                f"{t.topic} Q0 {doc} {i} {score!r} tag\n"
                for t in topics
                for i, (doc, score) in enumerate(zip(t.docs, t.scores, strict=True), 1)
            )
        )
        files = [str(qrels), str(run)]
        for text in MEASURES:
            measure = parse(text)
            offers = _offers(measure, convention_of(measure, Policy(), 3.0))
            gains = measure.parameters.get("gains") or {1: 1, 2: 3, 3: 7}
            gains = ",".join(f"{grade:g}={gain:g}" for grade, gain in dict(gains).items())
            for version in (9, 10):
                offer = offers[f"trec_eval {version}"]
                if offer.how:
                    program = os.environ[f"TREC_EVAL_{version}"]
                    found = trec_eval(program, files, offer.name, gains)
                    values.setdefault(f"trec_eval {version}", {})[text] = found
            offer = offers["ranx"]
            if (
                offer.how
            ):  # one topic at a time: one without relevant documents spoils bpref of others
                found = {}
                for t in topics:
                    grades = Qrels.from_dict({"1": {d: int(g) for d, g in t.grades.items()}})
                    ranked = Run.from_dict({"1": dict(zip(t.docs, t.scores, strict=True))})
                    found[t.topic] = float(
                        ranx_evaluate(grades, ranked, offer.name, return_mean=False)[0]
                    )
                values.setdefault("ranx", {})[text] = found
            if measure.name == "RBP" and offers["ir_measures"].how:
                wanted = ir_measures.parse_measure(offers["ir_measures"].name.replace(" ", ""))
                judged = list(ir_measures.read_trec_qrels(str(qrels)))
                ranked = list(ir_measures.read_trec_run(str(run)))
                pairs = ir_measures.iter_calc([wanted], judged, ranked)
                values.setdefault("ir_measures", {})[text] = {p.query_id: p.value for p in pairs}
    page = {
        "lists": [
            {"topic": t.topic, "docs": t.docs, "scores": t.scores, "grades": t.grades}
            for t in topics
        ],
        "values": {
            tool: {
                name: {t: None if math.isnan(v) else v for t, v in by_topic.items()}
                for name, by_topic in by_name.items()
            }
            for tool, by_name in values.items()
        },
    }
    text = json.dumps(page, separators=(",", ":"))
    text = text.replace('{"topic"', '\n{"topic"').replace('},"', '},\n"')
    (HERE / "golden.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
