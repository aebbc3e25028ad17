"""Studies: whether what was concluded of runs survives other gains, measures, scores, pools.

Each study is a function that gives a frozen result with `.table()`, `.tabulars()` and `.verdict()`.
Topics are resampled, systems never.
"""
