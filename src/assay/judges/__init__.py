"""Judges: how far they agree, and whether the ranking of systems survives that they do not.

Arrays in, frozen results out; no files. Grades come as `grade[judge, pair]` (NaN: not judged) with
`topic[pair]`, scores as `values[judge, run, topic]`. Topics are resampled, systems never.
"""
