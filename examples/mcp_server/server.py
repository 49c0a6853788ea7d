"""A server of the official MCP SDK; needs `pip install "pytest-toolresult[mcp]"`.

pytest --toolresult examples/mcp_server/server.py:server
"""

from __future__ import annotations

from typing import Any

from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

server = MCPServer("library")

BOOKS = {
    "Emma": {"author": "Jane Austen", "shelves": ["A1"]},
    "Dracula": {"author": "Bram Stoker", "shelves": []},
}


@server.tool()
def find_book(title: str) -> dict[str, Any]:
    """Find a book by its title, such as Emma."""
    if title not in BOOKS:
        raise ToolError("The library does not have this book.")
    return {"title": title, "author": BOOKS[title]["author"]}


@server.tool()
def locate_book(title: str = "Emma") -> str:
    """Tell on which shelf a book stands, such as Dracula."""
    return BOOKS[title]["shelves"][0]  # crash: unknown titles, and no shelf


@server.tool()
def count_books() -> int:
    """Count the books of the library."""
    return len(BOOKS)


if __name__ == "__main__":
    server.run()
