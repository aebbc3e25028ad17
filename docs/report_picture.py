"""Take the pictures of docs/8-report.md: a report of simulated runs, in a browser (extra: dev)."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

import assay

IMAGES = Path(__file__).parent / "images"
HEIGHTS = {"report": 860, "report-topics": 760}


def main() -> None:
    """Make the page, and picture its beginning and a topic."""
    made = assay.simulate()
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder, "report.html")
        report = assay.report(made.judgments, made.runs, ["nDCG@10", "AP"], baseline="rounded")
        report.save(path)
        chromium = shutil.which("chromium")
        browser = driver.chromium.launch(executable_path=chromium, args=arguments)
        page = browser.new_page(viewport={"width": 1200, "height": HEIGHTS["report"]})
        page.goto(path.as_uri())
        page.screenshot(path=IMAGES / "report.png")
        page.set_viewport_size({"width": 1200, "height": HEIGHTS["report-topics"]})
        page.evaluate("document.querySelector('nav').hidden = true")
        page.select_option("#rows", "10")
        page.locator("#topics").screenshot(path=IMAGES / "report-topics.png")
        browser.close()


if __name__ == "__main__":
    main()
