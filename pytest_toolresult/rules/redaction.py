"""TR6: whether something reaches the model that it must not see."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.canaries.credentials import HOST
from pytest_toolresult.redaction.canaries.search import AS_IT_IS
from pytest_toolresult.rules.leaks import Leak, leaks
from pytest_toolresult.rules.rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.redaction.spans import Family
    from pytest_toolresult.rules.exhibit import Exhibit
    from pytest_toolresult.rules.leaks import Channel

_OWN_WORDS: Final = (
    "Say what failed in your own words. What errors of drivers and clients say is meant"
    " for developers, and may quote addresses, tokens and users: mask it, and log it."
)


@rule("TR601", "canary-leak", Severity.ERROR)
def canary_leak(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A secret that was planted comes back, as it was or in another form.

    A test has planted it, or it stood in the error of a dependency that was made to
    fail.

    Why: it came from where real secrets stand, so those come back the same way.
    Fix: find what passes it on (often the text of a driver's error), and mask it in one
    layer between the tools and the model.
    Bad: `canary.plant_env(DB_PASSWORD="password")`, and the error message of the tool
    quotes the connection string with it
    Bad: `except HTTPError as e: return error("DOWN", f"no answer: {e}")`
    Good: `except HTTPError: return error("DOWN", "The price service is away.")`
    Good: `canary.plant_env(DB_PASSWORD="password")`, and the message is
    `cannot connect to the order database`
    Good: `canary.phone("zh_CN")` in a row, and the tool answers `138****1234`
    """
    for leak in _result_leaks(found, contract, "canary"):
        yield _repeated(leak) if leak.injected else _given_away(leak)


def _given_away(leak: Leak) -> Breach:
    text = f"{leak.place} gives away the planted {leak.span.kind}{_formed(leak)}"
    return _breach(leak, f"{text}: {leak.shown}")


def _repeated(leak: Leak) -> Breach:
    """Tell of what stood in an error that was put in the place of a real one.

    A host's name is no secret, and yet nothing that a model needs.
    """
    text = f"{leak.place} repeats what a dependency said when it failed"
    carried = f"with the made-up {leak.span.kind} in it{_formed(leak)}"
    return Breach(
        place=leak.place,
        detail=f"{text}, {carried}: {leak.shown}",
        severity=Severity.WARNING if leak.span.kind == HOST else None,
        remedy=_OWN_WORDS,
    )


@rule("TR602", "credential", Severity.ERROR, yields_to=("TR603",))
def credential(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A key, token, private key or password hash reaches the model in clear.

    Why: whatever a model has read may stand in its next answer, in a log, or in an
    argument of another tool.
    Fix: remove or mask it in one layer between the tools and the model: a leak in one
    tool is usually a leak in all of them.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"login": "ann $2b$12$Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsPg6Xe0AuBv5Kt2Qw9Rm7Yc1Ld4"}}
    Bad: returns "deploy with acme_tk_Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsP"
    Good: {"status": "success", "error": null, "meta": {}, "data": {"token": "***"}}
    Good: returns "set OPENAI_API_KEY=sk-your-key-here, or ghp_xxxxxxxxxxxxxxxxxxxx"
    """
    yield from _told(found, contract, "credential", "a credential")


@rule("TR603", "connection-string", Severity.ERROR)
def connection_string(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """An address or a driver's descriptor carries its password.

    Why: errors of drivers quote the address they failed to reach, so one refused
    connection hands the database to the model.
    Fix: never pass on the text of a driver's error; say what failed in your own words,
    and give the address without user and password where it helps.
    Bad: {"status": "error", "data": null, "meta": {}, "error": {"code": "DB_DOWN",
    "message": "No answer from postgresql://app:Vq7n2LxTz9@orders/main; try later.",
    "retryable": true}}
    Bad: returns "Server=orders;Database=main;User Id=app;Password=Vq7n2LxTz9;"
    Good: {"status": "error", "data": null, "meta": {}, "error": {"code": "DB_DOWN",
    "message": "The order database gives no answer; try again later.",
    "retryable": true}}
    Good: returns "redis://cache/0 and postgres://app:***@orders/main are up"
    """
    yield from _told(found, contract, "connection", "an address with its password")


@rule("TR604", "identity-number", Severity.ERROR)
def identity_number(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A national identity, passport or tax number reaches the model in clear.

    Why: it identifies a person for life, and a model repeats what it has read.
    Fix: leave it out, or mask all but a few characters; a tool that has to return it
    says so with `allow_pii=("national_id",)`.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": {"customer": "Ann", "personal_code": "131052-308T"}}
    Bad: returns "passport no. C03005988 was accepted"
    Good: {"status": "success", "error": null, "meta": {},
    "data": {"customer": "Ann", "personal_code": "******-308T"}}
    Good: returns "the SSN of the manual is 078-05-1120"
    """
    yield from _told(found, contract, "identity", "an identity number")


@rule("TR605", "bank-data", Severity.ERROR)
def bank_data(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """The number of a card or an account reaches the model in clear.

    Why: it can be charged by whoever reads it, and rules of the card industry forbid
    to keep it where a conversation is kept.
    Fix: show the last four digits; that is enough to talk about a card.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": {"paid_with": "4539 1488 0343 6467"}}
    Bad: returns "refund to DE19 5001 0517 9123 4567 82 is on its way"
    Good: {"status": "success", "error": null, "meta": {},
    "data": {"paid_with": "**** **** **** 6467"}}
    Good: returns "for a test take the card 4242 4242 4242 4242"
    """
    yield from _told(found, contract, "bank", "bank data")


@rule("TR606", "contact-data", Severity.WARNING)
def contact_data(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """An e-mail address or phone number comes back that nobody asked about.

    Why: a model that has read it may tell it to somebody else, or write to it.
    Fix: leave it out or mask it; a tool that is meant to return it says so with
    `allow_pii=("email", "phone")`.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": {"order_id": "o-1", "buyer": "mei.chen@corp-mail.net"}}
    Bad: returns "the driver's number is +49 30 5557 2193"
    Good: {"status": "success", "error": null, "meta": {},
    "data": {"order_id": "o-1", "buyer": "m***@corp-mail.net"}}
    Good: returns "clone git@code.corp-mail.net:team/shop.git"
    """
    all_of_them = list(_result_leaks(found, contract, "contact"))
    for leak in all_of_them[:1]:
        more = len(all_of_them) - 1
        rest = f" (and contact data at {more} more places)" if more else ""
        text = f"{leak.place} holds contact data in clear: {leak.shown}{rest}"
        yield _breach(leak, text)


@rule("TR607", "secret-field", Severity.ERROR)
def secret_field(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """What a name says is secret stands there in clear.

    Why: nothing about a password looks secret but the name beside it; the model reads
    both.
    Fix: leave the field out, or put `***` into it. Keys may stay, values may not.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": {"user_name": "ann", "password": "Vq7-n2LxTz9"}}
    Bad: returns "DEBUG=1 DB_PASSWORD=Vq7-n2LxTz9 LANG=C"
    Good: {"status": "success", "error": null, "meta": {},
    "data": {"user_name": "ann", "password": "***"}}
    Good: returns "the password must have twelve characters; password_policy: strong"
    """
    yield from _told(found, contract, "field", "what its name calls secret")


@rule("TR608", "mask-shows-too-much", Severity.WARNING)
def mask_shows_too_much(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A value is masked, and more of it is left than a mask may show.

    Why: the rest can be guessed, and whoever masked it believes that it is safe.
    Fix: show nothing of a password, at most three digits at each end of a phone number,
    the first six and last four of a card.
    Bad: {"status": "success", "error": null, "meta": {},
    "data": {"user_name": "ann", "password": "Vq7-n2L***"}}
    Good: {"status": "success", "error": null, "meta": {},
    "data": {"user_name": "ann", "phone_number": "138****234"}}
    Good: returns {"user_name": "ann", "password": "********"}
    """
    for leak in _result_leaks(found, contract, "mask"):
        visible = sum(map(str.isalnum, leak.secret))
        text = (
            f"{leak.place} leaves {visible} of {len(leak.secret)} characters readable"
        )
        yield _breach(leak, f"{text}: {leak.shown}")


@rule("TR609", "leak-in-log", Severity.ERROR)
def leak_in_log(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A secret stands in a log record of the call, whatever its level.

    Why: logs are kept, sent elsewhere and read by many; and the level that hides it
    today is raised when something has to be found out.
    Fix: mask before logging, in a filter of the logger that every handler shares.
    Bad: `log.debug("connecting with %s", settings)` where the settings hold a password
    Good: `log.debug("connecting to %s as %s", settings.host, settings.user)`
    Good: `log.info("charged card ending in %s", number[-4:])`
    """
    yield from _through(found, contract, "log")


@rule("TR610", "leak-in-output", Severity.ERROR)
def leak_in_output(found: Exhibit, contract: Contract) -> Iterator[Breach]:
    """A secret stands on standard output or standard error.

    Why: the output of a server is kept by whatever started it, and a client may show
    it to the model.
    Fix: take the line out; where it is needed, mask what it prints.
    Bad: `print(os.environ)` in a tool
    Good: `print(sorted(os.environ), file=sys.stderr)`
    Good: `log.warning("no API key is set")`
    """
    yield from _through(found, contract, "output")


def _result_leaks(found: Exhibit, contract: Contract, family: Family) -> Iterator[Leak]:
    for leak in leaks(found, contract):
        if leak.channel == "result" and leak.span.family == family:
            yield leak


def _told(
    found: Exhibit, contract: Contract, family: Family, what: str
) -> Iterator[Breach]:
    for leak in _result_leaks(found, contract, family):
        place = leak.place or "the result"
        yield _breach(leak, f"{place} holds {what} in clear: {leak.shown}{_more(leak)}")


def _through(found: Exhibit, contract: Contract, channel: Channel) -> Iterator[Breach]:
    for leak in leaks(found, contract):
        if leak.channel == channel:
            text = f"{leak.place} shows what is secret in clear: {leak.shown}"
            mild = leak.injected or leak.span.family in ("contact", "mask")
            yield Breach(
                place=leak.place,
                detail=f"{text}{_more(leak)}",
                severity=Severity.WARNING if mild else None,
            )


def _breach(leak: Leak, detail: str) -> Breach:
    return Breach(place=leak.place, detail=detail)


def _formed(leak: Leak) -> str:
    if leak.form == AS_IT_IS:
        return ""
    return f", {leak.form if leak.form.startswith('in ') else f'as {leak.form}'}"


def _more(leak: Leak) -> str:
    if not leak.others:
        return ""
    return f" (and {leak.others} more secret{'s' * (leak.others > 1)} there)"
