"""A server of a built page whose faults can be switched on and off while the page is open."""

import http.server
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import build


@dataclass
class Answer:
    """What the server is about to send."""

    status: int
    headers: dict[str, str]
    body: bytes
    sent_bytes: int | None = None  # after these the connection ends; None: after all
    hangs: bool = False  # instead of ending the connection, keep the visitor waiting


Fault = Callable[[Answer], None]


def missing(answer: Answer) -> None:
    """The file is not there."""
    answer.status, answer.body = 404, b"not found"


def troubled(answer: Answer) -> None:
    """The host is overloaded."""
    answer.status, answer.body = 503, b"come back later"


def damaged(answer: Answer) -> None:
    """One bit in the middle of the file is another."""
    content = bytearray(answer.body)
    content[len(content) // 2] ^= 1
    answer.body = bytes(content)


def cut_off(answer: Answer) -> None:
    """The connection ends in the middle of the file."""
    answer.sent_bytes = len(answer.body) // 2


def endless(answer: Answer) -> None:
    """The second half of the file never comes."""
    answer.sent_bytes = len(answer.body) // 2
    answer.hangs = True


def of_type(mime_type: str) -> Fault:
    """The file is said to be of another type."""
    return lambda answer: answer.headers.update({"Content-Type": mime_type})


def with_policy(policy: str) -> Fault:
    """The site has a policy of its own."""
    return lambda answer: answer.headers.update({"Content-Security-Policy": policy})


@dataclass
class Site:
    """What the server serves, with which faults, and what it has been asked for."""

    folder: Path
    faults: dict[str, Fault] = field(default_factory=dict)  # by a piece of the file's path
    pages: dict[str, str] = field(default_factory=dict)  # other pages of the same site: name -> HTML
    asked: list[str] = field(default_factory=list)
    ended: threading.Event = field(default_factory=threading.Event)
    address: str = ""

    def answer(self, path: str) -> Answer:
        """The answer to a request, with the fault for this path if there is one."""
        self.asked.append(path)
        file = self.folder / path
        if path in self.pages:
            return Answer(200, {"Content-Type": build.MIME_TYPES[".html"]}, self.pages[path].encode())
        if not path or not file.is_file():
            return Answer(404, {}, b"not found")
        headers = {"Content-Type": build.MIME_TYPES[file.suffix], "Cache-Control": "no-cache"}
        answer = Answer(200, headers, file.read_bytes())
        for piece, fault in self.faults.items():
            if piece in path:
                fault(answer)
        return answer


class Handler(http.server.BaseHTTPRequestHandler):
    """Sends what the site answers."""

    protocol_version = "HTTP/1.1"
    site: Site

    def do_GET(self) -> None:  # noqa: N802 (the name is the library's)
        answer = self.site.answer(urlsplit(self.path).path.removeprefix("/"))
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.end_headers()
        self.wfile.write(answer.body[: answer.sent_bytes])
        if answer.hangs:
            self.wfile.flush()
            self.site.ended.wait()
        self.close_connection = answer.sent_bytes is not None

    def log_message(self, format: str, *args: Any) -> None:
        pass


class Server(http.server.ThreadingHTTPServer):
    """One that does not wait for visitors whom it keeps waiting."""

    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that breaks off a download is no error."""


@contextmanager
def faulty_site(folder: Path) -> Iterator[Site]:
    """Serves a folder on a free port while the block runs."""
    site = Site(folder)
    handler = type("SiteHandler", (Handler,), {"site": site})
    with Server(("127.0.0.1", 0), handler) as server:
        site.address = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield site
        site.ended.set()
        server.shutdown()
        thread.join()
