"""Lets threads and executors that a call starts cross boundaries on its behalf."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult.seams.recording import carried

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from concurrent.futures import Future

    from pytest_toolresult.faults import BoundaryCall, Fault
    from pytest_toolresult.seams.patches import Patches


class ThreadSeam:
    """Hands a call's recording to the threads that work for it.

    A thread begins with an empty context. Only the recording goes along: what else
    the context holds is not seen by a thread elsewhere, and so not here.
    """

    name = "threads"
    library = "threading"

    def install(self, patches: Patches) -> None:
        """Wrap what a thread runs, and what an executor is given to do."""
        from concurrent.futures import ThreadPoolExecutor

        patches.replace(threading.Thread, "start", _starting(threading.Thread.start))
        patches.replace(
            ThreadPoolExecutor, "submit", _submitting(ThreadPoolExecutor.submit)
        )

    def faults(self, call: BoundaryCall) -> Sequence[Fault]:  # noqa: ARG002 - see Seam
        """Return nothing: threads are no boundary."""
        return ()


def _starting(original: Callable[..., None]) -> Callable[..., None]:
    def start(self: threading.Thread) -> None:
        if "run" not in vars(self):
            run = carried(self.run)
            if run is not self.run:
                self.run = run  # type: ignore[method-assign]
        original(self)

    return start


def _submitting(original: Callable[..., Future[Any]]) -> Callable[..., Future[Any]]:
    def submit(
        self: object, function: Callable[..., Any], /, *args: Any, **kwargs: Any
    ) -> Future[Any]:
        return original(self, carried(function), *args, **kwargs)

    return submit


THREADS: Final = ThreadSeam()
