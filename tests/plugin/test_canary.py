"""The fixture `canary`, and what comes of a planted secret that is given away."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = Callable[..., Any]
    Write = Callable[..., None]

TOOLS = '''
    import logging
    import os
    import sqlite3
    import sys
    import urllib.request
    from contextlib import closing
    from pathlib import Path

    log = logging.getLogger(__name__)

    def answer(status, data=None, error=None, **meta):
        return {"status": status, "data": data, "error": error, "meta": meta}

    def show_user(name: str, database: str) -> dict:
        """Show a user's row."""
        with closing(sqlite3.connect(database)) as connection:
            connection.row_factory = sqlite3.Row
            row = connection.execute(
                "SELECT * FROM users WHERE name = ?", (name,)
            ).fetchone()
        return answer("success", dict(row))

    def show_setting(name: str) -> dict:
        """Show a setting."""
        return answer("success", {"setting": os.environ[name]})

    def fetch(address: str) -> dict:
        """Fetch a page."""
        with urllib.request.urlopen(address) as reply:
            return answer("success", reply.read().decode())

    def read(path: str) -> dict:
        """Read a file."""
        return answer("success", Path(path).read_text())

    def quiet(name: str) -> dict:
        """Say nothing, but log and print everything."""
        log.debug("settings: %s", os.environ[name])
        print("settings:", os.environ[name], file=sys.stderr)
        return answer("success", {"done": True})
    '''


def test_what_is_planted_anywhere_is_seen_when_it_comes_back(
    write: Write, run: Run
) -> None:
    write("tools.py", TOOLS)
    write(
        "test_tools.py",
        """
        import sqlite3
        from contextlib import closing

        import pytest

        import tools

        def fails_with(rule, call, *arguments, **named):
            with pytest.raises(pytest.fail.Exception) as caught:
                call(*arguments, **named)
            assert rule in str(caught.value)
            return str(caught.value)

        def test_a_row(canary, call_tool, tmp_path):
            path = str(tmp_path / "shop.db")
            with closing(sqlite3.connect(path)) as connection:
                connection.execute("CREATE TABLE users (name, password, phone)")
                row = canary.plant_row(
                    connection, "users", name="ann",
                    password=canary.password(), phone=canary.phone("zh_CN"),
                )
            said = fails_with(
                "TR601", call_tool, tools.show_user, name="ann", database=path
            )
            assert row["password"] not in said
            assert row["phone"] not in said

        def test_the_environment(canary, call_tool):
            canary.plant_env(DB_PASSWORD="password", KEY=canary.api_key("stripe"))
            fails_with("TR601", call_tool, tools.show_setting, name="DB_PASSWORD")
            said = fails_with("TR601", call_tool, tools.show_setting, name="KEY")
            assert canary.api_key("stripe") not in said

        def test_an_answer(canary, call_tool):
            with canary.http_answer({"iban": canary.iban()}) as address:
                said = fails_with("TR601", call_tool, tools.fetch, address=address)
            assert canary.iban() not in said

        def test_a_file(canary, call_tool, tmp_path):
            path = tmp_path / "app.ini"
            text = canary.plant_file(path, "[db]\\npassword = {password}\\n")
            assert canary.password() in text
            fails_with("TR601", call_tool, tools.read, path=str(path))

        def test_log_and_output(canary, call_tool):
            canary.plant_env(TOKEN="token")
            said = fails_with("TR609", call_tool, tools.quiet, name="TOKEN")
            assert "TR610" in said
            assert "planted" not in said

        def test_the_environment_is_as_it_was():
            import os
            assert not {"DB_PASSWORD", "KEY", "TOKEN"} & set(os.environ)
        """,
    )
    ran = run("test_tools.py")
    assert set(ran.outcomes.values()) == {"passed"}, ran.stdout
    assert {"TR601", "TR609", "TR610"} <= ran.rules


def test_the_values_are_the_same_in_every_run_and_order(write: Write, run: Run) -> None:
    write(
        "test_values.py",
        """
        from pathlib import Path

        import pytest
        from hypothesis import given, settings
        from hypothesis import strategies as st

        @pytest.fixture(scope="session", autouse=True)
        def shared(canary):
            with canary.plant_env(SHARED_SECRET="password") as planted:
                yield planted["SHARED_SECRET"]

        @pytest.mark.parametrize("number", [1, 2])
        def test_two(canary, number, request, shared):
            import os
            assert os.environ["SHARED_SECRET"] == shared
            assert canary.password("shared") == canary.password("shared")
            values = [canary.password(), canary.email("de_DE"), canary.jwt(), shared]
            assert len(set(values)) == 4
            path = Path(f"{request.node.name}.txt")
            known = path.read_text() if path.exists() else " ".join(values)
            assert known == " ".join(values)
            path.write_text(known)

        @given(st.integers())
        @settings(max_examples=20)
        def test_examples(canary, number):
            assert canary.token() == canary.token()
            with canary.plant_env(KEY="token") as planted:
                assert planted["KEY"] == canary.token("KEY")
        """,
    )
    for options in (
        [],
        ["-p", "xdist", "-n", "2"],
        ["-k", "2"],
        ["-p", "xdist", "-n1"],
    ):
        ran = run("test_values.py", *options)
        assert ran.exit == 0, ran.stdout


def test_a_kind_that_does_not_exist_is_named_with_the_nearest(
    write: Write, run: Run
) -> None:
    write(
        "test_kinds.py",
        """
        import pytest

        from pytest_toolresult.errors import ContractError

        def test_it(canary, tmp_path):
            with pytest.raises(ContractError, match="did you mean 'password'"):
                canary.made("pasword")
            with pytest.raises(ContractError, match="did you mean 'api_key'"):
                canary.plant_file(tmp_path / "x", "{api_kye}")
            with pytest.raises(ContractError, match="at least 8"):
                canary.remember("1234")
        """,
    )
    assert run("test_kinds.py").exit == 0


def test_kinds_of_personal_data_are_checked(write: Write, run: Run) -> None:
    write(
        "test_kinds.py",
        """
        import pytest
        from shop import find_orders

        @pytest.mark.toolresult(tool=find_orders, success={"customer_id": "c-1"},
                                allow_pii=("emial",))
        def test_it():
            pass
        """,
    )
    ran = run("test_kinds.py")
    assert ran.exit == 2
    assert "unknown kind of personal data in allow_pii 'emial'" in ran.stdout
    assert "did you mean 'email'" in ran.stdout


def test_values_are_allowed_in_the_ini_file(
    write: Write, run: Run, pytester: Any
) -> None:
    write(
        "test_values.py",
        """
        def contact(name: str) -> dict:
            return {"status": "success", "error": None, "meta": {}, "data":
                    {"shop": "shop.desk@corp-mail.net", "card": "4539 1488 0343 6467"}}

        def test_it(call_tool):
            call_tool(contact, name="x")
        """,
    )
    assert run("test_values.py").rules == {"TR605", "TR606"}
    allowed = """
        [pytest]
        toolresult_allow_values =
            shop.desk@corp-mail.net # printed on every invoice
            contact::/4539 [\\d ]+/ # the card of the sandbox
        """
    pytester.makefile(".ini", pytest=allowed)
    ran = run("test_values.py")
    assert ran.exit == 0
    assert ran.rules == set()
    pytester.makefile(".ini", pytest="[pytest]\ntoolresult_allow_values = x\n")
    ran = run("test_values.py")
    assert ran.exit == 4
    assert "the line 'x' needs a reason" in ran.stderr
