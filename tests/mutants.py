"""Breaks the program on purpose, in one place at a time, and expects the tests to notice each time.

    python tests/mutants.py

Each mutant is one change of text in a copy of the package, on which the tests named in TESTS run until the
first one fails: those of tests/native that look at what the package does, and not at the build, the pages or
the code's form. Tests that have to be stopped because they never end count as failed. The last line is
`N passed, N failed`; a mutant passes if the tests fail. Exit code 1 if a mutant survived, or if tests fail
without any change.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
AT_ONCE = 2  # copies tested at the same time
LONGEST_S = 120  # seconds for one copy; without a change the tests take well under a minute
ALL_PASSED = 0  # exit codes of pytest
SOME_FAILED = 1
TESTS = [
    f"tests/native/test_{name}.py"
    for name in (
        "by_hand",  # this first: it fails at once where others would wait for a page that never comes back
        "wall",
        "bad_input",
        "view",
        "published",
        "workload",
        "command_line",
        "laws",
        "references",
        "pool_runs_dry",
        "any_input",
        "edited",
    )
]
# By file of the package: the tests that look at it most closely, and so come first.
CLOSEST = {
    "drawable.py": "edited",
    "edited.py": "edited",
    "print_trace.py": "command_line",
    "view.py": "view",
    "workload.py": "workload",
}


class Mutant(NamedTuple):
    """One mistake: what it is, the file of the package, the text there and what replaces it."""

    name: str
    file: str
    old: str
    new: str


SERVER = "tiny_server.py"
MUTANTS = [
    # Cache
    Mutant(
        "a full last page already needs one more",
        SERVER,
        "(tokens + PAGE_TOKENS - 1) // PAGE_TOKENS",
        "tokens // PAGE_TOKENS + 1",
    ),
    Mutant(
        "a page is taken a word too late",
        SERVER,
        "page_due[step + page * PAGE_TOKENS - prompts[chat]]",
        "page_due[step + page * PAGE_TOKENS - prompts[chat] + 1]",
    ),
    Mutant("the page given back last is taken first", SERVER, "free.popleft()", "free.pop()"),
    Mutant(
        "pages are given back in front",
        SERVER,
        "free.extend(run.page_table[chat])",
        "free.extendleft(run.page_table[chat])",
    ),
    Mutant(
        "pages are given back last page first",
        SERVER,
        "free.extend(run.page_table[chat])",
        "free.extend(run.page_table[chat][::-1])",
    ),
    Mutant(
        "a joining chat takes its pages before the running ones",
        SERVER,
        "page_due[step] += [chat] * first_pages",
        "page_due[step] = [chat] * first_pages + page_due[step]",
    ),
    Mutant(
        "a promise is not returned",
        SERVER,
        "            promised -= promise[chat]\n",
        "",
    ),
    Mutant(
        "more is returned than was promised",
        SERVER,
        "promised -= promise[chat]",
        "promised -= promise[chat] + 1",
    ),
    Mutant(
        "only the prompt's pages are promised",
        SERVER,
        "pages_for(prompt + reply)",
        "pages_for(prompt)",
    ),
    # Queue and admission
    Mutant(
        "the clock goes back",
        SERVER,
        "else max(now_s, sent_s[arrived])",
        "else sent_s[arrived]",
    ),
    Mutant(
        "a chat sent at this very moment is overlooked",
        SERVER,
        "while arrived < len(sent_s) and sent_s[arrived] <= now_s:",
        "while arrived < len(sent_s) and (sent_s[arrived] < now_s or not (queue or running)):",
    ),
    Mutant(
        "the shortest chat goes first",
        SERVER,
        "chat = queue[0]",
        "chat = min(queue, key=promise.__getitem__)",
    ),
    Mutant(
        "a page more than there are is promised",
        SERVER,
        "promised + promise[chat] > pages",
        "promised + promise[chat] > pages + 1",
    ),
    Mutant(
        "a chat more than the limit joins",
        SERVER,
        "running + len(joining) == limit",
        "running + len(joining) == limit + 1",
    ),
    Mutant(
        "the limit counts only the chats that join",
        SERVER,
        "running + len(joining) == limit",
        "len(joining) == limit",
    ),
    Mutant(
        "of two missing conditions only one is noted",
        SERVER,
        "batch_full = running + len(joining) == limit",
        "batch_full = not cache_full and running + len(joining) == limit",
    ),
    # Step
    Mutant(
        "the words of chats that ended are still read",
        SERVER,
        "            context_tokens -= prompts[chat] + replies[chat]\n",
        "",
    ),
    Mutant(
        "the first word is not read again",
        SERVER,
        "context_tokens += prompt_tokens + stepped",
        "context_tokens += prompt_tokens + stepped - len(joining)",
    ),
    Mutant(
        "a chat gets a word too few",
        SERVER,
        "end_due[step + replies[chat] - 1]",
        "end_due[step + max(replies[chat] - 2, 0)]",
    ),
    Mutant("another chip", "step_time.py", "FLOP_PER_S = 312e12", "FLOP_PER_S = 311e12"),
    Mutant("another memory", "step_time.py", "BYTES_PER_S = 2.039e12", "BYTES_PER_S = 2.04e12"),
    Mutant("another model", "step_time.py", "KV_BYTES_PER_TOKEN = 131_072", "KV_BYTES_PER_TOKEN = 131_073"),
    Mutant(
        "computing and reading one after the other",
        "step_time.py",
        "compute_s if compute_s > memory_s else memory_s",
        "compute_s + memory_s",
    ),
    Mutant("another remainder", "step_time.py", "ACTIVATION_BYTES = 2e9", "ACTIVATION_BYTES = 2.1e9"),
    Mutant("another share of the card", "step_time.py", "CARD_SHARE = 0.9", "CARD_SHARE = 0.91"),
    # Metrics
    Mutant(
        "the first word is noted at the start of its step",
        SERVER,
        "run.first_word_s[chat] = now_s + took_s",
        "run.first_word_s[chat] = now_s",
    ),
    Mutant(
        "the last word is noted at the start of its step",
        SERVER,
        "run.last_word_s[chat] = now_s + took_s",
        "run.last_word_s[chat] = now_s",
    ),
    Mutant(
        "steps held out by the cache are not noted",
        SERVER,
        "run.cache_held_out.append(cache_full)",
        "run.cache_held_out.append(False)",
    ),
    Mutant(
        "steps held out by the batch are not noted",
        SERVER,
        "run.batch_held_out.append(batch_full)",
        "run.batch_held_out.append(False)",
    ),
    Mutant(
        "the queue is measured before admission",
        SERVER,
        "run.queue.append(len(queue))",
        "run.queue.append(len(queue) + len(joining))",
    ),
    Mutant(
        "a chat that joins has a gap at once",
        SERVER,
        "stepped - joined for stepped, joined",
        "stepped for stepped, joined",
    ),
    Mutant(
        "a gap counts once a step", SERVER, "percentile(run.took_s, 99, gaps)", "percentile(run.took_s, 99)"
    ),
    Mutant(
        "the wait begins when the server looks",
        SERVER,
        "run.first_word_s[chat] - sent for",
        "run.first_word_s[chat] - run.start_s[run.joined_step[chat]] for",
    ),
    Mutant("a first word is a gap too", SERVER, "/ (reply - 1)", "/ reply"),
    Mutant(
        "p50 and p99 are swapped",
        SERVER,
        '"ttft_p50_s": percentile(ttft_s, 50),\n        "ttft_p99_s": percentile(ttft_s, 99),',
        '"ttft_p50_s": percentile(ttft_s, 99),\n        "ttft_p99_s": percentile(ttft_s, 50),',
    ),
    Mutant(
        "the rank is rounded down",
        "workload.py",
        "-(-percent * sum(counts) // 100)",
        "max(1, percent * sum(counts) // 100)",
    ),
    # Wall
    Mutant("the wall's factor is 3", SERVER, "2 * min(cache, batch) >=", "3 * min(cache, batch) >="),
    Mutant("twice is no longer both", SERVER, "2 * min(cache, batch) >=", "2 * min(cache, batch) >"),
    Mutant("the wall has a lower floor", SERVER, "QUEUE_FLOOR = 4", "QUEUE_FLOOR = 3"),
    Mutant("the wall has a higher floor", SERVER, "QUEUE_FLOOR = 4", "QUEUE_FLOOR = 5"),
    Mutant(
        "the walls are mixed up",
        SERVER,
        '"cache" if cache > batch else "batch"',
        '"batch" if cache > batch else "cache"',
    ),
    # Load
    Mutant(
        "the sending times are shuffled too",
        "workload.py",
        "gaps=gaps[:CHATS_SENT],",
        "gaps=[gaps[chat] for chat in dealt],",
    ),
    Mutant("another shuffle", "workload.py", "2: 23,", "2: 24,"),
    Mutant(
        "the rate divides the sum of the gaps, not each gap",
        "workload.py",
        "        sent_s.append(t)\n        t += gap / per_s\n",
        "        sent_s.append(t / per_s)\n        t += gap\n",
    ),
    # Recorded arrivals
    Mutant(
        "a recording keeps its own density",
        "workload.py",
        "gap_s * scale for gap_s in gaps_s",
        "gap_s for gap_s in gaps_s",
    ),
    Mutant(
        "somebody is sent after the last of a recording",
        "workload.py",
        "last_gap = [0.0] * bool(moments)",
        "last_gap = [1.0] * bool(moments)",
    ),
    Mutant(
        "the rate of a recording counts its chats, not its gaps",
        "workload.py",
        "(len(moments) - 1) / span_s",
        "len(moments) / span_s",
    ),
    Mutant("a recording may go back in time", "workload.py", "if after < before:", "if after < 0:"),
    # Bad input
    Mutant(
        "a boolean is a whole number",
        SERVER,
        "type(value) is not int",
        "not isinstance(value, int)",
    ),
    Mutant(
        "an infinite rate is served", "workload.py", "if math.isfinite(number)", "if not math.isnan(number)"
    ),
    # View, trace and command line
    Mutant(
        "a chat that has ended still holds pages in the picture",
        "view.py",
        "if count < workload.replies[chat]",
        "if count <= workload.replies[chat]",
    ),
    Mutant(
        "a page is drawn a word too late",
        "view.py",
        "at * page_tokens - workload.prompts[chat]",
        "at * page_tokens - workload.prompts[chat] + 1",
    ),
    Mutant("a chat is drawn a word too long", "view.py", "[reply - 1 for", "[reply for"),
    Mutant(
        "a chat is drawn in the queue a step too early",
        "view.py",
        "bisect_left(run.start_s, sent) for",
        "max(0, bisect_left(run.start_s, sent) - 1) for",
    ),
    Mutant(
        "the pages of chats that join together are drawn in another order",
        "view.py",
        "            joined_step[chat],\n            chat,\n",
        "            -joined_step[chat],\n            chat,\n",
    ),
    Mutant("the trace counts its steps from 0", "print_trace.py", "str(step + 1)", "str(step)"),
    Mutant(
        "the trace calls promised pages left",
        "print_trace.py",
        "str(pages - held - owed)",
        "str(pages - held)",
    ),
    Mutant(
        "the clipboard gives gaps in seconds",
        "print_trace.py",
        'f"{value * 1000:.1f}"',
        'f"{value:.1f}"',
    ),
    Mutant(
        "a figure that differs is no failure",
        "__main__.py",
        "return DIFFERS if differing else 0",
        "return 0",
    ),
    # A reader's own program
    Mutant(
        "a program that catches exceptions is not stopped",
        "edited.py",
        "class OutOfTime(BaseException)",
        "class OutOfTime(Exception)",
    ),
    Mutant(
        "what a program printed too much is not told",
        "edited.py",
        '"".join(self._kept), self._characters)',
        '"".join(self._kept))',
    ),
    Mutant(
        "a program gets the lesson's own chats",
        "edited.py",
        "workload = copy(self._workload)",
        "workload = self._workload",
    ),
    Mutant(
        "our own frames stand in the traceback",
        "edited.py",
        "is_ours = frame.filename.startswith(PACKAGE_FOLDER)",
        "is_ours = False",
    ),
    Mutant(
        "the line is where the program was entered",
        "edited.py",
        "entries[-1].tb_lineno",
        "entries[0].tb_lineno",
    ),
    Mutant(
        "pages of another size are drawn as the lesson's",
        "edited.py",
        "return tokens if type(tokens) is int and 1 <= tokens <= MOST else PAGE_TOKENS",
        "return PAGE_TOKENS",
    ),
    Mutant(
        "modules inside of the browser's stay",
        "edited.py",
        'if name.partition(".")[0] in BROWSER_MODULES:',
        "if name in BROWSER_MODULES:",
    ),
    # What of it can be drawn
    Mutant("a run may go back in time", "drawable.py", "if after < before:", "if after < 0:"),
    Mutant(
        "a page that the cache does not have is drawn",
        "drawable.py",
        "whole_number(0, pages - 1)",
        "whole_number(0, pages)",
    ),
    Mutant(
        "words of the step that broke off are drawn",
        "drawable.py",
        "{chat: word_s for chat, word_s in run.last_word_s.items() if word_s <= end_s}",
        "run.last_word_s",
    ),
    Mutant(
        "what is no number is drawn",
        "drawable.py",
        "return value if 0 <= value <= MOST else None",
        "return None if value < 0 or value > MOST else value",
    ),
    Mutant(
        "True is a count",
        "drawable.py",
        "if isinstance(value, bool) or not isinstance(value, Integral):",
        "if not isinstance(value, Integral):",
    ),
    Mutant(
        "a wall is whatever says that it is one",
        "drawable.py",
        "WALLS[WALLS.index(value)] if type(value) is str and value in WALLS else None",
        "value if value in WALLS else None",
    ),
]


def copy_to(folder: Path) -> None:
    """Copy what the tests need."""
    for name in ("py", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("build.py", "pyproject.toml"):  # conftest.py imports the first, without building anything
        shutil.copy(ROOT / name, folder)


def apply(mutant: Mutant, folder: Path) -> None:
    """Make the change; raise LookupError unless its text is found exactly once."""
    path = folder / "py" / "tinyserve" / mutant.file
    source = path.read_text(encoding="utf-8")
    found = source.count(mutant.old)
    if found != 1:
        raise LookupError(f"{mutant.name}: found {found} times in {mutant.file}: {mutant.old!r}")
    path.write_text(source.replace(mutant.old, mutant.new), encoding="utf-8")


def tests_for(file: str) -> list[str]:
    """All tests, those that look most closely at a file of the package first."""
    closest = f"tests/native/test_{CLOSEST.get(file)}.py"
    return sorted(TESTS, key=lambda test: test != closest)


def run_tests(folder: Path, tests: list[str]) -> tuple[int | None, str]:
    """Exit code of the tests in a copy, None if they had to be stopped; and the first test that failed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-m", "not browser", "-p", "no:cacheprovider"]
    command += ["--assert=plain", "--tb=short"]
    command += ["--hypothesis-profile=first-failure", *tests]
    own_paths = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment = own_paths | {"PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, timeout=LONGEST_S
        )
    except subprocess.TimeoutExpired:
        return None, f"stopped after {LONGEST_S} s"
    failed = re.search(r"^(?:FAILED|ERROR) \S*?([^/\s]+::\w+)", done.stdout, flags=re.MULTILINE)
    last_lines = "\n".join(done.stdout.splitlines()[-15:]) + done.stderr
    return done.returncode, failed[1] if failed else last_lines


def is_noticed(mutant: Mutant) -> bool:
    """Test one mutant, print a line about it, and say whether the tests failed."""
    start = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="mutant-") as name:
        folder = Path(name)
        copy_to(folder)
        apply(mutant, folder)
        code, about = run_tests(folder, tests_for(mutant.file))
    noticed = code in (SOME_FAILED, None)
    verdict = "noticed " if noticed else "SURVIVED"
    print(f"{verdict}  {mutant.name}  [{time.monotonic() - start:.1f} s: {about}]", flush=True)
    return noticed


def main() -> int:
    """Run the tests on an unchanged copy, then on each mutant. Returns the exit code."""
    with tempfile.TemporaryDirectory(prefix="unchanged-") as name:
        copy_to(Path(name))
        for mutant in MUTANTS:
            with tempfile.TemporaryDirectory(prefix="dry-run-") as dry:
                shutil.copytree(Path(name) / "py", Path(dry) / "py")
                apply(mutant, Path(dry))
        code, about = run_tests(Path(name), TESTS)
    if code != ALL_PASSED:
        print(f"the tests fail without any change: {about}")
        print("0 passed, 1 failed")
        return 1
    print("passed    without any change", flush=True)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        noticed = list(pool.map(is_noticed, MUTANTS))
    print(f"{sum(noticed)} passed, {len(noticed) - sum(noticed)} failed")
    return 0 if all(noticed) else 1


if __name__ == "__main__":
    sys.exit(main())
