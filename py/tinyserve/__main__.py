"""The command line: `tinyserve run`, `trace` and `figures`, or `python -m tinyserve` with the same words."""

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any, NoReturn

from tinyserve.figures import figures
from tinyserve.lesson import LIMIT, MORE_PAGES, PAGES, RATE_HEAVY
from tinyserve.print_trace import clipboard_lines, trace
from tinyserve.tiny_server import load_test
from tinyserve.workload import ORDERS, chats

# Exit codes; 0 means that all is well.
DIFFERS = 1  # a figure is not the published one
BAD_INPUT = 2
NOT_WRITTEN = 3
INTERRUPTED = 130  # as a shell says it


class OneLineParser(argparse.ArgumentParser):
    """An argument parser that reports a mistake in one line and guesses no abbreviated option."""

    def __init__(self, **settings: Any) -> None:
        """Take what argparse takes."""
        super().__init__(**settings, allow_abbrev=False)

    def error(self, message: str) -> NoReturn:
        """Print what is wrong and exit with 2."""
        self.exit(BAD_INPUT, f"tinyserve: {' '.join(message.split())}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; `arguments` are those of the command line if not given. Returns the exit code."""
    options = parser().parse_args(arguments)
    try:
        match options.command:
            case "run":
                code = run(options)
            case "trace":
                print(trace(options.more_pages))
                code = 0
            case _:
                code = print_figures()
        if sys.stdout is not None:  # as it is where there is no output at all
            sys.stdout.flush()  # here, where a failure is still caught
        return code
    except ValueError as wrong_input:
        option = "--more-pages: " if options.command == "trace" else ""
        print(f"tinyserve: {option}{wrong_input}", file=sys.stderr)
        return BAD_INPUT
    except BrokenPipeError:
        # The reader of our output has gone. What is still to be written must not fail once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED
    except OSError as not_written:
        print(f"tinyserve: the output could not be written: {not_written.strerror}", file=sys.stderr)
        return NOT_WRITTEN


def parser() -> argparse.ArgumentParser:
    """Describe the commands and their options; what a number may be is checked by the program itself."""
    top = OneLineParser(prog="tinyserve", description="A model server small enough to read, under load.")
    commands = top.add_subparsers(dest="command", required=True, metavar="run | trace | figures")

    one = commands.add_parser("run", help="serve the lesson's 400 chats once and print the clipboard")
    one.add_argument("--rate", type=number, default=RATE_HEAVY, help="chats a second (%(default)s)")
    one.add_argument("--pages", type=number, default=PAGES, help="cache pages (%(default)s)")
    one.add_argument("--limit", type=number, default=LIMIT, help="chats per step (%(default)s)")
    orders = f"order of the chats, {ORDERS[0]} to {ORDERS[-1]}"
    one.add_argument("--shuffle", type=number, default=ORDERS[0], help=f"{orders} (%(default)s)")
    one.add_argument("--json", action="store_true", help="print settings and report as JSON")

    traced = commands.add_parser("trace", help="print the lesson's trace: chats, steps, three clipboards")
    traced.add_argument(
        "--more-pages", type=number, default=MORE_PAGES, help="cache pages of the third run (%(default)s)"
    )

    commands.add_parser("figures", help="compute every published figure and compare; exit 1 if one differs")
    return top


def number(text: str) -> int | float:
    """Read a whole number as an int and any other number as a float, so that 16.5 can be told from 16."""
    try:
        return int(text)
    except ValueError:
        try:
            return float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"must be a number, got {text!r}") from None


def run(options: argparse.Namespace) -> int:
    """Print one load test as a table, or as JSON."""
    if options.shuffle not in ORDERS or not isinstance(options.shuffle, int):
        raise ValueError(
            f"shuffle must be a whole number from {ORDERS[0]} to {ORDERS[-1]}, got {options.shuffle!r}"
        )
    report = load_test(chats(options.shuffle), options.rate, options.pages, options.limit)
    if options.json:
        settings = {key: getattr(options, key) for key in ("rate", "pages", "limit", "shuffle")}
        print(json.dumps({"settings": settings, "report": report}, indent=2))
    else:
        setting = (options.rate, options.pages, options.limit)
        print("\n".join(clipboard_lines([(setting, report)])))
    return 0


def print_figures() -> int:
    """Print every published figure beside ours; DIFFERS if one is not equal."""
    computed = figures()
    width = max(len(figure.name) for figure in computed)
    differing = [figure for figure in computed if figure.computed != figure.published]
    for figure in computed:
        verdict = "DIFFERS" if figure in differing else "equal"
        texts = f"published {figure.published!r}  computed {figure.computed!r}"
        print(f"{figure.name.ljust(width)}  {texts}  {verdict}")
    print(f"{len(computed) - len(differing)} of {len(computed)} figures equal the published text")
    return DIFFERS if differing else 0


if __name__ == "__main__":
    sys.exit(main())
