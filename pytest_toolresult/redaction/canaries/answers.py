"""A small HTTP server that gives one answer, for upstreams that hold canaries."""

from __future__ import annotations

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator


@contextmanager
def serving(body: object, status: int) -> Iterator[str]:
    """Answer every request with a body until the block ends.

    Args:
        body: A text, or anything that goes into JSON.
        status: The status of the answer.

    Yields:
        The address of the server.
    """
    is_text = isinstance(body, str)
    raw = (body if isinstance(body, str) else json.dumps(body)).encode()
    kind = "text/plain; charset=utf-8" if is_text else "application/json"
    server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(raw, kind, status))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(raw: bytes, kind: str, status: int) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(raw)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(raw)

        do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = answer  # noqa: N815 - the names http.server asks for

        def log_message(self, *_: Any) -> None:
            """Keep quiet: the output belongs to the test."""

    return Handler
