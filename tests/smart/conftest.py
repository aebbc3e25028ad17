"""A collection small enough to search by hand."""

from __future__ import annotations

import pytest

DOCUMENTS = """.I 1
.T
Lung infections
.A
Someone, A.
.W
Infections of the lungs and the lung.
.I 2
.T
pulmonary diseases
.W
pulmonary diseases .  a study of pulmonary infection
.I 003
.W
An empty room.
"""
QUERIES = """.I 01
.W
What is known about lungs?
.I 07
.W
infected rooms
"""
SYNONYMS = """# the body
lung, pulmonary  # one class
disease illness
"""


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name, text in (
        ("docs.txt", DOCUMENTS),
        ("queries.txt", QUERIES),
        ("words.txt", SYNONYMS),
    ):
        (tmp_path / name).write_text(text)
    return tmp_path
