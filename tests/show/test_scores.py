from __future__ import annotations

import pytest

import assay
from assay.show.formats import text
from assay.show.scores import remarks, score_table

JUDGMENTS = {"1": {"a": 1, "b": 0}, "2": {"c": 0}, "3": {"d": 1}}
RUNS = {"good": {"1": {"a": 1.0}, "3": {"d": 1.0}}, "<b>&": {"1": {"b": 2.0, "a": 1.0}}}


@pytest.fixture
def scores():
    return assay.evaluate(JUDGMENTS, RUNS, ["RR", "P@1"])


def test_plain_text(scores):
    assert str(score_table(scores)).splitlines() == [
        "RR      mean      sd     95 %  interval  topics  undef.  missing",
        "good  1.0000  0.0000   1.0000    1.0000       2       1        0",
        "<b>&  0.2500  0.3536  -2.9266    3.4266       2       1        1",
        "",
        "P@1     mean      sd     95 %  interval  topics  undef.  missing  Judged@1",
        "good  0.6667  0.5774  -0.7676    2.1009       3       0        1      1.00",
        "<b>&  0.0000  0.0000   0.0000    0.0000       3       0        2      1.00",
        "",
        f"assay {assay.__version__}: {scores.policy}",
        *(f"note: {note}" for note in remarks(scores)),
    ]


def test_notes_say_what_is_undefined_and_missing(scores):
    assert remarks(scores)[-1] == (
        "RR is undefined on 1 of 3 topics (no relevant document); left out of the mean"
    )
    assert any("1 of 3 topics have no line in good (2)" in note for note in remarks(scores))


def test_without_talk(scores):
    lines = str(score_table(scores, talk=False)).splitlines()
    assert lines[-1].startswith("assay ")


def test_by_topic(scores):
    lines = str(score_table(scores, per_topic=True)).splitlines()
    assert lines[:4] == [
        "RR, by topic    good            <b>&",
        "1             1.0000          0.5000",
        "2             undef.          undef.",
        "3             1.0000  0.0000 missing",
    ]


def test_many_runs_by_topic_go_on_below():
    runs = {f"run{i:02d}": {"1": {"a": 1.0}} for i in range(20)}
    table = str(assay.evaluate(JUDGMENTS, runs, "P@1").table(per_topic=True))
    heads = [line for line in table.splitlines() if line.startswith("P@1, by topic")]
    assert len(heads) > 1
    assert [name for line in heads for name in line.split() if name.startswith("run")] == list(runs)
    assert all(len(line) <= 80 for line in heads)


def test_html_is_escaped(scores):
    html = scores._repr_html_()
    assert "&lt;b&gt;&amp;" in html
    assert "<b>&" not in html
    assert html.count("<table>") == html.count("</table>") == 1


def test_markdown_says_policies_and_notes(scores):
    markdown = scores.table().to_markdown()
    assert r"| \<b\>& | 0.2500 | 0.3536 | -2.9266 | 3.4266 | 2 | 1 | 1 |" in markdown
    assert f"\n\nassay {assay.__version__}: missing worst," in markdown
    assert "\n\nNote: RR is undefined on 1 of 3 topics" in markdown


def test_latex_escapes(scores):
    latex = scores.table().to_latex()
    assert r"\textless{}b\textgreater{}\& & 0.2500 & 0.3536 & $-$2.9266 & 3.4266" in latex
    assert r"95 \% low" in latex


def test_a_warning_is_seen():
    judged = {"1": {f"d{i}": 1 for i in range(10)}}
    runs = {
        "old": {"1": {f"d{i}": -i for i in range(10)}},
        "new": {"1": {f"x{i}": -i for i in range(10)} | {"d1": 1.0}},
    }
    scores = assay.evaluate(judged, runs, "P@10")
    assert "\nwarning: Judged@10 runs from 0.10 (new) to 1.00 (old)" in str(scores.table())
    assert "<b>warning:</b> Judged@10" in scores._repr_html_()
    assert "**Warning:** Judged@10" in scores.table().to_markdown()


@pytest.mark.parametrize(("mean", "head"), [("geometric", "geom. mean"), ("median", "median")])
def test_other_averages(mean, head):
    table = str(assay.evaluate(JUDGMENTS, RUNS, "P@1", mean=mean).table())
    assert table.startswith(f"P@1   {head}  ")


def test_rich_rendering_fits_and_draws(scores):
    from io import StringIO

    from rich.console import Console

    def shown(width, **settings):
        console = Console(file=StringIO(), width=width, highlight=False, **settings)
        console.print(score_table(scores))
        return console.file.getvalue()

    assert "├" in shown(160) or "|" in shown(160)
    narrow = shown(80)
    assert max(len(line) for line in narrow.splitlines() if not line.startswith("note")) <= 80
    assert "\x1b[1;33mwarning" not in narrow


@pytest.mark.parametrize("form", ["tsv", "csv", "json", "jsonl", "markdown", "latex"])
def test_every_form_ends_with_a_line_feed(scores, form):
    written = "".join(text(scores, form, per_topic=True))
    assert written.endswith("\n")
    assert not written.endswith("\n\n")
