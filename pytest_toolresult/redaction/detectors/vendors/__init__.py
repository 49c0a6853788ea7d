"""The formats of keys and tokens that their issuers publish, by subject.

Issuers give their tokens a prefix so that scanners can find a leaked one. A format is
the prefix and what follows it; each stands under the
page or the public collection that documents it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pytest_toolresult.redaction.detectors.vendors import (
    business,
    clouds,
    code,
    data,
    messaging,
    models,
    operations,
)

if TYPE_CHECKING:
    from pytest_toolresult.redaction.detectors.vendors.format import Format

FORMATS: Final[tuple[Format, ...]] = (
    *models.FORMATS,
    *clouds.FORMATS,
    *code.FORMATS,
    *data.FORMATS,
    *business.FORMATS,
    *messaging.FORMATS,
    *operations.FORMATS,
)
"""Every format that is known."""
