"""The next pieces made in a second thread while the present one is worked on."""

from __future__ import annotations

from contextlib import suppress
from queue import Empty, Queue
from threading import Event, Thread
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

T = TypeVar("T")

__all__ = ["ahead"]


def ahead(items: Generator[T], depth: int = 1) -> Iterator[T]:
    """Yield the items, of which a second thread makes up to `depth` beforehand."""
    queue: Queue[tuple[str, Any]] = Queue(maxsize=depth)
    stop = Event()

    def work() -> None:
        try:
            for item in items:
                queue.put(("item", item))
                if stop.is_set():
                    return
            queue.put(("end", None))
        except BaseException as error:  # noqa: BLE001 - handed to the reader's thread
            queue.put(("error", error))
        finally:
            items.close()

    thread = Thread(target=work, daemon=True)
    thread.start()
    try:
        while True:
            kind, item = queue.get()
            if kind == "end":
                return
            if kind == "error":
                raise item
            yield item
            del item  # not held while the next is waited for
    finally:
        stop.set()
        with suppress(Empty):
            while True:  # make room: once stopped, the other thread hands over at most one more
                queue.get_nowait()
        thread.join()
