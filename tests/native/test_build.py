"""build.py: redo only what changed, say plainly what is missing, serve rightly, build the same bytes twice.

What needs the built dist/ is marked `browser`, so that the rest runs on a machine without Node.js.
"""

import ast
import base64
import hashlib
import http.client
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

import build
from tests.browser.weight import MOST_KB, MOST_OWN_KB, OWN, PYTHONS, gzip_kb
from tests.conftest import running
from tinyserve import chats, load_test, serve, view
from tinyserve.lesson import LIMIT, PAGES, RATE_HEAVY, RATE_LIGHT

# ---- Redo only what changed ------------------------------------------------------------------------------


class Kitchen:
    """A stage that copies one file, and counts how often it ran."""

    def __init__(self, folder: Path) -> None:
        self.source = folder / "source" / "a.txt"
        self.output = folder / "out" / "a.txt"
        self.stamp = folder / "stamp.json"
        self.source.parent.mkdir()
        self.source.write_text("one", "utf-8")
        self.runs = 0
        self.fact = "version 1"

    def make(self) -> None:
        self.runs += 1
        self.output.parent.mkdir(exist_ok=True)
        shutil.copyfile(self.source, self.output)

    def visit(self) -> int:
        """Passes through the stage; returns how often it has run in all."""
        build.Stage(
            "kitchen",
            self.stamp,
            self.make,
            inputs=[self.source.parent],
            outputs=[self.output],
            facts=[self.fact],
        ).run()
        return self.runs


@pytest.fixture
def kitchen(tmp_path: Path) -> Kitchen:
    return Kitchen(tmp_path)


def test_a_stage_runs_once_while_nothing_changes(
    kitchen: Kitchen, capsys: pytest.CaptureFixture[str]
) -> None:
    assert kitchen.visit() == 1
    assert kitchen.visit() == 1
    assert capsys.readouterr().out.splitlines() == ["build.py: kitchen ...", "build.py: kitchen: unchanged"]


def test_a_new_date_on_a_file_is_no_change(kitchen: Kitchen) -> None:
    kitchen.visit()
    os.utime(kitchen.source, (1, 1))
    assert kitchen.visit() == 1


def test_a_changed_input_runs_the_stage_again(kitchen: Kitchen) -> None:
    kitchen.visit()
    kitchen.source.write_text("two", "utf-8")
    assert kitchen.visit() == 2
    assert kitchen.output.read_text("utf-8") == "two"


def test_a_new_and_a_renamed_input_run_the_stage_again(kitchen: Kitchen) -> None:
    kitchen.visit()
    extra = kitchen.source.with_name("b.txt")
    extra.write_text("", "utf-8")
    assert kitchen.visit() == 2
    extra.rename(extra.with_name("c.txt"))
    assert kitchen.visit() == 3


def test_a_changed_version_of_a_tool_runs_the_stage_again(kitchen: Kitchen) -> None:
    kitchen.visit()
    kitchen.fact = "version 2"
    assert kitchen.visit() == 2


def test_a_lost_or_damaged_output_is_made_again(kitchen: Kitchen) -> None:
    kitchen.visit()
    kitchen.output.unlink()
    assert kitchen.visit() == 2
    kitchen.output.write_text("damaged", "utf-8")
    assert kitchen.visit() == 3
    assert kitchen.output.read_text("utf-8") == "one"


def test_a_stage_that_broke_off_counts_as_not_made(kitchen: Kitchen) -> None:
    kitchen.visit()
    whole_make = kitchen.make

    def broken_make() -> None:
        whole_make()
        raise build.BuildError("broken off")

    kitchen.source.write_text("two", "utf-8")
    kitchen.make = broken_make  # type: ignore[method-assign]
    with pytest.raises(build.BuildError, match="broken off"):
        kitchen.visit()
    # Even when the sources are put back to what they were made from before.
    kitchen.source.write_text("one", "utf-8")
    kitchen.make = whole_make  # type: ignore[method-assign]
    assert kitchen.visit() == 3


def test_a_damaged_stamp_counts_as_none(kitchen: Kitchen) -> None:
    kitchen.visit()
    kitchen.stamp.write_text("{", "utf-8")
    assert kitchen.visit() == 2


def test_python_caches_are_no_input(kitchen: Kitchen) -> None:
    kitchen.visit()
    cache = kitchen.source.parent / "__pycache__"
    cache.mkdir()
    (cache / "a.pyc").write_bytes(b"\0")
    assert kitchen.visit() == 1


# ---- What is missing is said plainly ---------------------------------------------------------------------


def one_sentence(error: BaseException) -> str:
    """The text of an error, held to one line."""
    text = str(error)
    assert "\n" not in text
    assert text.endswith(".")
    return text


def fake_node(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    answer = SimpleNamespace(returncode=0, stdout=f"{version}\n")
    monkeypatch.setattr(build.subprocess, "run", lambda *_arguments, **_options: answer)


def test_node_missing() -> None:
    with pytest.raises(build.BuildError) as caught:
        build.node_version(None)
    assert "Node.js was not found: install Node.js 20 or newer" in one_sentence(caught.value)


@pytest.mark.parametrize("version", ["v18.20.4", "v9.1.0", "nonsense", ""])
def test_node_too_old(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    fake_node(monkeypatch, version)
    with pytest.raises(build.BuildError) as caught:
        build.node_version("node")
    assert f"Node.js at node is {version}" in one_sentence(caught.value)
    assert "install Node.js 20 or newer" in one_sentence(caught.value)


@pytest.mark.parametrize("version", ["v20.0.0", "v24.11.1", "v100.0.0"])
def test_node_new_enough(monkeypatch: pytest.MonkeyPatch, version: str) -> None:
    fake_node(monkeypatch, version)
    assert build.node_version("node") == version


def test_node_that_does_not_start(tmp_path: Path) -> None:
    with pytest.raises(build.BuildError) as caught:
        build.node_version(str(tmp_path / "no-node"))
    assert "does not run" in one_sentence(caught.value)


def test_npm_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    fake_node(monkeypatch, "v20.0.0")
    monkeypatch.setattr(build, "find_program", lambda name: None if name == "npm" else name)
    with pytest.raises(build.BuildError) as caught:
        build.make_npm_packages()
    assert "npm was not found: install it" in one_sentence(caught.value)


def test_a_missing_source_is_named(tmp_path: Path) -> None:
    with pytest.raises(build.BuildError) as caught:
        build.build_wheel(tmp_path, tmp_path / "out")
    assert "pyproject.toml is missing" in one_sentence(caught.value)


def test_a_package_without_version_is_named(tmp_path: Path) -> None:
    module = tmp_path / "py" / "tinyserve" / "__init__.py"
    module.parent.mkdir(parents=True)
    module.write_text("", "utf-8")
    with pytest.raises(build.BuildError) as caught:
        build.package_version(tmp_path)
    assert '__version__ = "1.2.3"' in one_sentence(caught.value)


def test_the_exit_code_of_a_failing_program_is_passed_on() -> None:
    with pytest.raises(build.BuildError) as caught:
        build.run([sys.executable, "-c", "raise SystemExit(7)"], "It failed")
    assert caught.value.code == 7
    assert one_sentence(caught.value) == "It failed (exit 7); the reason stands above."


def test_a_program_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(build.BuildError) as caught:
        build.run([tmp_path / "nothing"], "It failed")
    assert "It failed" in one_sentence(caught.value)
    assert "could not be started" in one_sentence(caught.value)


def test_an_error_is_one_line_and_an_exit_code(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise build.BuildError("It is missing: install it.", 3)

    monkeypatch.setattr(build, "command_dist", fail)
    assert build.main([]) == 3
    assert build.main(["dist"]) == 3
    assert capsys.readouterr().err == "build.py: It is missing: install it.\n" * 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nonsense"], "invalid choice: 'nonsense'"),
        (["dist", "--fast"], "unrecognized arguments: --fast"),
        (["serve", "--port", "70000"], "70000 is not a port, which is a number from 0 to 65535"),
        (["serve", "--port", "x"], "invalid int value: 'x'"),
    ],
)
def test_wrong_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        build.main(arguments)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_all_after_test_goes_to_pytest(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[list[str]] = []
    monkeypatch.setattr(build, "command_test", lambda arguments: seen.append(list(arguments)))
    assert build.main(["test", "-m", "not browser", "--port", "-h", "tests/native"]) == 0
    assert build.main(["test"]) == 0
    assert seen == [["-m", "not browser", "--port", "-h", "tests/native"], []]


def test_an_old_python_can_read_the_file_that_tells_it_so() -> None:
    ast.parse(Path(build.__file__).read_text("utf-8"), feature_version=(3, 8))


# ---- Lock files ------------------------------------------------------------------------------------------

LOCK_FILES = ["package-lock.json", *sorted(path.name for path in build.ROOT.glob("requirements-*.txt"))]


@pytest.mark.parametrize("name", LOCK_FILES)
def test_lock_files_name_no_download_host(name: str) -> None:
    text = (build.ROOT / name).read_text("utf-8")
    assert "://" not in text
    assert '"resolved"' not in text
    for option in ("--index-url ", "--extra-index-url ", "--find-links "):
        assert option not in text


def test_every_npm_package_is_pinned_by_its_hash() -> None:
    lock = json.loads((build.ROOT / "package-lock.json").read_text("utf-8"))
    packages = {name: entry for name, entry in lock["packages"].items() if name}
    assert len(packages) > 20
    assert all(entry["integrity"].startswith("sha512-") for entry in packages.values())
    wanted = json.loads((build.ROOT / "package.json").read_text("utf-8"))
    for version in (wanted["dependencies"] | wanted["devDependencies"]).values():
        assert re.fullmatch(r"\d+\.\d+\.\d+", version)


@pytest.mark.parametrize("name", [name for name in LOCK_FILES if name.endswith(".txt")])
def test_every_python_package_is_pinned_by_its_hash(name: str) -> None:
    text = (build.ROOT / name).read_text("utf-8")
    code = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    requirements = code.replace("\\\n", " ").splitlines()
    assert requirements
    for requirement in requirements:
        assert re.match(r"[a-z0-9-]+==[^ ]+ .*--hash=sha256:[0-9a-f]{64}", requirement)


# ---- The server ------------------------------------------------------------------------------------------

SERVED = {
    "page.html": "text/html; charset=utf-8",
    "a.js": "text/javascript; charset=utf-8",
    "a.mjs": "text/javascript; charset=utf-8",
    "a.css": "text/css; charset=utf-8",
    "a.wasm": "application/wasm",
    "a.json": "application/json",
    "a.whl": "application/zip",
    "a.zip": "application/zip",
    "a.svg": "image/svg+xml",
    "a.txt": "text/plain; charset=utf-8",
    "a.unknown": "application/octet-stream",
}


@pytest.fixture
def server(tmp_path: Path) -> Iterator[build.PageServer]:
    """A server of a folder, beside which lies a secret."""
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    site = tmp_path / "site"
    site.mkdir()
    for name in SERVED:
        (site / name).write_text(name, "utf-8")
    with build.open_server(site, 0) as opened:
        poll_s = 0.02  # how often it looks whether it shall end
        thread = threading.Thread(target=opened.serve_forever, args=(poll_s,))
        thread.start()
        yield opened
        opened.shutdown()
        thread.join()


def get(server: build.PageServer, path: str) -> tuple[http.client.HTTPResponse, str]:
    """The answer to a request for just this path, which a browser would tidy up before."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=10)
    try:
        connection.request("GET", path, headers={"Connection": "close"})
        response = connection.getresponse()
        return response, response.read().decode()
    finally:
        connection.close()


@pytest.mark.parametrize("name", SERVED)
def test_mime_types_and_headers(server: build.PageServer, name: str) -> None:
    response, text = get(server, f"/{name}")
    assert response.status == 200
    assert text == name
    assert response.headers["Content-Type"] == SERVED[name]
    assert response.headers["Cache-Control"] == "no-cache"


def test_what_is_not_there_is_not_found(
    server: build.PageServer, capsys: pytest.CaptureFixture[str]
) -> None:
    assert get(server, "/nothing.js")[0].status == 404
    assert "404" in capsys.readouterr().err


@pytest.mark.parametrize("path", ["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt"])
def test_what_lies_beside_the_folder_is_not_found(server: build.PageServer, path: str) -> None:
    response, text = get(server, path)
    assert response.status == 404
    assert "secret" not in text


def test_a_good_request_is_not_logged(server: build.PageServer, capsys: pytest.CaptureFixture[str]) -> None:
    get(server, "/page.html")
    assert capsys.readouterr().err == ""


def test_only_this_machine_can_connect(server: build.PageServer) -> None:
    assert server.server_address[0] == "127.0.0.1"
    assert server.address == f"http://127.0.0.1:{server.server_port}/"


def test_a_busy_port_gives_the_next_and_says_so(
    server: build.PageServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    busy = server.server_port
    with build.open_server(tmp_path, busy) as second:
        assert second.server_port > busy
        assert f"port {busy} is busy or not allowed; took {second.server_port}" in capsys.readouterr().out


def test_no_port_at_all_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def refuse(_folder: Path, _port: int) -> None:
        raise OSError("busy")

    monkeypatch.setattr(build, "PageServer", refuse)
    with pytest.raises(build.BuildError) as caught:
        build.open_server(tmp_path, 65530)
    assert one_sentence(caught.value).startswith("None of the ports 65530 to 65535 can be used")


# ---- What was built --------------------------------------------------------------------------------------

PACKAGE = build.ROOT / "py" / "tinyserve"


def pyodide_folder(dist: Path) -> Path:
    """The folder with what Python starts from."""
    (folder,) = dist.glob("pyodide-*")
    return folder


def only(dist: Path, pattern: str) -> Path:
    """The one file of this pattern."""
    (path,) = dist.glob(pattern)
    return path


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def contents(folder: Path) -> dict[str, str]:
    """The hash of every file in a folder, by its relative name."""
    return {path.relative_to(folder).as_posix(): sha256(path) for path in build.files_of(folder)}


@pytest.mark.browser
def test_two_builds_give_the_same_bytes(dist: Path, tmp_path: Path) -> None:
    """One from the tree itself, one from a copy with other dates and modes in another place."""
    copy = tmp_path / "elsewhere" / "copy"
    build.copy_wheel_sources(build.ROOT, copy)
    shutil.copytree(build.ROOT / "web", copy / "web", copy_function=shutil.copyfile)
    for path in build.files_of(copy):
        path.chmod(0o600)
    first = build.make_dist(build.ROOT, tmp_path / "first", tmp_path / "first-work")
    second = build.make_dist(copy, tmp_path / "second", tmp_path / "second-work")
    assert len(contents(first)) > 15
    assert contents(first) == contents(second)
    assert contents(first) == contents(dist)


@pytest.mark.browser
def test_dist_is_current_until_a_source_or_something_made_on_the_way_is_another(
    dist: Path, tmp_path: Path
) -> None:
    sources, work = tmp_path / "sources", tmp_path / "work"
    build.copy_wheel_sources(build.ROOT, sources)
    shutil.copytree(build.ROOT / "web", sources / "web")
    shutil.copytree(build.WORK, work)
    computed = (build.FIRST_ANSWER, build.FIRST_INTERVALS, build.FIGURES)
    files = [
        sources / "web" / "style.css",
        sources / "py" / "tinyserve" / "view.py",
        build.only_wheel(work / "wheel"),
        *(work / build.COMPUTED / name for name in computed),
    ]
    for file in files:
        before = file.read_bytes()
        assert build.is_dist_current(sources, dist, work)
        file.write_bytes(before + b"\n")
        assert not build.is_dist_current(sources, dist, work), file
        file.unlink()
        assert not build.is_dist_current(sources, dist, work), file
        file.write_bytes(before)
    assert not build.is_dist_current(sources, tmp_path / "nothing", work)


def package_in_wheel(dist: Path, folder: Path) -> dict[str, str]:
    """The hash of every file of the package in the page's wheel, unpacked into a folder."""
    with zipfile.ZipFile(build.only_wheel(pyodide_folder(dist))) as wheel:
        wheel.extractall(folder)
    return contents(folder / "tinyserve")


@pytest.mark.browser
def test_the_wheel_holds_the_files_of_the_tree_byte_for_byte(dist: Path, tmp_path: Path) -> None:
    assert package_in_wheel(dist, tmp_path) == contents(PACKAGE)


def outside(command: list[str | Path], folder: Path) -> str:
    """What a command prints in another folder, where Python finds what is installed and not the tree."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=True)
    return done.stdout


@pytest.mark.browser
def test_the_wheel_of_the_page_is_the_one_that_is_installed(dist: Path, tmp_path: Path) -> None:
    where = [build.venv_python(), "-c", "import tinyserve; print(tinyserve.__path__[0])"]
    installed = Path(outside(where, tmp_path).strip())
    assert build.VENV in installed.parents
    assert contents(installed) == package_in_wheel(dist, tmp_path), "python3 build.py test installs it"


@pytest.mark.browser
def test_the_installed_command_runs_in_any_folder(tmp_path: Path) -> None:
    command = [build.venv_python().with_name("tinyserve"), "run", "--json"]
    answer = json.loads(outside(command, tmp_path))
    assert answer["report"] == load_test(chats(), RATE_HEAVY, PAGES, LIMIT)


@pytest.mark.browser
def test_a_name_tells_the_content_and_the_html_names_only_what_is_there(dist: Path, tmp_path: Path) -> None:
    """A changed style sheet gets another name, and so do the lesson's and the element's, which hold it too.

    Beside them only what names them changes.
    """
    copy = tmp_path / "copy"
    build.copy_wheel_sources(build.ROOT, copy)
    shutil.copytree(build.ROOT / "web", copy / "web")
    style = copy / "web" / "style.css"
    style.write_text(style.read_text("utf-8") + "main { color: red; }\n", "utf-8")
    changed = build.make_dist(copy, tmp_path / "dist", tmp_path / "work")
    before, after = contents(dist), contents(changed)
    dists = (dist, changed)
    holding = ("style-*.css", "lesson-*.css", "tiny-server-*.js")
    old, new = ({only(folder, pattern).name for pattern in holding} for folder in dists)
    assert set(before) - set(after) == old
    assert set(after) - set(before) == new
    changed_names = {name for name in before if after.get(name, before[name]) != before[name]}
    assert changed_names == {"index.html", "widget.html", "tiny-server.js"}

    for html in changed.glob("*.html"):
        named = re.findall(r'(?:src|href)="([^"#:]+)"', html.read_text("utf-8"))
        assert new & set(named)
        for name in named:
            assert (changed / name).is_file(), name


@pytest.mark.browser
def test_the_page_knows_length_and_hash_of_each_part(dist: Path) -> None:
    script = only(dist, "widget-*.js").read_text("utf-8")
    files = [only(dist, "worker-*.js"), *build.files_of(pyodide_folder(dist))]
    assert len(files) == 4
    for file in files:
        path = file.relative_to(dist).as_posix()
        known = re.search(rf'path:"{re.escape(path)}",bytes:([\d.e]+),sha256:"([^"]+)"', script)
        assert known is not None, path
        assert int(float(known[1])) == file.stat().st_size
        assert base64.b64decode(known[2]).hex() == sha256(file)


UNCHECKED = 0b01  # flags in a .pyc: made from a hash, and never compared with it


@pytest.mark.browser
def test_the_standard_library_is_compiled_and_holds_what_a_reader_may_import(dist: Path) -> None:
    with zipfile.ZipFile(pyodide_folder(dist) / "python_stdlib.zip") as library:
        names = library.namelist()
        headers = {library.read(name)[:8] for name in names}
    assert all(name.endswith(".pyc") for name in names)
    assert {int.from_bytes(header[4:], "little") for header in headers} == {UNCHECKED}
    assert len({header[:4] for header in headers}) == 1
    packages = ("collections", "json")
    modules = (
        *("bisect", "copy", "dataclasses", "functools", "heapq", "random", "statistics", "typing"),
        *("traceback", "linecache", "_strptime", "_pylong"),
    )
    assert {f"{name}.pyc" for name in modules} | {f"{name}/__init__.pyc" for name in packages} <= set(names)
    assert not {"doctest.pyc", "unittest/__init__.pyc"} & set(names)


@pytest.mark.browser
def test_little_enough_is_fetched(dist: Path) -> None:
    assert gzip_kb(dist, OWN) <= MOST_OWN_KB
    assert gzip_kb(dist, OWN + PYTHONS) <= MOST_KB


@pytest.mark.browser
@pytest.mark.usefixtures("dist")
def test_the_first_answer_is_the_programs() -> None:
    first = json.loads((build.WORK / build.COMPUTED / build.FIRST_ANSWER).read_text("utf-8"))
    for name, rate in (("chosen", RATE_HEAVY), ("light", RATE_LIGHT)):
        assert first[name]["settings"] == {"rate": rate, "pages": PAGES, "limit": LIMIT, "shuffle": 0}
        assert first[name]["report"] == load_test(chats(), rate, PAGES, LIMIT)
    columns = view.columns(serve(chats(), RATE_HEAVY, PAGES, LIMIT))
    assert first["chosen"]["columns"] == {name: column.tolist() for name, column in columns._asdict().items()}


def test_an_archive_holds_the_folder_and_is_the_same_twice(tmp_path: Path) -> None:
    folder = tmp_path / "dist"
    (folder / "licences").mkdir(parents=True)
    (folder / "widget.html").write_text("page", "utf-8")
    (folder / "licences" / "a.txt").write_text("text", "utf-8")
    first, second = tmp_path / "first.zip", tmp_path / "second.zip"
    build.write_archive(folder, first, "tinyserve-1.2.3")
    os.utime(folder / "widget.html", (1, 1))
    build.write_archive(folder, second, "tinyserve-1.2.3")
    assert first.read_bytes() == second.read_bytes()
    with zipfile.ZipFile(first) as archive:
        assert archive.namelist() == ["tinyserve-1.2.3/licences/a.txt", "tinyserve-1.2.3/widget.html"]
        assert archive.read("tinyserve-1.2.3/widget.html") == b"page"


@pytest.mark.browser
def test_dist_carries_the_licences_of_all_it_holds(dist: Path) -> None:
    licences = {path.stem: path.read_text("utf-8") for path in (dist / "licences").iterdir()}
    assert "MIT License" in licences["tinyserve"]
    assert "Mozilla Public License Version 2.0" in licences["pyodide"]
    assert "Python Software Foundation" in licences["python"]
    assert "pyodide-libraries" in licences
    packages = json.loads((build.ROOT / "package.json").read_text("utf-8"))["dependencies"]
    assert {name.removeprefix("@").replace("/", "-") for name in packages} <= set(licences)
    assert [name for name, text in licences.items() if "opyright" not in text] == []
    # The version named in the text is the version that is shipped.
    pyodide = json.loads((build.NODE_MODULES / "pyodide" / "package.json").read_text("utf-8"))
    assert licences["pyodide"].startswith(f"Pyodide {pyodide['version']}\n")


@pytest.mark.browser
def test_dist_names_no_folder_of_this_machine(dist: Path) -> None:
    home = str(build.ROOT)
    for path in build.files_of(dist):
        assert home.encode() not in path.read_bytes(), path


@pytest.mark.browser
@pytest.mark.skipif(os.name == "nt", reason="sends Ctrl-C the POSIX way")
def test_serve_prints_the_address_and_ends_quietly() -> None:
    command = [sys.executable, "build.py", "serve", "--port", "0"]
    with running(command, build.ROOT, subprocess.STDOUT) as process:
        assert process.stdout is not None
        lines = iter(process.stdout.readline, "")
        last = next(line for line in lines if "serving" in line or "Error" in line)
        assert re.search(r"serving http://127\.0\.0\.1:\d+/ ", last)
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=20) == 0
        assert process.stdout.read().strip() == ""


# ---- The launcher of npm's scripts -----------------------------------------------------------------------


def launch(*arguments: str, path: str | None = None) -> subprocess.CompletedProcess[str]:
    node = shutil.which("node")
    assert node is not None
    env = dict(os.environ)
    if path is not None:
        env["PATH"] = path
    command = [node, str(build.ROOT / "web" / "tools" / "run_python.mjs"), *arguments]
    return subprocess.run(command, env=env, capture_output=True, text=True, check=False)


@pytest.mark.browser
def test_the_launcher_passes_arguments_and_exit_code() -> None:
    done = launch("-c", "import sys; print(sys.argv[1:]); sys.exit(5)", "a b", "--c")
    assert done.returncode == 5
    assert done.stdout.strip() == "['a b', '--c']"


@pytest.mark.browser
def test_the_launcher_without_python_says_what_to_do(tmp_path: Path) -> None:
    done = launch("-c", "", path=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.startswith("No Python 3.11 or newer was found (tried python3, python, py -3): install")
    assert done.stderr.count("\n") == 1
