"""Tests, intervals, sizes and power: arrays in, frozen results out; no files, names or policy.

Differences come as `d[pair, topic]`, scores as `x[run, topic]`, without gaps: who calls has left
out the topics on which some run has no value. Everything random takes a seed and gives the same
numbers whatever the number of threads.
"""
