"""One bounded walk through whatever a tool returned, without running its code.

A result may hold anything: cycles, a nesting thousands deep, classes whose methods
raise. The walk is iterative, looks at every container once and reads containers
through the built-in types, never through a method that a class has overridden.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, TypeAlias, TypeGuard, TypeVar

MOST_CONTAINERS: Final = 1_000_000
"""How many objects and lists of one result are looked at; real ones have hundreds."""

MOST_EXACT: Final = 2**53
"""Up to here every integer is a double of its own (IEEE 754, binary64)."""

T = TypeVar("T")

_MOST_MEMBERS: Final = 10_000
_LONGEST_NUMBER: Final = 10**4300
"""Where Python (and so `json.dumps`) refuses to write an integer in decimal."""
_MANY_DIGITS: Final = 10**7

_TEXT: Final = frozenset({str})

TOP: Final = -1
"""The position that stands above every root."""
_LEAVE: Final = -2
_PLAIN_STEP: Final = re.compile(r"[^\W\d][\w-]{0,60}")


Note: TypeAlias = "tuple[int, object, T]"
"""A part that was noted: its container's position, the step from there, the value."""


@dataclass(slots=True)
class Survey:
    """What a walk came across.

    Attributes:
        containers: For each container its own container's position in this list
            (-1 at the top) and the step from there: a key, or an index.
        starts: How many texts came before each root, by the root's name.
        container_starts: How many containers came before each root, likewise.
        texts: Every text.
        names: Every key that is text, once.
        objects: Every mapping's position and items.
        arrays: Every list's or tuple's position and members.
        odd_keys: Keys that are no text, as notes of where their value stands.
        foreign: What JSON has no form for.
        endless: Floats that are NaN or infinite.
        unsafe_numbers: Integers that a reader with doubles gets wrong.
        long_numbers: Integers too long to be written.
        many_digits: Integers of eight digits and more, which may stand for a text.
        cycles: Containers that hold themselves, where they do.
        shares: Whether a container stands at several places: written out, the result
            may be far larger than what was walked through.
    """

    containers: list[tuple[int, object]] = field(default_factory=list)
    starts: dict[str, int] = field(default_factory=dict)
    container_starts: dict[str, int] = field(default_factory=dict)
    texts: list[Note[str]] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    objects: list[tuple[int, list[tuple[Any, Any]]]] = field(default_factory=list)
    arrays: list[tuple[int, Sequence[Any]]] = field(default_factory=list)
    odd_keys: list[Note[object]] = field(default_factory=list)
    foreign: list[Note[object]] = field(default_factory=list)
    endless: list[Note[float]] = field(default_factory=list)
    unsafe_numbers: list[Note[int]] = field(default_factory=list)
    long_numbers: list[Note[int]] = field(default_factory=list)
    many_digits: list[Note[int]] = field(default_factory=list)
    cycles: list[Note[object]] = field(default_factory=list)
    shares: bool = False
    _everything: str | None = None

    @property
    def everything(self) -> str:
        """All texts and keys in one, to ask of all of them at once."""
        if self._everything is None:
            texts = [text for _, _, text in self.texts]
            self._everything = "\n".join([*texts, *self.names])
        return self._everything

    def place(self, note: Note[Any]) -> str:
        """Write where a noted part stands, such as `data[3].token`."""
        position, step, _ = note
        steps = [step_of(step)]
        while position != TOP:
            position, step = self.containers[position]
            steps.append(step_of(step))
        return "".join(reversed(steps)).lstrip(".")

    def texts_below(self, *roots: str) -> Iterator[Note[str]]:
        """Give the texts that stand below some of the roots."""
        for first, last in _ranges(self.starts, roots, len(self.texts)):
            yield from self.texts[first:last]

    def objects_below(self, *roots: str) -> Iterator[tuple[int, list[tuple[Any, Any]]]]:
        """Give position and items of the mappings below some of the roots."""
        yield from self._placed_below(self.objects, roots)

    def arrays_below(self, *roots: str) -> Iterator[tuple[int, Sequence[Any]]]:
        """Give position and members of the lists below some of the roots."""
        yield from self._placed_below(self.arrays, roots)

    def containers_below(self, *roots: str) -> Iterator[int]:
        """Give the positions of the containers below some of the roots."""
        whole = len(self.containers)
        for first, last in _ranges(self.container_starts, roots, whole):
            yield from range(first, last)

    def _placed_below(
        self, placed: Sequence[tuple[int, T]], roots: Collection[str]
    ) -> Iterator[tuple[int, T]]:
        """Give what lies at the positions of some roots; it is sorted by them."""
        whole = len(self.containers)
        for first, last in _ranges(self.container_starts, roots, whole):
            low = bisect_left(placed, first, key=_position)
            high = bisect_left(placed, last, lo=low, key=_position)
            yield from placed[low:high]

    def texts_and_keys(self) -> Iterator[Note[str]]:
        """Give every text, then every key that is one, where its value stands."""
        yield from self.texts
        for position, items in self.objects:
            for key, _ in items:
                if is_a(key, str):
                    yield position, key, str.__str__(key)


def survey(roots: Iterable[tuple[str, object]]) -> Survey:
    """Walk through several named values, one root after the other."""
    walk = _Walk()
    found = walk.found
    for name, value in roots:
        found.starts[name] = len(found.texts)
        found.container_starts[name] = len(found.containers)
        walk.through(name, value)
    return found


def _ranges(
    starts: Mapping[str, int], roots: Collection[str], whole: int
) -> Iterator[tuple[int, int]]:
    """Give where each of some roots begins and ends among what was noted in order."""
    bounds = [*starts.values(), whole]
    for root, first, last in zip(starts, bounds, bounds[1:], strict=False):
        if root in roots:
            yield first, last


def _position(placed: tuple[int, object]) -> int:
    return placed[0]


def fields_of(value: object) -> dict[str, Any]:
    """Return the fields of a mapping by their text keys; of anything else, none."""
    if type(value) is dict and set(map(type, value)) <= _TEXT:
        return dict(value)
    return {str.__str__(key): each for key, each in _items(value) if is_a(key, str)}


def sequence_of(value: Any) -> Sequence[Any] | None:
    """Return a list or tuple as exactly that, and `None` for anything else."""
    kind = type(value)
    if kind is list or kind is tuple:
        return value  # type: ignore[no-any-return]  # it was just looked at
    if issubclass(kind, list):
        return list(list.__iter__(value))
    return list(tuple.__iter__(value)) if issubclass(kind, tuple) else None


def is_a(value: object, kind: type[T]) -> TypeGuard[T]:
    """Tell the class without asking the object, which might lie or raise."""
    return issubclass(type(value), kind)


def class_name(value: object) -> str:
    """Return the name of an object's class, past whatever a metaclass says."""
    name: str = vars(type)["__name__"].__get__(type(value))
    return name


class _Walk:
    """The state of one walk."""

    def __init__(self) -> None:
        self.found = Survey()
        self._open: set[int] = set()
        self._seen: set[int] = set()
        self._stack: list[Note[Any]] = []

    def through(self, name: str, value: object) -> None:
        """Walk through one root, container by container."""
        stack = self._stack
        self._scan(TOP, [(name, value)])
        while stack and len(self.found.containers) < MOST_CONTAINERS:
            note = stack.pop()
            if note[0] == _LEAVE:
                self._open.discard(id(note[2]))
            else:
                self._enter(note)

    def _scan(
        self, here: int, parts: Iterable[tuple[object, Any]], holder: object = None
    ) -> None:
        """Note the texts and numbers of a container, and put by what it contains.

        The container itself stays open until all that it contains was entered.
        """
        texts = self.found.texts
        inner: list[Note[Any]] = []
        for step, part in parts:
            kind = type(part)
            if kind is str:
                texts.append((here, step, part))
            elif part is None or kind is bool:
                continue
            elif kind is int or kind is float:
                if kind is float or not 0 <= part < _MANY_DIGITS:
                    self._number((here, step, part))
            else:
                inner.append((here, step, part))
        if inner:
            if holder is not None:
                self._open.add(id(holder))
                self._stack.append((_LEAVE, None, holder))
            inner.reverse()
            self._stack += inner

    def _number(self, note: Note[Any]) -> None:
        number = note[2]
        if type(number) is int:
            if _MANY_DIGITS <= number < _LONGEST_NUMBER:
                self.found.many_digits.append(note)
            if -MOST_EXACT <= number <= MOST_EXACT:
                return
            self.found.unsafe_numbers.append(note)
            if not -_LONGEST_NUMBER < number < _LONGEST_NUMBER:
                self.found.long_numbers.append(note)
        elif not math.isfinite(number):
            self.found.endless.append(note)

    def _enter(self, note: Note[Any]) -> None:
        above, step, value = note
        kind = type(value)
        if kind is not dict and kind is not list:
            plain = _tamed(value)
            if plain is not value:
                self._scan(above, [(step, plain)])
                return
        if id(value) in self._seen:
            self.found.shares = True
            if id(value) in self._open:
                self.found.cycles.append(note)
            return
        self._seen.add(id(value))
        found = self.found
        here = len(found.containers)
        found.containers.append((above, step))
        if kind is dict:
            self._scan(here, self._mapping(here, list(value.items())), value)
        elif kind is list:
            found.arrays.append((here, value))
            self._scan(here, enumerate(value), value)
        else:
            self._scan(here, self._parts(here, note), value)

    def _parts(self, here: int, note: Note[Any]) -> Iterable[tuple[Any, Any]]:
        value = note[2]
        if is_a(value, dict):
            return self._mapping(here, list(dict.items(value)))
        members = sequence_of(value)
        if members is not None:
            self.found.arrays.append((here, members))
            return enumerate(members)
        self.found.foreign.append(note)
        fields = members_of(value)
        self.found.objects.append((here, fields))
        return fields

    def _mapping(
        self, here: int, items: list[tuple[Any, Any]]
    ) -> list[tuple[Any, Any]]:
        found = self.found
        found.objects.append((here, items))
        keys = [key for key, _ in items]
        if set(map(type, keys)) <= _TEXT:
            found.names.update(keys)
            return items
        for key in keys:
            if type(key) is str:
                found.names.add(key)
            elif is_a(key, str):
                found.names.add(str.__str__(key))
            else:
                found.odd_keys.append((here, key, key))
        return items


def _tamed(value: Any) -> Any:
    """Return the built-in value inside a subclass of text or number."""
    if is_a(value, str):
        return str.__str__(value)
    if is_a(value, int):
        return int.__int__(value)
    if is_a(value, float):
        return float.__float__(value)
    return value


def members_of(value: object) -> list[tuple[Any, Any]]:
    """List what an object without a JSON form carries, as far as that is safe.

    Dataclasses and pydantic models are read by their declared fields, other
    mappings by their items, sets by their members; anything else is opaque.
    """
    if is_a(value, set):
        return list(enumerate(set.__iter__(value)))
    if is_a(value, frozenset):
        return list(enumerate(frozenset.__iter__(value)))
    return _items(value) or _attributes_of(value)


def _attributes_of(value: object) -> list[tuple[Any, Any]]:
    members: list[tuple[Any, Any]] = []
    with suppress(Exception):
        names = _declared(type(value))
        for name in islice(names, _MOST_MEMBERS):
            with suppress(Exception):
                members.append((name, object.__getattribute__(value, name)))
    return members


def _declared(kind: type) -> Iterable[str]:
    for attribute in ("__dataclass_fields__", "__pydantic_fields__"):
        for base in kind.__mro__:
            if attribute in vars(base):
                return [name for name in vars(base)[attribute] if type(name) is str]
    return ()


def _items(value: Any) -> list[tuple[Any, Any]]:
    if is_a(value, dict):
        return list(dict.items(value))
    with suppress(Exception):
        if issubclass(type(value), Mapping):
            pairs = ((key, value[key]) for key in value)
            return list(islice(pairs, _MOST_MEMBERS))
    return []


def step_of(step: object) -> str:
    """Write one step of a place, as in `.name`, `[3]`, `["odd name"]`."""
    if type(step) is int:
        return f"[{step}]"
    if not is_a(step, str):
        return f"[{class_name(step)}]"
    name = str.__str__(step)
    if _PLAIN_STEP.fullmatch(name):
        return f".{name}"
    return f"[{json.dumps(name, ensure_ascii=not name.isprintable())}]"
