"""What a tool lets in and lets out: names, paths, line breaks, ids, relations."""

from __future__ import annotations

import re
import urllib.parse
import uuid
from typing import TYPE_CHECKING, Any

import pytest

from pytest_toolresult import relation
from pytest_toolresult.errors import ContractError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Tool = Callable[..., Any]


def answer(status: str, data: Any = None, error: Any = None, **meta: Any) -> Any:
    return {"status": status, "data": data, "error": error, "meta": meta}


def refusal(message: str) -> Any:
    error = {"code": "BAD_ARGUMENT", "message": message, "retryable": False}
    return answer("error", error=error)


# --- invented names -----------------------------------------------------------------


def swallows(city: str = "Oslo", **_: Any) -> Any:
    return answer("success", {"city_name": city, "sky": "snow"})


def refuses(city: str = "Oslo", **unknown: Any) -> Any:
    if unknown:
        return refusal(f"there is no argument {', '.join(unknown)}")
    return answer("success", {"city_name": city, "sky": "snow"})


def has_none(city: str = "Oslo") -> Any:
    return answer("success", {"city_name": city, "sky": "snow"})


def uses_all(city: str = "Oslo", **labels: Any) -> Any:
    return answer("success", {"city_name": city, "labels": sorted(labels)})


def test_a_name_that_is_swallowed_is_told(relate: Any) -> None:
    assert relate.rules(swallows, validate=False) == {"TR907"}


@pytest.mark.parametrize("tool", [refuses, has_none, uses_all])
@pytest.mark.parametrize("validate", [True, False])
def test_one_that_is_refused_or_used_is_fine(
    relate: Any, tool: Tool, *, validate: bool
) -> None:
    assert relate.rules(tool, validate=validate) == set()


# --- leaving the root ---------------------------------------------------------------


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "monday.txt").write_text("rain all day\n", encoding="utf-8")
    return folder


NAMED = {"success": {"path": "monday.txt"}}


def test_a_path_that_leads_out_is_told(relate: Any, root: Path) -> None:
    def joins(path: str) -> Any:
        try:
            text = (root / path).read_text(encoding="utf-8")
        except OSError:
            return refusal("there is no such note")
        return answer("success", {"note_text": text})

    (found,) = relate.evidence(joins, **NAMED).findings
    assert found.rule == "TR910"
    assert "led out of the tool's folder to a planted file: a path with '..'" in (
        found.message
    )


def test_a_link_that_leads_out_is_told_and_taken_away(relate: Any, root: Path) -> None:
    def looks_at_names_only(path: str) -> Any:
        if "/" in path or ".." in path:
            return refusal("path must be a plain name")
        file = root / path
        if not file.is_file():
            return refusal("there is no such note")
        return answer("success", {"note_text": file.read_text(encoding="utf-8")})

    (found,) = relate.evidence(looks_at_names_only, **NAMED).findings
    assert found.rule == "TR910"
    assert "a link" in found.message
    assert [each.name for each in root.iterdir()] == ["monday.txt"]


def test_an_encoded_path_that_leads_out_is_told(relate: Any, root: Path) -> None:
    def decodes_too_late(path: str) -> Any:
        if ".." in path or (root / path).is_symlink():
            return refusal("path must not lead out")
        file = root / urllib.parse.unquote(path).lstrip("/")
        if not file.is_file():
            return refusal("there is no such note")
        return answer("success", {"note_text": file.read_text(encoding="utf-8")})

    assert relate.rules(decodes_too_late, **NAMED) == {"TR910"}


def test_a_path_that_is_resolved_first_is_fine(relate: Any, root: Path) -> None:
    def resolves(path: str) -> Any:
        file = (root / path).resolve()
        if not file.is_relative_to(root.resolve()) or not file.is_file():
            return refusal("there is no such note below the folder")
        return answer("success", {"note_text": file.read_text(encoding="utf-8")})

    assert relate.rules(resolves, **NAMED) == set()


def test_names_in_a_table_are_fine(relate: Any) -> None:
    notes = {"monday.txt": "rain all day"}

    def looks_up(path: str) -> Any:
        if path not in notes:
            return refusal("there is no such note")
        return answer("success", {"note_text": notes[path]})

    assert relate.rules(looks_up, **NAMED) == set()


# --- line breaks --------------------------------------------------------------------


def header(file_name: str) -> Any:
    line = f'Content-Disposition: attachment; filename="{file_name}"'
    return answer("success", {"header_line": line})


def quoted_header(file_name: str) -> Any:
    line = f"Content-Disposition: attachment; filename*={urllib.parse.quote(file_name)}"
    return answer("success", {"header_line": line})


def checked_header(file_name: str) -> Any:
    if not file_name.isprintable():
        return refusal("file_name must be one printable line")
    return header(file_name)


def echo(file_name: str) -> Any:
    return answer("success", {"file_name": file_name, "size_bytes": 3})


def test_a_line_break_that_passes_is_told(relate: Any) -> None:
    assert relate.rules(header, success={"file_name": "a.pdf"}) == {"TR911"}


@pytest.mark.parametrize("tool", [quoted_header, checked_header, echo])
def test_one_that_does_not_is_fine(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool, success={"file_name": "a.pdf"}) == set()


# --- ids that cannot exist ----------------------------------------------------------

STATES: dict[str, str] = {}


def cancel_order(order_id: str) -> Any:
    return answer("success", {"order_id": order_id, "order_status": "cancelled"})


def cancel_known_order(order_id: str) -> Any:
    if order_id != "o-1":
        return refusal(f"there is no order {order_id}")
    return answer("success", {"order_id": order_id, "order_status": "cancelled"})


def create_order(order_id: str) -> Any:
    return answer("success", {"order_id": order_id, "order_status": "new"})


ACTION: Any = {"kind": "action", "success": {"order_id": "o-1"}}


def test_an_action_on_nothing_is_told(relate: Any) -> None:
    (found,) = relate.evidence(cancel_order, **ACTION).findings
    assert (found.rule, found.severity.label) == ("TR213", "error")
    assert "does not exist, the action reports success" in found.message


@pytest.mark.parametrize("tool", [cancel_known_order, create_order])
def test_one_that_is_refused_or_makes_it_is_fine(relate: Any, tool: Tool) -> None:
    assert relate.rules(tool, **ACTION) == set()


def close_numbered_ticket(ticket_id: str) -> Any:
    """Close a ticket such as T-1042."""
    if not re.fullmatch(r"T-\d+", ticket_id):
        return refusal("ticket_id must look like T-1042")
    return answer("success", {"ticket_id": ticket_id, "ticket_state": "closed"})


def remove_by_uuid(item_uuid: str) -> Any:
    try:
        uuid.UUID(item_uuid)
    except ValueError:
        return refusal("item_uuid must be a UUID")
    return answer("success", {"item_uuid": item_uuid, "removed": True})


def archive_all(note_ids: list[str]) -> Any:
    return answer("success", {"note_ids": note_ids, "archived": len(note_ids)})


def pause_job(job_id: int) -> Any:
    return answer("success", {"job_id": job_id, "paused": True})


GONE: set[str] = set()


def delete_once(file_id: str) -> Any:
    if file_id in GONE and file_id == "f-1":
        return refusal("the file is gone already")
    GONE.add(file_id)
    return answer("success", {"file_id": file_id, "done": True})


@pytest.mark.parametrize(
    ("tool", "success"),
    [
        (close_numbered_ticket, {"ticket_id": "T-7"}),
        (remove_by_uuid, {"item_uuid": "0f8fad5b-d9cb-469f-a165-70867728950e"}),
        (archive_all, {"note_ids": ["n-1"]}),
        (pause_job, {"job_id": 7}),
        (delete_once, {"file_id": "f-1"}),
    ],
)
def test_ids_of_any_form_are_tried(
    relate: Any, tool: Tool, success: dict[str, Any]
) -> None:
    GONE.clear()
    found = relate.evidence(tool, kind="action", success=success).findings
    assert "TR213" in {each.rule for each in found if each.severity.label == "error"}


def delete_and_count(file_id: str) -> Any:
    there = int(file_id == "f-1")
    return answer("success", {"file_id": file_id, "deleted_files": there})


def remove_if_there(file_id: str) -> Any:
    there = file_id == "f-1"
    return answer("success", {"file_id": file_id, "was_removed": there})


def delete_or_say_empty(file_id: str) -> Any:
    if file_id != "f-1":
        return answer("empty", [], searched=file_id)
    return answer("success", {"file_id": file_id, "deleted_files": 1})


@pytest.mark.parametrize(
    "tool", [delete_and_count, remove_if_there, delete_or_say_empty]
)
def test_one_that_says_that_nothing_was_done_is_fine(relate: Any, tool: Tool) -> None:
    declared: Any = {"kind": "action", "success": {"file_id": "f-1"}}
    assert "TR213" not in relate.rules(tool, **declared)


# --- the project's own relations ----------------------------------------------------


def rows(limit: int = 10) -> Any:
    if limit < 1:
        return refusal("limit must be 1 or more")
    found = [{"row_id": number} for number in range(min(limit, 8))]
    return answer("success", found, total=8)


@relation("limit halves rows", over=[{"limit": 8}, {"limit": 4}])
def halves(eight: Any, four: Any) -> None:
    assert len(four.data) * 2 == len(eight.data), "four is not half of eight"


@relation("more is less", over=[{"limit": 2}, {"limit": 4}])
def wrong(two: Any, four: Any, asked: Any) -> bool:
    assert [each["limit"] for each in asked] == [2, 4]
    return len(two.data) > len(four.data)


@relation("looks into nothing", over=[{"limit": 2}])
def raises(two: Any) -> None:
    assert two.data["no such field"]


@relation("goes too far", over=[{"limit": -1}])
def refused(one: Any) -> None:
    assert one.data


def test_a_relation_that_holds_is_fine(relate: Any) -> None:
    evidence = relate.evidence(rows, relations=[halves])
    assert evidence.findings == ()
    assert evidence.not_covered == {}


def test_one_that_does_not_is_told_with_its_calls(relate: Any) -> None:
    (found,) = relate.evidence(rows, relations=[wrong, halves]).findings
    assert (found.rule, found.arguments) == ("TR913", {"limit": 4})
    assert "'more is less' does not hold" in found.message
    assert found.circumstances == "beside for 'more is less', {\"limit\": 2}"
    assert "own:more is less" in found.replay


def test_what_an_assertion_says_is_told(relate: Any) -> None:
    def all_rows(limit: int = 10) -> Any:
        return answer("success", [{"row_id": n} for n in range(min(limit, 8) - 1)])

    found = relate.evidence(all_rows, relations=[halves]).findings
    assert any("four is not half of eight" in each.message for each in found)


def test_one_that_raises_is_a_mistake_that_names_it(relate: Any) -> None:
    explored = relate.explored(rows, relations=[raises, wrong])
    assert "rows: the relation 'looks into nothing' raised TypeError" in (
        explored.problem
    )
    assert "test_borders.py:" in explored.problem
    (found,) = explored.evidence.findings
    assert "'more is less' does not hold" in found.message


def test_one_with_a_misspelt_argument_names_the_nearest(relate: Any) -> None:
    @relation("misspelt", over=[{"limt": 2}])
    def misspelt(_two: Any) -> bool:
        return True

    with pytest.raises(ContractError, match=r"'limt'; did you mean 'limit'\?"):
        relate.evidence(rows, relations=[misspelt])


def test_one_changes_copies_of_results_alone(relate: Any) -> None:
    @relation("greedy", over=[{"limit": 2}, {"limit": 2}])
    def greedy(one: Any, other: Any) -> None:
        one.data.clear()
        one.meta.clear()
        assert len(other.data) == 2

    kept = [{"row_id": 1}, {"row_id": 2}]

    def hands_out_the_same(limit: int = 10) -> Any:
        return answer("success", kept[:limit], total=2)

    explored = relate.explored(hands_out_the_same, relations=[greedy])
    assert not explored.problem
    assert "TR913" not in {each.rule for each in explored.evidence.findings}
    assert kept == [{"row_id": 1}, {"row_id": 2}]


def test_one_is_tried_on_results_that_vary(relate: Any) -> None:
    drawn = iter(range(10_000))

    def draws(limit: int = 10) -> Any:
        return answer("success", [next(drawn) for _ in range(limit)], total=10_000)

    @relation("as many as asked for", over=[{"limit": 3}, {"limit": 2}])
    def as_many(three: Any, two: Any) -> bool:
        return (len(three.data), len(two.data)) == (3, 3)

    found = relate.evidence(draws, relations=[as_many]).findings
    assert "TR913" in {each.rule for each in found}


def test_one_whose_calls_do_not_succeed_is_not_covered(relate: Any) -> None:
    evidence = relate.evidence(rows, relations=[refused])
    assert "the relation 'goes too far'" in str(evidence.not_covered)
    assert "came to error BAD_ARGUMENT" in str(evidence.not_covered)


def takes_one(_one: Any) -> bool:
    return True


async def waits(_one: Any, _two: Any) -> bool:
    return True


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: relation(""), "needs a name in words"),
        (lambda: relation("x", over={"limit": 1}), "must be a list of arguments"),  # type: ignore[arg-type]
        (lambda: relation("x", over=["limit"]), "which are no arguments"),  # type: ignore[list-item]
        (lambda: relation("x")(3), "must be a function"),  # type: ignore[arg-type]
        (lambda: relation("x", over=[{"a": {1}}]), "a model can only send JSON"),
        (lambda: relation("x", over=[{1: 2}]), "must be texts"),  # type: ignore[dict-item]
        (lambda: relation("x")(takes_one), "cannot be handed 2 results"),
        (lambda: relation("x")(waits), "which nobody would await"),
    ],
)
def test_a_relation_that_cannot_be_is_refused(
    make: Callable[[], object], words: str
) -> None:
    with pytest.raises(ContractError, match=words):
        make()
