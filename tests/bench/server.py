"""How much faster the program is than a plain loop that touches every running chat in every step.

    PYTHONPATH=py python tests/bench/server.py

Both serve the same chats in one process, in turns, so that a busy machine slows both; medians are compared.
It reports and judges nothing: the exit code is 0 whatever the ratio.
"""

import random
import statistics
import sys
import time
from collections.abc import Callable
from math import exp, log
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.reference.plain_server import serve_plainly  # noqa: E402  (a script: its path has to be set first)
from tinyserve import Workload, chats, serve  # noqa: E402

TARGET = 2.5  # times faster than the plain loop, in the heavy run
HOUR_S = 3600
HOUR_RATE = (
    25  # chats a second: the heavy run finishes 27 where 40 are sent, so an hour of 40 would only queue
)
RATE, PAGES, LIMIT = 40, 240, 16  # the heavy run


def an_hour_of_chats() -> Workload:
    """Chats with the lesson's mix of prompts and replies, as if recorded over an hour."""
    draw = random.Random(3600)
    gaps: list[float] = []
    prompts: list[int] = []
    replies: list[int] = []
    for _ in range(HOUR_S * HOUR_RATE):
        shortest, longest = (100, 400) if draw.random() < 0.12 else (8, 60)
        gaps.append(draw.expovariate(1.0))
        prompts.append(round(exp(draw.uniform(log(30), log(600)))))
        replies.append(round(exp(draw.uniform(log(shortest), log(longest)))))
    return Workload(gaps, prompts, replies)


def seconds(work: Callable[[], object]) -> float:
    """Seconds that one call takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def compare(workload: Workload, rate: float, rounds: int) -> tuple[float, float]:
    """Median seconds of the program and of the plain loop, measured in turns."""
    gaps = list(workload.gaps)
    prompts = list(workload.prompts)
    replies = list(workload.replies)
    ours = []
    plain = []
    for _ in range(rounds):
        ours.append(seconds(lambda: serve(workload, rate, PAGES, LIMIT)))
        plain.append(seconds(lambda: serve_plainly(gaps, prompts, replies, rate, PAGES, LIMIT)))
    return statistics.median(ours), statistics.median(plain)


def main() -> None:
    """Print one line for each workload."""
    print(f"{'workload':<32}{'plain ms':>10}{'ours ms':>10}{'ratio':>8}   target")
    cases = [
        ("heavy run, 400 chats", chats(), RATE, 41, f"at least {TARGET}"),
        (f"an hour, {HOUR_S * HOUR_RATE:,} chats", an_hour_of_chats(), HOUR_RATE, 3, ""),
    ]
    for name, workload, rate, rounds, target in cases:
        ours_s, plain_s = compare(workload, rate, rounds)
        ratio = plain_s / ours_s
        print(f"{name:<32}{plain_s * 1000:>10.1f}{ours_s * 1000:>10.1f}{ratio:>8.2f}   {target}")


if __name__ == "__main__":
    main()
