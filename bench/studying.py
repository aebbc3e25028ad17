"""What the studies are timed on: two shared collections where they are, artificial lists."""

from __future__ import annotations

from comparing import ROOT

COVID, DL21 = ROOT / "data" / "trec-covid-r3", ROOT / "data" / "dl21"
CONTRADICTING = "llama3.2.umbrela"  # judges pairs up to five times, each time otherwise


def there() -> bool:
    """Whether both collections are."""
    return COVID.is_dir() and DL21.is_dir()


def pool() -> list[str]:
    """Leave out each of 79 runs."""
    runs = sorted((COVID / "runs.top100").iterdir())
    asked = ["-m", "nDCG@10", "-m", "AP", "--show", "runs", "-o", "csv"]
    return ["pool", str(COVID / "qrels.covid-round3.txt"), *map(str, runs), *asked]


def robust() -> list[str]:
    """Two runs under NIST and 27 other judges."""
    runs = [str(DL21 / "runs.judged" / f"input.{name}.gz") for name in ("p_bm25", "p_tct0")]
    judges = sorted(p for p in (DL21 / "judges").iterdir() if CONTRADICTING not in p.name)
    asked = ["-m", "nDCG@10", "-m", "AP", "-o", "csv"]
    nist = str(DL21 / "qrels" / "qrels.dl21-passage.txt")
    return ["robust", nist, *runs, "--judges", *map(str, judges), *asked]


def sensitivity() -> list[str]:
    """The artificial collection as it comes, the paper's three measures."""
    return ["sensitivity", "-o", "csv"]
