"""Tools of a shop over databases, files and processes, as they should be."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from pytest_toolresult import ToolResult
from tests.quality.mutants import shop_backends

FILES = Path(os.environ.get("SHOP_FILES", "."))
DATABASE = FILES / "shop.db"
DSN = "warehouse://north"
ENGINE = sa.create_engine(f"sqlite:///{DATABASE}")
MEMORY = shop_backends.Memory()
WAREHOUSE = shop_backends.Warehouse()
MOST = 50


def rows(found: list[Any]) -> ToolResult:
    if not found:
        return ToolResult.empty()
    if len(found) > MOST:
        return ToolResult.partial(found[:MOST], total=len(found), next_offset=MOST)
    return ToolResult.ok(found, count=len(found))


def find_orders(customer: str) -> ToolResult:
    query = "select order_id, total from orders where customer = ?"
    try:
        with closing(sqlite3.connect(DATABASE, timeout=1)) as connection:
            found = connection.execute(query, (customer,)).fetchall()
    except sqlite3.OperationalError as error:
        if "locked" in str(error):
            return ToolResult.fail("DB_BUSY", "Try again in a second.", retryable=True)
        return ToolResult.fail("DB_FAILED", "It cannot be asked.", retryable=False)
    except sqlite3.Error:
        return ToolResult.fail("DB_FAILED", "It cannot be asked.", retryable=False)
    return rows([{"order_id": each[0], "total": each[1]} for each in found])


def search_customers(prefix: str) -> ToolResult:
    query = sa.text("select customer_id, name from customers where name like :prefix")
    try:
        with ENGINE.connect() as connection:
            found = connection.execute(query, {"prefix": f"{prefix}%"}).mappings().all()
    except DBAPIError as error:
        busy = "locked" in str(error) or error.connection_invalidated
        return ToolResult.fail("DB_FAILED", "It cannot be asked.", retryable=busy)
    return rows([dict(each) for each in found])


def top_products(limit: int = 20) -> ToolResult:
    try:
        connection = sqlite3.connect(DATABASE)
    except sqlite3.Error:
        return ToolResult.fail("NO_DB", "There is no database.", retryable=False)
    try:
        cursor = connection.cursor()
        cursor.execute("select name from products")
        names = [name for (name,) in cursor]
    except sqlite3.OperationalError as error:
        busy = "locked" in str(error)
        return ToolResult.fail("DB_BUSY", "It cannot be asked.", retryable=busy)
    except sqlite3.Error:
        return ToolResult.fail("DB_FAILED", "It cannot be asked.", retryable=False)
    finally:
        connection.close()
    if not names:
        return ToolResult.empty()
    if len(names) > limit:
        return ToolResult.partial(names[:limit], total=len(names), next_offset=limit)
    return ToolResult.ok(names, count=len(names))


def read_note(name: str) -> ToolResult:
    try:
        with open(FILES / name, encoding="utf-8") as file:
            text = file.read()
    except FileNotFoundError:
        return ToolResult.fail("NOT_FOUND", f"There is no {name}.", retryable=False)
    except PermissionError:
        return ToolResult.fail("NOT_PERMITTED", f"{name} is closed.", retryable=False)
    except IsADirectoryError:
        return ToolResult.fail("NO_FILE", f"{name} is a folder.", retryable=False)
    except UnicodeDecodeError:
        return ToolResult.fail("NO_TEXT", f"{name} is no text.", retryable=False)
    except OSError:
        return ToolResult.fail("DISK", f"{name} cannot be read.", retryable=False)
    if not text:
        return ToolResult.empty(name=name)
    if len(text) > 1_000:
        return ToolResult.partial(text[:1_000], total=len(text), location=name)
    return ToolResult.ok(text)


def list_notes(folder: str) -> ToolResult:
    try:
        names = sorted(os.listdir(FILES / folder))
    except FileNotFoundError:
        return ToolResult.fail("NOT_FOUND", f"There is no {folder}.", retryable=False)
    except OSError:
        return ToolResult.fail("SHUT", f"{folder} cannot be read.", retryable=False)
    return rows(names)


def run_script(code: str) -> ToolResult:
    command = [sys.executable, "-S", "-c", code]
    try:
        done = subprocess.run(command, capture_output=True, timeout=10, check=False)
    except subprocess.TimeoutExpired:
        return ToolResult.fail("TOO_LONG", "It took over 10 s.", retryable=True)
    except OSError:
        return ToolResult.fail("NO_PYTHON", "It cannot be run.", retryable=False)
    if done.returncode != 0:
        return ToolResult.fail(
            "EXIT_CODE", f"It ended with {done.returncode}.", retryable=False
        )
    try:
        output = done.stdout.decode()
    except UnicodeDecodeError:
        return ToolResult.fail("NO_TEXT", "It wrote no text.", retryable=False)
    if not output:
        return ToolResult.empty()
    if len(output) > 2_000:
        return ToolResult.partial(output[:2_000], total=len(output), location="stdout")
    return ToolResult.ok(output)


def search_memory(query: str) -> ToolResult:
    try:
        hits = MEMORY.search(query, 100)
    except (TimeoutError, ConnectionError):
        return ToolResult.fail("MEMORY_DOWN", "Try again later.", retryable=True)
    except Exception:
        return ToolResult.fail("MEMORY_FAILED", "It cannot be asked.", retryable=False)
    return rows(hits if isinstance(hits, list) else [])


async def send_notices(recipients: list[str]) -> ToolResult:
    sent, failed, lasting = [], [], False
    for recipient in recipients:
        try:
            mail = await shop_backends.send_mail(recipient, "Your order is on its way.")
            sent.append({"to": recipient, "mail_id": mail["mail_id"]})
        except (TimeoutError, ConnectionError):
            failed.append(recipient)
        except Exception:
            failed.append(recipient)
            lasting = True
    if not recipients:
        return ToolResult.empty()
    if not sent:
        return ToolResult.fail("NONE_SENT", "No mail went out.", retryable=not lasting)
    if failed:
        return ToolResult.partial(
            sent, total=len(recipients), failed=len(failed), failures=failed
        )
    return ToolResult.ok(sent)


def monthly_report(month: int) -> ToolResult:
    try:
        found = WAREHOUSE.fetch(DSN, month)
    except (TimeoutError, ConnectionError):
        return ToolResult.fail("WAREHOUSE_DOWN", "Try again later.", retryable=True)
    except PermissionError:
        return ToolResult.fail("NOT_PERMITTED", "It refuses us.", retryable=False)
    except Exception:
        return ToolResult.fail("WAREHOUSE_FAILED", "It failed.", retryable=False)
    if not isinstance(found, list):
        return ToolResult.fail("BAD_ANSWER", "It has no rows.", retryable=False)
    return rows(found)


TOOLS: dict[Any, dict[str, Any]] = {
    find_orders: {"customer": "ann"},
    search_customers: {"prefix": "bob"},
    top_products: {},
    read_note: {"name": "a.txt"},
    list_notes: {"folder": "."},
    run_script: {"code": "print('3 passed')"},
    search_memory: {"query": "paper"},
    send_notices: {"recipients": ["ann", "bob", "eve"]},
    monthly_report: {"month": 5},
}
