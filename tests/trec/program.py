"""Random command lines for trec_eval, and what the program itself answers to them.

    python tests/trec/program.py compare PROGRAM --ver 10 [-n 1000] [--seed 1]
    python tests/trec/program.py record PROGRAM9 PROGRAM10

`compare` races assay against the program over random files and flags; `record` writes golden.json,
which test_program.py replays where there is no program. Files and flags stay clear of the cases of
docs/trec_eval.md, whose answers differ by decision; `agree` knows those that cannot be kept out.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

GOLDEN = Path(__file__).with_name("golden.json")
NAMES = [
    "official",
    "set",
    "all_trec",
    "map",
    "gm_map",
    "ndcg",
    "ndcg_cut",
    "P.1,3,2",
    "recall.2,7",
    "Rprec_mult.0.1,0.5,1.0",
    "iprec_at_recall..1,.33,.5,1.0",
    "11pt_avg.0.0,0.5,1.0",
    "11pt_avg.1.0,0.2",
    "utility.2,-1,0.5,1",
    "utility.1,2",
    "relstring",
    "relstring.3",
    "success.1,2",
    "set_F.0.5",
    "set_F.2",
    "ndcg.1=3,2=9,4=4.5",
    "ndcg.0=1,1=2",
    "ndcg_rel.1=2,2=7",
    "Rndcg.1=2,3=1",
    "Rndcg",
    "ndcg_rel",
    "G.1=4",
    "G",
    "binG",
    "dcg",
    "ideal_dcg",
    "yaap",
    "rbp_resid.p=0.8",
    "unj",
    "unj.1,3",
    "infAP",
    "map_cut.1,4",
    "relative_P.2,3",
    "bpref",
    "gm_bpref",
    "num_q",
    "runid",
    "num_nonrel_judged_ret",
    "-1",
    "nope",
    "P.",
    "P.0",
    "P.5,5",
    "ndcg.1",
    "ndcg.1=2,",
    "ndcg_cut.10,x",
    "official.3",
    "iprec_at_recall.0.5,0.5",
    "set_map",
    "set_relative_P",
    "P_avgjg",
    "map_avgjg",
    "prefs_simp",
    "ndcg.-1=1,1=2",
    "ndcg.p=3",
    "Rprec_mult_avgjg",
    "qrels_jg",
    "all_prefs",
    "prefs",
]
GROUPED = {"qrels_jg": ["qrels_jg"], "prefs": ["all_prefs", "prefs"], "qrels_prefs": ["all_prefs"]}


@dataclass(frozen=True)
class Case:
    """A command line with its files."""

    arguments: list[str]
    files: dict[str, str]


@dataclass(frozen=True)
class Answer:
    """What a program wrote, and its exit status."""

    out: str
    err: str
    code: int


def case(seed: object) -> Case:
    """One random case."""
    rng = random.Random(f"trec {seed}")
    form = rng.choice(["qrels"] * 6 + list(GROUPED))
    topics = [rng.choice(["q", "1", "10", "Z", "z9"]) + str(i) for i in range(rng.randint(1, 5))]
    docs = [rng.choice("abAB") + str(i) for i in range(rng.randint(1, 14))]
    qrels = list(_qrels(rng, form, topics, docs))
    run = list(_run(rng, topics, docs, gaps=rng.random() < 0.5))
    _spoil(rng, qrels, ["# c", "a b c", "#", " ", "q 0 d 1 1"])
    _spoil(rng, run, ["# c", "a b c", "#", " ", "q0 Q0 d 1 1", "q0 Q0 d 1 1 r extra"])
    files = {"qrels": _text(rng, qrels), "run": _text(rng, run)}
    arguments = [*_measures(rng, form), *_flags(rng, topics)]
    if rng.random() < 0.06:
        files["z"] = "".join(_zscores(rng, topics))
        arguments += ["-Z", "z"]
    return Case([*arguments, "qrels", "run"], files)


def _qrels(rng, form, topics, docs):
    high, low = rng.choice([1, 1, 2, 3, 4]), rng.choice([0, 0, 0, -1, -2])
    closed = rng.random() < 0.3
    for topic in topics:
        if rng.random() < 0.05:
            continue
        if form == "qrels":
            yield f"{topic} 0 d0 0"
        for doc in (doc for doc in docs if rng.random() < 0.7):
            grade = rng.randint(low, high)
            if form == "qrels":
                odd = rng.choice(["1.7", "x", "007", "12", "+1"])
                yield f"{topic} 0 {doc} {odd if rng.random() < 0.02 else grade}"
            elif form == "qrels_jg":
                for judge in rng.sample(["0", "a", "b"], rng.randint(1, 2)):
                    yield f"{topic} {judge} {doc} {rng.randint(low, high)}"
            elif form == "prefs":
                for group in rng.sample(["0", "a"], rng.randint(1, 2)):
                    sub = rng.choice(["0", "0", "1"]) if closed else "0"
                    yield f"{topic} {group} {sub} {doc} {rng.choice([0, 1, 2, 3, 1.5])}"
            else:
                yield f"{topic} {rng.choice(['0', 'a'])} {doc} {max(0, grade)}"


def _run(rng, topics, docs, *, gaps):
    for topic in topics:
        if gaps and rng.random() < 0.12:
            continue
        levels = rng.choice([1, 3, 20])
        listed = rng.sample(docs, rng.randint(1, len(docs)))
        for doc in [*listed, *(f"u{i}" for i in range(rng.randint(0, 4)))]:
            score = rng.choice(
                [
                    str(rng.randint(0, levels)),
                    f"{rng.random():.3f}",
                    f"{1 + rng.randint(0, 3) * 1e-9:.10f}",
                    f"-{rng.random() * 1e5:.4e}",
                ]
            )
            yield f"{topic} Q0 {doc} {rng.randint(0, 9)} {score} tag"


def _spoil(rng, lines, odd):
    if rng.random() < 0.3:
        rng.shuffle(lines)
    if rng.random() < 0.04 and lines:
        lines.append(rng.choice(lines))
    if rng.random() < 0.05:
        lines.insert(rng.randint(0, len(lines)), rng.choice(odd))


def _text(rng, lines):
    return "\n".join(lines or ["x 0 y 0 0 t"]) + ("\n" if rng.random() < 0.8 else "")


def _measures(rng, form):
    if form in GROUPED:
        names = [rng.choice(GROUPED[form]), *rng.sample(NAMES, rng.random() < 0.1)]
    else:
        names = rng.choice(
            [
                ["all_trec"],
                ["all_trec", *rng.sample(NAMES, 2)],
                rng.sample(NAMES, rng.randint(1, 4)),
                [],
            ]
        )
        if "ndcg" not in " ".join(names) and names != ["all_trec"] and rng.random() < 0.1:
            names = [rng.choice(["dcg.1=3", "ideal_dcg.2=7", "dcg.1=-2,2=5"])]
        form = form if rng.random() > 0.05 else "prefs"
    words = ["-R", form] if form != "qrels" else []
    for name in names:
        words += ["-m", name]
    return words


def _flags(rng, topics):
    for chance, words in (
        (0.8, ["-q"]),
        (0.5, ["-c"]),
        (0.1, ["-n"]),
        (0.2, ["-J"]),
        (0.2, ["-M", str(rng.randint(0, 6))]),
        (0.25, ["-l", str(rng.choice([0, 1, 2, 2, 3]))]),
        (0.15, ["-N", str(rng.choice([0, 10, 1000]))]),
        (0.05, ["-D", rng.choice(["0.", f"0.{rng.choice(topics)}"])]),
        (0.05, ["-o"]),
    ):
        if rng.random() < chance:
            yield from words


def _zscores(rng, topics):
    for topic in topics:
        for name in ("bpref", "map", "num_ret", "P_5", "zero"):
            yield f"{topic} {name} {rng.random():.3f} {rng.choice([0, 0.1, 0.2])}\n"


# ---------------------------------------------------------------------------------------- answers


class _Captured(io.StringIO):
    def __init__(self):
        super().__init__()
        self.buffer = io.BytesIO()


def ours(arguments, ver):
    """What assay answers in the current folder."""
    from assay.cli.trec_main import run

    out, err = _Captured(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = run(["--ver", str(ver), *arguments], "trec_eval")
    return Answer(out.buffer.getvalue().decode("latin-1"), err.getvalue(), code)


def theirs(program, arguments):
    """What the program answers in the current folder."""
    done = subprocess.run([program, *arguments], capture_output=True, timeout=20, check=False)
    out, err = done.stdout.decode("latin-1"), done.stderr.decode("latin-1")
    return Answer(out, err, done.returncode)


def agree(answer, expected):
    """What is wrong with an answer; empty where nothing is."""
    wrong = []
    if answer.code != expected.code:
        wrong.append(f"exit status {answer.code}, not {expected.code}")
    if not _squeezed(answer.err).startswith(_squeezed(expected.err)):
        wrong.append(f"message {answer.err!r}, not {expected.err!r}")
    mine, other = answer.out.split("\n"), expected.out.split("\n")
    if len(mine) != len(other):
        wrong.append(f"{len(mine)} lines, not {len(other)}")
    pairs = zip(mine, other, strict=False)
    wrong += [f"{a!r}, not {b!r}" for a, b in pairs if a != b and not _decided(b)]
    return wrong


def _squeezed(text):
    """A message of trec_eval may lack its line end."""
    return "".join(text.split())


def _decided(line):
    """Whether the program's line is a case of docs/trec_eval.md."""
    name = line.split("\t")[0].strip()
    return name == "rbp" or name.startswith(("rbp_p=", "rbp_resid", "runid")) or "nan" in line


def compare(program, ver, many, seed):
    """Count the cases in which assay and the program differ."""
    differ = crashed = 0
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for i in range(many):
            one = case(f"{seed} {i}")
            for name, text in one.files.items():
                Path(name).write_text(text, encoding="utf-8")
            expected = theirs(program, one.arguments)
            if expected.code < 0:
                crashed += 1
                continue
            wrong = agree(ours(one.arguments, ver), expected)
            if wrong:
                differ += 1
                print(f"{seed} {i}: {' '.join(one.arguments)}", *wrong[:5], sep="\n    ")
    print(f"{many} cases, {differ} differ; the program itself crashed in {crashed}")
    return differ


def record(programs, many=30):
    """Write golden.json: cases of both versions, the small ones among the random."""
    found = []
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for ver, program in programs.items():
            kept = i = 0
            while kept < many:
                one = case(f"golden {ver} {i}")
                i += 1
                for name, text in one.files.items():
                    Path(name).write_text(text, encoding="utf-8")
                expected = theirs(program, one.arguments)
                if expected.code < 0 or len(expected.out) > 4000 or (expected.code and i % 2):
                    continue
                found.append({"ver": ver, **vars(one), "answer": vars(expected)})
                kept += 1
    text = json.dumps(found, indent=1, ensure_ascii=True)
    GOLDEN.write_text(text + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=("compare", "record"))
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--ver", type=int, default=10)
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("--seed", default="1")
    given = parser.parse_args()
    programs = [str(Path(program).resolve()) for program in given.programs]
    if given.what == "compare":
        sys.exit(bool(compare(programs[0], given.ver, given.n, given.seed)))
    record(dict(zip((9, 10), programs, strict=True)))


if __name__ == "__main__":
    main()
