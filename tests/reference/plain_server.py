"""The plain server loop: every running chat is touched in every step, and nothing is worked out ahead.

Written from the lesson's description alone, and it shares no code with the program, so that the two can be
compared. It is also the baseline of tests/bench/server.py. Chats and steps are counted from 0.
"""

from collections import deque
from dataclasses import dataclass, field
from typing import NamedTuple

PARAMETERS = 8.03e9  # weights of Llama 3.1 8B
WEIGHT_BYTES = 2 * PARAMETERS  # bf16
FLOP_PER_S = 312e12  # A100 data sheet, bf16
BYTES_PER_S = 2.039e12  # A100 80 GB SXM data sheet
TOKEN_BYTES = 32 * 8 * 128 * 2 * 2  # layers x KV heads x head size x (K and V) x bytes each
PAGE_TOKENS = 16


class PlainStep(NamedTuple):
    """What one step did: its queue after admission, its pages after the chats that ended have left."""

    start: float
    took: float
    stepped: int
    joined: int
    queue: int
    held: int
    owed: int
    cache_held_out: bool
    batch_held_out: bool


@dataclass
class Snapshot:
    """Who was where in one step: kept only when the caller watches, because it costs time."""

    waiting: list[int]  # after admission, front first
    words: dict[int, int]  # chat -> words made by the end of this step, the ended too, in order of joining
    page_tables: dict[int, list[int]]  # chat -> its pages after the ended have left
    free: list[int]  # the next page to be taken first


@dataclass
class PlainRun:
    """All that the plain loop noted. Lists by chat, except `steps` and `snapshots`, which go by step."""

    sent: list[float]
    first_word: list[float]
    last_word: list[float]
    joined_step: list[int]
    page_table: list[list[int]]  # every page the chat ever took, in the order in which it took them
    steps: list[PlainStep] = field(default_factory=list)
    snapshots: list[Snapshot] = field(default_factory=list)


def sending_times(gaps: list[float], rate: float) -> list[float]:
    """Seconds at which each chat is sent: the first at 0, each next after the gap over the rate."""
    times = []
    t = 0.0
    for gap in gaps:
        times.append(t)
        t += gap / rate
    return times


def step_time(running: int, context_tokens: int, prompt_tokens: int) -> float:
    """Seconds of a step: the larger of computing and reading memory."""
    compute = 2 * PARAMETERS * (running + prompt_tokens) / FLOP_PER_S
    memory = (WEIGHT_BYTES + TOKEN_BYTES * context_tokens) / BYTES_PER_S
    return max(compute, memory)


def serve_plainly(
    gaps: list[float],
    prompts: list[int],
    replies: list[int],
    rate: float,
    pages: int,
    limit: int,
    watch: bool = False,
) -> PlainRun:
    """Serve all chats and note every step; with `watch`, also who was where in it."""
    count = len(gaps)
    sent = sending_times(gaps, rate)
    run = PlainRun(sent, [0.0] * count, [0.0] * count, [0] * count, [[] for _ in range(count)])
    words = [0] * count
    free = deque(range(pages))
    waiting: deque[int] = deque()
    running: list[int] = []
    promised = 0
    arrived = 0
    now = 0.0

    while arrived < count or waiting or running:
        # Chats that have been sent by now join the queue. An idle server first sleeps until the next one.
        if not running and not waiting:
            now = max(now, sent[arrived])
        while arrived < count and sent[arrived] <= now:
            waiting.append(arrived)
            arrived += 1

        # Admission looks at the front of the queue only.
        joining: list[int] = []
        cache_held_out = False
        batch_held_out = False
        while waiting:
            chat = waiting[0]
            need = -(-(prompts[chat] + replies[chat]) // PAGE_TOKENS)
            cache_held_out = promised + need > pages
            batch_held_out = len(running) + len(joining) == limit
            if cache_held_out or batch_held_out:
                break
            promised += need
            joining.append(waiting.popleft())

        # The step reads the joining chats' prompts and the context of those that were running already.
        context_tokens = 0
        for chat in running:
            context_tokens += prompts[chat] + words[chat]
        prompt_tokens = 0
        for chat in joining:
            prompt_tokens += prompts[chat]
        start = now
        took = step_time(len(running), context_tokens, prompt_tokens)
        now = start + took

        # Every chat has one word more, takes the pages that it lacks, and leaves if that was its last word.
        for chat in joining:
            run.joined_step[chat] = len(run.steps)
            run.first_word[chat] = now
        stepped = running + joining
        running = []
        for chat in stepped:
            words[chat] += 1
            table = run.page_table[chat]
            while len(table) * PAGE_TOKENS < prompts[chat] + words[chat]:
                table.append(free.popleft())
            if words[chat] < replies[chat]:
                running.append(chat)
            else:
                run.last_word[chat] = now
                free.extend(table)
                promised -= -(-(prompts[chat] + replies[chat]) // PAGE_TOKENS)

        held = pages - len(free)
        run.steps.append(
            PlainStep(
                start=start,
                took=took,
                stepped=len(stepped),
                joined=len(joining),
                queue=len(waiting),
                held=held,
                owed=promised - held,
                cache_held_out=cache_held_out,
                batch_held_out=batch_held_out,
            )
        )
        if watch:
            run.snapshots.append(
                Snapshot(
                    waiting=list(waiting),
                    words={chat: words[chat] for chat in stepped},
                    page_tables={chat: list(run.page_table[chat]) for chat in running},
                    free=list(free),
                )
            )
    return run
