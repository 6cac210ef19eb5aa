"""Trims and compiles the standard library. Runs inside Pyodide, called by compile_stdlib.mjs.

Kept is what has been imported once Pyodide runs, tinyserve has answered, programs of a reader's own have
failed, all that they may import is imported, and what some of that imports only on use.
"""

import importlib
import py_compile
import sys
import tempfile
import zipfile
from pathlib import Path

from tinyserve.edited import MODULES, run_edited

STDLIB = f"/lib/python{sys.version_info.major}{sys.version_info.minor}.zip"
PROGRAM = ["tinyserve", "tinyserve.lesson", "tinyserve.print_trace", "tinyserve.view"]
# Programs of a reader's that fail in such ways that a traceback imports all that it may need.
FAILING = [
    *("a = (1 +", "whlie True:\n    pass", "import maths", "pint(1)", "(1).numrator", "x = 1\nx / (x - 1)"),
]
# Imported by the above only when it is used, some of it from C.
ON_USE = [
    "_ast_unparse",  # ast.unparse, which shows annotations
    "_pylong",  # int from and to a text of very many digits
    "_strptime",  # time.strptime
    "_threading_local",  # threading.local
    "encodings.ascii",
    "encodings.cp437",  # names in a zip that are not marked as UTF-8
    "encodings.latin_1",
]
ZIP_DATE = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip can hold: two builds give the same bytes


def use_all() -> None:
    """Imports all that is kept, and has the program answer once."""
    for name in [*PROGRAM, *MODULES, *ON_USE]:
        importlib.import_module(name)
    lesson = sys.modules["tinyserve.lesson"]
    sys.modules["tinyserve.view"].answer(lesson.RATE_HEAVY, lesson.PAGES, lesson.LIMIT, 0)
    for program in FAILING:
        run_edited(program, lesson.RATE_HEAVY, lesson.PAGES, lesson.LIMIT, 0, run_ms=1, heap_bytes=1)


def module_name(member: str) -> str:
    """The name of the module in a source file of the zip.

    >>> module_name("json/__init__.py"), module_name("json/decoder.py")
    ('json', 'json.decoder')
    """
    return member.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def compiled(member: str, source: bytes, folder: Path) -> bytes:
    """The .pyc of a source file, never checked against it; asserts and docstrings are kept."""
    in_file = folder / "source.py"
    out_file = folder / "compiled.pyc"
    in_file.write_bytes(source)
    unchecked = py_compile.PycInvalidationMode.UNCHECKED_HASH
    shown_name = f"{STDLIB}/{member}"  # in tracebacks
    py_compile.compile(str(in_file), str(out_file), shown_name, True, 0, unchecked)
    return out_file.read_bytes()


def write_stdlib(out_zip: str) -> None:
    """Writes the zip of compiled modules."""
    use_all()
    used = set(sys.modules)
    with (
        zipfile.ZipFile(STDLIB) as stock,
        zipfile.ZipFile(out_zip, "w") as trimmed,
        tempfile.TemporaryDirectory() as folder,
    ):
        for member in sorted(stock.namelist()):
            if member.endswith(".py") and module_name(member) in used:
                entry = zipfile.ZipInfo(f"{member}c", ZIP_DATE)
                entry.compress_type = zipfile.ZIP_DEFLATED
                trimmed.writestr(entry, compiled(member, stock.read(member), Path(folder)))
