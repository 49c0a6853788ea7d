"""What the fixture `canary` gives: made-up secrets, remembered, and ways to plant them.

A value depends on the test, on its kind and options, and on a name the user may give:
the same call in the same test gives the same value in every run, on every worker, in
every try of a test and in every example of Hypothesis. With a name it is the same in
all tests, which is what fixtures of a wider scope need.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self

from pytest_toolresult.errors import ContractError, unknown
from pytest_toolresult.redaction.canaries import credentials, people
from pytest_toolresult.redaction.canaries.canary import Canary
from pytest_toolresult.redaction.canaries.registry import REGISTRY

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator, Mapping
    from types import TracebackType

_MAKERS: Final = {**credentials.MAKERS, **people.MAKERS}
KINDS: Final = tuple(sorted(_MAKERS))
"""What a canary can be."""


class Canaries:
    """Makes made-up secrets and plants them. All of them are remembered.

    Args:
        here: Returns what the test that runs is called.
    """

    def __init__(self, here: Callable[[], str]) -> None:
        self._here = here
        self._planted = ExitStack()

    def password(self, name: str = "") -> str:
        """Make a password."""
        return self._made(credentials.password(self._key(name)))

    def password_hash(self, scheme: str = "bcrypt", name: str = "") -> str:
        """Make a password's hash: bcrypt, argon2, pbkdf2, scrypt, sha512-crypt."""
        return self._made(credentials.password_hash(self._key(name), scheme))

    def api_key(self, vendor: str = "openai", name: str = "") -> str:
        """Make an API key as a vendor's look, such as `stripe` or `github`."""
        return self._made(credentials.api_key(self._key(name), vendor))

    def token(self, name: str = "") -> str:
        """Make a token: forty letters and digits."""
        return self._made(credentials.token(self._key(name)))

    def jwt(self, name: str = "") -> str:
        """Make a signed JSON Web Token."""
        return self._made(credentials.jwt(self._key(name)))

    def private_key(self, name: str = "") -> str:
        """Make a private key in PEM form."""
        return self._made(credentials.private_key(self._key(name)))

    def dsn(self, scheme: str = "postgresql", name: str = "") -> str:
        """Make a connection string; its secret is the password."""
        return self._made(credentials.connection(self._key(name), scheme))

    def cookie(self, name: str = "") -> str:
        """Make a session's id, as it stands in a cookie."""
        return self._made(credentials.cookie(self._key(name)))

    def card(self, brand: str = "visa", name: str = "") -> str:
        """Make the number of a payment card."""
        return self._made(people.card(self._key(name), brand))

    def iban(self, country: str = "DE", name: str = "") -> str:
        """Make the number of an account."""
        return self._made(people.iban(self._key(name), country))

    def national_id(self, country: str = "US", name: str = "") -> str:
        """Make a national number, such as of `CN`, `BR`, `KR`."""
        return self._made(people.national_id(self._key(name), country))

    def passport(self, name: str = "") -> str:
        """Make the number of a passport."""
        return self._made(people.passport(self._key(name)))

    def phone(self, locale: str = "en_US", name: str = "") -> str:
        """Make a phone number, in a locale of Faker's such as `zh_CN`."""
        return self._made(people.phone(self._key(name), locale))

    def email(self, locale: str = "en_US", name: str = "") -> str:
        """Make an e-mail address."""
        return self._made(people.email(self._key(name), locale))

    def address(self, locale: str = "en_US", name: str = "") -> str:
        """Make a postal address in one line."""
        return self._made(people.address(self._key(name), locale))

    def made(self, kind: str, name: str = "") -> str:
        """Make a canary of a kind, one of `KINDS`, with the usual options.

        Raises:
            ContractError: If there is no such kind.
        """
        if kind not in _MAKERS:
            raise ContractError(unknown("kind of canary", kind, KINDS))
        return self._made(_MAKERS[kind](self._key(name)))

    def remember(
        self, value: str, kind: str = "secret", *, head: int = 0, tail: int = 0
    ) -> str:
        """Remember a secret of your own, of at least eight letters and digits.

        Args:
            value: The secret.
            kind: What findings call it.
            head: How many of its first characters a mask may show.
            tail: How many of its last ones.
        """
        own = Canary(kind=kind, value=value, secret=value, head=head, tail=tail)
        return self._made(own)

    def plant_env(self, **variables: str) -> EnvironmentPlanting:
        """Put canaries into the environment, until the test ends.

        Args:
            **variables: For each variable a kind, such as `password`, or a value
                that was made before. With `with` they stay for the block.
        """
        values = {
            name: self.made(value, name) if value in _MAKERS else value
            for name, value in variables.items()
        }
        planting = EnvironmentPlanting(values)
        planting.begin()
        self._planted.callback(planting.end_unless_held)
        return planting

    def plant_row(
        self, connection: sqlite3.Connection, table: str, **columns: Any
    ) -> dict[str, Any]:
        """Insert one row into a table of SQLite, and return it.

        Args:
            connection: An open connection.
            table: The table; it has to exist.
            **columns: The values.
        """
        names = ", ".join(map(_quoted, columns))
        marks = ", ".join("?" * len(columns))
        statement = f"INSERT INTO {_quoted(table)} ({names}) VALUES ({marks})"  # noqa: S608 - names are quoted
        connection.execute(statement, tuple(columns.values()))
        connection.commit()
        return columns

    def plant_file(self, path: str | os.PathLike[str], template: str) -> str:
        """Write a file, with canaries in the place of `{password}`, `{api_key}`, ...

        Args:
            path: Where to write it.
            template: Its text; `{{` and `}}` stand for braces.

        Returns:
            The text that was written.
        """
        text = template.format_map(_Filling(self))
        Path(path).write_text(text, encoding="utf-8")
        return text

    @contextmanager
    def http_answer(self, body: object, *, status: int = 200) -> Iterator[str]:
        """Answer every request on a loopback address with the same body.

        Args:
            body: A text, or anything that goes into JSON.
            status: The status of the answer.

        Yields:
            The address, such as `http://127.0.0.1:50123`.
        """
        from pytest_toolresult.redaction.canaries.answers import serving

        with serving(body, status) as address:
            yield address

    def uproot(self) -> None:
        """Take away what was planted; it stays remembered."""
        self._planted.close()

    def _made(self, canary: Canary) -> str:
        return REGISTRY.add(canary).value

    def _key(self, name: str) -> str:
        return f"named {name}" if name else f"in {self._here()}"


class EnvironmentPlanting:
    """Canaries in the environment.

    Attributes:
        values: What stands there, by the names of the variables.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self.values = dict(values)
        self._before: dict[str, str | None] | None = None
        self._is_held = False

    def __getitem__(self, name: str) -> str:
        return self.values[name]

    def __enter__(self) -> Self:
        self._is_held = True
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        exception: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.end()

    def begin(self) -> None:
        """Put them there."""
        self._before = {name: os.environ.get(name) for name in self.values}
        os.environ.update(self.values)

    def end_unless_held(self) -> None:
        """Put back what stood there before, unless a `with` block will do it."""
        if not self._is_held:
            self.end()

    def end(self) -> None:
        """Put back what stood there before; a second time it does nothing."""
        before, self._before = self._before, None
        for name, value in (before or {}).items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class _Filling(dict[str, str]):
    """Makes a canary for each name that a template asks for."""

    def __init__(self, canaries: Canaries) -> None:
        super().__init__()
        self._canaries = canaries

    def __missing__(self, kind: str) -> str:
        return self._canaries.made(kind)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
