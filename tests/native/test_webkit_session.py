"""A session of WebKit's driver: a browser that never comes is not waited for again and again."""

import json
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.stories import webkit

TIMEOUT_S = 0.2


class Driver(ThreadingHTTPServer):
    """A driver that waits in vain for the first `silent` browsers that it starts."""

    def __init__(self, silent: int) -> None:
        super().__init__(("127.0.0.1", 0), Answering)
        self.silent = silent
        self.starts = 0


class Answering(BaseHTTPRequestHandler):
    """The two commands with which a session begins."""

    server: Driver

    def do_POST(self) -> None:
        """A new session."""
        self.server.starts += 1
        if self.server.starts <= self.server.silent:
            time.sleep(2 * TIMEOUT_S)
        else:
            self.answer({"sessionId": f"s{self.server.starts}"})

    def do_GET(self) -> None:
        """The session's window."""
        self.answer("a window")

    def answer(self, value: object) -> None:
        """Sends the value of a command."""
        body = json.dumps({"value": value}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is logged."""


@pytest.fixture
def driver(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """Such a driver, for as many silent browsers as the test says."""
    monkeypatch.setattr(webkit, "START_TIMEOUT_S", TIMEOUT_S)
    with Driver(request.param) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def address(driver: Driver) -> str:
    return f"http://127.0.0.1:{driver.server_port}"


@pytest.mark.parametrize("driver", range(webkit.STARTS), indirect=True)
def test_a_browser_that_does_not_come_is_started_anew(driver: Driver) -> None:
    assert webkit.Session(address(driver)).first_window == "a window"
    assert driver.starts == driver.silent + 1


@pytest.mark.parametrize("driver", [webkit.STARTS], indirect=True)
def test_at_last_it_is_an_error(driver: Driver) -> None:
    with pytest.raises(TimeoutError):
        webkit.Session(address(driver))
    assert driver.starts == webkit.STARTS
