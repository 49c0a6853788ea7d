"""Tools of a shop over HTTP, as they should be: every failure is told as one."""

from __future__ import annotations

import asyncio
import json
import os
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import requests

from pytest_toolresult import ToolResult

BASE = os.environ.get("SHOP_BASE", "http://127.0.0.1:1")
FILES = Path(os.environ.get("SHOP_FILES", "."))
MOST = 50


def rows(found: list[Any]) -> ToolResult:
    if not found:
        return ToolResult.empty()
    if len(found) > MOST:
        return ToolResult.partial(found[:MOST], total=len(found), next_offset=MOST)
    return ToolResult.ok(found, count=len(found))


def refused(status: int) -> ToolResult:
    if status in (401, 403):
        return ToolResult.fail(
            "NOT_PERMITTED", "The service refuses the key.", retryable=False
        )
    if status == 404:
        return ToolResult.fail("NOT_FOUND", "There is no such thing.", retryable=False)
    if status == 429:
        return ToolResult.fail("RATE_LIMITED", "Try again in a minute.", retryable=True)
    passing = status >= 500
    return ToolResult.fail("SERVICE_FAILED", "No answer.", retryable=passing)


def get_forecast(city: str) -> ToolResult:
    try:
        response = httpx.get(f"{BASE}/forecast", params={"city": city}, timeout=5)
    except httpx.TransportError as error:
        if "SSL" in str(error):
            return ToolResult.fail(
                "CERTIFICATE", "The service cannot be trusted.", retryable=False
            )
        return ToolResult.fail("NO_NETWORK", "Try again in a minute.", retryable=True)
    if response.status_code == 404:
        return ToolResult.empty(city=city)
    if response.status_code >= 400:
        return refused(response.status_code)
    try:
        forecast = response.json()
    except ValueError:
        return ToolResult.fail("BAD_ANSWER", "It cannot be read.", retryable=True)
    if not isinstance(forecast, dict) or "degrees" not in forecast:
        return ToolResult.empty(city=city)
    return ToolResult.ok(forecast)


async def get_quote(symbol: str) -> ToolResult:
    async with httpx.AsyncClient(timeout=5) as client:
        try:
            response = await client.get(f"{BASE}/quotes/{symbol}")
            response.raise_for_status()
        except httpx.HTTPStatusError as error:
            return refused(error.response.status_code)
        except httpx.TransportError as error:
            lasting = "SSL" in str(error)
            return ToolResult.fail(
                "NO_NETWORK", "No quotes just now.", retryable=not lasting
            )
    try:
        quote = response.json()
    except ValueError:
        return ToolResult.fail("BAD_ANSWER", "It cannot be read.", retryable=True)
    if not isinstance(quote, dict) or "price" not in quote:
        return ToolResult.fail("BAD_ANSWER", "It has no price.", retryable=False)
    return ToolResult.ok({"symbol": symbol, "price": quote["price"]})


def list_products(tag: str) -> ToolResult:
    for pause in (1, 2, None):
        try:
            response = requests.get(f"{BASE}/products", params={"tag": tag}, timeout=5)
        except requests.exceptions.SSLError:
            return ToolResult.fail("CERTIFICATE", "It is not valid.", retryable=False)
        except requests.RequestException:
            if pause is None:
                return ToolResult.fail("NO_NETWORK", "Try again.", retryable=True)
            time.sleep(pause)
            continue
        if response.status_code == 429 or response.status_code >= 500:
            if pause is None:
                return refused(response.status_code)
            time.sleep(float(response.headers.get("retry-after", pause)))
            continue
        if response.status_code >= 400:
            return refused(response.status_code)
        try:
            return rows(response.json()["products"])
        except (ValueError, KeyError, TypeError):
            return ToolResult.fail("BAD_ANSWER", "It cannot be read.", retryable=False)
    raise AssertionError("the last try returns")


async def list_tickets(project: str) -> ToolResult:
    limit = aiohttp.ClientTimeout(total=5)
    try:
        async with (
            aiohttp.ClientSession(timeout=limit) as session,
            session.get(f"{BASE}/tickets", params={"project": project}) as response,
        ):
            if response.status >= 400:
                return refused(response.status)
            found = await response.json()
    except aiohttp.ClientSSLError:
        return ToolResult.fail("CERTIFICATE", "It is not valid.", retryable=False)
    except (aiohttp.ClientConnectionError, TimeoutError):
        return ToolResult.fail("NO_NETWORK", "Try again in a minute.", retryable=True)
    except (aiohttp.ClientError, ValueError):
        return ToolResult.fail("BAD_ANSWER", "It cannot be read.", retryable=True)
    if not isinstance(found, dict) or not isinstance(found.get("tickets"), list):
        return ToolResult.fail("BAD_ANSWER", "It has no tickets.", retryable=False)
    return rows(found["tickets"])


async def list_events(kind: str) -> ToolResult:
    found: list[Any] = []
    page: int | None = 1
    total = None
    async with httpx.AsyncClient(timeout=5) as client:
        while page:
            try:
                response = await client.get(
                    f"{BASE}/events", params={"kind": kind, "page": page}
                )
                response.raise_for_status()
                answer = response.json()
                found += answer["events"]
                total = answer["total"]
                page = answer["next"]
            except httpx.HTTPStatusError as error:
                if not found:
                    return refused(error.response.status_code)
                return ToolResult.partial(found, total=total, failed=1, next_page=page)
            except httpx.TransportError as error:
                if found:
                    return ToolResult.partial(
                        found, total=total, failed=1, next_page=page
                    )
                lasting = "SSL" in str(error)
                return ToolResult.fail(
                    "NO_NETWORK", "There is no page.", retryable=not lasting
                )
            except (ValueError, KeyError, TypeError):
                if found:
                    return ToolResult.partial(
                        found, total=total, failed=1, next_page=page
                    )
                return ToolResult.fail("BAD_ANSWER", "It is odd.", retryable=False)
    return rows(found)


def get_rate(currency: str) -> ToolResult:
    cache = FILES / "rates.json"
    try:
        response = requests.get(f"{BASE}/rates", timeout=5)
        response.raise_for_status()
        rate = response.json()["rates"].get(currency)
    except (requests.RequestException, ValueError, KeyError, AttributeError, TypeError):
        try:
            rate = json.loads(cache.read_text())[currency]
        except (OSError, ValueError, KeyError):
            return ToolResult.fail("NO_RATES", "There are no rates.", retryable=True)
        return ToolResult.ok({"currency": currency, "rate": rate}, stale=True)
    if rate is None:
        return ToolResult.empty(currency=currency)
    return ToolResult.ok({"currency": currency, "rate": rate})


def read_page(name: str) -> ToolResult:
    try:
        with urllib.request.urlopen(f"{BASE}/pages/{name}", timeout=5) as response:
            text = str(json.load(response)["text"])
    except urllib.error.HTTPError as error:
        return refused(error.code)
    except (KeyError, TypeError, ValueError):
        return ToolResult.fail("BAD_ANSWER", "It is no page.", retryable=False)
    except OSError as error:
        lasting = "SSL" in str(error)
        return ToolResult.fail("NO_NETWORK", "Try again.", retryable=not lasting)
    if len(text) > 400:
        return ToolResult.partial(text[:400], total=len(text), location=name)
    return ToolResult.ok(text)


async def check_stock(sku: str) -> ToolResult:
    async with httpx.AsyncClient(timeout=5) as client:
        for _ in range(3):
            try:
                response = await client.get(f"{BASE}/stock", params={"sku": sku})
                break
            except httpx.TransportError as error:
                if "SSL" in str(error):
                    return ToolResult.fail("CERTIFICATE", "No.", retryable=False)
                await asyncio.sleep(0.2)
        else:
            return ToolResult.fail("NO_NETWORK", "Try later.", retryable=True)
    if response.status_code >= 400:
        return refused(response.status_code)
    try:
        return ToolResult.ok({"sku": sku, "left": int(response.json()["left"])})
    except (ValueError, KeyError, TypeError):
        return ToolResult.fail("BAD_ANSWER", "It has no count.", retryable=False)


TOOLS: dict[Any, dict[str, Any]] = {
    get_forecast: {"city": "Oslo"},
    get_quote: {"symbol": "ABC"},
    list_products: {"tag": "new"},
    list_tickets: {"project": "shop"},
    list_events: {"kind": "sale"},
    get_rate: {"currency": "EUR"},
    read_page: {"name": "about"},
    check_stock: {"sku": "p-1"},
}
