"""What the items of a marked test do: run a case around the body, or explore."""

from __future__ import annotations

import functools
import inspect
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from pytest_toolresult._plugin.beside import BesideLoop
from pytest_toolresult._plugin.plans import Plan, checked
from pytest_toolresult._plugin.raising import fail
from pytest_toolresult.calls import Arguments, Call
from pytest_toolresult.contract import Contract
from pytest_toolresult.errors import ToolResultError
from pytest_toolresult.seams.standing import fault

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine
    from types import TracebackType

    import pytest

    from pytest_toolresult._plugin.run import Run
    from pytest_toolresult.engine.assignment import Assignment
    from pytest_toolresult.engine.probing import Invoke
    from pytest_toolresult.outcomes import Outcome
    from pytest_toolresult.results import ToolResult
    from pytest_toolresult.seams.recording import Standing
    from pytest_toolresult.seams.standing import PlacedFault

_NO_CASE = (
    "the item [{0}] makes many calls of its own and has no case to run: call"
    " tool_case.run() in the test's body and not in a fixture, or give {0}=False"
)
_TESTED_NOTHING = (
    "the test took `tool_case` and never called tool_case.run(): it tested nothing"
)


class ToolCase:
    """One case of a marked test: the tool, and the promise it is held to.

    Attributes:
        arguments: The arguments of the case.
        status: The path it promises.
        code: The error code it promises, or `None`.
    """

    def __init__(self, run: Run, plan: Plan, request: pytest.FixtureRequest) -> None:
        self._run = run
        self._plan = plan
        self._item: pytest.Item = request.node
        self._reset = _reset_of(plan.contract, request)
        self._ran = False
        self._beside: BesideLoop | None = None
        self.arguments: Arguments = plan.case.arguments if plan.case else {}
        self.status = plan.case.status if plan.case else None
        self.code = plan.case.code if plan.case else None

    def run(self) -> ToolResult:
        """Make the call and hold its result to the whole contract.

        Returns:
            The result, for further asserts of the test's own.

        Raises:
            pytest.fail.Exception: If there is an error finding.
        """
        __tracebackhide__ = True
        self._refuse_exploration()
        return self._verify(pytrace=True)

    async def arun(self) -> ToolResult:
        """Do what `run` does, from an async test."""
        __tracebackhide__ = True
        self._refuse_exploration()
        return await self._averify(pytrace=True)

    def _refuse_exploration(self) -> None:
        """Say so where a fixture of the test runs a case that an exploration lacks."""
        __tracebackhide__ = True
        if self._plan.exploration:
            fail(_NO_CASE.format(self._plan.exploration), pytrace=True)

    def _verify(self, *, pytrace: bool) -> ToolResult:
        __tracebackhide__ = True
        self._ran = True
        return self._run.verify(self._item, self._plan, self._call(), pytrace=pytrace)

    async def _averify(self, *, pytrace: bool) -> ToolResult:
        __tracebackhide__ = True
        self._ran = True
        made = self._run.averify(self._item, self._plan, self._call(), pytrace=pytrace)
        return await made

    def _assignment(self) -> Assignment:
        return self._run.assign(self._item, self._plan)

    def _call(self) -> Call:
        return Call(arguments=self.arguments, origin="declared", case=self._plan.case)

    def drive(self) -> None:
        """Do what the plan says, where there is no body around it."""
        __tracebackhide__ = True
        if self._plan.exploration:
            self._explore(None)
        else:
            self._verify(pytrace=False)

    def driver(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """Return what runs in the place of the test's body."""
        if self._plan.exploration:
            return self._explorer(is_async=inspect.iscoroutinefunction(body))
        return self._around(body)

    def interrupted(self) -> None:
        """End what the driver has left on the test's loop, if anything."""
        if self._beside is not None:
            self._beside.wind_up()

    def _around(self, body: Callable[..., Any]) -> Callable[..., Any]:
        """Run the case before a body that does not, and see that one of them does."""
        owned = "tool_case" in inspect.signature(body).parameters

        @functools.wraps(body)
        def drive(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            if not owned and not self._ran:  # a fixture may have run it
                self._verify(pytrace=False)
            result = body(*args, **kwargs)
            self._require_run()
            return result

        @functools.wraps(body)
        async def adrive(*args: Any, **kwargs: Any) -> Any:
            __tracebackhide__ = True
            if not owned and not self._ran:
                await self._averify(pytrace=False)
            result = await body(*args, **kwargs)
            self._require_run()
            return result

        return adrive if inspect.iscoroutinefunction(body) else drive

    def _require_run(self) -> None:
        __tracebackhide__ = True
        if not self._ran:
            fail(_TESTED_NOTHING, pytrace=False)

    def _explorer(self, *, is_async: bool) -> Callable[..., Any]:
        def drive(**_: Any) -> None:
            __tracebackhide__ = True
            self._explore(None)

        async def adrive(**_: Any) -> None:
            __tracebackhide__ = True
            self._beside = BesideLoop(self._explore, self._guarded)
            await self._beside.run()

        return adrive if is_async else drive

    def _explore(self, invoke: Invoke | None) -> None:
        __tracebackhide__ = True
        self._run.explore(
            self._item,
            self._assignment(),
            str(self._plan.exploration),
            invoke=invoke,
            reset=self._reset,
        )

    def _guarded(self, call: Call, bound: float) -> Coroutine[Any, Any, Outcome]:
        return self._run.engine.aguarded(self._assignment(), call, bound)


def _reset_of(
    contract: Contract, request: pytest.FixtureRequest
) -> Callable[[], object] | None:
    if isinstance(contract.reset, str):
        found: Callable[[], object] = request.getfixturevalue(contract.reset)
        return found
    return contract.reset


class FaultInjector:
    """Breaks a dependency for a block: what the fixture `inject_fault` gives.

    A class, so that a failure stands at the line of the test.
    """

    def __init__(self, name: str, *, at: str) -> None:
        """Name what is to fail.

        Args:
            name: A fault of the catalogue, such as `timeout`.
            at: The dotted name of a callable, or the name of a library.
        """
        self._name = name
        self._at = at
        self._placed: PlacedFault | None = None
        self._block = ExitStack()
        self._made: Standing | None = None

    def __enter__(self) -> None:
        """Have it fail from here on.

        Raises:
            pytest.fail.Exception: If there is no such fault or place.
        """
        __tracebackhide__ = True
        problem = ""
        try:
            self._placed = fault(self._name, at=self._at)
            self._made = self._block.enter_context(self._placed())
        except ToolResultError as error:
            problem = str(error)
        if problem:
            fail(problem, pytrace=True)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Let it work again.

        Raises:
            pytest.fail.Exception: If nothing was called there, so that the block has
                tested nothing.
        """
        __tracebackhide__ = True
        problem = ""
        with self._block:
            if exception is None and self._placed and self._made:
                problem = self._placed.why_unfired(self._made)
        if problem:
            fail(problem, pytrace=True)


class ToolCaller:
    """Calls tools by hand: what the fixtures `call_tool` and `acall_tool` give."""

    def __init__(self, run: Run, item: pytest.Item) -> None:
        self._run = run
        self._item = item

    def call(self, tool: Any, /, **arguments: Any) -> ToolResult:
        """Make one bounded, checked, recorded call.

        Args:
            tool: A tool or a `Contract`.
            **arguments: The arguments, as a model would send them.

        Raises:
            pytest.fail.Exception: If there is an error finding.
        """
        __tracebackhide__ = True
        plan, call = self._asked(tool, arguments)
        return self._run.verify(self._item, plan, call, pytrace=True)

    async def acall(self, tool: Any, /, **arguments: Any) -> ToolResult:
        """Do what `call` does, from an async test."""
        __tracebackhide__ = True
        plan, call = self._asked(tool, arguments)
        return await self._run.averify(self._item, plan, call, pytrace=True)

    def _asked(self, tool: Any, arguments: Arguments) -> tuple[Plan, Call]:
        __tracebackhide__ = True
        contract = tool if isinstance(tool, Contract) else Contract(tool)
        call = Call(arguments=arguments, origin="call_tool")
        problem = ""
        try:
            found = self._run.tool_of(checked(contract))
        except ToolResultError as error:
            problem = str(error)
        if problem:
            fail(problem, pytrace=True)
        return Plan(id="call", tool=found, contract=contract), call
