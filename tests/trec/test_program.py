"""What trec_eval 9 and 10 themselves answered to random files and flags, see program.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from trec.program import GOLDEN, Answer, agree, ours

RECORDED = json.loads(GOLDEN.read_text(encoding="utf-8"))


def test_the_record_is_broad():
    assert {case["ver"] for case in RECORDED} == {9, 10}
    assert {case["answer"]["code"] for case in RECORDED} >= {0, 1, 2, 4}
    flags = {word for case in RECORDED for word in case["arguments"]}
    assert flags >= {"-q", "-c", "-n", "-J", "-M", "-l", "-N", "-R", "-m", "all_trec", "all_prefs"}


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: " ".join(case["arguments"]))
def test_recorded(case, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in case["files"].items():
        Path(name).write_text(text, encoding="utf-8")
    assert agree(ours(case["arguments"], case["ver"]), Answer(**case["answer"])) == []


def test_a_difference_is_seen():
    expected = Answer("map\tall\t0.5000\n", "", 0)
    assert agree(Answer("map\tall\t0.5001\n", "", 0), expected)
    assert agree(Answer("", "", 0), expected)
    assert agree(Answer(expected.out, "", 1), expected)
