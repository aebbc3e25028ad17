"""A real browser without a window, and pages that may neither complain nor ask for anything."""

from __future__ import annotations

import os
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


@pytest.fixture(scope="session")
def chromium() -> str:
    """The browser that the system has."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        pytest.skip("no chromium on the PATH: the report's browser tests cannot run here")
    return found


@pytest.fixture(scope="session")
def browser(chromium):
    playwright = pytest.importorskip("playwright.sync_api")
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with playwright.sync_playwright() as driver:
        started = driver.chromium.launch(executable_path=chromium, args=arguments)
        yield started
        started.close()


@pytest.fixture
def opened(browser):
    """Open a file; at the end nothing was complained of and nothing was asked for."""

    @contextmanager
    def opening(path: Path, **settings):
        context = browser.new_context(**settings)
        page = context.new_page()
        page.set_default_timeout(10_000)
        said, asked = [], []
        page.on("console", lambda message: said.append((message.type, message.text)))
        page.on("pageerror", lambda error: said.append(("error", str(error))))
        page.on(
            "dialog", lambda dialog: (said.append(("dialog", dialog.message)), dialog.dismiss())
        )
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        yield page
        context.close()
        assert said == []
        outside = [url for url in asked if not url.startswith(("file:", "data:"))]
        assert outside == []
        assert asked[0] == path.as_uri()

    return opening
