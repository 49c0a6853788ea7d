"""The rules a result is held to, one module a hundred, each rule a pure function.

The docstring of a rule is its card, and everything that is said about the rule is
made from it: failure text, documentation, examples in the tests. An example is a
whole envelope; `returns` before it marks what a tool without envelope hands back, and
backticks mark code, where JSON cannot show the fault. Any part may go on over lines.

    @rule("TR104", "unexpected-field", Severity.WARNING, needs_envelope=True)
    def unexpected_field(found, contract):
        '''A field stands beside the four of the envelope.

        Why: a model reads every top-level field as part of the answer.
        Fix: move it into `data` or `meta`.
        Bad: {"status": "success", "data": 1, "error": null, "meta": {}, "took": 3}
        Good: {"status": "success", "data": 1, "error": null, "meta": {"took": 3}}
        Good: {"status": "success", "data": {"took": 3}, "error": null, "meta": {}}
        '''
"""

from __future__ import annotations
