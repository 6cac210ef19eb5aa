"""Computes the figures that the lesson's text may name: `lesson_figures.py OUT_FILE [GROUP...]`.

Each is written as JSON: name -> its value, its text, and the run that it comes from. web/lesson-text.js puts
them into the text. Without a group all are computed, which takes long: the goal is found by trying.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from tinyserve import Run, chats, load_test, serve, step_time, tiny_server
from tinyserve.lesson import LIMIT, MORE_PAGES, PAGES, RATE_HEAVY, RATE_LIGHT
from tinyserve.print_trace import trace
from tinyserve.tiny_server import PAGE_TOKENS, pages_for
from tinyserve.view import moment
from tinyserve.workload import ORDERS, Workload, sending_times

# What the lesson asks its readers: a question has figures of its own.
GOAL_S = 0.12  # the wait for the first word to stay under with the fewest pages
PAGES_STEP = 20  # of the slider (settings.js), from its least value to its most
LEAST_PAGES, MOST_PAGES = 60, 960
LIMITS = range(1, 41)
FULL_BATCH_TOKENS = 220  # context of each chat of a full batch, about the chats' mean
MORE_PLACES = 24  # chats in a step of the fourth run
QUESTION_TOKENS = (100, 50)  # prompt and reply of a chat in "Check yourself"
MANY_CHATS = 1_000_000  # in one step, which then takes as long as its computing
SMALL_CACHE = 120  # pages at which even the light load has to wait
FEW_PLACES = 8
BIG_PAGE_TOKENS = 64  # in the task on larger pages
EARLY_S = 3  # seconds shown of the heavy run
BYTES_PER_KIB = 2**10
BYTES_PER_MIB = 2**20


class Figure(NamedTuple):
    """A value of the program, and where it comes from, in words."""

    value: Any
    source: str


class Setting(NamedTuple):
    """What a run is made with."""

    rate: int
    pages: int
    limit: int

    def __str__(self) -> str:
        """As the lesson writes it."""
        return f"{self.rate} chats a second, {self.pages} pages, {self.limit} chats per step"


RUNS = {
    "light": Setting(RATE_LIGHT, PAGES, LIMIT),
    "heavy": Setting(RATE_HEAVY, PAGES, LIMIT),
    "more_pages": Setting(RATE_HEAVY, MORE_PAGES, LIMIT),
    "twice_more": Setting(RATE_HEAVY, 2 * MORE_PAGES, LIMIT),
    "more_places": Setting(RATE_HEAVY, MORE_PAGES, MORE_PLACES),
    "few_places": Setting(RATE_LIGHT, PAGES, FEW_PLACES),
    "few_pages": Setting(RATE_LIGHT, SMALL_CACHE, LIMIT),
}

# Two runs of which the one with more pages has the longer wait (p99), and the lesson says why.
SURPRISE = {"fewer": Setting(RATE_HEAVY, 560, 26), "more": Setting(RATE_HEAVY, 580, 26)}

# Edits that the lesson proposes: the setting of the run, the text in tiny_server.py, and what replaces it.
EDITS = {
    "shortest_first": (RUNS["heavy"], "chat = queue[0]", "chat = min(queue, key=promise.__getitem__)"),
    "from_joining": (
        RUNS["heavy"],
        "run.first_word_s[chat] - sent for",
        "run.first_word_s[chat] - run.start_s[run.joined_step[chat]] for",
    ),
    "big_pages": (
        Setting(RATE_HEAVY, PAGES * PAGE_TOKENS // BIG_PAGE_TOKENS, LIMIT),
        "PAGE_TOKENS = 16",
        f"PAGE_TOKENS = {BIG_PAGE_TOKENS}",
    ),
    "prompt_only": (RUNS["heavy"], "pages_for(prompt + reply) for", "pages_for(prompt) for"),
}


def setting_figures() -> Iterator[tuple[str, Figure]]:
    """What each run is made with, and what the program and its clipboard are made with."""
    for name, setting in RUNS.items():
        for key, value in setting._asdict().items():
            yield f"{name}.{key}", Figure(value, "a setting of the lesson")
    lines = Path(tiny_server.__file__).read_text("utf-8").splitlines()
    yield "program.lines", Figure(len(lines), "tiny_server.py")
    for name in ("PAGE_TOKENS", "QUEUE_FLOOR"):
        yield f"program.{name}", Figure(getattr(tiny_server, name), "tiny_server.py")
    yield "early_s", Figure(EARLY_S, "a choice of the lesson")


def run_figures() -> Iterator[tuple[str, Figure]]:
    """The clipboard of each run, and how runs compare."""
    reports = {name: load_test(chats(), *setting) for name, setting in RUNS.items()}
    for name, clipboard in reports.items():
        for key, value in clipboard_figures(clipboard):
            yield f"{name}.{key}", Figure(value, str(RUNS[name]))
    both = f"{RUNS['heavy']}, against {RUNS['light'].rate} chats a second"
    for key in ("ttft_p99_s", "tbt_p99_s"):
        yield f"grew.{key}_times", Figure(reports["heavy"][key] / reports["light"][key], both)
    yield "grew.rate", Figure(RATE_HEAVY // RATE_LIGHT, "the rates of the lesson")
    if reports["more_pages"] != reports["twice_more"]:
        raise ValueError(f"the lesson says that doubling {MORE_PAGES} pages changes no digit, but it does")
    yield from heavy_figures()
    yield from growth_figures()
    more, twice = (serve(chats(), *RUNS[name]) for name in ("more_pages", "twice_more"))
    promised_max = max(promised_in(more))
    if max(promised_in(twice)) != promised_max:
        raise ValueError("the lesson says that with more pages no more are ever promised; untrue")
    yield "more_pages.promised_max", Figure(promised_max, f"{RUNS['more_pages']}, or {2 * MORE_PAGES} pages")


def promised_in(run: Run) -> list[int]:
    """Pages promised in each step."""
    return [held + owed for held, owed in zip(run.held, run.owed, strict=True)]


def growth_figures() -> Iterator[tuple[str, Figure]]:
    """Why the gap grows with the load: how many gaps are in steps that read prompts, which read how much."""
    for name in ("light", "heavy"):
        run = serve(chats(), *RUNS[name])
        workload = chats()
        gaps = [stepped - joined for stepped, joined in zip(run.stepped, run.joined, strict=True)]
        while_reading = sum(gap for gap, joined in zip(gaps, run.joined, strict=True) if joined)
        reading_steps = sum(joined > 0 for joined in run.joined)
        yield f"{name}.reading_gaps_in_100", Figure(round(100 * while_reading / sum(gaps)), str(RUNS[name]))
        mean_tokens = round(sum(workload.prompts) / reading_steps)
        yield f"{name}.read_in_a_step_tokens", Figure(mean_tokens, f"{RUNS[name]}, steps that read prompts")


def heavy_figures() -> Iterator[tuple[str, Figure]]:
    """What the steps of the heavy run tell beyond its clipboard."""
    heavy = serve(chats(), *RUNS["heavy"])
    waiting = [queue for queue, start_s in zip(heavy.queue, heavy.start_s, strict=True) if start_s < EARLY_S]
    yield "heavy.queue_early", Figure(max(waiting), f"{RUNS['heavy']}, the first {EARLY_S} seconds")
    both_held_out = [
        cache and batch
        for cache, batch in zip(heavy.cache_held_out, heavy.batch_held_out, strict=True)
    ]
    yield "heavy.both_steps", Figure(sum(both_held_out), str(RUNS["heavy"]))
    without_new = [
        took_s for took_s, joined in zip(heavy.took_s, heavy.joined, strict=True) if joined == 0
    ]
    yield "heavy.took_without_new_max_ms", Figure(max(without_new) * 1000, str(RUNS["heavy"]))
    yield "heavy.took_max_ms", Figure(max(heavy.took_s) * 1000, str(RUNS["heavy"]))


def clipboard_figures(clipboard: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """What a report holds; short times in milliseconds too."""
    for key, value in clipboard.items():
        yield key, value
        if key.startswith(("tbt", "tpot")) and value is not None:
            yield f"{key.removesuffix('_s')}_ms", value * 1000


def step_figures() -> Iterator[tuple[str, Figure]]:
    """Steps of the heavy run, counted from 1: the first ones, and where the cache first holds a chat out."""
    setting = RUNS["heavy"]
    workload = chats()
    run = serve(workload, *setting)
    full = run.cache_held_out.index(True)
    by_name = {"full": full, "before_full": full - 1, **{f"step{step + 1}": step for step in range(5)}}
    for name, step in by_name.items():
        for key, value in one_step(run, setting, step).items():
            yield f"{name}.{key}", Figure(value, f"step {step + 1} of {setting}")
    front = moment(workload, setting.rate, run, full).waiting[0]
    need = pages_for(workload.prompts[front] + workload.replies[front])
    where = f"step {full + 1} of {setting}"
    yield "full.front_chat", Figure(front, where)
    yield "full.needed", Figure(need, where)
    touched = next(
        start_s
        for start_s, held, owed in zip(run.start_s, run.held, run.owed, strict=True)
        if held + owed == setting.pages
    )
    yield "full.all_promised_s", Figure(touched, str(setting))


def one_step(run: Run, setting: Setting, step: int) -> dict[str, Any]:
    """What the clipboard notes of a step."""
    held, owed = run.held[step], run.owed[step]
    return {
        "step": step + 1,
        "start_s": run.start_s[step],
        "took_ms": run.took_s[step] * 1000,
        "stepped": run.stepped[step],
        "joined": run.joined[step],
        "queue": run.queue[step],
        "held": held,
        "owed": owed,
        "promised": held + owed,
        "left": setting.pages - held - owed,
        "places_left": setting.limit - run.stepped[step],
    }


def chat_figures() -> Iterator[tuple[str, Figure]]:
    """The 400 chats: all of them, the first four, and one made up for a question."""
    workload = chats()
    source = "the lesson's chats"
    tokens = [prompt + reply for prompt, reply in zip(workload.prompts, workload.replies, strict=True)]
    p99_rank = -(-99 * len(tokens) // 100)
    facts: dict[str, Any] = {
        "count": len(tokens),
        "tokens": sum(tokens),
        "prompt_tokens": sum(workload.prompts),
        "reply_tokens": sum(workload.replies),
        "mean_tokens": round(sum(tokens) / len(tokens)),
        "prompt_least": min(workload.prompts),
        "prompt_most": max(workload.prompts),
        "reply_least": min(workload.replies),
        "reply_most": max(workload.replies),
        "longest_tokens": max(tokens),
        "longest_pages": pages_for(max(tokens)),
        "gaps": sum(reply - 1 for reply in workload.replies),
        "p99_rank": p99_rank,
        "p99_from_longest": len(tokens) - p99_rank + 1,
        "orders": len(ORDERS),
    }
    for key, value in facts.items():
        yield f"chats.{key}", Figure(value, source)
    sent_s = sending_times(workload.gaps, RATE_HEAVY)
    for chat in range(4):
        of_chat: dict[str, Any] = {
            "sent_s": sent_s[chat],
            "prompt": workload.prompts[chat],
            "reply": workload.replies[chat],
            "pages": pages_for(tokens[chat]),
        }
        for key, value in of_chat.items():
            yield f"chat{chat}.{key}", Figure(value, f"chat {chat}, at {RATE_HEAVY} chats a second")
    prompt, reply = QUESTION_TOKENS
    for key, value in {"prompt": prompt, "reply": reply, "pages": pages_for(prompt + reply)}.items():
        yield f"question.{key}", Figure(value, "a chat made up for the question")


def model_figures() -> Iterator[tuple[str, Figure]]:
    """The card and the model whose step time the formula gives."""
    page_bytes = PAGE_TOKENS * step_time.KV_BYTES_PER_TOKEN
    operations = step_time.step_seconds(MANY_CHATS, 0, 0) * step_time.FLOP_PER_S
    facts: dict[str, Any] = {
        "parameters_billion": step_time.PARAMETERS / 1e9,
        "weights_gb": step_time.WEIGHT_BYTES / 1e9,
        "tflop_per_s": round(step_time.FLOP_PER_S / 1e12),
        "gb_per_s": round(step_time.BYTES_PER_S / 1e9),
        "kv_kib": whole(step_time.KV_BYTES_PER_TOKEN, BYTES_PER_KIB),
        "page_mib": whole(page_bytes, BYTES_PER_MIB),
        "cache_mib": whole(PAGES * page_bytes, BYTES_PER_MIB),
        "real_card_pages": step_time.real_card_pages(PAGE_TOKENS),
        "one_chat_ms": step_time.step_seconds(1, chats().prompts[0], 0) * 1000,
        "full_batch_tokens": FULL_BATCH_TOKENS,
        "operations_per_weight": round(operations / (MANY_CHATS * step_time.PARAMETERS)),
        "kibi": BYTES_PER_KIB,
        "full_batch_ms": step_time.step_seconds(LIMIT, LIMIT * FULL_BATCH_TOKENS, 0) * 1000,
        "card_gb": step_time.CARD_BYTES / 1e9,
        "card_share": step_time.CARD_SHARE,
        "activation_gb": step_time.ACTIVATION_BYTES / 1e9,
        "weights_ms": step_time.WEIGHT_BYTES / step_time.BYTES_PER_S * 1000,
    }
    for key, fact in facts.items():
        yield f"model.{key}", Figure(fact, "step_time.py: Llama 3.1 8B on one A100 80 GB SXM")


def whole(amount: int, unit: int) -> int:
    """An amount in a unit, of which it must be a multiple: the lesson writes no fraction of it."""
    if amount % unit != 0:
        raise ValueError(f"the lesson writes {amount} in units of {unit}, of which it is no multiple")
    return amount // unit


def order_figures() -> Iterator[tuple[str, Figure]]:
    """How far the figures move when the same chats come in another order."""
    orders = [chats(order) for order in ORDERS]
    waits = {
        name: [load_test(each, *RUNS[name])["ttft_p99_s"] for each in orders]
        for name in ("light", "heavy", "more_pages")
    }
    source = f"the {len(ORDERS)} orders of the chats"
    yield "orders.more_pages_min_s", Figure(min(waits["more_pages"]), f"{RUNS['more_pages']}, {source}")
    yield "orders.more_pages_max_s", Figure(max(waits["more_pages"]), f"{RUNS['more_pages']}, {source}")
    walls = [load_test(each, *RUNS["more_places"])["wall"] for each in orders]
    for wall in ("both", "cache"):
        yield f"orders.more_places_{wall}", Figure(walls.count(wall), f"{RUNS['more_places']}, {source}")
    grew = [heavy / light for heavy, light in zip(waits["heavy"], waits["light"], strict=True)]
    yield "orders.grew_min", Figure(round(min(grew)), source)
    yield "orders.grew_max", Figure(round(max(grew)), source)


def edited(old: str, new: str) -> ModuleType:
    """tiny_server.py with one piece of text replaced, as a module."""
    source = Path(tiny_server.__file__).read_text("utf-8")
    found = source.count(old)
    if found != 1:
        raise ValueError(f"an edit must find its text once in tiny_server.py, not {found} times: {old!r}")
    module = ModuleType("edited")
    exec(compile(source.replace(old, new), "edited tiny_server.py", "exec"), vars(module))
    return module


def edit_figures() -> Iterator[tuple[str, Figure]]:
    """What comes of the edits that the lesson proposes."""
    for name, (setting, old, new) in EDITS.items():
        module = edited(old, new)
        source = f"{setting}, with {new}"
        yield f"{name}.old", Figure(old, "tiny_server.py")
        yield f"{name}.new", Figure(new, "an edit of the lesson")
        for key, value in setting._asdict().items():
            yield f"{name}.{key}", Figure(value, "a setting of the lesson")
        try:
            clipboard = module.load_test(chats(), *setting)
        except RuntimeError as error:
            yield f"{name}.error", Figure(str(error), source)
        else:
            for key, value in clipboard_figures(clipboard):
                yield f"{name}.{key}", Figure(value, source)
    yield "big_pages.PAGE_TOKENS", Figure(BIG_PAGE_TOKENS, "an edit of the lesson")


def goal_figures() -> Iterator[tuple[str, Figure]]:
    """The fewest pages that reach a goal, found by trying all; and the goal."""
    workload = chats()
    source = f"{RATE_HEAVY} chats a second, all limits from {LIMITS[0]} to {LIMITS[-1]}"
    on_slider = fewest_pages(workload, range(LEAST_PAGES, MOST_PAGES + 1, PAGES_STEP))
    single = fewest_pages(workload, range(on_slider - PAGES_STEP + 1, on_slider + 1))
    yield "goal.ttft_p99_s", Figure(GOAL_S, "a choice of the lesson")
    yield "goal.pages", Figure(on_slider, f"{source}, pages in steps of {PAGES_STEP}")
    yield "goal.single_pages", Figure(single, f"{source}, single pages above {on_slider - PAGES_STEP}")
    yield "goal.pages_step", Figure(PAGES_STEP, "the slider")


def fewest_pages(workload: Workload, tried: range) -> int:
    """The first number of pages with which some limit keeps the wait for the first word under the goal.

    Raises ValueError if none of those tried does.
    """
    for pages in tried:
        if any(load_test(workload, RATE_HEAVY, pages, limit)["ttft_p99_s"] < GOAL_S for limit in LIMITS):
            return pages
    some = f"{tried[0]} to {tried[-1]} pages"
    raise ValueError(f"the lesson says that some of {some} keep p99 under {GOAL_S} s; untrue")


def surprise_figures() -> Iterator[tuple[str, Figure]]:
    """Why more pages make p99 longer: where the two runs part, and the chat whose wait grows most."""
    workload = chats()
    sent_s = sending_times(workload.gaps, RATE_HEAVY)
    runs = {name: serve(workload, *setting) for name, setting in SURPRISE.items()}
    waits = {
        name: [run.first_word_s[chat] - sent for chat, sent in enumerate(sent_s)]
        for name, run in runs.items()
    }
    fewer, more = runs["fewer"], runs["more"]
    p99_s = {name: load_test(workload, *setting)["ttft_p99_s"] for name, setting in SURPRISE.items()}
    if not (p99_s["more"] > p99_s["fewer"] and max(waits["more"]) < max(waits["fewer"])):
        raise ValueError("the lesson says that more pages make p99 longer, the longest wait shorter; untrue")
    both_joined = zip(fewer.joined, more.joined, strict=False)
    part = next(step for step, (one, other) in enumerate(both_joined) if one != other)
    taken = more.stepped[part] == SURPRISE["more"].limit > fewer.stepped[part]
    if not (taken and fewer.cache_held_out[part] and not more.cache_held_out[part]):
        raise ValueError("the lesson says that more pages let a chat in, which takes the last place; untrue")
    chat = max(range(len(sent_s)), key=lambda each: waits["more"][each] - waits["fewer"][each])
    source = " and ".join(str(setting) for setting in SURPRISE.values())
    yield "surprise.limit", Figure(SURPRISE["more"].limit, "a setting of the lesson")
    yield "surprise.step", Figure(part + 1, f"the first step that differs between {source}")
    yield "surprise.chat", Figure(chat, f"the chat whose wait grows most between {source}")
    yield "surprise.prompt", Figure(workload.prompts[chat], f"chat {chat}")
    for name, setting in SURPRISE.items():
        joined_step = runs[name].joined_step
        beside = [each for each, step in joined_step.items() if step == joined_step[chat] and each != chat]
        facts: dict[str, Any] = {
            "ttft_p99_s": p99_s[name],
            "ttft_max_s": max(waits[name]),
            "chat_ttft_s": waits[name][chat],
            "beside_tokens": sum(workload.prompts[each] for each in beside),
        }
        yield f"surprise.{name}_pages", Figure(setting.pages, "a setting of the lesson")
        for key, value in facts.items():
            yield f"surprise.{name}_{key}", Figure(value, str(setting))


def trace_figures() -> Iterator[tuple[str, Figure]]:
    """The trace, whole."""
    yield "trace", Figure(trace(), "tinyserve trace")


# Every figure that the text may name, by what it is computed from.
GROUPS: dict[str, Callable[[], Iterator[tuple[str, Figure]]]] = {
    "settings": setting_figures,
    "runs": run_figures,
    "steps": step_figures,
    "chats": chat_figures,
    "model": model_figures,
    "orders": order_figures,
    "edits": edit_figures,
    "goal": goal_figures,
    "surprise": surprise_figures,
    "trace": trace_figures,
}


def text_of(name: str, value: Any) -> str:
    """A value as the lesson writes it: its decimals go by the unit in its name.

    >>> text_of("heavy.ttft_p99_s", 3.4918), text_of("light.ttft_p99_s", 0.0416), text_of("steps", 1559)
    ('3.49', '0.042', '1,559')
    """
    if isinstance(value, str):
        return value
    if value is None:
        return "–"
    if isinstance(value, int):
        return f"{value:,}"
    if name.endswith("_times"):
        return f"{value:.1f}" if value >= 10 else f"{value:.2f}"
    if name.endswith(("_ms", "chats_per_s")):
        return f"{value:.1f}"
    if name.endswith("_s"):
        return f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"
    if name.endswith(("_billion", "_gb", "_share")):
        return f"{value:.2f}"
    raise ValueError(f"the name {name} tells no unit, by which its decimals would go")


def main(out_file: Path, groups: Sequence[str]) -> None:
    """Writes the figures of these groups."""
    written = {
        name: {"value": value, "text": text_of(name, value), "source": source}
        for group in groups
        for name, (value, source) in GROUPS[group]()
    }
    out_file.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:] or list(GROUPS))
