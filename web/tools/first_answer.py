"""Computes what the pages show before Python has started: `first_answer.py OUT_FILE INTERVALS_FILE`.

The answers are the lesson's heavy run with its columns, and the light run that it is set beside. The
intervals are those of the heavy run, for the drawing of the kitchen.
"""

import json
import sys
from pathlib import Path
from typing import Any

from tinyserve import lesson
from tinyserve.view import answer, lesson_intervals
from tinyserve.workload import ORDERS


def first_answer(rate: int) -> dict[str, Any]:
    """The answer to one of the lesson's rates, as the page's worker would give it."""
    settings = {"rate": rate, "pages": lesson.PAGES, "limit": lesson.LIMIT, "shuffle": ORDERS[0]}
    report, columns = answer(**settings)
    return {"settings": settings, "report": json.loads(report), "columns": lists_of(columns)}


def lists_of(arrays: Any) -> dict[str, list[float]]:
    """Arrays of a named tuple as plain lists."""
    return {name: array.tolist() for name, array in arrays._asdict().items()}


def main(out_file: Path, intervals_file: Path) -> None:
    """Writes both answers, and the intervals."""
    light = first_answer(lesson.RATE_LIGHT)
    del light["columns"]  # its bars need the report alone
    answers = {"chosen": first_answer(lesson.RATE_HEAVY), "light": light}
    out_file.write_text(json.dumps(answers, separators=(",", ":")) + "\n", "utf-8")
    intervals = lists_of(lesson_intervals(**answers["chosen"]["settings"]))
    intervals_file.write_text(json.dumps(intervals, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
