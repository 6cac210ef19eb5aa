"""Builds the page, serves it, and runs the tests.

    python3 build.py               makes dist/ (the same as: build.py dist)
    python3 build.py serve         makes dist/ and serves it on 127.0.0.1
    python3 build.py zip           makes dist/ and one archive of it
    python3 build.py test [...]    makes dist/ and runs all checks; what follows goes to pytest

Needs Python >= 3.11 and Node.js >= 20, and nothing else that is not fetched here. Each function makes one
thing, from the inputs to the outputs that it is handed; a `Stage` runs it only when one of them changed.
Read it from the bottom: `main`, the commands, `make_dist`, then the parts.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import http.server
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent
NODE_MODULES = ROOT / "node_modules"
VENV = ROOT / ".venv"
WORK = ROOT / ".build"  # what is made on the way, and the notes of what it was made from
DIST = ROOT / "dist"

OLDEST_PYTHON = (3, 11)
OLDEST_NODE = 20
WHEEL_DATE = "1577836800"  # 2020-01-01: one date for all files in the wheel, so that builds can be compared
FIRST_PORT = 8000
PORTS_TRIED = 20

HASH_DIGITS = 12  # of the hash in a name: enough that no two builds of one file share it
ZIP_DATE = (2020, 1, 1, 0, 0, 0)  # one date for all files in an archive

# What of Pyodide goes into the page, all of it checked when npm has put it there.
PYODIDE_FILES = (
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python_stdlib.zip",
    "pyodide-lock.json",
)

# Each script that a page names, and the module it is bundled from.
ELEMENT = "tiny-server.js"
PAGE_SCRIPTS = {"widget.js": "main.js", "lesson.js": "lesson.js", ELEMENT: "element.js"}
STYLES = ("style.css", "lesson.css")
# What is computed for the pages before they are made: the folder inside of `work`, and its files.
COMPUTED = "computed"
FIRST_ANSWER = "first-answer.json"
FIRST_INTERVALS = "first-intervals.json"
FIGURES = "figures.json"
# The script that a page loads only when a reader asks for it.
EDITOR = "editor.js"
# What the page takes as it is.
COPIED = ("icon.svg", "not-started.js")
WORKER = "worker.js"

MIME_TYPES = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".mjs": "text/javascript; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml",
    ".txt": "text/plain; charset=utf-8",
    ".wasm": "application/wasm",
    ".whl": "application/zip",
    ".zip": "application/zip",
    "": "application/octet-stream",
}


class BuildError(Exception):
    """One sentence for the user: what is wrong and what to do. `code` is what build.py exits with."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code


def say(text: str) -> None:
    """Prints one line, at once, so that it stands in order with the lines of the programs we run."""
    print(f"build.py: {text}", flush=True)


def run(
    command: Sequence[str | Path],
    what_failed: str,
    *,
    cwd: Path = ROOT,
    env: Mapping[str, str] | None = None,
) -> None:
    """Runs a command whose own output stands on the screen; `what_failed` opens the error if it fails."""
    arguments = [str(argument) for argument in command]
    try:
        done = subprocess.run(arguments, cwd=cwd, env=env, check=False)
    except OSError as error:
        raise BuildError(f"{what_failed}: {arguments[0]} could not be started ({error}).") from error
    if done.returncode != 0:
        # A program ended by a signal has a negative code, which a shell would not show as failure 1..255.
        code = done.returncode if done.returncode > 0 else 1
        raise BuildError(f"{what_failed} (exit {done.returncode}); the reason stands above.", code)


# ---- Redo only what changed --------------------------------------------------------------------------------


def files_of(path: Path) -> list[Path]:
    """The file itself, or all files in the folder, in an order that does not depend on the machine."""
    if not path.is_dir():
        return [path]
    found = (file for file in path.rglob("*") if file.is_file() and "__pycache__" not in file.parts)
    return sorted(found, key=lambda file: file.relative_to(path).as_posix())


def fingerprint(paths: Iterable[Path], facts: Iterable[str] = ()) -> str:
    """A hash over names and contents of files, folders' files included, and over facts such as versions."""
    total = hashlib.sha256()
    for path in paths:
        for file in files_of(path):
            name = file.relative_to(path.parent).as_posix()
            content = hashlib.sha256(file.read_bytes()).hexdigest() if file.is_file() else "missing"
            total.update(f"{name}\n{content}\n".encode())
    for fact in facts:
        total.update(f"{fact}\n".encode())
    return total.hexdigest()


class Stage(NamedTuple):
    """One thing to make, and the stamp that notes what it was made from."""

    name: str
    stamp: Path
    make: Callable[[], object]
    inputs: Sequence[Path]
    outputs: Sequence[Path]
    facts: Sequence[str] = ()

    @property
    def is_current(self) -> bool:
        """Whether inputs and outputs are those noted in the stamp, so that there is nothing to make."""
        try:
            noted = json.loads(self.stamp.read_text("utf-8"))
        except (OSError, ValueError):
            return False
        return bool(noted == self._note(fingerprint(self.inputs, self.facts)))

    def run(self) -> None:
        """Makes it unless it is current, says so in one line, and notes what it was made from."""
        if self.is_current:
            say(f"{self.name}: unchanged")
            return
        say(f"{self.name} ...")
        made_from = fingerprint(self.inputs, self.facts)
        # Without its stamp, a stage that is broken off half-way counts as not made.
        self.stamp.unlink(missing_ok=True)
        self.make()
        self.stamp.parent.mkdir(parents=True, exist_ok=True)
        self.stamp.write_text(json.dumps(self._note(made_from), indent=2) + "\n", "utf-8")

    def _note(self, made_from: str) -> dict[str, str]:
        """What the stamp says of the outputs as they are now."""
        return {"inputs": made_from, "outputs": fingerprint(self.outputs)}


def empty_folder(folder: Path) -> Path:
    """The folder, there and empty. It is kept itself, since a server may be running in it."""
    folder.mkdir(parents=True, exist_ok=True)
    for child in folder.iterdir():
        if child.is_dir() and not child.is_symlink():
            shutil.rmtree(child)
        else:
            child.unlink()
    return folder


# ---- Tools: Node's packages and .venv ----------------------------------------------------------------------


def node_version(node: str | None) -> str:
    """The version of Node.js, checked to be new enough."""
    advice = f"install Node.js {OLDEST_NODE} or newer (it brings npm) and put it on the PATH"
    if node is None:
        raise BuildError(f"Node.js was not found: {advice}.")
    try:
        answer = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise BuildError(f"Node.js at {node} does not run ({error}): {advice}.") from error
    version = answer.stdout.strip()
    match = re.match(r"v(\d+)\.", version)
    if match is None or int(match[1]) < OLDEST_NODE:
        raise BuildError(f"Node.js at {node} is {version}, which is too old: {advice}.")
    return version


def find_program(name: str) -> str | None:
    """The program's path by the PATH of this moment."""
    return shutil.which(name)


def require_npm() -> str:
    """The path of npm (on Windows npm.cmd)."""
    npm = find_program("npm")
    if npm is None:
        raise BuildError("npm was not found: install it (it comes with Node.js) and put it on the PATH.")
    return npm


def make_npm_packages() -> None:
    """node_modules/, exactly as package-lock.json says."""
    version = node_version(find_program("node"))
    npm = require_npm()
    Stage(
        "npm packages",
        NODE_MODULES / ".made-from.json",
        lambda: run([npm, "ci", "--loglevel=error"], "npm ci failed"),
        inputs=[ROOT / "package.json", ROOT / "package-lock.json", ROOT / ".npmrc"],
        outputs=[
            NODE_MODULES / ".package-lock.json",
            *(NODE_MODULES / "pyodide" / name for name in PYODIDE_FILES),
        ],
        facts=[version, sys.platform],
    ).run()


def venv_python(venv: Path = VENV) -> Path:
    """The Python inside a virtual environment."""
    if os.name == "nt":
        return venv / "Scripts" / "python.exe"
    return venv / "bin" / "python"


def create_venv(requirements: Path) -> None:
    """A new .venv with the given pinned packages."""
    if Path(sys.prefix).resolve() == VENV.resolve():
        raise BuildError(".venv has to be made anew: run build.py with a Python from outside .venv.")
    run(
        [sys.executable, "-m", "venv", "--clear", VENV],
        "Python could not make .venv (on Debian and Ubuntu the package python3-venv is needed)",
    )
    install_requirements(requirements)


def pip(*arguments: str | Path) -> list[str | Path]:
    """A call of .venv's pip that prints errors only."""
    return [venv_python(), "-m", "pip", "--disable-pip-version-check", "--no-input", "-qq", *arguments]


def install_requirements(requirements: Path) -> None:
    """The packages of a requirements file, each checked against its hash, into .venv."""
    command = pip("install", "--require-hashes", "--requirement", requirements)
    run(command, f"pip could not install {requirements.name}")


def make_venv() -> None:
    """.venv with what makes the wheel."""
    requirements = ROOT / "requirements-build.txt"
    Stage(
        "Python packages of the build (.venv)",
        VENV / ".made-from-build.json",
        lambda: create_venv(requirements),
        inputs=[requirements],
        outputs=[VENV / "pyvenv.cfg"],
        # A virtual environment works only where it was made and with the Python it was made with.
        facts=[sys.version, sys.base_prefix, str(VENV)],
    ).run()


# ---- The wheel and Python's own library --------------------------------------------------------------------


def wheel_sources(source_root: Path = ROOT) -> list[Path]:
    """All that the wheel is made from."""
    names = ("pyproject.toml", "README.md", "LICENSE", "py/tinyserve")
    paths = [source_root / name for name in names]
    for path in paths:
        if not path.exists():
            raise BuildError(f"{path} is missing, and the wheel is made from it: restore it.")
    return paths


def copy_wheel_sources(source_root: Path, target: Path) -> Path:
    """A copy of what the wheel is made from, to make a changed wheel from; returns the target."""
    for path in wheel_sources(source_root):
        copy = target / path.relative_to(source_root)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.is_dir():
            shutil.copytree(path, copy, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copyfile(path, copy)
    return target


def package_version(source_root: Path = ROOT) -> str:
    """The version, from the one place where it is written."""
    path = source_root / "py" / "tinyserve" / "__init__.py"
    match = re.search(r'^__version__ = "([^"]+)"$', path.read_text("utf-8"), re.MULTILINE)
    if match is None:
        raise BuildError(f'{path} has no line like __version__ = "1.2.3": add it.')
    return match[1]


def build_wheel(source_root: Path, out_dir: Path) -> Path:
    """Makes the wheel of the package in `source_root`, as the only wheel in `out_dir`; returns its path."""
    wheel_sources(source_root)
    out_dir.mkdir(parents=True, exist_ok=True)
    for old in out_dir.glob("*.whl"):
        old.unlink()
    # Hashes and dates that differ from run to run would make two builds of one commit differ.
    env = {**os.environ, "SOURCE_DATE_EPOCH": WHEEL_DATE, "PYTHONHASHSEED": "0"}
    hatchling = [str(venv_python()), "-m", "hatchling"]
    command = [*hatchling, "build", "--target", "wheel", "--directory", str(out_dir.resolve())]
    run(command, "hatchling could not make the wheel", cwd=source_root, env=env)
    return only_wheel(out_dir)


def only_wheel(folder: Path) -> Path:
    """The one wheel in a folder."""
    wheels = sorted(folder.glob("tinyserve-*.whl"))
    if len(wheels) != 1:
        raise BuildError(f"{folder} holds {len(wheels)} wheels instead of one: remove it and build again.")
    return wheels[0]


def compile_stdlib(wheel: Path, out_file: Path) -> None:
    """Python's standard library as the page boots it: what is used, compiled by the Pyodide that runs it."""
    script = ROOT / "web" / "tools" / "compile_stdlib.mjs"
    out_file.parent.mkdir(parents=True, exist_ok=True)
    command: list[str | Path] = ["node", script, NODE_MODULES / "pyodide", wheel, out_file]
    run(command, "Pyodide could not compile its standard library")


def compute_first_answer(source_root: Path, out_file: Path, intervals_file: Path) -> None:
    """The answers with which the pages start, computed by the Python that runs this script."""
    outputs = [out_file, intervals_file]
    compute(source_root, "first_answer.py", outputs, "Python could not compute the first answer")


def compute_figures(source_root: Path, out_file: Path) -> None:
    """The figures that the lesson's text may name, computed by the Python that runs this script."""
    compute(source_root, "lesson_figures.py", [out_file], "Python could not compute the lesson's figures")


def compute(source_root: Path, script: str, outputs: Sequence[Path], what_failed: str) -> None:
    """Runs a script of web/tools/ with the package as it stands in `source_root`."""
    for output in outputs:
        output.parent.mkdir(parents=True, exist_ok=True)
    env = {**os.environ, "PYTHONPATH": str(source_root / "py")}
    run([sys.executable, ROOT / "web" / "tools" / script, *outputs], what_failed, env=env)


def program_file(source_root: Path) -> Path:
    """The program to read, which the lesson shows."""
    return source_root / "py" / "tinyserve" / "tiny_server.py"


# ---- The page ----------------------------------------------------------------------------------------------


def esbuild(*arguments: str | Path) -> None:
    """Runs the bundler. It is called as a Node script, since its package's own installer does not run."""
    script = NODE_MODULES / "esbuild" / "bin" / "esbuild"
    env = {**os.environ, "NODE_PATH": str(NODE_MODULES)}
    run(["node", script, "--log-level=warning", *arguments], "esbuild could not bundle web/", env=env)


def bundle_script(
    entry: Path, out_file: Path, meta_file: Path, defines: Mapping[str, object], *options: str
) -> None:
    """One script with all that it imports, in one file; `defines` are put in place of these names."""
    meta_file.parent.mkdir(parents=True, exist_ok=True)
    esbuild(
        entry,
        f"--outfile={out_file}",
        f"--metafile={meta_file}",
        "--bundle",
        "--minify",
        "--format=esm",
        "--target=es2022",
        "--charset=utf8",
        "--legal-comments=inline",
        *(f"--define:{name}={json.dumps(value)}" for name, value in defines.items()),
        *options,
    )


def bundle_style(entry: Path, out_file: Path) -> None:
    """A style sheet with all that it imports, minified."""
    esbuild(entry, f"--outfile={out_file}", "--bundle", "--minify", "--target=es2022", "--charset=utf8")


def bundled_packages(meta_files: Iterable[Path]) -> list[str]:
    """The npm packages whose code the bundler put into its output, by its own account."""
    found = set()
    for meta_file in meta_files:
        meta: dict[str, Any] = json.loads(meta_file.read_text("utf-8"))
        for output in meta["outputs"].values():
            for name, part in output["inputs"].items():
                match = re.search(r"^[^:]*node_modules/((?:@[^/]+/)?[^/]+)/", name)
                if match is not None and part["bytesInOutput"] > 0:
                    found.add(match[1])
    return sorted(found)


def copy_licences(source_root: Path, out_dir: Path, packages: Iterable[str]) -> None:
    """The licences of all in dist/: ours, those we keep in web/licences/, and each bundled package's."""
    out_dir.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source_root / "LICENSE", out_dir / "tinyserve.txt")
    kept = source_root / "web" / "licences"
    for text in sorted(kept.glob("*.txt")):
        shutil.copyfile(text, out_dir / text.name)
    for package in packages:
        out_file = out_dir / f"{package.replace('/', '-').lstrip('@')}.txt"
        if out_file.exists():
            continue
        texts = sorted((NODE_MODULES / package).glob("LICEN[CS]E*"))
        if not texts:
            advice = f"add web/licences/{out_file.name}"
            raise BuildError(f"The npm package {package} has no licence text: {advice}.")
        shutil.copyfile(texts[0], out_file)


def with_hash(file: Path) -> Path:
    """Renames a file so that its name tells its content: a.js becomes a-0123456789ab.js; returns its path."""
    return file.rename(file.with_stem(f"{file.stem}-{fingerprint([file])[:HASH_DIGITS]}"))


def part(file: Path, path: str) -> dict[str, object]:
    """What the page must know of a file that it fetches from `path`, to see that all of it has come."""
    content = file.read_bytes()
    sha256 = base64.b64encode(hashlib.sha256(content).digest()).decode("ascii")
    return {"path": path, "bytes": len(content), "sha256": sha256}


def parts_of(folder: Path) -> dict[str, dict[str, object]]:
    """What a page in `folder` must know of all that Python starts from, which lies there already."""
    (worker,) = folder.glob("worker-*.js")
    (pyodide,) = folder.glob("pyodide-*")
    files = {
        "worker": worker,
        "wasm": pyodide / "pyodide.asm.wasm",
        "stdlib": pyodide / "python_stdlib.zip",
        "wheel": only_wheel(pyodide),
    }
    return {name: part(file, file.relative_to(folder).as_posix()) for name, file in files.items()}


def gather_pyodide(out_dir: Path, wheel: Path, stdlib: Path) -> Path:
    """The folder with what Python starts from. Its name tells its content, so the names inside need not."""
    folder = empty_folder(out_dir) / "pyodide"
    folder.mkdir()
    for file in (NODE_MODULES / "pyodide" / "pyodide.asm.wasm", stdlib, wheel):
        shutil.copyfile(file, folder / file.name)
    return folder.rename(folder.with_name(f"pyodide-{fingerprint([folder])[:HASH_DIGITS]}"))


def bundle_worker(source_root: Path, out_dir: Path, meta_dir: Path, version: str) -> Path:
    """The worker's script, with Pyodide's own scripts in it."""
    lock = json.loads((NODE_MODULES / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
    script = out_dir / WORKER
    bundle_script(
        source_root / "web" / WORKER,
        script,
        meta_dir / f"{WORKER}.json",
        {"TINYSERVE_VERSION": version, "PYODIDE_INFO": lock["info"]},
        # Pyodide's glue imports these only when it runs under Node.
        "--external:node:*",
        "--external:ws",
    )
    return with_hash(script)


def bundle_page(source_root: Path, out_dir: Path, meta_dir: Path, computed: Path, version: str) -> None:
    """Scripts, style sheets and HTML. In `out_dir` lie already the worker and Pyodide, whose names go in."""
    web = source_root / "web"
    bundle_script(web / EDITOR, out_dir / EDITOR, meta_dir / f"{EDITOR}.json", {})
    editor = with_hash(out_dir / EDITOR)
    parts = parts_of(out_dir)
    defines = {"TINYSERVE_VERSION": version, "TINYSERVE_PARTS": parts, "EDITOR_SCRIPT": editor.name}
    hashed_names = {}
    for name in STYLES:
        bundle_style(web / name, out_dir / name)
        hashed_names[name] = with_hash(out_dir / name).name
    modules = module_options(source_root, computed, out_dir / hashed_names["style.css"])
    for name, entry in PAGE_SCRIPTS.items():
        bundle_script(web / entry, out_dir / name, meta_dir / f"{name}.json", defines, *modules)
        hashed_names[name] = with_hash(out_dir / name).name
    # Other pages name the custom element's script, so it has a name that stays and leads to the newest one.
    (out_dir / ELEMENT).write_text(f'import "./{hashed_names[ELEMENT]}";\n', "utf-8")
    for name in COPIED:
        shutil.copyfile(web / name, out_dir / name)
        hashed_names[name] = with_hash(out_dir / name).name
    prerender(web, out_dir, computed, modules, hashed_names)


def module_options(source_root: Path, computed: Path, style: Path) -> list[str]:
    """For the bundler: which files the modules are that web/ imports and that are made by the build."""
    return [
        f"--alias:first-answer={(computed / FIRST_ANSWER).resolve()}",
        f"--alias:first-intervals={(computed / FIRST_INTERVALS).resolve()}",
        f"--alias:tiny-server-source={program_file(source_root).resolve()}",
        f"--alias:widget-style={style.resolve()}",
        "--loader:.css=text",
        "--loader:.py=text",
    ]


def prerender(
    web: Path, out_dir: Path, computed: Path, modules: Sequence[str], names: Mapping[str, str]
) -> None:
    """The pages from their templates, with first answer, figures and their files' names; the drawings."""
    with tempfile.TemporaryDirectory() as folder:
        bundle = bundle_prerender(web, Path(folder), modules)
        script = ROOT / "web" / "tools" / "prerender.mjs"
        inputs: list[str | Path] = [bundle, computed / FIGURES, json.dumps(names)]
        run(["node", script, *inputs, out_dir, *sorted(web.glob("*.html"))], "the pages could not be made")


def bundle_prerender(web: Path, folder: Path, modules: Sequence[str]) -> Path:
    """web/prerender.js with all that it imports, for Node; returns its path."""
    bundle = folder / "prerender.mjs"
    style = folder / "figure.css"
    bundle_style(web / "figure.css", style)
    options = ["--bundle", "--platform=node", "--format=esm", f"--alias:figure-style={style}", *modules]
    esbuild(web / "prerender.js", f"--outfile={bundle}", *options)
    return bundle


def assemble(
    source_root: Path, dist: Path, wheel: Path, stdlib: Path, computed: Path, version: str
) -> None:
    """dist/ from its parts: each knows the names of those made before it."""
    empty_folder(dist)
    with tempfile.TemporaryDirectory() as meta:
        meta_dir = Path(meta)
        gather_pyodide(dist, wheel, stdlib)
        bundle_worker(source_root, dist, meta_dir, version)
        bundle_page(source_root, dist, meta_dir, computed, version)
        copy_licences(source_root, dist / "licences", bundled_packages(files_of(meta_dir)))


def stages_of_dist(source_root: Path, dist: Path, work: Path) -> Iterator[Stage]:
    """What dist/ is made from, and then dist/; each stage is given when the one before it is current."""
    recipe = Path(__file__)
    packages = ROOT / "package-lock.json"
    tools = ROOT / "web" / "tools"
    version = package_version(source_root)
    wheel_dir = work / "wheel"
    stdlib = work / "stdlib" / "python_stdlib.zip"
    computed = work / COMPUTED
    first = [computed / FIRST_ANSWER, computed / FIRST_INTERVALS]

    yield Stage(
        "wheel",
        work / "wheel.made-from.json",
        lambda: build_wheel(source_root, wheel_dir),
        inputs=[recipe, ROOT / "requirements-build.txt", *wheel_sources(source_root)],
        outputs=[wheel_dir],
    )
    wheel = only_wheel(wheel_dir)
    yield Stage(
        "Python's standard library, compiled",
        work / "stdlib.made-from.json",
        lambda: compile_stdlib(wheel, stdlib),
        inputs=[recipe, packages, *sorted(tools.glob("compile_stdlib.*")), wheel],
        outputs=[stdlib],
    )
    yield Stage(
        "first answer",
        work / "first-answer.made-from.json",
        lambda: compute_first_answer(source_root, *first),
        inputs=[recipe, tools / "first_answer.py", source_root / "py" / "tinyserve"],
        outputs=first,
        facts=[sys.version],
    )
    yield Stage(
        "figures of the lesson",
        work / "figures.made-from.json",
        lambda: compute_figures(source_root, computed / FIGURES),
        inputs=[recipe, tools / "lesson_figures.py", source_root / "py" / "tinyserve"],
        outputs=[computed / FIGURES],
        facts=[sys.version],
    )
    sources = [source_root / "web", source_root / "LICENSE", program_file(source_root)]
    yield Stage(
        "dist",
        work / "dist.made-from.json",
        lambda: assemble(source_root, dist, wheel, stdlib, computed, version),
        inputs=[recipe, packages, *sources, wheel, stdlib, computed],
        outputs=[dist],
        facts=[str(dist.resolve())],
    )


def make_dist(source_root: Path = ROOT, dist: Path = DIST, work: Path = WORK) -> Path:
    """Makes dist/ from the sources, with the tools that `make_tools` made; returns it."""
    for stage in stages_of_dist(source_root, dist, work):
        stage.run()
    return dist


def is_dist_current(source_root: Path = ROOT, dist: Path = DIST, work: Path = WORK) -> bool:
    """Whether `make_dist` would find nothing to make."""
    return all(stage.is_current for stage in stages_of_dist(source_root, dist, work))


def write_archive(folder: Path, archive: Path, name_inside: str) -> None:
    """A zip of a folder, under a name of its own inside; the same files give the same bytes."""
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as target:
        for file in files_of(folder):
            entry = zipfile.ZipInfo(f"{name_inside}/{file.relative_to(folder).as_posix()}", ZIP_DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16  # a plain file that its owner may write and all may read
            target.writestr(entry, file.read_bytes())


def make_tools() -> None:
    """All that is fetched before anything of ours is made."""
    make_npm_packages()
    make_venv()


# ---- Serving -----------------------------------------------------------------------------------------------


class PageHandler(http.server.SimpleHTTPRequestHandler):
    """Serves files with the right MIME types; a browser asks again each time, so a rebuilt page is seen."""

    protocol_version = "HTTP/1.1"
    extensions_map = MIME_TYPES

    def end_headers(self) -> None:
        """Adds the header that every answer carries."""
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        """Says nothing about a request that went well; errors are logged by `log_error`."""


class PageServer(http.server.ThreadingHTTPServer):
    """A server on 127.0.0.1, one thread a connection."""

    # On Windows this option would let two servers take one port.
    allow_reuse_address = os.name != "nt"

    def __init__(self, folder: Path, port: int) -> None:
        """Listens at once; `serve_forever` answers."""

        def handler(*arguments: Any) -> PageHandler:
            return PageHandler(*arguments, directory=str(folder))

        super().__init__(("127.0.0.1", port), handler)

    @property
    def address(self) -> str:
        """The address of the folder, with the port that was really taken."""
        return f"http://127.0.0.1:{self.server_port}/"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that breaks off a download is no error."""
        if not isinstance(sys.exc_info()[1], ConnectionError):
            super().handle_error(request, client_address)


def open_server(folder: Path, port: int = FIRST_PORT) -> PageServer:
    """A server for the folder on the given port or, if that is busy, on the next free one."""
    for candidate in range(port, min(port + PORTS_TRIED, 65536)):
        try:
            server = PageServer(folder, candidate)
        except OSError:
            continue
        if candidate != port:
            say(f"port {port} is busy or not allowed; took {candidate}")
        return server
    last = min(port + PORTS_TRIED, 65536) - 1
    raise BuildError(f"None of the ports {port} to {last} can be used: name another one with --port.")


# ---- The commands ------------------------------------------------------------------------------------------


def make_test_packages(wheel: Path) -> None:
    """What the tests need in .venv: their packages, and the wheel as a user would install it."""
    requirements = ROOT / "requirements-test.txt"
    install_wheel = pip("install", "--no-deps", "--no-index", "--force-reinstall", wheel)
    Stage(
        "Python packages of the tests (.venv)",
        VENV / ".made-from-test.json",
        lambda: install_requirements(requirements),
        inputs=[requirements, VENV / ".made-from-build.json"],
        outputs=[VENV / "pyvenv.cfg"],
    ).run()
    Stage(
        "wheel into .venv",
        VENV / ".made-from-wheel.json",
        lambda: run(install_wheel, "pip could not install our wheel"),
        inputs=[wheel, VENV / ".made-from-build.json"],
        outputs=[],
    ).run()


def command_dist() -> None:
    """Makes everything."""
    make_tools()
    make_dist()


def command_zip() -> None:
    """Makes everything, and one archive of dist/ beside it."""
    command_dist()
    name = f"tinyserve-{package_version()}"
    archive = DIST.with_name(f"{name}.zip")
    write_archive(DIST, archive, name)
    say(f"{archive.name}: {archive.stat().st_size:,} bytes")


def command_serve(port: int) -> None:
    """Makes everything and serves it until Ctrl-C."""
    command_dist()
    with open_server(DIST, port) as server:
        try:
            say(f"serving {server.address} (the sliders alone: {server.address}widget.html; Ctrl-C ends it)")
            server.serve_forever()
        except KeyboardInterrupt:
            print(flush=True)


def command_test(pytest_arguments: Sequence[str]) -> None:
    """Makes everything and runs all checks; the first that fails ends it."""
    command_dist()
    make_test_packages(only_wheel(WORK / "wheel"))
    python = venv_python()
    tsc: list[str | Path] = ["node", NODE_MODULES / "typescript" / "bin" / "tsc", "--project"]
    checks: list[tuple[str, list[str | Path]]] = [
        ("ruff", [python, "-m", "ruff", "check", "--quiet", "."]),
        ("mypy", [python, "-m", "mypy"]),
        ("tsc, the page", [*tsc, ROOT / "web" / "tsconfig.json"]),
        ("tsc, the build's scripts", [*tsc, ROOT / "web" / "tools" / "tsconfig.json"]),
        ("browsers", [python, "-m", "tests.find_browsers"]),
        ("pytest", [python, "-m", "pytest", *pytest_arguments]),
    ]
    for name, command in checks:
        say(f"{name} ...")
        run(command, f"{name} failed")


def main(arguments: Sequence[str]) -> int:
    """Runs the command named in the arguments; returns the exit code."""
    description = "Builds the page, serves it, and runs the tests; without a command it builds."
    parser = argparse.ArgumentParser(prog="build.py", description=description)
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("dist", help="make everything")
    commands.add_parser("zip", help="make everything, and one archive of it for a site's owner")
    serve = commands.add_parser("serve", help="make everything and serve it on 127.0.0.1")
    serve.add_argument("--port", type=int, default=FIRST_PORT, help=f"first port to try ({FIRST_PORT})")
    commands.add_parser("test", help="make everything and run all checks; further arguments go to pytest")
    # All that follows "test" is pytest's, options included.
    for_pytest = arguments[1:] if arguments[:1] == ["test"] else []
    options = parser.parse_args(arguments[: len(arguments) - len(for_pytest)])
    if options.command == "serve" and not 0 <= options.port <= 65535:
        parser.error(f"argument --port: {options.port} is not a port, which is a number from 0 to 65535")
    try:
        if options.command == "serve":
            command_serve(options.port)
        elif options.command == "zip":
            command_zip()
        elif options.command == "test":
            command_test(for_pytest)
        else:
            command_dist()
    except BuildError as error:
        print(f"build.py: {error}", file=sys.stderr, flush=True)
        return error.code
    except OSError as error:
        print(f"build.py: {error.filename or 'a file'}: {error.strerror}.", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    if sys.version_info < OLDEST_PYTHON:
        sys.exit("build.py: Python 3.11 or newer is needed, this is " + sys.version.split()[0] + ".")
    sys.exit(main(sys.argv[1:]))
