"""A server of the official MCP SDK; needs `pip install "pytest-toolresult[mcp]"`.

pytest --toolresult examples/mcp_server/server.py:server
"""

from __future__ import annotations

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("library")

BOOKS: dict[str, dict[str, Any]] = {
    "Emma": {"author": "Jane Austen", "shelves": ["A1", "A2"]},
    "Dracula": {"author": "Bram Stoker", "shelves": ["S4"]},
}


@server.tool()
def find_book(title: str) -> dict[str, Any]:
    """Find a book by its title, such as Emma."""
    if title not in BOOKS:
        raise ToolError("The library does not have this book.")
    return {"title": title, "author": BOOKS[title]["author"]}


@server.tool()
def locate_book(title: str = "Emma", copy: int = 0) -> str:
    """Tell on which shelf a copy of a book stands; the first copy is 0."""
    if title not in BOOKS:
        raise ToolError("The library does not have this book.")
    return BOOKS[title]["shelves"][copy]  # crash: there are not so many copies


@server.tool()
def count_books() -> int:
    """Count the books of the library."""
    return len(BOOKS)


if __name__ == "__main__":
    server.run()
