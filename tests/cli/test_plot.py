from __future__ import annotations

import pytest

import assay
from assay.show.charts import KINDS
from shell import assay as run

pytest.importorskip("altair")
pytest.importorskip("vl_convert")

TWO = ("swings", "scatter", "gate", "robust")
OWN = {
    "correlation": ["-m", "AP", "-m", "RR"],
    "significance": ["--sweep", "5"],
    "sensitivity": ["-m", "RR", "-m", "AP", "--repeats", "2", "--items", "20", "--swaps", "5"],
    "axioms": ["-m", "RR"],
    "gate": ["--max-drop", "5%"],
    "pool": ["--pool", "2", "-m", "AP"],
}
ALONE = ("sensitivity", "axioms")
JUDGES = ("judge-ranks", "tau", "agreement-by-rank")
COMMANDS = [name for name, kind in KINDS.items() if kind.help]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    found = tmp_path_factory.mktemp("plot")
    assay.simulate(topics=12, docs=60, runs=3, seed=4).write(found / "made")
    lines = (found / "made" / "qrels.txt").read_text().splitlines()
    (found / "other.txt").write_text(
        "".join(f"{line[:-1]}{(int(line[-1]) + n % 2) % 3}\n" for n, line in enumerate(lines))
    )
    return found


def words(folder, name):
    judged, runs = folder / "made" / "qrels.txt", sorted((folder / "made").glob("*.run"))
    if name in ALONE:
        return []
    if name in JUDGES:
        return [judged, folder / "other.txt", "--runs", *runs]
    if name == "agreement":
        return [judged, folder / "other.txt"]
    return [judged, *(runs[:2] if name in TWO else runs)]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_kind_from_files(folder, tmp_path, name):
    target = tmp_path / "picture.svg"
    args = [*map(str, words(folder, name)), *OWN.get(name, []), "-o", str(target)]
    answer = run("plot", name, *args, "--preset", "paper")
    assert answer.exit_code == 0, answer.output
    assert answer.stdout == ""
    assert target.read_text().startswith("<svg")


def test_what_is_drawn_is_what_python_draws(folder, tmp_path):
    target = tmp_path / "picture.svg"
    args = list(map(str, words(folder, "curves")))
    assert (
        run(
            "plot", "curves", *args, "-m", "CG@8", "--baseline", "solid", "-o", str(target)
        ).exit_code
        == 0
    )
    from assay.show.charts import svg

    found = assay.curves(args[0], args[1:], "CG@8")
    assert target.read_text() == svg(found.plot(baseline="solid"))


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["curves"], "expected -o FILE, with a suffix of png, svg, pdf, html"),
        (["curves", "-o", "x.gif"], "x.gif: expected a suffix of png, svg, pdf, html, found .gif"),
        (["curves", "-o", "x"], "x: expected a suffix of png, svg, pdf, html, found none"),
        (["curves", "-o", "x.png"], "expected JUDGMENTS and one RUN or more, found nothing"),
        (["curvs"], "no picture 'curvs'; did you mean 'curves'?"),
        (["tau", "a", "b", "-o", "x.png"], "expected --runs RUN...: systems are what is ranked"),
        (
            ["heatmap", "q", "r", "-m", "AP", "-m", "RR", "-o", "x.png"],
            "a picture shows one measure",
        ),
        (["sensitivity", "q", "-o", "x.png"], "q: the lists are artificial, no file is read"),
        (["topics", "q", "r", "--unjudged", "bounds", "-o", "x.png"], "makes two values of one"),
        (["swings", "-o", "x.png"], "expected JUDGMENTS and two RUNs or more, found nothing"),
    ],
)
def test_words_of_a_wrong_question(args, said):
    answer = run("plot", *args)
    assert answer.exit_code == 2
    assert said in answer.stderr


def test_nothing_is_written_where_drawing_fails(folder, tmp_path):
    args = list(map(str, words(folder, "leaderboard")))
    answer = run("plot", "curves", *args, "-o", str(tmp_path / "x.png"), "--highlight", "nobody")
    assert answer.exit_code == 2
    assert "no 'nobody' here; there are: " in answer.stderr
    assert not list(tmp_path.iterdir())
