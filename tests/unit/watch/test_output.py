from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import threading
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.watch import Watch, between, lasting
from pytest_toolresult.watch.output import MOST_BYTES

if TYPE_CHECKING:
    from collections.abc import Callable


def printing() -> None:
    print("said")  # noqa: T201


def by_the_original_stream() -> None:
    assert sys.__stdout__ is not None
    sys.__stdout__.write("said\n")


def by_the_descriptor() -> None:
    os.write(1, b"said\n")


def by_the_buffer() -> None:
    sys.stdout.buffer.write(b"said\n")


def by_a_child() -> None:
    subprocess.run([sys.executable, "-c", "print('said')"], check=True)


def by_a_child_given_the_stream() -> None:
    subprocess.run(
        [sys.executable, "-c", "print('said')"], stdout=sys.stdout, check=True
    )


def by_a_thread() -> None:
    thread = threading.Thread(target=printing)
    thread.start()
    thread.join()


WAYS = [
    printing,
    by_the_original_stream,
    by_the_descriptor,
    by_the_buffer,
    by_a_child,
    by_a_child_given_the_stream,
    by_a_thread,
]


@pytest.mark.parametrize("write", WAYS)
def test_every_way_to_write_is_seen(write: Callable[[], None]) -> None:
    with Watch() as watch:
        write()
    assert watch.stdout == "said\n"


def test_nothing_written_is_nothing_seen() -> None:
    with Watch() as watch:
        pass
    assert watch.stdout == ""


def test_what_was_written_keeps_its_order() -> None:
    with Watch() as watch:
        sys.stdout.write("1")
        os.write(1, b"2")
        sys.stdout.write("3")
        by_a_child()
    assert watch.stdout == "123said\n"


def test_what_was_written_before_and_after_goes_where_it_went(
    capfd: pytest.CaptureFixture[str],
) -> None:
    print("before")  # noqa: T201
    sys.stdout.write("pending ")
    with Watch():
        print("during")  # noqa: T201
        os.write(1, b"during")
    print("after")  # noqa: T201
    os.write(1, b"at the end")
    sys.stdout.flush()
    out = capfd.readouterr().out
    assert "during" not in out
    assert sorted(out.replace("\n", " ").split()) == sorted(
        ["before", "pending", "after", "at", "the", "end"]
    )


def test_a_capture_without_a_descriptor_is_put_back(
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = sys.stdout
    with Watch() as watch:
        print("during")  # noqa: T201
    assert sys.stdout is before
    print("after")  # noqa: T201
    assert watch.stdout == "during\n"
    assert capsys.readouterr().out == "after\n"


def test_an_exception_puts_everything_back() -> None:
    before = sys.stdout, os.fstat(1)
    with contextlib.suppress(KeyboardInterrupt), Watch():
        raise KeyboardInterrupt
    assert (sys.stdout, os.fstat(1)) == before


def test_a_tool_may_close_or_replace_its_output() -> None:
    before = sys.stdout
    with Watch():
        sys.stdout.close()
    with Watch() as watch:
        print("still seen")  # noqa: T201
        sys.stdout = sys.stderr
    assert sys.stdout is before
    assert watch.stdout == "still seen\n"


def test_watches_that_overlap_leave_nothing_behind() -> None:
    before = sys.stdout, os.fstat(1)
    first, second = Watch(), Watch()
    first.__enter__()
    sys.stdout.write("1")
    second.__enter__()
    sys.stdout.write("2")
    first.__exit__(None, None, None)
    sys.stdout.write("3")
    second.__exit__(None, None, None)
    assert (first.stdout, second.stdout) == ("12", "23")
    assert (sys.stdout, os.fstat(1)) == before


def test_a_flood_is_cut() -> None:
    with Watch() as watch:
        os.write(1, b"x" * (MOST_BYTES + 1))
        sys.stdout.write("y" * MOST_BYTES)
    assert watch.stdout == "x" * MOST_BYTES
    with Watch() as watch:
        sys.stdout.write("short")
    assert watch.stdout == "short"


def test_bytes_that_are_no_text_and_text_that_is_no_bytes() -> None:
    with Watch() as watch:
        os.write(1, b"\xff\n")
        print("\ud800")  # noqa: T201
    assert watch.stdout == "\ufffd\n\\ud800\n"


def test_a_process_without_standard_output() -> None:
    code = (
        "import os, sys\n"
        "from pytest_toolresult.watch import Watch\n"
        "os.close(1)\n"
        "sys.stdout = None\n"
        "with Watch() as watch:\n"
        "    print('said')\n"
        "assert watch.stdout == 'said\\n', watch.stdout\n"
        "assert sys.stdout is None\n"
        "try:\n"
        "    os.fstat(1)\n"
        "except OSError:\n"
        "    sys.exit(7)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (7, b"")


def complaining() -> None:
    print("said", file=sys.stderr)  # noqa: T201


def complaining_by_the_descriptor() -> None:
    os.write(2, b"said\n")


def complaining_by_a_child() -> None:
    code = "import sys; sys.stderr.write('said\\n')"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    "write", [complaining, complaining_by_the_descriptor, complaining_by_a_child]
)
def test_standard_error_is_seen_and_passed_on(
    write: Callable[[], None], capfd: pytest.CaptureFixture[str]
) -> None:
    before = sys.stderr, os.fstat(2).st_ino
    with Watch() as watch:
        write()
    assert (watch.stderr, watch.stdout) == ("said\n", "")
    assert (sys.stderr, os.fstat(2).st_ino) == before
    assert capfd.readouterr().err == "said\n"


def test_standard_error_is_passed_on_without_its_secrets(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with Watch() as watch:
        print("DB_PASSWORD=Vq7-n2LxTz9", file=sys.stderr)  # noqa: T201
    assert watch.stderr == "DB_PASSWORD=Vq7-n2LxTz9\n"
    assert capfd.readouterr().err.startswith("DB_PASSWORD=[password, 11 chars, #")


def test_overlapping_watches_see_their_own_errors(
    capfd: pytest.CaptureFixture[str],
) -> None:
    first, second = Watch(), Watch()
    first.__enter__()
    sys.stderr.write("1")
    second.__enter__()
    sys.stderr.write("2")
    first.__exit__(None, None, None)
    sys.stderr.write("3")
    second.__exit__(None, None, None)
    assert (first.stderr, second.stderr) == ("12", "23")
    assert capfd.readouterr().err == "123"


def test_between_lasting_calls_everything_goes_where_it_went(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with lasting():
        for number in range(3):
            os.write(1, b"%d " % number)
            os.write(2, b"%d " % number)
            with Watch() as watch:
                by_a_child()
            assert (watch.stdout, watch.stderr) == ("said\n", "")
        os.write(1, b"at the end")
    assert capfd.readouterr() == ("0 1 2 at the end", "0 1 2 ")


def test_what_is_pending_between_lasting_calls_is_no_call_s(
    capfd: pytest.CaptureFixture[str],
) -> None:
    with lasting(), open(1, "w", closefd=False) as stream:
        with contextlib.redirect_stdout(stream):
            sys.stdout.write("pending")
            with Watch() as watch:
                pass
        assert watch.stdout == ""
    assert capfd.readouterr().out == "pending"


def test_who_takes_turns_on_a_descriptor_hides_no_later_call(
    capfd: pytest.CaptureFixture[str],
) -> None:
    real = os.dup(1)
    with lasting():
        with Watch() as watch:
            os.dup2(real, 1)
            os.write(1, b"a line of a live log")
        assert watch.stdout == ""
        with Watch() as watch:
            by_the_descriptor()
    os.close(real)
    assert watch.stdout == "said\n"
    assert capfd.readouterr().out == "a line of a live log"


def test_a_process_started_between_calls_keeps_the_real_output(
    capfd: pytest.CaptureFixture[str],
) -> None:
    code = "print(input())"
    command = [sys.executable, "-c", code]
    with lasting():
        with Watch():
            pass
        with between():
            server = subprocess.Popen(command, stdin=subprocess.PIPE)
        with Watch() as watch:
            server.communicate(b"served\n")
        assert watch.stdout == ""
    assert capfd.readouterr().out == "served\n"


def test_what_runs_between_others_during_a_call_is_seen() -> None:
    with lasting(), Watch() as watch, between():
        by_the_descriptor()
    assert watch.stdout == "said\n"


def test_who_ends_the_process_from_beside_a_call_is_heard() -> None:
    code = """
import os, sys, threading, time
from pytest_toolresult.watch import Watch, lasting

begun = threading.Event()

def end():
    begun.wait()
    print("a timeout")
    print("a timeout, DB_PASSWORD=Vq7-n2LxTz9", file=sys.stderr)
    os._exit(3)

threading.Thread(target=end).start()
with lasting(), Watch():
    begun.set()
    time.sleep(30)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=False, text=True
    )
    assert (done.returncode, done.stdout) == (3, "a timeout\n")
    assert done.stderr.startswith("a timeout, DB_PASSWORD=[password, 11 chars, #")
