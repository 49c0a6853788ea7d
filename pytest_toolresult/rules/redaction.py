"""TR6: whether something reaches the model that it must not see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pytest_toolresult.findings import Breach, Severity
from pytest_toolresult.redaction.masks import fingerprint, merged
from pytest_toolresult.redaction.prefixes import credentials, gated
from pytest_toolresult.rules.rule import rule

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytest_toolresult.contract import Contract
    from pytest_toolresult.rules.exhibit import Exhibit


@rule("TR602", "credential", Severity.ERROR, yields_to=("TR603",))
def credential(found: Exhibit, _: Contract) -> Iterator[Breach]:
    """A key, token, private key or password hash reaches the model in clear.

    Why: whatever a model has read may stand in its next answer, in a log, or in an
    argument of another tool.
    Fix: remove or mask it in one layer between the tools and the model: a leak in one
    tool is usually a leak in all of them.
    Bad: {"status": "success", "error": null, "meta": {}, "data":
    {"login": "Zk9fQ2xw7LrT ghp_Zk9fQ2xw7LrTz3Vb8NmYc4Hd1JsPg6Xe0AuB"}}
    Bad: returns "export KEY=sk_live_Zk9fQ2xw7LrTz3Vb8NmYc4Hd"
    Good: {"status": "success", "error": null, "meta": {}, "data": {"token": "***"}}
    Good: returns "set OPENAI_API_KEY=sk-your-key-here, or ghp_xxxxxxxxxxxxxxxxxxxx"
    """
    survey = found.survey
    if not gated(survey.everything):
        return
    for note in survey.texts_and_keys():
        text = note[2]
        for span in merged(credentials(text)):
            place = survey.place(note)
            shown = fingerprint(text, span)
            detail = f"{place or 'the result'} holds a credential in clear: {shown}"
            yield Breach(place=place, detail=detail)
