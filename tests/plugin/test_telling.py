"""What a run tells, keeps and demands: options about findings and coverage."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Any]
    Write = Callable[..., None]
    Shell = Callable[[str], Any]

HALF_COVERED = """
    def pick(n: int) -> int:
        if n != n:
            raise ValueError("no number is unlike itself")
        return n
    """
WARNS = '''
    from shop import answer

    def check(name: str) -> dict:
        """Check a name."""
        return answer("success", {"name": name}) | {"note": "a fifth field"}
    '''


@pytest.mark.parametrize(
    ("least", "exit_code"), [("25", 0), ("50", 0), ("50.1", 1), ("100", 1)]
)
def test_fail_under_decides_on_the_exit_code(
    write: Write, run: Run, least: str, exit_code: int
) -> None:
    write("half.py", HALF_COVERED)
    ran = run("--toolresult", "half:pick", f"--toolresult-fail-under={least}")
    assert ran.report["summary"]["coverage"] == 50.0
    assert ran.exit == exit_code
    assert ran.report["exit"] == exit_code
    assert ("FAILED: tool result coverage is 50%, below" in ran.stdout) == bool(
        exit_code
    )


def test_fail_under_of_the_ini_file(write: Write, run: Run) -> None:
    write("half.py", HALF_COVERED)
    assert run("--toolresult", "half:pick", "-o", "toolresult_fail_under=51").exit == 1


def test_what_was_skipped_counts_as_not_covered(write: Write, run: Run) -> None:
    write("bad.py", "def stop(n: int) -> None:\n    open('kept', 'w').close()\n")
    ran = run("--toolresult", "bad:stop", "--toolresult-fail-under=1")
    assert ran.short == {"fuzz": "skipped"}
    assert ran.exit == 1


def test_reports_are_the_same_but_for_time(run: Run, project: Path) -> None:
    def once(name: str) -> str:
        run("--toolresult", "shop", f"--toolresult-report=json:out/{name}.json")
        text = (project / "out" / f"{name}.json").read_text("utf-8")
        assert json.loads(text)["format"] == 1
        assert text == json.dumps(
            json.loads(text), sort_keys=True, ensure_ascii=False, indent=1
        ) or list(json.loads(text)) == sorted(json.loads(text))
        return re.sub(r'"duration_s": [\d.e-]+', "", text)

    assert once("one") == once("two")


def test_findings_are_shown_as_asked(write: Write, run: Run) -> None:
    write("warns.py", WARNS)
    target = ("--toolresult", "warns:check")
    quiet = run(*target)
    assert quiet.exit == 0
    assert "1 warning; --toolresult-show=all" in quiet.stdout
    assert "TR104" not in quiet.stdout
    for show in ("warnings", "all"):
        ran = run(*target, f"--toolresult-show={show}")
        assert ran.exit == 0
        assert "TR104 unexpected-field  check  (warning)" in ran.stdout
    assert "TR104" not in run(*target, "--toolresult-show=errors").stdout


def test_the_strict_profile_fails_on_warnings(write: Write, run: Run) -> None:
    write("warns.py", WARNS)
    ran = run("--toolresult", "warns:check", "-o", "toolresult_profile=strict")
    assert ran.short == {"fuzz": "failed"}
    assert "TR104 unexpected-field" in ran.stdout
    assert (
        run("--toolresult", "warns:check", "-o", "toolresult_profile=default").exit == 0
    )


def test_the_coverage_stands_right_below_its_title(run: Run) -> None:
    ran = run("--toolresult", "shop:add")
    title = r"=+ tool result coverage =+"
    assert re.search(rf"\[100%\]\n+{title}\ndialect: ", ran.stdout), ran.stdout


def test_a_mapping_is_explained_by_the_fields_results_share(
    write: Write, run: Run
) -> None:
    write(
        "mapped.py",
        """
        def half(n: int) -> dict:
            return {"ok": True, "result": n / 2}

        def name() -> dict:
            return {"ok": True, "result": "shop"}

        TOOLS = [half, name]
        """,
    )
    ran = run("--toolresult", "mapped")
    calls = ran.report["summary"]["calls"]
    assert f"data=result ({calls} results share these fields);" in ran.stdout


def test_a_replayed_crash_does_not_count_envelopes(run: Run) -> None:
    replay = '--toolresult-replay={"text": ""}'
    ran = run("shop:TOOLS::first_word::fuzz", replay)
    assert ran.exit == 1
    assert "\ndialect: native; arguments: validated\n" in ran.stdout


def test_a_baseline_lets_only_new_findings_fail(
    write: Write, run: Run, project: Path
) -> None:
    target = ("--toolresult", "shop", "--toolresult", "more:late")
    late = "def late(n: int) -> str:\n    return str({})\n"
    write("more.py", late.format("n"))
    assert run(*target).exit == 1
    ran = run(*target, "--toolresult-write-baseline")
    assert ran.exit == 0
    assert "\nwrote toolresult.baseline.json: " in ran.stdout
    kept = json.loads((project / "toolresult.baseline.json").read_text("utf-8"))
    assert kept["findings"] == [{"place": "", "rule": "TR801", "tool": "first_word"}]
    ran = run(*target)
    assert ran.exit == 0
    assert "1 finding known from the baseline, not shown" in ran.stdout
    assert "TR801" not in ran.stdout
    write("more.py", late.format("1 // n"))
    ran = run(*target)
    assert ran.short == {"fuzz": "failed"} or ran.exit == 1
    failed = [name for name, each in ran.outcomes.items() if each == "failed"]
    assert failed == ["more:late::late::fuzz"]


def test_a_damaged_baseline_is_a_usage_error(write: Write, run: Run) -> None:
    write("toolresult.baseline.json", '{"format": 1, "findings": [}')
    ran = run("--toolresult", "shop")
    assert ran.exit == pytest.ExitCode.USAGE_ERROR
    assert "cannot read the baseline toolresult.baseline.json" in ran.stderr


@pytest.mark.parametrize(
    ("ini", "rules"),
    [
        ((), {"TR801", "TR804"}),
        (("-o", "toolresult_select=TR801"), {"TR801"}),
        (("-o", "toolresult_select=TR1 TR804"), {"TR804"}),
        (("-o", "toolresult_ignore=TR801: it is old"), {"TR804"}),
        (("-o", "toolresult_ignore=TR8: it is old"), set()),
    ],
)
def test_rules_are_selected_and_ignored(
    write: Write, run: Run, ini: tuple[str, ...], rules: set[str]
) -> None:
    write("loud.py", "def half(n: int) -> float:\n    print(n)\n    return 1 / n\n")
    ran = run("--toolresult", "loud:half", *ini)
    assert ran.rules == rules
    assert ran.exit == bool(rules)


def test_the_dialect_of_a_run(write: Write, run: Run) -> None:
    target = ("--toolresult", "shop:add")
    assert run(*target).tool("add")["dialect"] == "native"
    for options in (
        ("--toolresult-dialect=envelope",),
        ("-o", "toolresult_dialect=envelope"),
        ("-o", "toolresult_dialect=native", "--toolresult-dialect=envelope"),
    ):
        ran = run(*target, *options)
        assert ran.tool("add")["dialect"] == "envelope"
        assert ran.rules == {"TR101"}
        assert "dialect: envelope (as set)" in ran.stdout
    write(
        "reading.py",
        "def nothing(raw):\n    return dict(status='empty', data=[], meta={})\n",
    )
    ran = run(*target, "--toolresult-dialect=reading.nothing")
    assert ran.tool("add")["statuses"]["empty"]["seen"] > 0


def test_the_bound_of_a_run(write: Write, run: Run) -> None:
    write(
        "slow.py",
        "import time\n\ndef nap(n: int) -> int:\n    time.sleep(0.12)\n    return n\n",
    )
    few = ("--toolresult", "slow:nap", "--toolresult-examples=2")
    assert run(*few).exit == 0
    ran = run(*few, "--toolresult-timeout=0.05")
    assert ran.rules == {"TR803"}
    assert "no result within 0.05 s" in ran.stdout
    assert run(*few, "-o", "toolresult_timeout=0.05").exit == 1


def test_validation_and_permissions_of_a_run(write: Write, run: Run) -> None:
    ran = run("--toolresult", "shop:add", "-o", "toolresult_validate_arguments=false")
    assert ran.tool("add")["validate_arguments"] is False
    assert ran.exit == 1
    write(
        "saves.py",
        "def save(text: str) -> int:\n    return open('kept', 'w').write(text)\n",
    )
    ran = run("--toolresult", "saves:save")
    assert ran.short == {"fuzz": "skipped"}
    gaps = {each["what"]: each["why"] for each in ran.report["not_covered"]}
    assert gaps.keys() == {"fuzz", "faults", "relations"}
    assert gaps["fuzz"].endswith('give reset=, repeatable=True or allow=("files",)')
    assert gaps["faults"] == gaps["relations"] == gaps["fuzz"]
    assert "save: faults, fuzz, relations: " in ran.stdout
    write(
        "runs.py",
        """
        import subprocess

        def run(n: int) -> int:
            return subprocess.call(["true"])
        """,
    )
    for gap in run("--toolresult", "runs:run").report["not_covered"]:
        assert gap["why"].endswith(
            '; give reset=, repeatable=True or allow=("subprocess",)'
        )
    ran = run("--toolresult", "saves:save", "-o", "toolresult_allow=files")
    assert ran.report["not_covered"] == []
    assert ran.at("fuzz")["calls"] > 20  # so many stopped calls in a row end it


def test_calls_of_a_run_are_limited(run: Run) -> None:
    ran = run("--toolresult", "shop:add", "--toolresult-examples=9")
    assert ran.at("fuzz")["calls"] == 9
    assert ran.at("relations")["calls"] <= 9
    assert "because 9 calls are the most" in ran.stdout


def test_a_marker_goes_before_the_option(write: Write, run: Run) -> None:
    write(
        "test_it.py",
        """
        import pytest
        from shop import add

        @pytest.mark.toolresult(tool=add, dialect="native", examples=5, timeout=3)
        def test_it(tool_case): ...
        """,
    )
    ran = run("test_it.py", "--toolresult-dialect=envelope", "--toolresult-examples=9")
    assert ran.exit == 0
    assert ran.at("test_it[fuzz]")["calls"] == 5


REPLAYED = '''
    from shop import answer

    STATE = {"open": False}

    def reopen():
        STATE["open"] = True

    def half(n: int) -> float:
        return 1 / n

    def mixed(word: str) -> object:
        """Say a word: `plain` or any other."""
        return "just text" if word == "plain" else answer("success", {"word": word})

    def long(text: str) -> int:
        if len(text) > 600:
            raise KeyError(len(text))
        return len(text)

    def leave(n: int) -> int:
        was, STATE["open"] = STATE["open"], False
        assert not was or n < 3
        return n

    TOOLS = [half, mixed, long]
    '''
MARKED = """
    import pytest
    from replayed import half, leave, mixed, reopen

    class TestHalf:
        @pytest.mark.toolresult(tool=half, error={"n": 0})
        def test_half(self, tool_case):
            tool_case.run()

    @pytest.mark.toolresult(tool=leave, reset=reopen)
    def test_leave(): ...
    """
CONTRACTS = """
    tools = "replayed:TOOLS"
    [tool.half]
    error = {n = 0}
    """


def lines(ran: Any) -> list[str]:
    """The replay lines that are printed."""
    return re.findall(r"^(?:E? +)replay +(pytest .*)$", ran.stdout, re.MULTILINE)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--toolresult", "replayed:TOOLS"), 3),
        (("--toolresult", "mine=replayed:TOOLS"), 3),
        (("--toolresult", "sub folder/tools in it.py:TOOLS"), 3),
        (("--toolresult", "{root}/replayed.py:TOOLS"), 3),
        (("test_marked.py",), 3),
        (("toolresult.toml",), 4),
    ],
    ids=["target", "alias", "spaces", "absolute", "marked", "contract-file"],
)
def test_a_printed_line_shows_the_finding_again(
    write: Write, run: Run, project: Path, arguments: Any, expected: int
) -> None:
    write("replayed.py", REPLAYED)
    write("sub folder/tools in it.py", REPLAYED)
    write("test_marked.py", MARKED)
    write("toolresult.toml", CONTRACTS)
    given = [each.format(root=project) for each in arguments]
    ran = run(*given, "-o", "toolresult_examples=200")
    printed = lines(ran)
    found = [
        each for seen in ran.report["evidence"].values() for each in seen["findings"]
    ]
    assert len(printed) == len(found) == expected
    for finding in found:
        assert finding["replay"] in printed
        again = run(*shlex.split(finding["replay"])[1:])
        assert list(again.outcomes.values()) == ["failed"]
        (shown,) = again.findings
        same = ("rule", "place", "message", "arguments", "replay")
        assert [shown[name] for name in same] == [finding[name] for name in same]


@pytest.mark.parametrize(
    "arguments",
    [
        ("--toolresult", "sub folder/tools.py:half"),
        ("test_marked.py", "-k", "half and fuzz"),
    ],
    ids=["target", "marked"],
)
def test_a_printed_line_can_be_pasted_into_a_shell(
    write: Write, run: Run, shell: Shell, arguments: tuple[str, ...]
) -> None:
    write("replayed.py", REPLAYED)
    write("sub folder/tools.py", REPLAYED)
    write("test_marked.py", MARKED)
    (line,) = lines(run(*arguments))
    again = shell(line)
    assert again.exit == 1
    assert "TR801 exception-escapes  half" in again.stdout
    assert "1 failed" in again.stdout


def test_a_line_names_the_dialect_where_one_result_alone_reads_in_another(
    write: Write, run: Run
) -> None:
    write("replayed.py", REPLAYED)
    ran = run("--toolresult", "replayed:mixed")
    (line,) = lines(ran)
    assert (
        '--toolresult-dialect=envelope --toolresult-replay=\'{"word": "plain"}\''
        in line
    )
    (finding,) = ran.findings
    assert finding["rule"] == "TR101"
    replayed = run(
        "replayed:mixed::mixed::fuzz",
        "--toolresult-dialect=envelope",
        '--toolresult-replay={"word": "plain"}',
    )
    assert replayed.rules == {"TR101"}
    assert replayed.at("fuzz")["calls"] == 1


def test_long_arguments_are_kept_and_named_by_a_digest(write: Write, run: Run) -> None:
    write("replayed.py", REPLAYED)
    ran = run("--toolresult", "replayed:long", "--toolresult-examples=200")
    (line,) = lines(ran)
    digest = re.search(r"--toolresult-replay='?(#[0-9a-f]{12})'?$", line)
    assert digest
    node_id = "replayed:long::long::fuzz"
    again = run(node_id, f"--toolresult-replay={digest[1]}")
    assert again.rules == {"TR801"}
    assert again.at("fuzz")["calls"] == 1


def test_without_a_cache_a_line_repeats_the_exploration(write: Write, run: Run) -> None:
    write("replayed.py", REPLAYED)
    options = ("-p", "no:cacheprovider", "--toolresult-examples=200")
    ran = run("--toolresult", "replayed:long", *options)
    assert lines(ran) == ["pytest replayed:long::long::fuzz"]
    ran = run(
        "replayed:long", "-p", "no:cacheprovider", "--toolresult-replay=#0123456789ab"
    )
    assert ran.exit == pytest.ExitCode.USAGE_ERROR
    assert "switched off (-p no:cacheprovider)" in ran.stderr


def test_a_line_is_written_for_the_folder_pytest_was_started_in(
    write: Write, run: Run, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("replayed.py", REPLAYED)
    write("tests/deep/test_marked.py", MARKED)
    monkeypatch.syspath_prepend(project)
    monkeypatch.chdir(project / "tests")
    ran = run("deep/test_marked.py", "-k", "half and fuzz")
    (line,) = lines(ran)
    assert line.startswith("pytest 'deep/test_marked.py::TestHalf::test_half[fuzz]' ")


def test_replayed_arguments_that_are_refused_or_stopped_are_skipped(
    run: Run,
) -> None:
    node_id = "shop:TOOLS::add::fuzz"
    ran = run(node_id, '--toolresult-replay={"a": "many"}', "-rs")
    assert ran.short == {"fuzz": "skipped"}
    assert "were refused" in ran.stdout
    assert run(node_id, '--toolresult-replay={"a": 1, "b": 2}').short == {
        "fuzz": "passed"
    }


def test_a_secret_is_nowhere_in_what_a_run_tells(
    write: Write, run: Run, project: Path
) -> None:
    secret = "ghp_" + "A1b2C3d4E5f6G7h8I9j0" * 2
    write(
        "leaks.py",
        f"def show(name: str) -> dict:\n    return {{'token': {secret!r}}}\n",
    )
    for options in ((), ("--toolresult-show=all",), ("-vv",), ("--tb=native",)):
        ran = run("--toolresult", "leaks:show", *options, "--junitxml=junit.xml")
        assert ran.rules >= {"TR602"}
        assert secret not in ran.stdout
        assert secret not in json.dumps(ran.report)
        assert secret not in (project / "junit.xml").read_text("utf-8")
