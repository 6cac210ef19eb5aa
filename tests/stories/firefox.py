"""Firefox, driven by WebDriver BiDi: https://www.w3.org/TR/webdriver-bidi/

Firefox speaks it itself, on a WebSocket: no driver program is needed, and Debian has none. Roles and names
are those that Firefox itself works out.
"""

from __future__ import annotations

import base64
import contextlib
import json
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.stories.driver import KEYS, LOOK_EVERY_S, NOTE_ANSWERS, PATIENCE_S, Tab

ANSWER_TIMEOUT_S = PATIENCE_S


class Connection:
    """Commands and their answers, one after the other; the events in between are kept."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._newest_id = 0
        self.log: list[dict[str, Any]] = []

    def send(self, method: str, **parameters: object) -> dict[str, Any]:
        """Sends a command and gives its result."""
        self._newest_id += 1
        command = {"id": self._newest_id, "method": method, "params": parameters}
        self._socket.send(json.dumps(command))
        while True:
            message = json.loads(self._socket.recv(timeout=ANSWER_TIMEOUT_S))
            if message["type"] == "event":
                self.log.append(message["params"])
            elif message.get("id") == self._newest_id:
                if message["type"] == "error":
                    raise RuntimeError(f"Firefox refused {method}: {message['error']}, {message['message']}")
                result: dict[str, Any] = message["result"]
                return result


class FirefoxTab(Tab):
    """A tab in a user context of its own, so that no visitor has a past."""

    def __init__(self, connection: Connection) -> None:
        self._send = connection.send
        self._log = connection.log
        self._log.clear()
        self._user = self._send("browser.createUserContext")["userContext"]
        created = self._send("browsingContext.create", type="tab", userContext=self._user)
        self._tab: str = created["context"]
        self._context = self._tab  # the document that is meant: the tab's, or that of a frame in it
        note = f"() => {{ ({NOTE_ANSWERS})(window); }}"
        self._send("script.addPreloadScript", functionDeclaration=note, contexts=[self._tab])

    def open(self, url: str) -> None:
        self._context = self._tab
        self._send("browsingContext.navigate", context=self._tab, url=url, wait="complete")

    def close(self) -> None:
        self._send("browser.removeUserContext", userContext=self._user)

    def enter_frame(self) -> None:
        (tree,) = self._send("browsingContext.getTree", root=self._context)["contexts"]
        self._context = tree["children"][0]["context"]

    def find(self, role: str, name: str | None) -> list[str]:
        value = {"role": role} if name is None else {"role": role, "name": name}
        return self._locate({"type": "accessibility", "value": value})

    def find_path(self, xpath: str) -> list[str]:
        return self._locate({"type": "xpath", "value": xpath})

    def _locate(self, locator: dict[str, object]) -> list[str]:
        found = self._send("browsingContext.locateNodes", context=self._context, locator=locator)
        return [node["sharedId"] for node in found["nodes"]]

    def call(self, function: str, this: str | None, text: str) -> str | None:
        answer = self._send(
            "script.callFunction",
            functionDeclaration=function,
            this={"type": "undefined"} if this is None else {"sharedId": this},
            arguments=[{"type": "string", "value": text}],
            target={"context": self._context},
            awaitPromise=False,
            userActivation=True,
        )
        if answer["type"] == "exception":
            raise RuntimeError(answer["exceptionDetails"]["text"])
        value: str | None = answer["result"].get("value")
        return value

    def click(self, element: str) -> None:
        origin = {"type": "element", "element": {"sharedId": element}}
        move = {"type": "pointerMove", "x": 0, "y": 0, "origin": origin}
        down, up = ({"type": kind, "button": 0} for kind in ("pointerDown", "pointerUp"))
        self._act({"type": "pointer", "id": "mouse", "actions": [move, down, up]})

    def type(self, keys: Sequence[str]) -> None:
        values = [KEYS.get(key, key) for key in keys]
        actions = [{"type": kind, "value": value} for value in values for kind in ("keyDown", "keyUp")]
        self._act({"type": "key", "id": "keyboard", "actions": actions})

    def _act(self, source: dict[str, object]) -> None:
        self._send("input.performActions", context=self._context, actions=[source])

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height}
        self._send("browsingContext.setViewport", context=self._tab, viewport=size)

    def screenshot(self, path: Path) -> None:
        taken = self._send("browsingContext.captureScreenshot", context=self._tab)
        path.write_bytes(base64.b64decode(taken["data"]))

    def console_errors(self) -> list[str]:
        # Events come in order, so all that has happened has come before this answer.
        self._send("session.status")
        return [str(entry["text"]) for entry in self._log if entry["level"] == "error"]


class Firefox:
    """A Firefox without a window, with a profile that is thrown away."""

    name = "firefox"

    def __init__(self, program: Path) -> None:
        with contextlib.ExitStack() as stack:
            profile = Path(stack.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
            log = stack.enter_context((profile / "output.txt").open("wb"))
            command = [str(program), "--headless", "--no-remote", "--profile", str(profile)]
            command += ["--remote-debugging-port", "0"]
            self._process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
            stack.callback(self._end_process)
            url = f"{self._wait_for_address(profile)}/session"
            socket = stack.enter_context(connect(url, max_size=None, compression=None))
            self._connection = Connection(socket)
            self._connection.send("session.new", capabilities={})
            self._connection.send("session.subscribe", events=["log.entryAdded"])
            self._stack = stack.pop_all()

    def _wait_for_address(self, profile: Path) -> str:
        """Where Firefox listens, which it writes into its profile once it does."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s and self._process.poll() is None:
            with contextlib.suppress(OSError, ValueError):
                server = json.loads((profile / "WebDriverBiDiServer.json").read_text("utf-8"))
                return f"ws://{server['ws_host']}:{server['ws_port']}"
            time.sleep(LOOK_EVERY_S)
        output = (profile / "output.txt").read_text("utf-8", errors="replace")
        raise RuntimeError(f"Firefox does not listen, exit code {self._process.poll()}: {output[-1000:]}")

    def _end_process(self) -> None:
        self._process.terminate()
        try:
            self._process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def new_tab(self) -> FirefoxTab:
        return FirefoxTab(self._connection)

    def quit(self) -> None:
        """Ends the browser and throws its profile away."""
        self._stack.close()
