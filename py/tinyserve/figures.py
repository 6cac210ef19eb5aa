"""Every published figure, computed. Published, they stand in one place: `published.json`.

A figure is compared as text, at the digits of its publication. Those under "ours" were not printed by
the lesson but computed from the same recipe; they are checked in the same way and their names say so.
"""

import itertools
import json
import math
from collections import Counter
from collections.abc import Iterator
from importlib import resources
from statistics import fmean
from typing import Any, NamedTuple

from tinyserve.lesson import LIMIT, PAGES, RATE_HEAVY
from tinyserve.print_trace import held_out_by
from tinyserve.step_time import real_card_pages, step_seconds
from tinyserve.tiny_server import PAGE_TOKENS, Run, load_test, pages_for, report, serve
from tinyserve.workload import SHUFFLE_SEEDS, Workload, chats, sending_times


class Figure(NamedTuple):
    """One figure: where it stands in `published.json`, its published text, and ours at the same digits."""

    name: str
    published: str
    computed: str


def published() -> dict[str, Any]:
    """Read the published figures, as text at the digits in which they were printed."""
    text = resources.files("tinyserve").joinpath("published.json").read_text(encoding="utf-8")
    figures: dict[str, Any] = json.loads(text)
    return figures


def figures() -> list[Figure]:
    """Compute every published figure, in the order of the file; takes some seconds, for over 384 runs."""
    printed = published()
    return [
        *chat_figures(printed["chats"]),
        *step_figures(printed["step_ms"]),
        Figure("real_card_pages", printed["real_card_pages"], str(real_card_pages(PAGE_TOKENS))),
        *run_figures(printed["runs"]),
        *order_figures(printed["orders"]),
        *grid_figures(printed["grid"]),
        *trace_figures(printed["heavy_trace"]),
    ]


def at_digits(value: float, published_text: str) -> str:
    """`value` with as many decimals as the published text has.

    >>> at_digits(3.4918, "3.49")
    '3.49'
    """
    decimals = len(published_text.partition(".")[2])
    return f"{value:.{decimals}f}"


def chat_figures(printed: dict[str, Any]) -> Iterator[Figure]:
    """Totals of the 400 chats, and the first four of them at 40 chats a second."""
    workload = chats()
    tokens = [prompt + reply for prompt, reply in zip(workload.prompts, workload.replies, strict=True)]
    totals = {
        "count": len(tokens),
        "tokens": sum(tokens),
        "prompt_min": min(workload.prompts),
        "prompt_max": max(workload.prompts),
        "reply_min": min(workload.replies),
        "reply_max": max(workload.replies),
        "tokens_per_chat_mean": sum(tokens) / len(tokens),
        "gaps_between_words": sum(reply - 1 for reply in workload.replies),
    }
    ours = {
        "prompt_tokens": sum(workload.prompts),
        "reply_tokens": sum(workload.replies),
        "longest_tokens": max(tokens),
        "longest_pages": pages_for(max(tokens)),
    }
    yield from compare("chats", {key: text for key, text in printed.items() if isinstance(text, str)}, totals)
    yield from compare("chats.ours", printed["ours"], ours)
    sent_s = sending_times(workload.gaps, RATE_HEAVY)
    for chat, texts in enumerate(printed["first"]):
        first = {
            "sent_s": sent_s[chat],
            "prompt": workload.prompts[chat],
            "reply": workload.replies[chat],
            "pages": pages_for(tokens[chat]),
        }
        yield from compare(f"chats.first[{chat}]", texts, first)


def step_figures(printed: list[dict[str, Any]]) -> Iterator[Figure]:
    """Milliseconds of three steps."""
    for at, step in enumerate(printed):
        seconds = step_seconds(len(step["contexts"]), sum(step["contexts"]), step["prompt_tokens"])
        yield Figure(f"step_ms[{at}]", step["ms"], at_digits(seconds * 1000, step["ms"]))


def run_figures(printed: list[dict[str, Any]]) -> Iterator[Figure]:
    """The clipboards of the lesson's settings, each named rate/pages/limit."""
    workload = chats()
    for texts in printed:
        setting = (texts["rate"], texts["pages"], texts["limit"])
        run = serve(workload, *setting)
        computed = {**report(workload, setting[0], run), **beyond_the_clipboard(run, setting[1])}
        computed |= {
            key.removesuffix("_s") + "_ms": value * 1000
            for key, value in computed.items()
            if key.startswith(("tbt", "tpot"))
        }
        name = "runs." + "/".join(str(number) for number in setting)
        texts_alone = {key: text for key, text in texts.items() if isinstance(text, str)}
        yield from compare(name, texts_alone, computed)
        yield from compare(f"{name}.ours", texts.get("ours", {}), computed)


def beyond_the_clipboard(run: Run, pages: int) -> dict[str, float | None]:
    """Figures of a run that the lesson's text prints and the clipboard does not."""
    promised = [held + owed for held, owed in zip(run.held, run.owed, strict=True)]
    at_cache_full = run.cache_held_out.index(True) if True in run.cache_held_out else None
    first_touch = promised.index(pages) if pages in promised else None
    both = zip(run.cache_held_out, run.batch_held_out, strict=True)
    first_3_s = [queue for queue, start_s in zip(run.queue, run.start_s, strict=True) if start_s < 3]
    return {
        "queue_max_first_3_s": max(first_3_s),
        "steps_held_out_by_both": sum(cache and batch for cache, batch in both),
        "promised_at_cache_full": None if at_cache_full is None else promised[at_cache_full],
        f"first_touch_of_{pages}_s": None if first_touch is None else run.start_s[first_touch],
    }


def order_figures(printed: dict[str, Any]) -> Iterator[Figure]:
    """What holds over all six orders of the chats."""
    orders = [chats(order) for order in (0, *SHUFFLE_SEEDS)]
    seeds = [0, *SHUFFLE_SEEDS.values()]
    yield Figure("orders.ours.seeds", str(printed["ours"]["seeds"]), str(seeds))

    p99_s = {pages: over(orders, 40, pages, 16, "ttft_p99_s") for pages in (240, 480, 960)}
    light_p99_s = over(orders, 10, 240, 16, "ttft_p99_s")
    ratios = [heavy / light for heavy, light in zip(p99_s[240], light_p99_s, strict=True)]
    yield from span("orders.ttft_p99_s_at_40_480_16", printed["ttft_p99_s_at_40_480_16"], p99_s[480])
    ratio = "ratio_of_ttft_p99_at_40_to_10_at_240_16"
    yield from span(f"orders.{ratio}", printed[ratio], ratios)
    for rate, pages, limit, wall in printed["walls_never_change"]:
        walls = over(orders, rate, pages, limit, "wall")
        computed = " or ".join(sorted(set(walls)))
        yield Figure(f"orders.wall.{rate}/{pages}/{limit}", f"{wall} in all", f"{computed} in all")
    counted = dict(sorted(Counter(over(orders, 40, 480, 24, "wall")).items()))
    yield Figure("orders.wall_at_40_480_24", str(printed["wall_at_40_480_24"]), str(counted))
    found = {order_of(dict(zip(p99_s, waits, strict=True))) for waits in zip(*p99_s.values(), strict=True)}
    in_all = {6: "in all six"}[len(orders)]
    computed = f"{' or '.join(sorted(found))} {in_all}"
    yield Figure("orders.ttft_p99_order_at_limit_16", printed["ttft_p99_order_at_limit_16"], computed)


def order_of(waits_s: dict[int, float]) -> str:
    """Cache sizes by their waits, the longest first.

    >>> order_of({240: 3.5, 480: 0.9, 960: 0.9})
    '240 > 480 = 960'
    """
    (first, last_s), *others = sorted(waits_s.items(), key=lambda item: (-item[1], item[0]))
    text = str(first)
    for pages, wait_s in others:
        text += f" {'=' if wait_s == last_s else '>'} {pages}"
        last_s = wait_s
    return text


def grid_figures(printed: dict[str, Any]) -> Iterator[Figure]:
    """What holds in every run of the grid: how long a step without a new chat takes."""
    settings = list(itertools.product(printed["rates"], printed["pages"], printed["limits"]))
    without_ms: list[float] = []
    reading_is_slower = 0
    for order in range(printed["orders"]):
        workload = chats(order)
        for setting in settings:
            run = serve(workload, *setting)
            plain = [took for took, joined in zip(run.took_s, run.joined, strict=True) if not joined]
            reading = [took for took, joined in zip(run.took_s, run.joined, strict=True) if joined]
            without_ms += [min(plain) * 1000, max(plain) * 1000]
            reading_is_slower += fmean(reading) > fmean(plain)
    runs = len(settings) * printed["orders"]
    yield Figure("grid.runs", str(printed["runs"]), str(runs))
    yield Figure("grid.runs_in_which_reading_is_slower", str(printed["runs"]), str(reading_is_slower))
    least, most = printed["step_without_new_chat_ms"]  # bounds: the shortest is rounded down, the longest up
    yield Figure("grid.step_without_new_chat_ms.min", least, f"{math.floor(min(without_ms) * 10) / 10:.1f}")
    yield Figure("grid.step_without_new_chat_ms.max", most, f"{math.ceil(max(without_ms) * 10) / 10:.1f}")


def trace_figures(printed: list[dict[str, Any]]) -> Iterator[Figure]:
    """Steps of the heavy run, counted from 1."""
    run = serve(chats(), RATE_HEAVY, PAGES, LIMIT)
    for texts in printed:
        step = texts["step"] - 1
        computed = {
            "start_s": run.start_s[step],
            "took_ms": run.took_s[step] * 1000,
            "chats": run.stepped[step],
            "new": run.joined[step],
            "queue": run.queue[step],
            "held": run.held[step],
            "owed": run.owed[step],
            "left": PAGES - run.held[step] - run.owed[step],
            "held_out_by": held_out_by(run, step),
        }
        texts_to_check = {key: str(text) for key, text in texts.items() if key != "step"}
        yield from compare(f"heavy_trace.step {step + 1}", texts_to_check, computed)


def over(orders: list[Workload], rate: float, pages: int, limit: int, key: str) -> list[Any]:
    """One key of the report in each order of the chats."""
    return [load_test(workload, rate, pages, limit)[key] for workload in orders]


def compare(name: str, texts: dict[str, str], computed: dict[str, Any]) -> Iterator[Figure]:
    """Set each published text beside the computed value of the same key."""
    for key, text in texts.items():
        value = computed[key]
        as_text = at_digits(value, text) if isinstance(value, int | float) else str(value)
        yield Figure(f"{name}.{key}", text, as_text)


def span(name: str, texts: list[str], values: list[float]) -> Iterator[Figure]:
    """Set the two ends of a published range beside the smallest and the largest value."""
    yield Figure(f"{name}.min", texts[0], at_digits(min(values), texts[0]))
    yield Figure(f"{name}.max", texts[1], at_digits(max(values), texts[1]))
