"""What is fetched before the page's first answer, and what it weighs."""

import gzip
from collections.abc import Iterable
from pathlib import Path

import build

# Names in dist/: the page's own HTML, CSS and JavaScript, and what Python is started from.
OWN = ("widget.html", "widget-*.js", "style-*.css", "not-started-*.js")
PYTHONS = ("worker-*.js", "pyodide-*")

MOST_KB = 5800  # of both
MOST_OWN_KB = 80
GZIP_LEVEL = 6  # what hosts use


def files_like(dist: Path, names: Iterable[str]) -> list[Path]:
    """The files with these names, and those in the folders with them; each name must be there once."""
    found = []
    for name in names:
        (path,) = dist.glob(name)
        found += build.files_of(path)
    return found


def gzip_kb(dist: Path, names: Iterable[str]) -> float:
    """What they weigh when a host compresses each file."""
    files = files_like(dist, names)
    return sum(len(gzip.compress(file.read_bytes(), GZIP_LEVEL)) for file in files) / 1e3
