from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import pytest

from pytest_toolresult.outcomes import LogLine
from pytest_toolresult.watch import MOST_LINES, Watch, lasting

if TYPE_CHECKING:
    from collections.abc import Iterator


class Unprintable(Exception):  # noqa: N818
    def __str__(self) -> str:
        raise RuntimeError


class Handler(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def connect() -> None:
    try:
        int("password=geheim")
    except ValueError as error:
        raise RuntimeError("could not connect") from error


@pytest.fixture
def logger() -> Iterator[logging.Logger]:
    logger = logging.getLogger("shop.orders")
    state = logger.level, logger.propagate, logger.disabled, logger.handlers[:]
    yield logger
    logger.level, logger.propagate, logger.disabled, logger.handlers = state
    logging.disable(logging.NOTSET)


def test_every_level_is_seen(logger: logging.Logger) -> None:
    with Watch() as watch:
        logger.debug("looked up %s", "o-1")
        logger.log(1, "details")
        logging.getLogger().warning("root")
    assert watch.log == [
        LogLine(level=10, logger="shop.orders", text="looked up o-1"),
        LogLine(level=1, logger="shop.orders", text="details"),
        LogLine(level=30, logger="root", text="root"),
    ]


def test_what_the_configuration_drops_is_seen_and_still_dropped(
    logger: logging.Logger,
) -> None:
    handler = Handler()
    logger.addHandler(handler)
    logger.setLevel(logging.ERROR)
    logger.propagate = False
    with Watch() as watch:
        logger.info("below the level")
        logger.error("kept")
        logging.disable(logging.CRITICAL)
        logger.error("disabled everywhere")
        logging.disable(logging.NOTSET)
        logger.disabled = True
        logger.error("switched off")
    assert handler.messages == ["kept"]
    assert len(watch.log) == 4


def test_logging_is_as_before_afterwards(logger: logging.Logger) -> None:
    functions = logging.Logger.isEnabledFor, logging.Logger.handle
    with Watch():
        assert logger.isEnabledFor(1)
    assert (logging.Logger.isEnabledFor, logging.Logger.handle) == functions
    assert not logger.isEnabledFor(1)


def test_an_exception_is_told_with_what_caused_it(logger: logging.Logger) -> None:
    with Watch() as watch:
        try:
            connect()
        except RuntimeError:
            logger.exception("failed")
    assert watch.log[0].text == (
        "failed\nRuntimeError: could not connect\n"
        "ValueError: invalid literal for int() with base 10: 'password=geheim'"
    )


def test_a_bad_message_does_no_harm(logger: logging.Logger) -> None:
    with Watch() as watch:
        logger.debug("%d orders", "many")
        logger.debug(Unprintable())
    assert [line.text for line in watch.log] == [
        "%d orders",
        "<a Unprintable that cannot be shown>",
    ]


def test_a_flood_is_cut(logger: logging.Logger) -> None:
    with Watch() as watch:
        for number in range(MOST_LINES + 5):
            logger.debug(number)
    assert len(watch.log) == MOST_LINES


def test_calls_that_follow_each_other_see_their_own_records_alone(
    logger: logging.Logger,
) -> None:
    handler = Handler()
    logger.addHandler(handler)
    logger.setLevel(logging.WARNING)
    patched = logging.Logger.handle
    with lasting():
        logger.warning("before")
        with Watch() as watch:
            logger.debug("during")
        logger.debug("never")
        logger.warning("after")
    assert [line.text for line in watch.log] == ["during"]
    assert handler.messages == ["before", "after"]
    assert logging.Logger.handle is patched
