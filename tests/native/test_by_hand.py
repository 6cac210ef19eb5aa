"""Five chats on twelve pages, two a step, worked out by hand: every time, page and wait of the run.

    chat   sent s   prompt   reply   tokens   pages promised
    0      0.000    30       3       33       3
    1      0.001    15       4       19       2
    2      0.002    5        1       6        1
    3      0.003    160      2       162      11
    4      1.003    3        1       4        1

What happens, step by step ("+" joins, "." leaves; words made by the end of the step):

    step   batch   words   front   held out, because            pages taken            then held + owed
    0      +0      1       -                                    0: 0 1                 2 + 1
    1      0 +1    2 1     2       batch: 2 of 2 (3+2+1 <= 12)  1: 2                   3 + 2
    2      0. 1    3 2     2       batch: 2 of 2 (5+1 <= 12)    0: 3, 1: 4             2 + 0
    3      1 +2.   3 1     3       batch: 2 of 2                2: 5                   2 + 0
                                   cache: 2+1+11 > 12
    4      1.      4       3       cache: 2+11 > 12 (1 of 2)                           0 + 0
    5      +3      1       -                                    3: 6 to 11 0 1 3 5 2   11 + 0
    6      3.      2       -                                                           0 + 0
    nothing runs and nobody waits: the clock moves on to 1.003 s
    7      +4.     1       -                                    4: 4                   0 + 0

The free list is first in, first out. Chat 0 gives back 0 1 3 behind 5 to 11 in step 2, chat 2 its 5 in
step 3 and chat 1 its 2 4 in step 4: chat 3 then takes 6 7 8 9 10 11 0 1 3 5 2 and leaves only 4.
"""

import pytest

from tests.native.cases import by_chat, steps_of
from tests.reference.plain_server import PlainStep
from tinyserve import Run, Workload, report, serve

RATE = 1000  # chats a second, so that a gap of 1 is a millisecond
PAGES = 12
LIMIT = 2
CHATS = Workload(gaps=[1, 1, 1, 1000, 0], prompts=[30, 15, 5, 160, 3], replies=[3, 4, 1, 2, 1])

# Sending times: each gap over the rate is added to the time before it.
SENT_1 = 1 / 1000
SENT_2 = SENT_1 + 1 / 1000
SENT_3 = SENT_2 + 1 / 1000
SENT_4 = SENT_3 + 1000 / 1000


def reading_weights_and(context: int) -> float:
    """Seconds to read all weights and so many tokens of cache: how long a step takes that computes little."""
    return (16.06e9 + 131072 * context) / 2.039e12


def computing(tokens: int) -> float:
    """Seconds to compute so many tokens: how long a step takes that reads a prompt of 154 or more."""
    return 2 * 8.03e9 * tokens / 312e12


# How long each step takes. The context is that of the chats that were already running: prompt and words made.
TOOK = [
    reading_weights_and(0),  # chat 0 joins: nothing in the cache yet, 30 tokens to compute
    reading_weights_and(30 + 1),  # chat 0 has 1 word; 1 + 15 tokens to compute
    reading_weights_and(30 + 2 + 15 + 1),
    reading_weights_and(15 + 2),  # chat 0 has left; 1 + 5 tokens to compute
    reading_weights_and(15 + 3),
    computing(0 + 160),  # chat 3 joins an empty batch: 8.24 ms to compute, 7.88 ms to read the weights
    reading_weights_and(160 + 1),
    reading_weights_and(0),  # chat 4
]
# Each step starts where the one before ended, but the last: the server is empty until chat 4 is sent.
STARTS = [0.0]
for seconds in TOOK[:6]:
    STARTS.append(STARTS[-1] + seconds)
STARTS.append(SENT_4)
ENDS = [start + took for start, took in zip(STARTS, TOOK, strict=True)]


@pytest.fixture(scope="module")
def run() -> Run:
    """The run that is worked out above."""
    return serve(CHATS, RATE, PAGES, LIMIT)


def test_a_chat_alone_takes_its_pages_one_after_the_other_and_gives_all_back() -> None:
    # 15 tokens and 3 words: the first word still fits into one page, the second begins another.
    alone = serve(Workload([0], [15], [3]), rate=1, pages=2, limit=1)
    assert list(zip(alone.held, alone.owed, strict=True)) == [(1, 1), (2, 0), (0, 0)]
    assert alone.page_table == {0: [0, 1]}


def test_each_step_is_as_worked_out(run: Run) -> None:
    def step(number: int, **facts: int | bool) -> PlainStep:
        return PlainStep(start=STARTS[number], took=TOOK[number], **facts)  # type: ignore[arg-type]

    no = False
    yes = True
    assert steps_of(run) == [
        step(0, stepped=1, joined=1, queue=0, held=2, owed=1, cache_held_out=no, batch_held_out=no),
        step(1, stepped=2, joined=1, queue=2, held=3, owed=2, cache_held_out=no, batch_held_out=yes),
        step(2, stepped=2, joined=0, queue=2, held=2, owed=0, cache_held_out=no, batch_held_out=yes),
        step(3, stepped=2, joined=1, queue=1, held=2, owed=0, cache_held_out=yes, batch_held_out=yes),
        step(4, stepped=1, joined=0, queue=1, held=0, owed=0, cache_held_out=yes, batch_held_out=no),
        step(5, stepped=1, joined=1, queue=0, held=11, owed=0, cache_held_out=no, batch_held_out=no),
        step(6, stepped=1, joined=0, queue=0, held=0, owed=0, cache_held_out=no, batch_held_out=no),
        step(7, stepped=1, joined=1, queue=0, held=0, owed=0, cache_held_out=no, batch_held_out=no),
    ]


def test_the_sleeping_server_wakes_when_the_next_chat_is_sent_and_not_before() -> None:
    assert ENDS[6] < SENT_4


def test_each_chat_joins_and_gets_its_first_and_last_word_as_worked_out(run: Run) -> None:
    assert by_chat(run.joined_step) == [0, 1, 3, 5, 7]
    assert by_chat(run.first_word_s) == [ENDS[0], ENDS[1], ENDS[3], ENDS[5], ENDS[7]]
    assert by_chat(run.last_word_s) == [ENDS[2], ENDS[4], ENDS[3], ENDS[6], ENDS[7]]


def test_each_chat_takes_the_pages_worked_out(run: Run) -> None:
    assert by_chat(run.page_table) == [[0, 1, 3], [2, 4], [5], [6, 7, 8, 9, 10, 11, 0, 1, 3, 5, 2], [4]]


def test_the_report_is_as_worked_out(run: Run) -> None:
    # First waits: 7.9, 14.8, 29.5, 44.7 and 7.9 ms: p50 is the third smallest of five, chat 1's, p99 the
    # largest, chat 3's.
    # Gaps: chat 0 in steps 1 and 2, chat 1 in 2, 3 and 4, chat 3 in 6. A gap is the longer the more context
    # is read: steps 3 (17 tokens), 4 (18), 1 (31), 2 and 2 (48), 6 (161). p50 is the third, p99 the sixth.
    # Average gaps: chat 1 (48, 17 and 18 tokens), chat 0 (31 and 48), chat 3 (161): p50 is chat 0's.
    # At most two chats ever wait, fewer than four: no wall.
    assert report(CHATS, RATE, run) == {
        "ttft_p50_s": ENDS[1] - SENT_1,
        "ttft_p99_s": ENDS[5] - SENT_3,
        "tbt_p50_s": TOOK[1],
        "tbt_p99_s": TOOK[6],
        "tpot_p50_s": (ENDS[2] - ENDS[0]) / (3 - 1),
        "tpot_p99_s": (ENDS[6] - ENDS[5]) / (2 - 1),
        "queue_max": 2,
        "pages_max": 11,
        "cache_full_s": STARTS[3],
        "cache_steps": 2,  # steps 3 and 4
        "batch_steps": 3,  # steps 1, 2 and 3
        "steps": 8,
        "chats_per_s": 5 / ENDS[7],
        "wall": "none",
    }


def test_chats_of_one_word_have_no_gap_to_report() -> None:
    two = Workload([0, 0], [5, 5], [1, 1])
    clipboard = report(two, 1, serve(two, rate=1, pages=1, limit=2))
    gaps = ("tbt_p50_s", "tbt_p99_s", "tpot_p50_s", "tpot_p99_s")
    assert [clipboard[name] for name in gaps] == [None] * 4
    # One page each is needed and there is one page: the second chat waits for the first, one step long.
    assert clipboard["steps"] == 2
    assert clipboard["cache_full_s"] == 0.0
    assert (clipboard["cache_steps"], clipboard["batch_steps"]) == (1, 0)


def test_where_nobody_is_ever_held_out_the_cache_never_filled() -> None:
    one = Workload([0], [5], [2])
    clipboard = report(one, 1, serve(one, rate=1, pages=1, limit=1))
    assert clipboard["cache_full_s"] is None
    assert (clipboard["cache_steps"], clipboard["batch_steps"], clipboard["queue_max"]) == (0, 0, 0)
