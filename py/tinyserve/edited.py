"""Runs a reader's own version of tiny_server.py, and tells how it fared: what came of it, or what went wrong.

Whatever the reader's program does is an outcome and no exception, but for what ends the interpreter itself.
Time and memory are limited by whoever calls: the deadline is a SIGINT, and a full memory a MemoryError.
"""

from __future__ import annotations

import io
import json
import linecache
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from copy import copy
from pathlib import Path
from reprlib import repr as shortened
from traceback import FrameSummary, StackSummary, TracebackException, clear_frames
from types import CodeType, FrameType, ModuleType, TracebackType
from typing import Any, NamedTuple

from tinyserve.drawable import UndrawableError, begun_run, looks_like_a_run, whole_report, whole_run
from tinyserve.tiny_server import MOST, PAGE_TOKENS, Run
from tinyserve.view import Columns, Intervals, columns, intervals, lesson_chats
from tinyserve.workload import ORDERS, Workload

FILE_NAME = "tiny_server.py"  # of the reader's program, in tracebacks
MODULE_NAME = "yours"
# What of the standard library the page promises to a reader's program.
MODULES = (
    *("bisect", "collections", "copy", "dataclasses", "functools", "heapq", "itertools", "json", "math"),
    *("random", "statistics", "time", "typing"),
)
# Doors from Python to the browser, which a reader's program does not get.
BROWSER_MODULES = ("js", "pyodide_js", "pyodide", "_pyodide", "_pyodide_core")
CALLS = {"serve": "serve(workload, rate, pages, limit)", "report": "report(workload, rate, run)"}

PRINTED_MOST = 20_000  # characters that are kept of what a program prints
MESSAGE_MOST = 1_000  # and of the message of an exception
TRACEBACK_MOST = 20_000
PACKAGE_FOLDER = str(Path(__file__).parent)
PYODIDE_FOLDERS = ("/pyodide/", "/_pyodide/")
MIB_BYTES = 2**20


class Settings(NamedTuple):
    """At which settings the lesson's chats are served."""

    rate: float
    pages: int
    limit: int
    shuffle: int


class Trouble(NamedTuple):
    """What went wrong: of which kind, in which of the reader's own lines, in plain words, from where."""

    kind: str  # "syntax", "exception", "endless", "memory" or "broken"
    line: int | None
    message: str
    traceback: str


class OutOfTime(BaseException):
    """The deadline. No KeyboardInterrupt, which a reader's program may raise and catch itself."""


class Printed(io.TextIOBase):
    """Keeps what is printed, up to a number of characters."""

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._characters = 0

    def write(self, text: str) -> int:
        """Keep what there is still room for. Raises TypeError for what is no text, as any file does."""
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        room = max(0, PRINTED_MOST - self._characters)
        if room:
            self._kept.append(text[:room])
        self._characters += len(text)
        return len(text)

    def text(self) -> str:
        """What was printed; where it was too much, how much is missing."""
        return shortened_to(PRINTED_MOST, "".join(self._kept), self._characters)


def shortened_to(most: int, text: str, characters: int | None = None) -> str:
    r"""`text` up to `most` characters; of one that has more, or had, it is said how many are left out.

    >>> shortened_to(4, "12345678")
    '1234\n[4 more characters are left out]'
    """
    left_out = (len(text) if characters is None else characters) - most
    return text if left_out <= 0 else f"{text[:most]}\n[{left_out:,} more characters are left out]"


def run_edited(
    source: str, rate: float, pages: int, limit: int, shuffle: int, run_ms: int, heap_bytes: int
) -> tuple[str, Columns | None, Intervals | None]:
    """Serve the lesson's chats in order `shuffle` with a reader's program: how it fared, and what to draw.

    The text is JSON: the report (null without one), the trouble (null without any) and what was printed.
    run_ms, heap_bytes: the limits that the caller has set, to be named if the program comes up against them.
    """
    attempt = Attempt(Settings(rate, pages, limit, shuffle))
    printed = Printed()
    with interrupts_handled(), redirect_stdout(printed), redirect_stderr(printed):
        trouble = attempt.make(source, run_ms, heap_bytes)
        told = trouble and trouble._asdict()
        fared = {"report": attempt.report, "trouble": told, "printed": printed.text()}
        return json.dumps(fared), *attempt.drawn()


def draw_all_chats() -> None:
    """Draw the chats of every order, before a program can change how they are drawn."""
    for order in ORDERS:
        lesson_chats(order)


def shut_the_browser_out() -> None:
    """Take from Python, for good, the modules through which a program could reach the browser."""
    for name in list(sys.modules):
        if name.partition(".")[0] in BROWSER_MODULES:
            del sys.modules[name]
    for name in BROWSER_MODULES:
        sys.modules[name] = None  # type: ignore[assignment]  # Python's own way to forbid an import


class Attempt:
    """A reader's program and what has come of it so far, however far it came."""

    def __init__(self, settings: Settings) -> None:
        self.run: Run | None = None
        self.report: dict[str, Any] | None = None
        self._settings = settings
        self._workload: Workload | None = None  # as the lesson has it, whatever the program does to its own
        self._module = ModuleType(MODULE_NAME)

    def drawn(self) -> tuple[Columns, Intervals] | tuple[None, None]:
        """What of its run can be drawn."""
        if self.run is None or self._workload is None:
            return None, None
        drawn = intervals(self._workload, self._settings.rate, self.run, self._page_tokens())
        return columns(self.run), drawn

    def _page_tokens(self) -> int:
        """Tokens in a page of the reader's server, if it still says so."""
        tokens = vars(self._module).get("PAGE_TOKENS")
        return tokens if type(tokens) is int and 1 <= tokens <= MOST else PAGE_TOKENS

    def make(self, source: str, run_ms: int, heap_bytes: int) -> Trouble | None:
        """Run the program from its first line to its report; what stood in the way, if anything did.

        It has ended then: the deadline is none any more.
        """
        # Python's lines end at fewer characters than those of splitlines().
        lines = io.StringIO(source, newline=None).readlines()
        linecache.cache[FILE_NAME] = (len(source), None, lines, FILE_NAME)
        sys.modules[MODULE_NAME] = self._module  # where dataclasses looks for the module of a class
        try:
            self._make(source)
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            return None
        except BaseException as error:
            signal.signal(signal.SIGINT, signal.SIG_IGN)
            return self._explained(error, run_ms, heap_bytes)
        finally:
            sys.modules.pop(MODULE_NAME, None)

    def _make(self, source: str) -> None:
        """Each step of it, of which any may raise."""
        rate, pages, limit, shuffle = self._settings
        self._workload = lesson_chats(shuffle)
        exec(compiled(source), vars(self._module))
        workload = copy(self._workload)  # one of its own: only the tuples in it are shared
        returned = self._function("serve")(workload, rate, pages, limit)
        self.run = whole_run(returned, self._workload, pages)
        self.report = whole_report(self._function("report")(workload, rate, returned))

    def _function(self, name: str) -> Callable[..., object]:
        """One of the two functions that a program must have."""
        function = vars(self._module).get(name)
        if function is None:
            raise UndrawableError(f"there is no function {name}: a run calls {CALLS[name]}")
        if not callable(function):
            raise UndrawableError(f"{name} must be a function, {CALLS[name]}, got {shortened(function)}")
        return function  # type: ignore[no-any-return]

    def _explained(self, error: BaseException, run_ms: int, heap_bytes: int) -> Trouble:
        """What an exception means. To ask it may run the reader's code, which may raise another."""
        try:
            return self._explain(error, run_ms, heap_bytes)
        except BaseException as other:
            message = f"{type(error).__name__}: asked what it means, it raised {type(other).__name__}"
            return Trouble("exception", readers_line(error.__traceback__), message, "")

    def _explain(self, error: BaseException, run_ms: int, heap_bytes: int) -> Trouble:
        """What an exception means, in plain words; what the run had done until then is kept."""
        if isinstance(error, NotCompiledError):
            return syntax_trouble(error.error)
        if isinstance(error, UndrawableError):
            return Trouble("broken", None, str(error), "")
        line = readers_line(error.__traceback__)
        if isinstance(error, MemoryError):
            self._free(error.__traceback__)
            limit_mib = heap_bytes // MIB_BYTES
            message = f"the program asked for more than the {limit_mib} MiB of memory that it may use"
            return Trouble("memory", line, message, traceback_text(error, message))
        self._keep_what_was_begun(error.__traceback__)
        if isinstance(error, OutOfTime):
            message = f"the program was stopped, since it had not ended after {run_ms / 1000:g} s"
            return Trouble("endless", line, message, traceback_text(error, message))
        if line is None:
            line = self._line_of_a_wrong_call()
        return Trouble("exception", line, message_of(error), traceback_text(error))

    def _free(self, trace: TracebackType | None) -> None:
        """Let go of what the program held, so that there is memory to say so."""
        clear_frames(trace)
        vars(self._module).clear()
        self.run = None

    def _keep_what_was_begun(self, trace: TracebackType | None) -> None:
        """Find the run that broke off, if the report has not come to use it already."""
        if self.run is not None or self._workload is None:
            return
        try:
            begun = innermost_run(trace)
            if begun is not None:
                self.run = begun_run(begun, self._workload, self._settings.pages)
        except BaseException:
            # To look at an object of the reader's may run the reader's code, which may raise anything.
            self.run = None

    def _line_of_a_wrong_call(self) -> int | None:
        """Where a function begins that could not even be called, as one with too few parameters."""
        called = "serve" if self.run is None else "report"
        code = getattr(vars(self._module).get(called), "__code__", None)
        return code.co_firstlineno if isinstance(code, CodeType) and code.co_filename == FILE_NAME else None


class NotCompiledError(Exception):
    """The reader's text is no Python; unlike a SyntaxError that the program itself raises."""

    def __init__(self, error: SyntaxError) -> None:
        super().__init__(str(error))
        self.error = error


def compiled(source: str) -> CodeType:
    """The program as code."""
    try:
        return compile(source, FILE_NAME, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise NotCompiledError(error) from None
    except (RecursionError, MemoryError):
        raise NotCompiledError(SyntaxError("an expression is too long, or nested too deep")) from None


@contextmanager
def interrupts_handled() -> Iterator[None]:
    """Has the deadline raise OutOfTime in the block, until the block ignores it."""
    before = signal.signal(signal.SIGINT, raise_out_of_time)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def raise_out_of_time(_number: int, _frame: FrameType | None) -> None:
    """End what runs."""
    raise OutOfTime


def syntax_trouble(error: SyntaxError) -> Trouble:
    """What keeps the text from being a program."""
    text = "".join(TracebackException.from_exception(error).format_exception_only())
    return Trouble("syntax", error.lineno, message_of(error), shortened_to(TRACEBACK_MOST, text))


def message_of(error: BaseException) -> str:
    """An exception in one line, with what helps if it is one that readers meet often.

    >>> message_of(RecursionError("maximum recursion depth exceeded"))
    'RecursionError: maximum recursion depth exceeded (a function calls itself without end)'
    """
    if isinstance(error, ModuleNotFoundError) and error.name is not None:
        return f"{type(error).__name__}: there is no module {error.name} here; there are {', '.join(MODULES)}"
    if isinstance(error, SystemExit):
        return f"SystemExit: the program ended itself, and gave no answer ({shortened(error.code)})"
    if isinstance(error, SyntaxError):
        return shortened_to(MESSAGE_MOST, f"{type(error).__name__}: {error.msg}")
    # The traceback is where it looks for the name that was meant.
    explained = TracebackException(type(error), error, error.__traceback__)
    said = shortened_to(MESSAGE_MOST, next(explained.format_exception_only()).strip())
    return f"{said} (a function calls itself without end)" if isinstance(error, RecursionError) else said


def traceback_text(error: BaseException, last_line: str | None = None) -> str:
    """The traceback without frames that are not the reader's or the library's; "" if none is left.

    last_line: what stands in place of the exception, where that is our own.
    """
    whole = TracebackException(type(error), error, error.__traceback__)
    leave_out_frames(whole)
    if not whole.stack:
        return ""
    if last_line is None:
        return shortened_to(TRACEBACK_MOST, "".join(whole.format()))
    frames = "".join(whole.stack.format())
    return shortened_to(TRACEBACK_MOST, f"Traceback (most recent call last):\n{frames}{last_line}\n")


def leave_out_frames(whole: TracebackException) -> None:
    """Leave them out here, and in the exceptions that led to this one, of which there may be very many."""
    to_do = [whole]
    while to_do:
        told = to_do.pop()
        told.stack = StackSummary.from_list([frame for frame in told.stack if is_told(frame)])
        others = (told.__cause__, told.__context__, *(told.exceptions or ()))
        to_do += [other for other in others if other is not None]


def is_told(frame: FrameSummary) -> bool:
    """Whether a frame is of the reader's program, or of the library that it calls."""
    is_ours = frame.filename.startswith(PACKAGE_FOLDER)
    return not is_ours and not any(folder in frame.filename for folder in PYODIDE_FOLDERS)


def innermost_run(trace: TracebackType | None) -> object | None:
    """What looks like a run in the reader's innermost function that has one."""
    for entry in reversed(readers_entries(trace)):
        for value in entry.tb_frame.f_locals.values():
            if looks_like_a_run(value):
                found: object = value
                return found
    return None


def readers_line(trace: TracebackType | None) -> int | None:
    """The line of the reader's program in which it happened; None if it happened in none."""
    entries = readers_entries(trace)
    return entries[-1].tb_lineno if entries else None


def readers_entries(trace: TracebackType | None) -> list[TracebackType]:
    """The entries of a traceback that are of the reader's program."""
    entries = []
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE_NAME:
            entries.append(trace)
        trace = trace.tb_next
    return entries
