"""What every test shares: real data, no silent skips in CI, Hypothesis that repeats itself."""

from __future__ import annotations

import os
from pathlib import Path

import hypothesis
import pytest

NO_SKIP = os.environ.get("ASSAY_NO_SKIP") == "1"

hypothesis.settings.register_profile("dev", deadline=None)
hypothesis.settings.register_profile("ci", deadline=None, derandomize=True, database=None)
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "dev")


@pytest.fixture(scope="session")
def shared() -> Path:
    """Folder of real collections: $ASSAY_SHARED/data, else ../shared/data beside the checkout."""
    root = os.environ.get("ASSAY_SHARED") or Path(__file__).parents[2] / "shared"
    data = Path(root) / "data"
    if not data.is_dir():
        pytest.skip(f"{data} is absent: real-data tests skipped")
    return data


def fail_if_skipped(report: pytest.TestReport | pytest.CollectReport) -> None:
    """Turn a skip into a failure; an expected failure stays what it is."""
    if NO_SKIP and report.skipped and not hasattr(report, "wasxfail"):
        why = report.longrepr[2] if isinstance(report.longrepr, tuple) else report.longrepr
        report.outcome = "failed"
        report.longrepr = f"ASSAY_NO_SKIP=1 allows no skip, and this was skipped. {why}"


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    fail_if_skipped(report)
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    fail_if_skipped(report)
    return report
