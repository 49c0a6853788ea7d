"""The runner inside real pytest runs, under each way of capturing and of timing out."""

from __future__ import annotations

import signal

import pytest

PRELUDE = """
    import inspect, logging, os, signal, subprocess, sys, time
    import pytest
    from pytest_toolresult.calls import Call
    from pytest_toolresult.outcomes import Reply
    from pytest_toolresult.runner import Runner
    from pytest_toolresult.tools import Tool

    PASSES = (pytest.fail.Exception, pytest.skip.Exception, pytest.exit.Exception)

    async def replied(coroutine):
        return Reply(value=await coroutine)

    @pytest.fixture
    def call():
        runner = Runner(timeout=TIMEOUT, passes=PASSES)

        def make(function):
            def invoke(arguments):
                try:
                    value = function()
                    return replied(value) if inspect.iscoroutine(value) else Reply()
                except Exception as exception:
                    return Reply(exception=exception)

            tool = Tool(
                name="tool", identity="tool", framework="callable", schema=None,
                invoke=invoke,
            )
            return runner.run(tool, Call(arguments={}, origin="fuzz"))

        yield make
        runner.close()
"""

WRITES = """
    def writing():
        print("by print")
        os.write(1, b"by descriptor\\n")
        sys.__stdout__.write("by the original stream\\n")
        subprocess.run(["echo", "by a child"], check=True)

    SEEN = {"by print", "by descriptor", "by the original stream", "by a child"}

    @pytest.mark.parametrize("number", range(4))
    def test_written(call, number):
        print("printed before")
        outcome = call(writing)
        print("printed after")
        assert set(outcome.stdout.splitlines()) == SEEN
        assert number != 3

    def test_hung(call):
        def flooding():
            while True:
                print("flood")

        outcome = call(flooding)
        assert outcome.ending == "hung"
        assert outcome.stdout.startswith("flood")

    def test_own_capture(call, capsys, caplog):
        print("mine")
        call(lambda: print("the tool's"))
        call(lambda: logging.getLogger("shop").warning("careful"))
        assert capsys.readouterr().out == "mine\\n"
        assert caplog.messages == ["careful"]
"""


def make(pytester: pytest.Pytester, code: str, *, timeout: float = 0.3) -> None:
    pytester.makepyfile(PRELUDE.replace("TIMEOUT", str(timeout)) + code)


@pytest.mark.parametrize(
    "options",
    [["--capture=fd"], ["--capture=sys"], ["-s"], ["--capture=tee-sys"], ["-n1"]],
    ids=" ".join,
)
def test_output_is_seen_and_pytests_own_stays_whole(
    pytester: pytest.Pytester, options: list[str]
) -> None:
    make(pytester, WRITES)
    result = pytester.runpytest_subprocess(*options)
    result.assert_outcomes(passed=5, failed=1)
    assert "by a child" not in result.stderr.str()
    lines = [line.strip() for line in result.outlines]
    for said in ("by descriptor", "by a child", "by the original stream", "flood"):
        assert said not in lines
    result.stdout.fnmatch_lines(["*printed before", "*printed after"])


PASSING = """
    @pytest.mark.parametrize(
        "function", [lambda: pytest.skip("not here"), lambda: pytest.fail("no use")]
    )
    def test_passing(call, function):
        call(function)

    def test_imported(call):
        call(lambda: pytest.importorskip("no_such_module_at_all"))

    def test_exit(call):
        call(lambda: pytest.exit("enough"))
"""


def test_what_pytest_raises_passes_through(pytester: pytest.Pytester) -> None:
    make(pytester, PASSING)
    result = pytester.runpytest_subprocess("-p", "no:randomly")
    result.assert_outcomes(skipped=2, failed=1)
    result.stdout.fnmatch_lines(["*Exit: enough*"])


OUT_OF_TIME = """
    @pytest.mark.timeout(0.5)
    def test_slow(call):
        call(lambda: time.sleep(30))

    @pytest.mark.timeout(0.5)
    def test_slow_beside_the_call(call):
        call(lambda: 1)
        time.sleep(30)

    @pytest.mark.timeout(5)
    def test_fine(call):
        assert call(lambda: 1).ending == "returned"
"""


def test_an_outer_timeout_by_signal_goes_off_in_time(
    pytester: pytest.Pytester,
) -> None:
    make(pytester, OUT_OF_TIME, timeout=20)
    result = pytester.runpytest_subprocess("--timeout-method=signal")
    result.assert_outcomes(passed=1, failed=2)
    result.stdout.fnmatch_lines(["*Failed: Timeout*", "*Failed: Timeout*"])
    assert result.duration < 10


def test_an_inner_bound_goes_off_before_an_outer_timeout(
    pytester: pytest.Pytester,
) -> None:
    code = """
    @pytest.mark.timeout(0.9)
    def test_both(call):
        assert call(lambda: time.sleep(30)).ending == "hung"
        assert call(lambda: time.sleep(30)).ending == "hung"
        time.sleep(30)
    """
    make(pytester, code)
    result = pytester.runpytest_subprocess("--timeout-method=signal")
    result.assert_outcomes(failed=1)
    result.stdout.fnmatch_lines([">*time.sleep(30)", "*Failed: Timeout*"])


def test_an_outer_timeout_by_thread_goes_off(pytester: pytest.Pytester) -> None:
    make(pytester, OUT_OF_TIME, timeout=20)
    result = pytester.runpytest_subprocess("--timeout-method=thread", "-k", "test_slow")
    assert result.ret == 1
    assert "Timeout" in result.stderr.str() + result.stdout.str()
    assert result.duration < 10


def test_the_timeout_of_faulthandler_still_shows_the_stack(
    pytester: pytest.Pytester,
) -> None:
    code = """
    def test_slow(call):
        assert call(lambda: time.sleep(0.8)).ending == "returned"
    """
    make(pytester, code, timeout=5)
    result = pytester.runpytest_subprocess("-o", "faulthandler_timeout=0.3")
    result.assert_outcomes(passed=1)
    result.stderr.fnmatch_lines(["Timeout (0:00:00.300000)!", "*in <lambda>*"])


def test_a_real_interrupt_ends_the_run(pytester: pytest.Pytester) -> None:
    code = f"""
    def test_interrupted(call):
        # Ctrl-C is ignored where the tests were started in the background.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        call(lambda: (os.kill(os.getpid(), {int(signal.SIGINT)}), time.sleep(5)))

    def test_never_reached():
        pass
    """
    make(pytester, code, timeout=20)
    result = pytester.runpytest_subprocess("-p", "no:randomly")
    assert result.ret == pytest.ExitCode.INTERRUPTED
    result.stdout.fnmatch_lines(["*KeyboardInterrupt*"])


def test_what_an_async_tool_left_behind_disturbs_no_later_test(
    pytester: pytest.Pytester,
) -> None:
    code = """
    import asyncio, gc

    def test_rogue(call):
        async def rogue():
            while True:
                try:
                    await asyncio.sleep(0.01)
                except BaseException:
                    pass

        async def both():
            task = asyncio.create_task(rogue())
            rogue()
            await rogue()

        outcome = call(both)
        assert outcome.ending == "hung"

    def test_later():
        gc.collect()
    """
    make(pytester, code)
    result = pytester.runpytest_subprocess(
        "-p", "no:randomly", "-p", "no:asyncio", "-W", "error"
    )
    result.assert_outcomes(passed=2)
