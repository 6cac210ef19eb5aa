"""WebKitGTK, driven by WebDriver: https://www.w3.org/TR/webdriver2/

Debian's WebKitWebDriver starts WebKitGTK's own small browser, which needs a screen: Xvfb is one that nobody
sees. Roles and names are those that WebKit itself works out.

WebDriver has no console, and the browser writes none in a session of automation. So each page is opened by
a script in another window: until the new window's document comes, its listeners can be put up, and they
stay for it. They see console.error, uncaught errors and rejections, and scripts and pictures that could not
be loaded, from the first script on; but nothing inside frames and workers, and nothing that the browser
itself would print, such as a refusal by the page's policy.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import socket
import subprocess
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tests.find_browsers import WebKit
from tests.stories.driver import KEYS, LOOK_EVERY_S, NOTE_ANSWERS, PATIENCE_S, Tab

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # the standard's key of a reference to an element
ANSWER_TIMEOUT_S = PATIENCE_S
STARTS = 3  # of a browser, before it is given up
START_TIMEOUT_S = 40
SCREEN = "1600x1400x24"  # wider and higher than any window that a story asks for

# The browser's own buttons would keep its window from getting as narrow as a telephone.
NARROW_BUTTONS = "* { font-size: 1px; padding: 0; margin: 0; min-width: 0; border-width: 0; }\n"

# Where to look for a role before WebKit is asked about each element; all else is asked about every element.
CANDIDATES = {
    "button": "button",
    "checkbox": "input[type=checkbox]",
    "columnheader": "th",
    "combobox": "select",
    "figure": "figure",
    "heading": "h1, h2, h3, h4, h5, h6",
    "img": "img, svg",
    "link": "a[href]",
    "radio": "input[type=radio]",
    "slider": "input[type=range]",
    "spinbutton": "input[type=number]",
    "status": "output",
    "table": "table",
}
# What WebKit calls otherwise than the standard (https://www.w3.org/TR/html-aam-1.0/) and the other engines.
WEBKITS_ROLE = {"img": "image", "spinbutton": "textbox"}

# Opens the address in a new window and puts up the listeners before its document comes.
OPEN = f"""
const [url] = arguments;
const opened = window.open(url, "_blank", "width=1280,height=1000");
const errors = [];
opened.notedErrors = errors;
opened.addEventListener("error", ({{ message, target }}) => {{
  errors.push(message ?? `could not load ${{target.src ?? target.href}}`);
}}, true);
opened.addEventListener("unhandledrejection", ({{ reason }}) => errors.push(String(reason)));
const {{ error }} = opened.console;
opened.console.error = (...what) => {{
  errors.push(what.join(" "));
  error.apply(opened.console, what);
}};
({NOTE_ANSWERS})(opened);
opened.opener = null;
"""


# What the driver says of an element that is not told to a screen reader, or that the page has replaced.
NOT_THERE = {"unknown error", "stale element reference", "no such element"}


class RefusedError(RuntimeError):
    """The driver refused a command; `code` is the standard's word for why."""

    def __init__(self, command: str, code: str, message: str) -> None:
        super().__init__(f"WebKit refused {command}: {code} {message}".rstrip())
        self.code = code


class Session:
    """A session of the driver, in which it starts a browser without a past: commands over HTTP."""

    def __init__(self, driver_url: str) -> None:
        self._url = driver_url
        # Without this, a window opened by a script is held back as an unwanted one.
        options = {"args": ["--automation", "--javascript-can-open-windows-automatically=true"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        self._url += f"/session/{self._start({'capabilities': wanted})}"
        self.first_window: str = self.send("GET", "/window")
        self._origin = ""

    def _start(self, wanted: dict[str, object]) -> str:
        """Has a browser started, and gives the session's name.

        Now and then the driver waits in vain for a browser that it has started: then another is.
        """
        for _ in range(STARTS - 1):
            with contextlib.suppress(OSError, RefusedError):
                return str(self.send("POST", "/session", wanted, START_TIMEOUT_S)["sessionId"])
        return str(self.send("POST", "/session", wanted, START_TIMEOUT_S)["sessionId"])

    def send(
        self,
        method: str,
        path: str,
        body: dict[str, object] | None = None,
        timeout_s: float = ANSWER_TIMEOUT_S,
    ) -> Any:
        """Sends a command and gives its value."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self._url + path, data, method=method)
        try:
            with urllib.request.urlopen(request, timeout=timeout_s) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            with error:
                value = json.load(error)["value"]
            raise RefusedError(f"{method} {path}", value["error"], value["message"]) from None

    def run(self, script: str, *arguments: object) -> Any:
        """Runs the body of a function in the window and frame that are meant."""
        return self.send("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def go_to_window(self, window: str) -> None:
        """From here on this window is meant."""
        self.send("POST", "/window", {"handle": window})

    def open_window(self, url: str) -> str:
        """Opens an address in a new window, in which all errors are noted."""
        self.go_to_window(self.first_window)
        origin = urllib.parse.urljoin(url, "/")
        if origin != self._origin:
            # Only a page of the same origin can put up listeners; one that is not found is a page, too.
            self.send("POST", "/url", {"url": urllib.parse.urljoin(origin, "no-such-page")})
            self._origin = origin
        before = self.send("GET", "/window/handles")
        self.run(OPEN, url)
        (window,) = set(self.send("GET", "/window/handles")) - set(before)
        self.go_to_window(window)
        return str(window)


class WebKitTab(Tab):
    """A window in a session of its own, so that no visitor has a past; one starts in a second."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._send = session.send
        self._window: str | None = None
        self._size = (1280, 1000)

    def open(self, url: str) -> None:
        self._close_window()
        self._window = self._session.open_window(url)
        self.resize(*self._size)
        loaded = "return location.href !== 'about:blank' && document.readyState === 'complete'"
        end_s = time.monotonic() + PATIENCE_S
        while not self._session.run(loaded):
            if time.monotonic() > end_s:
                raise TimeoutError(f"{url} did not load in {PATIENCE_S} s")
            time.sleep(LOOK_EVERY_S)

    def close(self) -> None:
        self._send("DELETE", "")

    def _close_window(self) -> None:
        if self._window is not None:
            self._session.go_to_window(self._window)
            self._send("DELETE", "/window")
            self._window = None

    def enter_frame(self) -> None:
        self._send("POST", "/frame", {"id": 0})

    def find(self, role: str, name: str | None) -> list[str]:
        css = f"{CANDIDATES[role]}, [role={role}]" if role in CANDIDATES else "*"
        visible = (
            "return [...document.querySelectorAll(arguments[0])]"
            ".filter((element) => element.checkVisibility({ visibilityProperty: true }))"
        )
        elements = [element[ELEMENT] for element in self._session.run(visible, css)]
        roles = {role, WEBKITS_ROLE.get(role, role)}
        return [element for element in elements if self._is(element, roles, name)]

    def _is(self, element: str, roles: set[str], name: str | None) -> bool:
        """Whether WebKit gives the element one of these roles and the name."""
        try:
            if self._send("GET", f"/element/{element}/computedrole") not in roles:
                return False
            return name is None or self._send("GET", f"/element/{element}/computedlabel") == name
        except RefusedError as refused:
            if refused.code in NOT_THERE:
                return False
            raise

    def find_path(self, xpath: str) -> list[str]:
        found = self._send("POST", "/elements", {"using": "xpath", "value": xpath})
        return [element[ELEMENT] for element in found]

    def call(self, function: str, this: str | None, text: str) -> str | None:
        script = f"return ({function}).call(arguments[0], arguments[1])"
        answer: str | None = self._session.run(script, None if this is None else {ELEMENT: this}, text)
        return answer

    def click(self, element: str) -> None:
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": {ELEMENT: element}}
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._act({"type": "pointer", "id": "mouse", "actions": [move, down, up]})

    def type(self, keys: Sequence[str]) -> None:
        values = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": value} for value in values for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def _act(self, source: dict[str, object]) -> None:
        self._send("POST", "/actions", {"actions": [source]})

    def resize(self, width: int, height: int) -> None:
        self._size = (width, height)
        if self._window is None:
            return
        frame = self._session.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self._send("POST", "/window/rect", {"width": width + frame[0], "height": height + frame[1]})
        inside = self._session.run("return [innerWidth, innerHeight]")
        if inside != [width, height]:
            raise RuntimeError(f"WebKit's window became {inside} pixels instead of {[width, height]}")

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self._send("GET", "/screenshot")))

    def console_errors(self) -> list[str]:
        if self._window is None:
            return []
        self._send("POST", "/frame", {"id": None})
        errors: list[str] = self._session.run("return window.notedErrors")
        return errors


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class WebKitGtk:
    """WebKitGTK's driver, which starts its small browser on a screen that nobody sees."""

    name = "webkit"

    def __init__(self, programs: WebKit) -> None:
        with contextlib.ExitStack() as stack:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
            environ = {**os.environ, "XDG_CONFIG_HOME": str(folder), "GDK_BACKEND": "x11"}
            environ["DISPLAY"] = self._start_screen(stack, programs.screen)
            for gtk in ("gtk-3.0", "gtk-4.0"):
                (folder / gtk).mkdir()
                (folder / gtk / "gtk.css").write_text(NARROW_BUTTONS, "utf-8")
            port = free_port()
            command = [str(programs.driver), f"--port={port}", "--host=127.0.0.1"]
            self._start(stack, command, env=environ)
            self._url = f"http://127.0.0.1:{port}"
            self._wait_for(self._url)
            self._stack = stack.pop_all()

    def _start(self, stack: contextlib.ExitStack, command: list[str], **options: Any) -> None:
        """Starts a program that ends with the stack."""
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
        stack.callback(process.wait, PATIENCE_S)
        stack.callback(process.terminate)

    def _start_screen(self, stack: contextlib.ExitStack, program: Path) -> str:
        """Starts the screen; it picks a free number, writes it into the pipe, and so is its name."""
        read, write = os.pipe()
        with os.fdopen(read, "rb") as answer:
            command = [str(program), "-displayfd", str(write), "-screen", "0", SCREEN, "-nolisten", "tcp"]
            try:
                self._start(stack, command, pass_fds=[write])
            finally:
                os.close(write)
            number = answer.readline().decode().strip()
        if not number:
            raise RuntimeError(f"{program} did not start")
        return f":{number}"

    def _wait_for(self, url: str) -> None:
        """Waits until the driver answers."""
        end_s = time.monotonic() + PATIENCE_S
        while True:
            try:
                urllib.request.urlopen(f"{url}/status", timeout=ANSWER_TIMEOUT_S).close()
                return
            except OSError as error:
                if time.monotonic() > end_s:
                    raise RuntimeError(f"WebKitWebDriver does not answer at {url}: {error}") from error
            time.sleep(LOOK_EVERY_S)

    def new_tab(self) -> WebKitTab:
        return WebKitTab(Session(self._url))

    def quit(self) -> None:
        """Ends the driver and the screen."""
        self._stack.close()
