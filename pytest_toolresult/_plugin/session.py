"""What happens around the items: gathering evidence, telling, and the exit code."""

from __future__ import annotations

import os
import platform
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from pytest_toolresult._plugin import locking
from pytest_toolresult._plugin.folding import ATTRIBUTE, fold
from pytest_toolresult._plugin.raising import as_usage_error
from pytest_toolresult._plugin.run import EVIDENCE, EXPLORED, Run
from pytest_toolresult.errors import LockError
from pytest_toolresult.ledger import Versions
from pytest_toolresult.ledger.wire import evidence_from_dict, evidence_to_dict
from pytest_toolresult.reporters import baseline
from pytest_toolresult.reporters.terminal import sections

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import PurePath

_RUN: Final = pytest.StashKey[Run]()


def run_of(config: pytest.Config) -> Run:
    """Return the state of the run, made on first use.

    Raises:
        pytest.UsageError: If an option or an ini value cannot be used.
    """
    run = config.stash.get(_RUN, None)
    if run is None:
        with _uncaptured(config):  # the watchdog keeps the real standard error
            run = config.stash[_RUN] = as_usage_error(lambda: Run(config))
        config.pluginmanager.register(SessionHooks(run), "toolresult-session")
    return run


class SessionHooks:
    """The hooks of a run that uses the plugin."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self._is_worker = hasattr(run.config, "workerinput")
        self._lock_lines: list[str] = []

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """Put what the item saw into its report."""
        report = yield
        if item.stash.get(EXPLORED, False):
            report.sections = [
                each for each in report.sections if not each[0].endswith(" call")
            ]
        seen = item.stash.get(EVIDENCE, {}).values()
        if seen:
            setattr(report, ATTRIBUTE, [evidence_to_dict(each) for each in seen])
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Enter what an item saw into the ledger."""
        seen: list[dict[str, Any]] = getattr(report, ATTRIBUTE, [])
        for each in seen:
            self._run.ledger.record(evidence_from_dict(report.nodeid, each))

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Let the coverage decide on the exit code, and write the files."""
        self._run.runner.close()
        if self._is_worker or session.config.getoption("collectonly"):
            return
        fold(self._run)
        if session.exitstatus == pytest.ExitCode.OK and self._is_under():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
        self._write_files(int(session.exitstatus))

    def pytest_terminal_summary(
        self, terminalreporter: pytest.TerminalReporter
    ) -> None:
        """Print the coverage, and the findings that no failure shows."""
        telling = self._run.telling
        terminalreporter.ensure_newline()
        for section in sections(
            self._run.ledger,
            self._run.view,
            fail_under=telling.fail_under,
            known=self._known(),
        ):
            terminalreporter.section(section.title)
            for line in section.lines:
                terminalreporter.write_line(line)
        for line in self._lock_lines:
            terminalreporter.write_line(line)
        if telling.write_baseline:
            path = self._run.config.rootpath / baseline.FILE_NAME
            shown = os.path.relpath(path, self._run.config.invocation_params.dir)
            terminalreporter.write_line(
                f"wrote {shown}: its findings are known now, and fail no more"
            )

    def _update_lock(self) -> None:
        try:
            files, self._lock_lines = locking.update(self._run)
        except LockError as error:  # it was sound when the run began
            self._lock_lines = [f"toolresult.lock.json was not written: {error}"]
        else:
            _write(self._run.config.rootpath, files)

    def _is_under(self) -> bool:
        least = self._run.telling.fail_under
        has_tools = bool(self._run.ledger.evidence)
        return has_tools and least is not None and self._run.ledger.percent() < least

    def _known(self) -> int:
        findings = (each.findings for each in self._run.ledger.evidence)
        return sum(
            self._run.baseline.is_known(finding)
            for several in findings
            for finding in several
        )

    def _write_files(self, exit_code: int) -> None:
        ledger = self._run.ledger
        ledger.exit_code = exit_code
        ledger.versions |= {_versions()}
        if self._run.telling.update_lock:
            self._update_lock()
        for report in self._run.telling.reports:
            _write(self._run.config.invocation_params.dir, report.render(ledger))
        if self._run.telling.write_baseline:
            findings = [each for one in ledger.evidence for each in one.findings]
            _write(
                self._run.config.rootpath,
                {Path(baseline.FILE_NAME): baseline.render(findings)},
            )


def _versions() -> Versions:
    return Versions(
        plugin=version("pytest-toolresult"), python=platform.python_version()
    )


def _write(folder: Path, files: Mapping[PurePath, bytes]) -> None:
    """Write files so that a reader never sees half of one."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        beside = path.with_name(f"{path.name}.part")
        beside.write_bytes(content)
        beside.replace(path)


def _uncaptured(config: pytest.Config) -> AbstractContextManager[None]:
    capture = config.pluginmanager.getplugin("capturemanager")
    return capture.global_and_fixture_disabled() if capture else nullcontext()
