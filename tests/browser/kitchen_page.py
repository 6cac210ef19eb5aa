"""A page with nothing but the kitchen, and runs to show in it."""

from pathlib import Path
from typing import Any

import build
from tinyserve.view import answer, lesson_intervals

HERE = Path(__file__).resolve().parent

PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8" />
<meta name="viewport" content="width=device-width" />
<title>The kitchen</title>
<link rel="stylesheet" href="kitchen_page.css" />
<link rel="icon" href="data:," />
<main></main>
<script type="module" src="kitchen_page.js"></script>
"""


def make_kitchen_page(folder: Path) -> None:
    """Bundles the page into a folder, to be served from there."""
    build.bundle_script(HERE / "kitchen_page.js", folder / "kitchen_page.js", folder / "meta.json", {})
    (folder / "index.html").write_text(PAGE, "utf-8")


def recorded(rate: int, pages: int, limit: int) -> dict[str, Any]:
    """A run of the lesson's chats as the page gets it, with lists in place of arrays."""
    _, columns = answer(rate, pages, limit, 0)
    who = lesson_intervals(rate, pages, limit, 0)
    return {
        "settings": {"rate": rate, "pages": pages, "limit": limit, "shuffle": 0},
        "columns": {name: column.tolist() for name, column in columns._asdict().items()},
        "intervals": {name: column.tolist() for name, column in who._asdict().items()},
    }
