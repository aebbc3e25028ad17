"""Open the report of 63 runs in a browser, in a process of its own.

    python bench/reporting.py           after `assay report` has made it (see TOOLS)

Prints as JSON, by the browser's own clock: seconds from the start of loading until every control
answers, and seconds to show another topic; and the size of the file in megabytes.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

PAGE = Path(__file__).parent / ".data" / "report.html"

ANOTHER = """() => {
  const topic = document.getElementById("topic");
  const start = performance.now();
  topic.selectedIndex = (topic.selectedIndex + 1) % topic.options.length;
  topic.dispatchEvent(new Event("change"));
  document.body.getBoundingClientRect();
  return (performance.now() - start) / 1000;
}"""


def made(paths: list[str]) -> list[str]:
    """Words of the command that makes the page."""
    PAGE.parent.mkdir(exist_ok=True)
    return ["report", *paths, "-m", "nDCG@10", "-m", "AP", "-o", str(PAGE)]


def main() -> int:
    """Open the page and say how long it took."""
    from playwright.sync_api import sync_playwright

    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(PAGE.as_uri())
        ready = page.evaluate("performance.getEntriesByName('assay-ready')[0].startTime") / 1000
        another = page.evaluate(ANOTHER)
        browser.close()
    found = {"seconds": ready, "another": another, "megabytes": PAGE.stat().st_size / 1e6}
    print(json.dumps({"test": found}))
    return 0


if __name__ == "__main__":
    sys.exit(main())
