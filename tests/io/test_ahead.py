"""Work done in a second thread: same items, same errors, no thread left behind."""

from __future__ import annotations

import threading

import pytest

from assay.io.ahead import ahead


def numbers(n, closed=None, error=None):
    try:
        yield from range(n)
        if error:
            raise error
    finally:
        if closed is not None:
            closed.append(True)


@pytest.mark.parametrize("depth", [1, 2, 5])
def test_items_come_in_order(depth):
    closed = []
    assert list(ahead(numbers(100, closed), depth)) == list(range(100))
    assert closed == [True]


def test_an_error_comes_after_the_items_before_it():
    items = ahead(numbers(7, error=KeyError("late")))
    assert [next(items) for _ in range(7)] == list(range(7))
    with pytest.raises(KeyError, match="late"):
        next(items)


@pytest.mark.parametrize("taken", [0, 1, 3])
def test_leaving_early_closes_everything(taken):
    threads, closed = set(threading.enumerate()), []
    items = ahead(numbers(1000, closed), 2)
    for _ in range(taken):
        next(items)
    items.close()
    assert set(threading.enumerate()) <= threads
    assert closed == [True] * bool(taken)
