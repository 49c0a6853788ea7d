"""What options and ini file amount to, checked before anything runs."""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, Final

from pytest_toolresult import lock
from pytest_toolresult.dialects import AUTO, dialect_named
from pytest_toolresult.errors import SettingsError, unknown
from pytest_toolresult.findings import Severity
from pytest_toolresult.importing import make_importable
from pytest_toolresult.redaction.allowances import parsed as allowances_of
from pytest_toolresult.reporters import Destination
from pytest_toolresult.rules.catalogue import check_selectors, rules, selects
from pytest_toolresult.settings import (
    POWERS,
    PROFILES,
    SHOWS,
    Power,
    Profile,
    Settings,
    Show,
)
from pytest_toolresult.tokens import Counter, counter_named, extra_counter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    import pytest

_TRUE: Final = ("true", "yes", "on", "1")
_FALSE: Final = ("false", "no", "off", "0")
_ALL_PERCENT: Final = 100.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Telling:
    """What a run tells at its end, and to whom.

    Attributes:
        show: Which findings are printed in full, one of `SHOWS`.
        fail_under: The least coverage in percent, or `None`.
        write_baseline: Whether to record the findings as known.
        update_lock: Whether to write what was seen into the lock file.
        reports: The reports to write.
    """

    show: Show
    fail_under: float | None
    write_baseline: bool
    update_lock: bool
    reports: Sequence[Destination]


def settings_of(config: pytest.Config) -> Settings:
    """Put option and ini file together; an option wins.

    Raises:
        SettingsError: If a value cannot be used.
        DialectError: If the dialect does not exist.
        LockError: If the lock file cannot be used.
    """
    default = Settings()
    updates = bool(config.getoption("toolresult_update_lock"))
    locked = locked_of(config)  # also before it is updated: a damaged one is told
    return Settings(
        timeout=_number(config, "timeout") or default.timeout,
        dialect=_dialect(_value(config, "dialect"), config),
        validate_arguments=_flag(config, "toolresult_validate_arguments"),
        profile=_profile(config.getini("toolresult_profile")),
        select=_selectors(config.getini("toolresult_select") or ()),
        ignore=_waivers(config.getini("toolresult_ignore") or ()),
        allow=_powers(config.getini("toolresult_allow") or ()),
        allowances=allowances_of(config.getini("toolresult_allow_values") or ()),
        max_calls=_whole(config, "examples") or default.max_calls,
        memory=_mebibytes(config.getini("toolresult_memory"), default.memory),
        slow_returns=_flag(config, "toolresult_slow_returns") or False,
        budget=_tokens(config.getini("toolresult_budget")),
        token_counter=_counter(config.getini("toolresult_token_counter"), config),
        severities=_severities(config.getini("toolresult_severity") or ()),
        locked={} if updates else locked,
        learns_shapes=updates,
    )


def locked_of(config: pytest.Config) -> lock.Locked:
    """Return what the lock file says, nothing where there is none.

    Raises:
        LockError: If it cannot be used.
    """
    path = config.rootpath / lock.FILE_NAME
    if not path.is_file():
        return {}
    return lock.load(path.read_bytes(), plugin=version("pytest-toolresult"))


def telling_of(config: pytest.Config) -> Telling:
    """Return what the run is to tell at its end.

    Raises:
        SettingsError: If a value cannot be used.
    """
    fail_under = _number(config, "fail_under", least=0.0)
    if fail_under is not None and fail_under > _ALL_PERCENT:
        raise SettingsError(
            f"--toolresult-fail-under is a percentage, at most 100, not {fail_under:g}"
        )
    return Telling(
        show=_show(config.getoption("toolresult_show")),
        fail_under=fail_under,
        write_baseline=config.getoption("toolresult_write_baseline"),
        update_lock=config.getoption("toolresult_update_lock"),
        reports=[_report(each, config) for each in config.option.toolresult_reports],
    )


def _report(text: str, config: pytest.Config) -> Destination:
    """Read `TYPE:PATH`, and see that a file can be there before anything runs."""
    found = Destination.parse(text)
    path = config.invocation_params.dir / found.path
    if path.is_dir():
        raise SettingsError(f"--toolresult-report={text}: {str(path)!r} is a folder")
    return found


def _value(config: pytest.Config, name: str) -> str | None:
    """Return an option that may also stand in the ini file, as text."""
    given: str | None = config.getoption(f"toolresult_{name}")
    listed: str | None = config.getini(f"toolresult_{name}")
    return given if given is not None else listed


def _number(
    config: pytest.Config, name: str, *, least: float = sys.float_info.min
) -> float | None:
    given = _value(config, name)
    if not given:
        return None
    try:
        number = float(given)
    except ValueError:
        number = -1.0
    if not least <= number < float("inf"):
        wanted = "of 0 or more" if least == 0 else "above 0"
        raise SettingsError(f"{_shown(name)} must be a number {wanted}, not {given!r}")
    return number


def _whole(config: pytest.Config, name: str) -> int | None:
    number = _number(config, name)
    if number is None:
        return None
    if number.is_integer():
        return int(number)
    raise SettingsError(f"{_shown(name)} must be a whole number, not {number:g}")


def _shown(name: str) -> str:
    return f"--toolresult-{name.replace('_', '-')} (ini: toolresult_{name})"


def _flag(config: pytest.Config, key: str) -> bool | None:
    given = config.getini(key)
    if not given:
        return None
    if given.casefold() not in _TRUE + _FALSE:
        raise SettingsError(unknown(f"value of {key}", given, ("true", "false")))
    return given.casefold() in _TRUE


def _dialect(name: str | None, config: pytest.Config) -> str | None:
    if not name or name == AUTO:
        return None
    make_importable(config.invocation_params.dir)  # it may name a user's function
    dialect_named(name)
    return name


def _show(name: str | None) -> Show:
    for show in SHOWS:
        if show == (name or SHOWS[0]):
            return show
    raise SettingsError(unknown("value of --toolresult-show", name, SHOWS))


def _profile(name: str | None) -> Profile:
    if not name:
        return PROFILES[0]
    for profile in PROFILES:
        if profile == name:
            return profile
    raise SettingsError(unknown("toolresult_profile", name, PROFILES))


def _selectors(given: Iterable[str]) -> tuple[str, ...]:
    """Hold what is selected to rules that can fire: else every rule would be off."""
    selectors = tuple(given)
    check_selectors(selectors)
    for selector in selectors:
        if not any(selects(selector, rule.id) for rule in rules()):
            raise SettingsError(
                f"toolresult_select: {selector!r} selects no rule of this version, so"
                " nothing would be checked for it"
            )
    return selectors


def _waivers(lines: Iterable[str]) -> Mapping[str, str]:
    waivers: dict[str, str] = {}
    for line in lines:
        selector, _, reason = (part.strip() for part in line.partition(":"))
        if not reason:
            raise SettingsError(
                f"toolresult_ignore: the line {line!r} needs a reason; write it as"
                f" `{selector or 'TR201'}: reason`"
            )
        waivers[selector] = reason
    check_selectors(waivers)
    return waivers


def _severities(lines: Iterable[str]) -> Mapping[str, str]:
    """Read lines such as `TR408: error`; the longest prefix of a rule decides."""
    chosen: dict[str, str] = {}
    labels = [each.label for each in Severity]
    for line in lines:
        selector, _, label = (part.strip() for part in line.partition(":"))
        if label.casefold() not in labels:
            what = f"severity of {selector!r} in toolresult_severity"
            raise SettingsError(unknown(what, label, labels))
        chosen[selector] = label.casefold()
    check_selectors(chosen)
    return chosen


def _tokens(given: str | None) -> int | None:
    if not given:
        return None
    if not given.strip().isdecimal() or int(given) == 0:
        raise SettingsError(
            f"toolresult_budget must be a whole number of tokens above 0, not {given!r}"
        )
    return int(given)


def _mebibytes(given: str | None, default: int | None) -> int | None:
    """Return how much memory a tool may take; 0 says that nothing bounds it."""
    if not given:
        return default
    if not given.strip().isdecimal():
        raise SettingsError(
            "toolresult_memory must be a whole number of MiB, or 0 for no bound, not"
            f" {given!r}"
        )
    return int(given) or None


def _counter(name: str | None, config: pytest.Config) -> Counter | None:
    """Return the counter that is named, or that of the extra `tokens`."""
    if not name:
        return extra_counter()
    make_importable(config.invocation_params.dir)
    return counter_named(name)


def _powers(names: Iterable[str]) -> frozenset[Power]:
    powers: set[Power] = set()
    for name in names:
        power = next((each for each in POWERS if each == name), None)
        if power is None:
            raise SettingsError(unknown("permission in toolresult_allow", name, POWERS))
        powers.add(power)
    return frozenset(powers)


def arguments_of(text: str) -> Mapping[str, Any] | None:
    """Return the arguments that `--toolresult-replay` gives as JSON.

    Returns:
        The arguments, or `None` where the text is the digest of stored ones.

    Raises:
        SettingsError: If the text is neither.
    """
    if text.startswith("#"):
        return None
    try:
        found = json.loads(text)
    except ValueError as error:
        raise SettingsError(
            f"--toolresult-replay takes a JSON object, not {text!r} ({error})"
        ) from None
    if not isinstance(found, dict):
        raise SettingsError(f"--toolresult-replay takes a JSON object, not {text!r}")
    return found
