"""Line breaks in arguments, where they do harm and where they do not."""

from __future__ import annotations

import re
import shlex
import smtplib
import socket
import subprocess
import threading
from email.message import EmailMessage
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from pytest_toolresult.explore import exploration_named

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from pytest_toolresult.engine.assignment import Assignment
    from pytest_toolresult.engine.session import Engine
    from pytest_toolresult.findings import Finding

    Assign = Callable[..., Assignment]
    Breaking = Callable[..., list[Finding]]

RELATIONS = exploration_named("relations")


class Place:
    """The folder that the tools below write to, and the server they talk to."""

    folder = ""
    port = 0


HERE = Place()


def answer(status: str, data: Any = None, error: Any = None) -> Any:
    return {"status": status, "data": data, "error": error, "meta": {}}


def refusal(code: str) -> Any:
    message = "Use printable characters on one line."
    return answer("error", error={"code": code, "message": message, "retryable": False})


def header_line(file_name: str) -> Any:
    """Build the download header of a file."""
    line = f'Content-Disposition: attachment; filename="{file_name}"'
    return answer("success", {"summary": "Header built", "built": line})


def header_fields(file_name: str) -> Any:
    """Build the download headers of a file."""
    headers = {"Content-Disposition": f'attachment; filename="{file_name}"'}
    return answer("success", {"headers": headers})


def whole_message(subject: str, body: str) -> Any:
    """Preview a mail."""
    raw = f"To: shop@example.org\nSubject: {subject}\n\n{body}"
    return answer("success", {"raw": raw})


def ends_at_the_dollar(file_name: str) -> Any:
    """Build the download header of a file."""
    if not re.match(r"^[\w.]+$", file_name):
        return refusal("BAD_NAME")
    return answer("success", {"header_line": f"Content-Location: /files/{file_name}"})


def only_one_kind(file_name: str) -> Any:
    """Build the download header of a file."""
    name = file_name.replace("\r\n", "")
    return answer("success", {"header_line": f"Content-Location: /files/{name}"})


def command_shown(name: str) -> Any:
    """Show the command that converts a picture."""
    return answer("success", {"command": f"convert {name} out.png"})


def named_after(title: str) -> Any:
    """Plan an export."""
    return answer("success", {"file_name": f"{title}.csv"})


def shell(word: str) -> Any:
    """Say a word."""
    done = subprocess.run(  # noqa: S602 - as they are written
        f"echo {word}", shell=True, capture_output=True, text=True, check=False
    )
    return answer("success", {"said": len(done.stdout) > 1})


def shell_by_name(word: str) -> Any:
    """Say a word."""
    done = subprocess.run(
        ["/bin/sh", "-c", f"echo {word}"], capture_output=True, check=False
    )
    return answer("success", {"said": len(done.stdout) > 1})


def written(title: str) -> Any:
    """Save a report."""
    with open(f"{HERE.folder}/{title}.txt", "w") as file:  # noqa: PTH123 - likewise
        file.write("report")
    return answer("success", {"saved": True})


def mail_by_hand(subject: str) -> Any:
    """Send a mail."""
    with smtplib.SMTP("127.0.0.1", HERE.port, timeout=2) as server:
        server.sendmail("a@example.org", "b@example.org", f"Subject: {subject}\n\nHi")
    return answer("success", {"sent": True})


@pytest.fixture
def breaking(engine: Engine, assign: Assign) -> Breaking:
    def explore(tool: Callable[..., Any], **declared: Any) -> list[Finding]:
        explored = engine.explore(assign(tool, **declared), RELATIONS)
        assert not explored.evidence.not_covered
        return [each for each in explored.evidence.findings if each.rule == "TR911"]

    return explore


@pytest.mark.parametrize(
    ("tool", "success", "place"),
    [
        (header_line, {"file_name": "report.pdf"}, "data.built"),
        (
            header_fields,
            {"file_name": "report.pdf"},
            "data.headers.Content-Disposition",
        ),
        (whole_message, {"subject": "Hi", "body": "Hello"}, "data.raw"),
        (ends_at_the_dollar, {"file_name": "report.pdf"}, "data.header_line"),
        (only_one_kind, {"file_name": "report.pdf"}, "data.header_line"),
        (command_shown, {"name": "in.png"}, "data.command"),
        (named_after, {"title": "march"}, "data.file_name"),
    ],
)
def test_results_in_which_a_line_was_added(
    breaking: Breaking, tool: Callable[..., Any], success: dict[str, str], place: str
) -> None:
    (finding,) = breaking(tool, success=success)
    assert finding.place == place
    assert "with a line break in" in finding.message
    assert finding.replay


@pytest.mark.parametrize("tool", [shell, shell_by_name])
def test_commands_that_got_a_second_line(
    breaking: Breaking, tool: Callable[..., Any]
) -> None:
    (finding,) = breaking(tool, success={"word": "hello"}, allow=("subprocess",))
    assert "the command" in finding.message


def test_files_whose_names_have_two_lines(breaking: Breaking, tmp_path: Path) -> None:
    HERE.folder = str(tmp_path)
    (finding,) = breaking(written, success={"title": "march"}, allow=("files",))
    assert "the name of a file" in finding.message


@pytest.fixture
def mail_server() -> Iterator[None]:
    """Take mails, and forget them."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        HERE.port = listening.getsockname()[1]
        thread = threading.Thread(target=_serve, args=(listening,), daemon=True)
        thread.start()
        yield
        listening.shutdown(socket.SHUT_RDWR)
    thread.join(5)


def _serve(listening: socket.socket) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection, connection.makefile("rwb") as lines:
            _take_mail(lines)


def _take_mail(lines: Any) -> None:
    _say(lines, b"220 here")
    in_data = False
    for line in lines:
        if in_data and line != b".\r\n":
            continue
        if line.upper().startswith(b"QUIT"):
            _say(lines, b"221 bye")
            return
        in_data = line.upper().startswith(b"DATA")
        _say(lines, b"354 go on" if in_data else b"250 fine")


def _say(lines: Any, text: bytes) -> None:
    lines.write(text + b"\r\n")
    lines.flush()


@pytest.mark.usefixtures("mail_server")
def test_mails_with_another_line_in_their_head(breaking: Breaking) -> None:
    (finding,) = breaking(mail_by_hand, success={"subject": "Hi"}, allow=("network",))
    assert "what is sent to a server" in finding.message
    assert "Subject: " in finding.message


def quoted_name(file_name: str) -> Any:
    """Build the download header of a file."""
    line = f"Content-Disposition: attachment; filename*=UTF-8''{quote(file_name)}"
    return answer("success", {"header_line": line})


def refused(file_name: str) -> Any:
    """Build the download header of a file."""
    if not file_name.isprintable():
        return refusal("BAD_NAME")
    return answer("success", {"header_line": f"Content-Location: /files/{file_name}"})


def given_back(location: str) -> Any:
    """Return the weather."""
    return answer("success", {"location": location, "summary": f"Rain in {location}"})


def searched(query: str) -> Any:
    """Search the shop."""
    return answer("success", [{"subject": query, "file_name": "a.txt"}])


def two_fields(title: str) -> Any:
    """Preview a note."""
    return answer("success", {"note_text": f"Title: {title}\n\nNothing yet."})


def told_in_lines(city: str) -> str:
    """Return the weather."""
    return f"Location: {city}\nSky: rain"


def title_of_a_table(metric: str) -> Any:
    """Return a table."""
    table = {"header": f"Report on {metric}", "headers": ["day", f"{metric} total"]}
    return answer("success", {**table, "rows": [["Monday", 3]]})


def mail_summed_up(subject: str) -> Any:
    """Preview a mail."""
    return answer("success", {"summary": f"To: shop\nSubject: {subject}\n\n3 lines"})


def message_body(body: str, subject: str = "Hi") -> Any:
    """Preview a mail."""
    if not subject.isprintable():
        return refusal("BAD_SUBJECT")
    return answer("success", {"raw": f"Subject: {subject}\n\nDear all: {body}"})


def command_quoted(name: str) -> Any:
    """Show the command that converts a picture."""
    return answer("success", {"command": f"convert {shlex.quote(name)} out.png"})


def shell_quoted(word: str) -> Any:
    """Say a word."""
    done = subprocess.run(  # noqa: S602 - quoted
        f"echo {shlex.quote(word)}", shell=True, capture_output=True, check=False
    )
    return answer("success", {"said": len(done.stdout) > 1})


def program(word: str) -> Any:
    """Say a word."""
    done = subprocess.run(["/bin/echo", word], capture_output=True, check=False)
    return answer("success", {"said": len(done.stdout) > 1})


def looked_up(name: str) -> Any:
    """Read a page."""
    try:
        with open(f"{HERE.folder}/{name}") as file:  # noqa: PTH123 - as it is written
            return answer("success", {"text": file.read()})
    except OSError:
        return refusal("NOT_FOUND")


def mail_made(subject: str) -> Any:
    """Send a mail; some Pythons let a line break through at the end."""
    message = EmailMessage()
    try:
        message["Subject"] = subject
    except ValueError:
        return refusal("BAD_SUBJECT")
    message["From"] = message["To"] = "a@example.org"
    message.set_content("Hi")
    with smtplib.SMTP("127.0.0.1", HERE.port, timeout=2) as server:
        server.send_message(message)
    return answer("success", {"sent": True})


def mail_made_of_one_line(subject: str) -> Any:
    """Send a mail."""
    return mail_made(subject) if subject.isprintable() else refusal("BAD_SUBJECT")


def mail_text(body: str) -> Any:
    """Send a mail."""
    with smtplib.SMTP("127.0.0.1", HERE.port, timeout=2) as server:
        server.sendmail("a@example.org", "b@example.org", f"Subject: Hi\n\nTo: {body}")
    return answer("success", {"sent": True})


@pytest.mark.parametrize(
    ("tool", "success", "allow"),
    [
        (quoted_name, {"file_name": "report.pdf"}, ()),
        (refused, {"file_name": "report.pdf"}, ()),
        (given_back, {"location": "Paris"}, ()),
        (searched, {"query": "lamp"}, ()),
        (two_fields, {"title": "march"}, ()),
        (told_in_lines, {"city": "Oslo"}, ()),
        (title_of_a_table, {"metric": "sales"}, ()),
        (mail_summed_up, {"subject": "Hi"}, ()),
        (message_body, {"body": "hello", "subject": "Hi"}, ()),
        (command_quoted, {"name": "in.png"}, ()),
        (shell_quoted, {"word": "hello"}, ("subprocess",)),
        (program, {"word": "hello"}, ("subprocess",)),
        (looked_up, {"name": "page.md"}, ()),
        (mail_made_of_one_line, {"subject": "Hi"}, ("network",)),
        (mail_text, {"body": "hello"}, ("network",)),
    ],
)
@pytest.mark.usefixtures("mail_server")
def test_line_breaks_that_do_no_harm(
    breaking: Breaking,
    tmp_path: Path,
    tool: Callable[..., Any],
    success: dict[str, str],
    allow: tuple[str, ...],
) -> None:
    HERE.folder = str(tmp_path)
    (tmp_path / "page.md").write_text("a page")
    assert breaking(tool, success=success, allow=allow) == []
