"""Times the program's work for one answer.

tests/bench/drag.py has CPython and the page's Python run this same file.
"""

import time

from tinyserve import chats, report, serve

WORKLOAD = chats()


def run_seconds(rate: float, pages: int, limit: int, runs: int) -> list[float]:
    """Seconds of each of so many runs in a row."""
    seconds = []
    for _ in range(runs):
        start_s = time.perf_counter()
        report(WORKLOAD, rate, serve(WORKLOAD, rate, pages, limit))
        seconds.append(time.perf_counter() - start_s)
    return seconds
