"""The clipboard worked out the long way: every gap of every chat is written down, sorted and counted off.

It reads the record of the plain loop only, and shares no code with the program.
"""

from tests.reference.plain_server import PlainRun


def nearest_rank(values: list[float], percent: int) -> float | None:
    """The smallest value which at least `percent` of 100 values do not exceed; None if there is no value."""
    ascending = sorted(values)
    for place, value in enumerate(ascending, start=1):
        if 100 * place >= percent * len(ascending):
            return value
    return None


def name_the_wall(queue_max: int, cache_steps: int, batch_steps: int) -> str:
    """No wall under 4 waiting chats; one wall if it held out in more than twice the steps of the other."""
    if queue_max < 4:
        return "none"
    if cache_steps > 2 * batch_steps:
        return "cache"
    if batch_steps > 2 * cache_steps:
        return "batch"
    return "both"


def report_plainly(run: PlainRun, replies: list[int]) -> dict[str, float | int | str | None]:
    """Every value of the report, under the names that the program gives them."""
    first_waits = []
    gaps = []
    average_gaps = []
    for chat, reply in enumerate(replies):
        first_waits.append(run.first_word[chat] - run.sent[chat])
        for word in range(2, reply + 1):
            gaps.append(run.steps[run.joined_step[chat] + word - 1].took)
        if reply > 1:
            average_gaps.append((run.last_word[chat] - run.first_word[chat]) / (reply - 1))

    cache_starts = [step.start for step in run.steps if step.cache_held_out]
    batch_starts = [step.start for step in run.steps if step.batch_held_out]
    queue_max = max(step.queue for step in run.steps)
    return {
        "ttft_p50_s": nearest_rank(first_waits, 50),
        "ttft_p99_s": nearest_rank(first_waits, 99),
        "tbt_p50_s": nearest_rank(gaps, 50),
        "tbt_p99_s": nearest_rank(gaps, 99),
        "tpot_p50_s": nearest_rank(average_gaps, 50),
        "tpot_p99_s": nearest_rank(average_gaps, 99),
        "queue_max": queue_max,
        "pages_max": max(step.held for step in run.steps),
        "cache_full_s": cache_starts[0] if cache_starts else None,
        "cache_steps": len(cache_starts),
        "batch_steps": len(batch_starts),
        "steps": len(run.steps),
        "chats_per_s": len(replies) / max(run.last_word),
        "wall": name_the_wall(queue_max, len(cache_starts), len(batch_starts)),
    }
