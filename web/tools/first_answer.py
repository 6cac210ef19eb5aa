"""Computes the answers that the page shows before Python has started: `first_answer.py OUT_FILE`.

They are the lesson's heavy run with its columns, and the light run that it is set beside.
"""

import json
import sys
from pathlib import Path
from typing import Any

from tinyserve import lesson
from tinyserve.view import answer
from tinyserve.workload import ORDERS


def first_answer(rate: int) -> dict[str, Any]:
    """The answer to one of the lesson's rates, as the page's worker would give it."""
    settings = {"rate": rate, "pages": lesson.PAGES, "limit": lesson.LIMIT, "shuffle": ORDERS[0]}
    report, columns = answer(**settings)
    lists = {name: column.tolist() for name, column in columns._asdict().items()}
    return {"settings": settings, "report": json.loads(report), "columns": lists}


def main(out_file: Path) -> None:
    """Writes both answers."""
    light = first_answer(lesson.RATE_LIGHT)
    del light["columns"]  # its bars need the report alone
    answers = {"chosen": first_answer(lesson.RATE_HEAVY), "light": light}
    out_file.write_text(json.dumps(answers, separators=(",", ":")) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
