"""A tiny model server: a paged cache, a batcher and metrics, under load. A formula stands in for the model.

A chat is a prompt to read and a reply to write. In a step each running chat gets a word. A page: 16 tokens.
The parts, numbered as in the lesson, are: 1 queue, 2 admit, 3 step, 4 cache, 5 metrics, 6 load.
"""
from collections import defaultdict, deque
from typing import Any

from tinyserve.step_time import step_seconds
from tinyserve.workload import percentile, sending_times

PAGE_TOKENS = 16  # tokens in a page (vLLM says block; 16 is its default)
MOST = 1_000_000  # the largest cache, in pages, and the largest batch, in chats, that serve() takes
QUEUE_FLOOR = 4  # a longest queue under this many chats is no wall: our choice, as is the factor 2 below


class Run:
    """What happened. A chat gets a word in the step it joins in, and in each step after, up to its last."""
    def __init__(self) -> None:
        self.start_s: list[float] = []  # this list and the next eight have one entry for each step
        self.took_s: list[float] = []
        self.stepped: list[int] = []  # chats that got a word, the joined ones among them
        self.joined: list[int] = []
        self.queue: list[int] = []  # chats that wait, after admission
        self.held: list[int] = []  # pages in use, after the ended chats have left
        self.owed: list[int] = []  # pages promised to running chats and not in use yet
        self.cache_held_out: list[bool] = []  # the front chat needed more pages than were unpromised
        self.batch_held_out: list[bool] = []  # the front chat found no free place; both can be true at once
        self.joined_step: dict[int, int] = {}  # chat -> the step that read its prompt
        self.first_word_s: dict[int, float] = {}  # chat -> the end of that step
        self.last_word_s: dict[int, float] = {}
        self.page_table: dict[int, list[int]] = {}  # chat -> the pages it took, in order


def pages_for(tokens: int) -> int:
    """Pages that hold so many tokens; the last may be part full: pages_for(100 + 50) is 10."""
    return (tokens + PAGE_TOKENS - 1) // PAGE_TOKENS


def serve(workload: Any, rate: float, pages: int, limit: int) -> Run:
    """Send a Workload at `rate` chats a second to a server of `pages` pages and `limit` chats a step."""
    prompts, replies, sent_s = workload.prompts, workload.replies, sending_times(workload.gaps, rate)
    promise = [pages_for(prompt + reply) for prompt, reply in zip(prompts, replies)]  # for its whole life
    for name, value, least in (("pages", pages, max(promise)), ("limit", limit, 1)):
        if type(value) is not int or not least <= value <= MOST:
            needs = f" (chat {promise.index(least)} needs {least:,})" if name == "pages" else ""
            raise ValueError(f"{name} must be an int from {least:,} to {MOST:,}{needs}, got {value!r}")
    run = Run()
    queue: deque[int] = deque()
    free = deque(range(pages))  # first in, first out: pages are taken on the left and given back on the right
    page_due: dict[int, list[int]] = defaultdict(list)  # step -> its chat for each page taken in it
    end_due: dict[int, list[int]] = defaultdict(list)  # step -> the chats that get their last word in it
    arrived = running = promised = context_tokens = 0
    now_s = 0.0
    while arrived < len(sent_s) or queue or running:
        # 1 QUEUE: each chat sent by now joins it. A server with nothing to do sleeps until the next is sent.
        now_s = now_s if queue or running else max(now_s, sent_s[arrived])
        while arrived < len(sent_s) and sent_s[arrived] <= now_s:
            queue.append(arrived)
            arrived += 1
        # 2 ADMIT: the front chat joins if the batch has a place for it, and the cache all its pages.
        joining: list[int] = []
        prompt_tokens = 0
        cache_full = batch_full = False
        while queue:
            chat = queue[0]
            cache_full = promised + promise[chat] > pages
            batch_full = running + len(joining) == limit
            if cache_full or batch_full:
                break
            queue.remove(chat)  # and not popleft(), so that an edit may choose another chat than the first
            joining.append(chat)
            promised += promise[chat]
            prompt_tokens += prompts[chat]
        # 3 STEP: the prompts of the joining chats are read, and every chat of the batch gets one word.
        took_s = step_seconds(running, context_tokens, prompt_tokens)
        stepped = running = running + len(joining)
        context_tokens += prompt_tokens + stepped
        # 4 CACHE: a word without room takes a page; which steps do that is known as soon as a chat joins.
        step = len(run.start_s)
        for chat in joining:
            first_pages = pages_for(prompts[chat] + 1)
            page_due[step] += [chat] * first_pages
            for page in range(first_pages, pages_for(prompts[chat] + replies[chat])):  # whatever was promised
                page_due[step + page * PAGE_TOKENS - prompts[chat]].append(chat)
            end_due[step + replies[chat] - 1].append(chat)
            run.joined_step[chat] = step
            run.first_word_s[chat] = now_s + took_s
        for chat in page_due.pop(step, ()):
            table = run.page_table.setdefault(chat, [])
            if not free:
                raise RuntimeError(f"at {now_s:.3f} s chat {chat} with {len(table)} of {pages} finds no page")
            table.append(free.popleft())
        for chat in end_due.pop(step, ()):
            free.extend(run.page_table[chat])  # the page table itself stays, as a record
            promised -= promise[chat]
            context_tokens -= prompts[chat] + replies[chat]
            running -= 1
            run.last_word_s[chat] = now_s + took_s
        # 5 METRICS: the step goes on the clipboard.
        run.start_s.append(now_s)
        run.took_s.append(took_s)
        run.stepped.append(stepped)
        run.joined.append(len(joining))
        run.queue.append(len(queue))
        run.held.append(pages - len(free))
        run.owed.append(promised - run.held[step])
        run.cache_held_out.append(cache_full)
        run.batch_held_out.append(batch_full)
        now_s += took_s
    return run


def report(workload: Any, rate: float, run: Run) -> dict[str, Any]:
    """5 METRICS: the clipboard of the run of a workload at a rate, seconds in ..._s; None if not measured."""
    ttft_s = [run.first_word_s[chat] - sent for chat, sent in enumerate(sending_times(workload.gaps, rate))]
    tpot_s = [(run.last_word_s[chat] - run.first_word_s[chat]) / (reply - 1)
              for chat, reply in enumerate(workload.replies) if reply > 1]
    gaps = [stepped - joined for stepped, joined in zip(run.stepped, run.joined)]  # a first word ends no gap
    clipboard = {
        "ttft_p50_s": percentile(ttft_s, 50),
        "ttft_p99_s": percentile(ttft_s, 99),
        "tbt_p50_s": percentile(run.took_s, 50, gaps),
        "tbt_p99_s": percentile(run.took_s, 99, gaps),
        "tpot_p50_s": percentile(tpot_s, 50),
        "tpot_p99_s": percentile(tpot_s, 99),
        "queue_max": max(run.queue),
        "pages_max": max(run.held),
        "cache_full_s": run.start_s[run.cache_held_out.index(True)] if any(run.cache_held_out) else None,
        "cache_steps": sum(run.cache_held_out),
        "batch_steps": sum(run.batch_held_out),
        "steps": len(run.start_s),
        "chats_per_s": len(ttft_s) / max(run.last_word_s.values()),
    }
    return clipboard | {"wall": bottleneck(clipboard)}


def bottleneck(report: dict[str, Any]) -> str:
    """The wall: "none", "cache", "batch", or "both" if neither held out in over twice the other's steps."""
    cache, batch = report["cache_steps"], report["batch_steps"]
    if report["queue_max"] < QUEUE_FLOOR:
        return "none"
    if 2 * min(cache, batch) >= max(cache, batch):
        return "both"
    return "cache" if cache > batch else "batch"


def load_test(workload: Any, rate: float, pages: int, limit: int) -> dict[str, Any]:
    """6 LOAD: serve chats sent at random moments, `rate` a second on average, and report how they waited."""
    return report(workload, rate, serve(workload, rate, pages, limit))
