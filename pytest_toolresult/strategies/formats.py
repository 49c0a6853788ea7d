"""Hypothesis strategies for the formats of JSON Schema and of pydantic."""

from __future__ import annotations

import base64
import datetime as dt
import json
import string
from functools import cache
from typing import TYPE_CHECKING, Final

from hypothesis import strategies as st

from pytest_toolresult.strategies.values import FORMATS

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

_LONGEST: Final = 24
_LABEL: Final = string.ascii_lowercase + string.digits
_URL_TEXT: Final = _LABEL + "-_.~"
_TOP_LEVEL: Final = ("com", "org", "net", "co.uk", "example")
_SCHEMES: Final = ("https", "http")
_SECONDS_A_DAY: Final = 86_400
_MINUTES: Final = st.sampled_from((0, 60, 120, -300, 330, 840, -720))


@cache
def texts_of(name: str) -> SearchStrategy[str] | None:
    """Return texts of a format, `None` where nothing is known of it.

    Source: JSON Schema Validation, section 7.3; pydantic's JSON schemas for the
    formats of its own.
    """
    build = _BUILDERS.get(name)
    known = FORMATS.get(name)
    if build is not None:
        return build()
    return st.sampled_from(known) if known else None


def _dates() -> SearchStrategy[str]:
    return st.dates().map(dt.date.isoformat)


def _moments() -> SearchStrategy[str]:
    return st.builds(_moment, st.datetimes(), _MINUTES)


def _moment(when: dt.datetime, minutes: int) -> str:
    zone = dt.timezone(dt.timedelta(minutes=minutes))
    return when.replace(tzinfo=zone).isoformat()


def _times() -> SearchStrategy[str]:
    return st.times().map(lambda each: f"{each.isoformat()}Z")


def _durations() -> SearchStrategy[str]:
    days, seconds = st.integers(0, 400), st.integers(0, _SECONDS_A_DAY)
    return st.builds("P{}DT{}S".format, days, seconds)


def _hosts() -> SearchStrategy[str]:
    label = st.text(_LABEL, min_size=1, max_size=_LONGEST)
    return st.builds("{}.{}".format, label, st.sampled_from(_TOP_LEVEL))


def _emails() -> SearchStrategy[str]:
    person = st.text(_LABEL, min_size=1, max_size=_LONGEST)
    extra = st.sampled_from(("", "", "+tag", ".b", "'s", "_1"))
    return st.builds("{}{}@{}".format, person, extra, _hosts())


def _addresses() -> SearchStrategy[str]:
    path = st.text(_URL_TEXT, max_size=_LONGEST)
    query = st.sampled_from(("", "", "?q=1", "?a=%20&b=2", "#top"))
    parts = (st.sampled_from(_SCHEMES), _hosts(), path, query)
    return st.builds("{}://{}/{}{}".format, *parts)


def _pointers() -> SearchStrategy[str]:
    token = st.text("ab01", max_size=3).map(lambda each: f"/{each}")
    return st.lists(token, max_size=3).map("".join)


def _bytes() -> SearchStrategy[str]:
    data = st.binary(max_size=_LONGEST)
    return data.map(lambda each: base64.b64encode(each).decode("ascii"))


def _json_texts() -> SearchStrategy[str]:
    leaf = st.none() | st.booleans() | st.integers() | st.text(max_size=8)
    values = leaf | st.lists(leaf, max_size=3)
    return values.map(json.dumps)


def _decimals() -> SearchStrategy[str]:
    whole, cents = st.integers(-(10**9), 10**9), st.integers(0, 99)
    return st.builds("{}.{:02}".format, whole, cents)


_BUILDERS: Final = {
    "date": _dates,
    "date-time": _moments,
    "time": _times,
    "duration": _durations,
    "email": _emails,
    "idn-email": _emails,
    "uuid": lambda: st.uuids().map(str),
    "uri": _addresses,
    "url": _addresses,
    "http-url": lambda: _hosts().map("https://{}/".format),
    "iri": _addresses,
    "uri-reference": _addresses,
    "hostname": _hosts,
    "ipv4": lambda: st.ip_addresses(v=4).map(str),
    "ipv6": lambda: st.ip_addresses(v=6).map(str),
    "ipvanyaddress": lambda: st.ip_addresses().map(str),
    "json-pointer": _pointers,
    "byte": _bytes,
    "base64url": _bytes,
    "binary": lambda: st.binary(max_size=_LONGEST).map(lambda b: b.decode("latin-1")),
    "json": _json_texts,
    "json-string": _json_texts,
    "decimal": _decimals,
}
