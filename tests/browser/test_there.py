"""Runs with every test, so that whoever lacks the browser is told what was not tried."""

from __future__ import annotations


def test_chromium_is_there(chromium):
    assert chromium
