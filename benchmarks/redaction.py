"""How fast secrets are looked for, and how many are found, beside two other scanners.

The texts are those of `tests/quality` that were held out: shapes written by hand, with
made-up values, and texts that only look like secrets. Each scanner gets every text by
itself, and some once more buried in 50 KB. A text counts as found if the scanner
reports anything in it; what stands in the filler alone is taken off.

Run it with `tox -e benchmark -- redaction`.
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Final

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pytest_toolresult.redaction.canaries import credentials, people
from pytest_toolresult.redaction.canaries.search import Index
from pytest_toolresult.redaction.scan import secrets_in
from tests.quality.held_out_look_alikes import LOOK_ALIKES
from tests.quality.test_held_out import CLASSES, samples

if TYPE_CHECKING:
    from collections.abc import Callable

    Scan = Callable[[str], bool]

FILLER: Final = (
    "The order was updated, and the customer asked for a copy of it.\n" * 800
)
CANARIES: Final = 600


def texts_of(name: str) -> list[str]:
    """Return one text for each shape of a class."""
    return [text for text, _ in samples(CLASSES, name, 1)]


def ours(text: str) -> bool:
    """Look with the detectors of this project."""
    return bool(secrets_in(text))


def scanners() -> dict[str, Scan]:
    """Return the scanners that are installed, by name and version."""
    found: dict[str, Scan] = {"pytest-toolresult": ours}
    for name, make in _OTHERS.items():
        try:
            found[f"{name} {version(name)}"] = make()
        except ImportError as error:
            print(f"{name} is left out: {error}")
    return found


def _detect_secrets() -> Scan:
    from detect_secrets.core.scan import scan_line
    from detect_secrets.settings import default_settings

    def scan(text: str) -> bool:
        with default_settings():
            return any(any(True for _ in scan_line(line)) for line in text.split("\n"))

    return scan


def _betterleaks() -> Scan:
    import betterleaks

    def scan(text: str) -> bool:
        return bool(betterleaks.scan_string(text))

    return scan


_OTHERS: Final = {"detect-secrets": _detect_secrets, "betterleaks-py": _betterleaks}


def main() -> None:
    """Print the figures."""
    samples = {name: texts_of(name) for name in CLASSES}
    everything = [*chain.from_iterable(samples.values()), *LOOK_ALIKES]
    written = seconds(lambda: [json.dumps({"note": each}) for each in everything])
    print(f"{len(everything)} texts, {sum(map(len, everything)) / 1e6:.2f} MB")
    for name, scan in scanners().items():
        print(f"\n{name}")
        report(scan, samples, everything, written)
    report_length()
    report_canaries(everything)


def report(
    scan: Scan, samples: dict[str, list[str]], everything: list[str], written: float
) -> None:
    """Print what one scanner finds, and how long it takes."""
    for kind, texts in samples.items():
        alone = sum(map(scan, texts))
        buried = sum(scan(f"{FILLER}\n{text}\n\n") for text in texts[::6])
        some = len(texts[::6])
        print(f"  {kind:18} {alone:3} of {len(texts)}, buried {buried} of {some}")
    alarms = sum(map(scan, LOOK_ALIKES))
    print(f"  look-alikes {alarms} of {len(LOOK_ALIKES)} reported")
    taken = seconds(lambda: [scan(each) for each in everything])
    size = sum(map(len, everything)) / 1e6
    print(f"  {size / taken:.2f} MB/s, {taken / written:.0f} times json.dumps")


def report_length() -> None:
    """Print what texts of one, three and ten megabytes take."""
    print("\nlong texts")
    block = "\n".join(LOOK_ALIKES) + "\n" + FILLER[:20_000]
    for megabytes in (1, 3, 10):
        text = (block * (megabytes * 10**6 // len(block) + 1))[: megabytes * 10**6]
        taken = seconds(lambda text=text: secrets_in(text), tries=1)  # type: ignore[misc]
        print(f"  {megabytes:2} MB: {taken:.2f} s")


def report_canaries(everything: list[str]) -> None:
    """Print how fast hundreds of canaries are searched for."""
    makers = list({**credentials.MAKERS, **people.MAKERS}.values())
    index = Index()
    for number in range(CANARIES):
        index.add(makers[number % len(makers)](str(number)))
    text = "\n".join(everything * 20)
    taken = seconds(lambda: index.find(text))
    print(f"\n{CANARIES} canaries: {len(text) / 1e6 / taken:.1f} MB/s")


def seconds(work: Callable[[], object], tries: int = 3) -> float:
    """Return the processor time of the fastest of some tries."""
    taken = []
    for _ in range(tries):
        started = process_time()
        work()
        taken.append(process_time() - started)
    return min(taken)


if __name__ == "__main__":
    main()
