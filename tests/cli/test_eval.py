from __future__ import annotations

import json
import platform
import re

import numpy as np
import polars as pl
import pytest

from assay import __version__
from shell import assay, process, terminal, write

# by hand: AP of 301 has hits at ranks 1 and 3, of 3; of 302 at rank 2, of 1; 303 can have none
FIRST = (1 / 1 + 2 / 3) / 3
MEAN = repr((FIRST + 1 / 2) / 2)
AP = [f"bm25\tAP\t301\t{FIRST!r}", "bm25\tAP\t302\t0.5", "bm25\tAP\t303\tnan"]
UNDEFINED = "assay: AP is undefined on 1 of 3 topics (no relevant document); left out of the mean\n"
POLICIES = (
    "missing worst, undefined skip, unjudged nonrelevant, ties trec, precision float64, "
    "mean arithmetic, negative unjudged"
)


def test_table_in_a_pipe(folder):
    result = assay("eval", "q.txt", "bm25.run", "other.run", "-m", "P@2", "-m", "nDCG@2")
    assert result.exit_code == 0
    # P@2 by hand: 1/2, 1/2, 0; other lacks 302. t(2, .975) = 4.3027, t(1, .975) = 12.7062
    assert result.stdout == (
        "P@2       mean      sd     95 %  interval  topics  undef.  missing  Judged@2\n"
        "bm25    0.3333  0.2887  -0.3838    1.0504       3       0        0      0.83\n"
        "other   0.1667  0.2887  -0.5504    0.8838       3       0        1      0.75\n"
        "\n"
        "nDCG@2    mean      sd     95 %  interval  topics  undef.  missing  Judged@2\n"
        "bm25    0.5501  0.1143  -0.4769    1.5771       2       1        0      0.83\n"
        "other   0.2346  0.3318  -2.7467    3.2160       2       1        1      0.75\n"
        "\n"
        f"assay {__version__}: {POLICIES}\n"
    )
    assert result.stderr == (
        "assay: 1 of 3 topics have no line in other (302); scored as worst (missing='worst')\n"
        "assay: nDCG@2 is undefined on 1 of 3 topics (no document with a gain); "
        "left out of the mean\n"
    )


def test_one_run_has_one_line_for_each_measure(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "-m", "NumRet", "-m", "P@2")
    assert result.stdout.splitlines()[:4] == [
        "bm25            mean      sd     95 %  interval  topics  undef.  Judged@k",
        "AP            0.5278  0.0393   0.1748    0.8807       2       1",
        "NumRet (sum)       7       -        -         -       3       0",
        "P@2           0.3333  0.2887  -0.3838    1.0504       3       0      0.83",
    ]


def test_tsv(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "tsv", "--per-topic")
    assert result.stdout.splitlines() == [
        "run\tmeasure\ttopic\tvalue",
        *AP,
        f"bm25\tAP\tall\t{MEAN}",
    ]
    assert result.stderr == UNDEFINED


def test_tsv_of_means(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "tsv")
    assert result.stdout == f"run\tmeasure\ttopic\tvalue\nbm25\tAP\tall\t{MEAN}\n"


def test_tsv_of_several_judgment_sets(folder):
    write(folder, "llm.txt", "301 0 d1 1\n302 0 d1 1\n")
    words = ["--judgments", "nist=q.txt", "--judgments", "llm.txt", "bm25.run", "-m", "P@1"]
    result = assay("eval", *words, "-o", "tsv", "--per-topic")
    lines = result.stdout.splitlines()
    assert lines[:5] == [
        "judge\trun\tmeasure\ttopic\tvalue",
        "nist\tbm25\tP@1\t301\t1.0",
        "nist\tbm25\tP@1\t302\t0.0",
        "nist\tbm25\tP@1\t303\t0.0",
        "nist\tbm25\tP@1\tall\t0.3333333333333333",
    ]
    assert lines[5:] == [
        "llm\tbm25\tP@1\t301\t0.0",
        "llm\tbm25\tP@1\t302\t0.0",
        "llm\tbm25\tP@1\t303\tnan",
        "llm\tbm25\tP@1\tall\t0.0",
    ]


def test_one_judgment_set_by_option_adds_no_column(folder):
    result = assay("eval", "--judgments", "nist=q.txt", "bm25.run", "-m", "P@1", "-o", "tsv")
    assert result.stdout.splitlines()[0] == "run\tmeasure\ttopic\tvalue"


def test_csv(folder):
    result = assay("eval", "q.txt", "a,b=bm25.run", "-m", "AP", "-o", "csv", "--per-topic")
    assert result.stdout.splitlines() == [
        "run,measure,topic,value",
        f'"a,b",AP,301,{FIRST!r}',
        '"a,b",AP,302,0.5',
        '"a,b",AP,303,nan',
        f'"a,b",AP,all,{MEAN}',
    ]


def test_jsonl(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "jsonl", "--per-topic")
    assert [json.loads(line) for line in result.stdout.splitlines()] == [
        {"run": "bm25", "measure": "AP", "topic": "301", "value": FIRST},
        {"run": "bm25", "measure": "AP", "topic": "302", "value": 0.5},
        {
            "run": "bm25",
            "measure": "AP",
            "topic": "303",
            "value": None,
            "reason": "undefined: no relevant document",
        },
        {"run": "bm25", "measure": "AP", "topic": "all", "value": float(MEAN)},
    ]


def test_json(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "json", "--per-topic")
    found = json.loads(result.stdout)
    deviation = (FIRST - 1 / 2) / 2**0.5
    half = 12.706204736432102 * deviation / 2**0.5  # t(1, .975): scipy.stats.t.ppf(.975, 1)
    (mean,) = found.pop("means")
    assert mean.pop("low") == pytest.approx(float(MEAN) - half)
    assert mean.pop("high") == pytest.approx(float(MEAN) + half)
    assert mean.pop("deviation") == pytest.approx(deviation)
    assert mean == {
        "judge": "q",
        "run": "bm25",
        "measure": "AP",
        "value": float(MEAN),
        "topics": 2,
        "undefined": 1,
        "missing": 0,
        "judged": None,
    }
    assert [row["value"] for row in found.pop("values")] == [FIRST, 0.5, None]
    assert found == {
        "versions": {
            "assay": __version__,
            "python": platform.python_version(),
            "numpy": np.__version__,
            "polars": pl.__version__,
        },
        "policies": {
            "missing": "worst",
            "undefined": "skip",
            "unjudged": "nonrelevant",
            "ties": "trec",
            "precision": "float64",
            "mean": "arithmetic",
            "negative": "unjudged",
            "ignore_self": False,
        },
        "judges": ["q"],
        "runs": ["bm25"],
        "measures": ["AP"],
        "topics": 3,
        "notes": [UNDEFINED.removeprefix("assay: ").removesuffix("\n")],
        "warnings": [],
    }
    assert "values" not in json.loads(
        assay("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "json").stdout
    )


def test_markdown(folder):
    result = assay("eval", "q.txt", "my_run=bm25.run", "other.run", "-m", "P@1", "-o", "markdown")
    assert result.stdout.splitlines()[:4] == [
        "| P@1 | mean | sd | 95 % low | 95 % high | topics | missing | Judged@1 |",
        "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
        r"| my\_run | 0.3333 | 0.5774 | -1.1009 | 1.7676 | 3 | 0 | 1.00 |",
        "| other | 0.3333 | 0.5774 | -1.1009 | 1.7676 | 3 | 1 | 1.00 |",
    ]


def test_latex(folder):
    result = assay("eval", "q.txt", "my_run=bm25.run", "other.run", "-m", "P@1", "-o", "latex")
    assert result.stdout.splitlines()[:9] == [
        r"\begin{tabular}{lrrrrrrr}",
        r"\toprule",
        r"P@1 & mean & sd & 95 \% low & 95 \% high & topics & missing & Judged@1 \\",
        r"\midrule",
        r"my\_run & 0.3333 & 0.5774 & $-$1.1009 & 1.7676 & 3 & 0 & 1.00 \\",
        r"other & 0.3333 & 0.5774 & $-$1.1009 & 1.7676 & 3 & 1 & 1.00 \\",
        r"\bottomrule",
        r"\end{tabular}",
        f"% assay {__version__}: {POLICIES}",
    ]


def test_parquet(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "--per-topic", "--output", "s.parquet")
    assert (result.exit_code, result.stdout) == (0, "")
    frame = pl.read_parquet("s.parquet")
    assert frame.columns == ["run", "measure", "topic", "value"]
    assert frame["topic"].to_list() == ["301", "302", "303", "all"]
    assert frame["value"].to_list()[:2] == [FIRST, 0.5]
    assert np.isnan(frame["value"][2])


def test_parquet_in_a_pipe_but_not_in_a_terminal(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "parquet")
    frame = pl.read_parquet(result.stdout_bytes)
    assert frame["value"].to_list() == [float(MEAN)]
    shown = terminal("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "parquet", columns=100, code=2)
    assert "assay: Parquet is binary; name a file for it: --output scores.parquet" in shown


# ------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("name", "start"),
    [
        ("s.tsv", "run\tmeasure"),
        ("s.csv", "run,measure"),
        ("s.json", "{"),
        ("s.jsonl", '{"run"'),
        ("s.md", "| bm25 |"),
        ("s.tex", "\\begin{tabular}"),
        ("s.txt", "bm25  "),
    ],
)
def test_the_suffix_of_the_output_says_its_form(folder, name, start):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "--output", name)
    assert (result.exit_code, result.stdout) == (0, "")
    assert (folder / name).read_text(encoding="utf-8").startswith(start)


def test_output_is_whole_or_not_there(folder):
    write(folder, "s.tsv", "kept")
    result = assay(
        "eval", "q.txt", "bm25.run", "-m", "AP", "--undefined", "error", "--output", "s.tsv"
    )
    assert result.exit_code == 1
    assert (folder / "s.tsv").read_text(encoding="utf-8") == "kept"
    assert sorted(path.name for path in folder.iterdir()) == [
        "bm25.run",
        "other.run",
        "q.txt",
        "s.tsv",
    ]


def test_output_into_no_folder(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "--output", "no/s.tsv")
    assert (result.exit_code, result.stderr) == (2, "assay: no/s.tsv: there is no folder no\n")


def test_standard_input(folder):
    done = process(
        "eval",
        "q.txt",
        "-",
        "-m",
        "AP",
        "-o",
        "tsv",
        cwd=folder,
        input=(folder / "bm25.run").read_text(),
    )
    assert done.stdout.splitlines()[1] == f"stdin\tAP\tall\t{MEAN}"


def test_a_reader_that_stops_early(folder):
    child = process("simulate", "--runs", "8", "--out", "many", cwd=folder)
    assert child.returncode == 0
    command = (
        "set -o pipefail; assay eval many/qrels.txt many/*.run -m AP -o tsv --per-topic | head -1"
    )
    import sys

    shell = f'assay() {{ "{sys.executable}" -m assay "$@"; }}; {command}'
    import subprocess

    done = subprocess.run(
        ["bash", "-c", shell], capture_output=True, text=True, cwd=folder, check=False, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "run\tmeasure\ttopic\tvalue\n")
    assert "Traceback" not in done.stderr
    assert "Broken" not in done.stderr


# ----------------------------------------------------------------------------------- what is asked


def test_measures_where_none_is_asked_for(folder):
    result = assay("eval", "q.txt", "bm25.run", "-o", "tsv")
    assert result.stderr.splitlines()[0] == "assay: no -m given: nDCG@10, AP, RR, R@100"
    assert [line.split("\t")[1] for line in result.stdout.splitlines()[1:]] == [
        "nDCG@10",
        "AP",
        "RR",
        "R@100",
    ]


def test_an_unknown_measure(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "nDGC@10")
    assert result.exit_code == 2
    assert result.stderr == (
        "assay: unknown measure 'nDGC@10'; did you mean 'nDCG@10'?  All names: assay measures\n"
    )


def test_a_bad_line(folder):
    write(folder, "bad.run", "301 Q0 d1 1 1.0 t\n301 Q0 d2\n")
    result = assay("eval", "q.txt", "bad.run", "-m", "AP")
    assert result.exit_code == 2
    assert result.stderr.startswith(
        "assay: bad.run:2: expected 6 columns (topic Q0 doc rank score tag), found 3: '301 Q0 d2'"
    )
    lenient = assay("eval", "q.txt", "bad.run", "-m", "AP", "--lenient", "-o", "tsv")
    assert lenient.exit_code == 0
    assert (
        "assay: warning: bad.run: left out 1 row with a wrong number of columns" in lenient.stderr
    )


def test_a_check_that_fails(folder):
    result = assay("eval", "q.txt", "other.run", "-m", "P@1", "--missing", "error")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == "assay: other lacks 1 of 3 topics (302) (missing='error')\n"


def test_policies_reach_the_numbers(folder):
    def value(*words):
        result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "tsv", "--per-topic", *words)
        return float(result.stdout.splitlines()[1].split("\t")[3]), result.stderr

    best, said = value("--ties", "best")
    assert best == pytest.approx((1 + 2 / 2) / 3)
    assert "assay: missing worst, undefined skip, unjudged nonrelevant, ties best" in said
    assert value("--unjudged", "condensed")[0] == pytest.approx((1 + 2 / 2) / 3)
    zero = assay("eval", "q.txt", "bm25.run", "-m", "AP", "-o", "tsv", "--undefined", "zero")
    assert float(zero.stdout.split("\t")[-1]) == pytest.approx((FIRST + 1 / 2) / 3)
    assert "undefined on 1 of 3 topics (no relevant document); counted as 0" in zero.stderr


def test_ignore_self(folder):
    write(folder, "self.txt", "d1 0 d1 1\nd1 0 d2 1\n")
    write(folder, "self.run", "d1 Q0 d1 1 2 t\nd1 Q0 d2 2 1 t\n")
    words = ["eval", "self.txt", "self.run", "-m", "RR", "-m", "NumRet", "-o", "tsv"]
    assert assay(*words).stdout.splitlines()[2].endswith("\t2.0")
    assert assay(*words, "--ignore-self").stdout.splitlines()[2].endswith("\t1.0")


def test_labels(folder):
    result = assay("eval", "q.txt", "old=bm25.run", "other.run", "-m", "P@1", "-o", "tsv")
    assert [line.split("\t")[0] for line in result.stdout.splitlines()[1:]] == ["old", "other"]
    result = assay("eval", "q.txt", "a=bm25.run", "a=other.run", "-m", "P@1")
    assert result.exit_code == 2
    assert result.stderr == (
        "assay: two runs are labelled 'a': bm25.run and other.run; give one another name, "
        "as in a2=other.run\n"
    )
    assert assay("eval", "q.txt", "=bm25.run").stderr == (
        "assay: '=bm25.run': expected a file, or NAME=FILE\n"
    )


def test_a_file_whose_name_has_an_equals_sign(folder):
    (folder / "bm25.run").rename(folder / "k1=2.run")
    result = assay("eval", "q.txt", "k1=2.run", "-m", "P@1", "-o", "tsv")
    assert result.stdout.splitlines()[1].startswith("k1=2\t")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "expected JUDGMENTS and one RUN or more, found neither"),
        (["q.txt"], "expected JUDGMENTS and one RUN or more, found only 'q.txt'"),
        (["--judgments", "q.txt"], "no run is given beside the judgments"),
    ],
)
def test_too_few_words(folder, words, message):
    result = assay("eval", *words)
    assert (result.exit_code, result.stderr) == (2, f"assay: {message}  Help: assay eval -h\n")


def test_a_topic_named_all(folder):
    write(folder, "all.txt", "all 0 d1 1\n")
    write(folder, "all.run", "all Q0 d1 1 1 t\n")
    result = assay("eval", "all.txt", "all.run", "-m", "AP", "-o", "tsv", "--per-topic")
    assert result.stderr == (
        "assay: warning: a topic is named 'all', as the rows of the means are; "
        "-o json keeps them apart\n"
    )


def test_control_characters_stay_out_of_the_terminal(folder):
    result = assay("eval", "q.txt", "\x1b[31mred=bm25.run", "-m", "P@1")
    assert result.stdout.splitlines()[0].startswith(r"\x1b[31mred ")
    result = assay("eval", "q.txt", "a\tb=bm25.run", "-m", "P@1", "-o", "tsv")
    assert result.stdout.splitlines()[1].startswith("a\\tb\tP@1")


# ---------------------------------------------------------------------------------------- plug-ins


def test_a_plugin(folder):
    plugin = write(
        folder,
        "mine.py",
        "import assay\n\n@assay.define\ndef CliFirstTwo(grade, rank):\n"
        '    "Gain of the first two documents."\n'
        "    return (grade * (rank <= 2)).sum(axis=-1)\n",
    )
    done = process(
        "eval",
        "q.txt",
        "bm25.run",
        "-m",
        "CliFirstTwo",
        "--plugin",
        plugin,
        "-o",
        "tsv",
        cwd=folder,
    )
    assert done.stdout.splitlines()[1] == "bm25\tCliFirstTwo\tall\t1.0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\ny = 1 / 0\n", "bad.py:2: ZeroDivisionError: division by zero"),
        ("def\n", "bad.py:1: SyntaxError: "),
        ("import assay\nassay.define('AP', len)\n", "bad.py: a measure named 'AP' exists already"),
    ],
)
def test_a_plugin_that_fails(folder, text, message):
    write(folder, "bad.py", text)
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "--plugin", "bad.py")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"assay: --plugin {message}")


def test_a_plugin_that_is_not_there(folder):
    result = assay("eval", "q.txt", "bm25.run", "-m", "AP", "--plugin", "no.py")
    assert result.stderr == "assay: --plugin no.py: no such file\n"


# ---------------------------------------------------------------------------------------- terminal

STYLE = re.compile(r"\x1b\[[0-9;]*m")


def _long_names(folder):
    text = (folder / "bm25.run").read_text(encoding="utf-8")
    middle = "university-of-somewhere-system"
    names = [f"{middle}-{i}-with-bm25-and-rm3.run" for i in (1, 2, 3)]
    for name in names:
        write(folder, name, text)
    return names


def test_a_terminal_of_80_columns(folder):
    names = _long_names(folder)
    shown = terminal("eval", "q.txt", *names, "-m", "nDCG@10", "-m", "AP", columns=80)
    assert "\x1b[1mnDCG@10" in shown
    lines = STYLE.sub("", shown).splitlines()
    table = lines[: lines.index("")]
    assert len({line.split()[0] for line in table[1:]}) == 3
    assert all(".." in line.split()[0] for line in table[1:])
    assert max(len(line) for line in lines if not line.startswith("assay: ")) <= 80
    assert all(re.search(r"0\.6830 +0\.0736 +0\.0218 +1\.3442 +2 +1", line) for line in table[1:])


def test_a_wide_terminal_draws_the_intervals(folder):
    shown = STYLE.sub(
        "", terminal("eval", "q.txt", "bm25.run", "other.run", "-m", "AP", columns=160)
    )
    table = shown.splitlines()[:3]
    assert table[0].endswith("3.81")
    assert all("├" in line and "●" in line and "┤" in line for line in table[1:])
    assert max(map(len, table)) <= 160


def test_per_topic_in_80_columns(folder):
    shown = STYLE.sub(
        "", terminal("eval", "q.txt", *_long_names(folder), "-m", "AP", "--per-topic", columns=80)
    )
    lines = [line for line in shown.splitlines() if not line.startswith("assay: ")]
    assert lines[0].startswith("AP, by topic  ")
    assert lines[1].split() == ["301", "0.5556", "0.5556", "0.5556"]
    assert lines[3].split() == ["303", "undef.", "undef.", "undef."]
    assert max(map(len, lines)) <= 80


def test_no_colour_where_it_is_not_wanted(folder):
    import os

    assert (
        "\x1b"
        not in process(
            "eval", "q.txt", "bm25.run", "-m", "AP", cwd=folder, env=os.environ | {"NO_COLOR": "1"}
        ).stdout
    )


def test_preferences_in_the_place_of_judgments(tmp_path):
    """By hand: of a > b, b > c, a > c the run c b a meets none, a c b two: NDPM 1 and 1/3."""
    verdicts = write(tmp_path, "v.txt", "q a b a\nq b c b\nq a c a\nq a z x\n")
    lines = {"back": "c b a", "most": "a c b"}
    runs = [
        write(
            tmp_path,
            f"{name}.run",
            "".join(f"q Q0 {doc} {i} {9 - i} t\n" for i, doc in enumerate(docs.split(), 1)),
        )
        for name, docs in lines.items()
    ]
    found = assay("eval", "--preferences", verdicts, *runs, "-o", "tsv")
    assert found.exit_code == 2
    assert "v.txt:4: the winner 'x' is neither 'a' nor 'z'" in found.stderr
    found = assay("eval", "--preferences", verdicts, *runs, "-o", "tsv", "--lenient")
    assert [line.split("\t")[-1] for line in found.stdout.splitlines()[1:]] == ["1.0", repr(1 / 3)]
    assert "no -m given: NDPM" in found.stderr
    assert "v.txt: left out 1" in found.stderr
    two = ("--preferences", f"one={verdicts}", "--judgments", f"two={verdicts}")
    assert "stand side by side" in assay("eval", *two, *runs).stderr
    assert "no run is given beside the preferences" in assay("eval", *two[:2]).stderr
    assert "AP needs grades" in assay("eval", *two[:2], *runs, "--lenient", "-m", "AP").stderr
