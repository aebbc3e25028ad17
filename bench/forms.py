"""The forms that runs come in: writes the benchmark's runs as Parquet and Arrow, and reads them.

python bench/forms.py convert FOLDER          r01.txt beside r01.parquet and r01.arrow
python bench/forms.py read RUN...             as assay reads: typed, checked, in whole topics
python bench/forms.py polars RUN...           a bare Polars read of the same three columns
python bench/forms.py pandas RUN...           a pandas frame made into a Run, timed by itself
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

COLUMNS = ["topic", "doc", "score"]


def convert(folder: Path) -> None:
    """Write each run in the other forms, unless it is there."""
    import polars as pl

    fields = ("topic", "q0", "doc", "rank", "score", "tag")
    schema = dict.fromkeys(fields, pl.String) | {"rank": pl.Int64, "score": pl.Float64}
    for path in sorted(folder.glob("r*.txt")):
        table, arrow = path.with_suffix(".parquet"), path.with_suffix(".arrow")
        if table.exists() and arrow.exists():
            continue
        frame = pl.read_csv(path, has_header=False, separator=" ", quote_char=None, schema=schema)
        frame = frame.select("topic", "doc", "rank", "score", "tag")
        for target, write in ((table, frame.write_parquet), (arrow, frame.write_ipc)):
            work = target.with_suffix(".unfinished")
            write(work)
            work.rename(target)


def read(path: str) -> int:
    """Count the rows that evaluate would get."""
    from assay.io.forms import opened, rows_of
    from assay.io.lines import RUN
    from assay.io.locate import Origin

    return sum(map(len, rows_of(opened(Origin(path, path), RUN), RUN, whole_topics=True)))


def bare(path: str) -> int:
    """Count the rows that Polars reads."""
    import polars as pl

    reader = pl.read_parquet if path.endswith(".parquet") else pl.read_ipc
    return reader(path, columns=COLUMNS).height


def pandas(path: str) -> int:
    """Make a Run of a pandas frame; how long that takes goes to stderr."""
    import polars as pl

    import assay

    frame = pl.read_parquet(path, columns=COLUMNS).to_pandas()
    start = time.perf_counter()
    run = assay.Run(frame)
    print(f"pandas to Run: {time.perf_counter() - start:.2f} s", file=sys.stderr)
    return len(run)


def main() -> None:
    """Do what the first word asks."""
    what, *paths = sys.argv[1:]
    if what == "convert":
        convert(Path(paths[0]))
        return
    step = {"read": read, "polars": bare, "pandas": pandas}[what]
    print(json.dumps({"rows": sum(map(step, paths))}))


if __name__ == "__main__":
    main()
