"""Whether the words of a message say that a failure passes, or that it lasts."""

from __future__ import annotations

import re
from typing import Final

_LONGEST: Final = 2_000
_PASSES: Final = {
    "en": r"rate[- ]limit(?:ed| (?:was )?(?:reached|exceeded|hit))|too many requests"
    r"|timed out|(?:temporarily|currently) (?:unavailable|down|overloaded)"
    r"|(?:try|ask|come) again (?:later|in|after)|connection (?:was )?(?:refused|reset)"
    r"|service unavailable|server is busy|database is locked",
    "zh": "请求过于频繁|已超时|请求超时|稍后(?:再试|重试)|暂时不可用"
    "|连接(?:被拒绝|被重置|超时)|数据库已?锁定",
}
_LASTS: Final = {
    "en": r"does not exist|permission denied|not permitted|unauthori[sz]ed|forbidden"
    r"|is not (?:a )?valid",
    "zh": "不存在|没有权限|未授权|无效",
}
"""What each language says of a failure that passes by itself, or of one that lasts."""

_PASSING: Final = re.compile("|".join(_PASSES.values()), re.IGNORECASE)
_LASTING: Final = re.compile("|".join(_LASTS.values()), re.IGNORECASE)


def told_to_pass(message: str) -> tuple[bool, str] | None:
    """Tell whether a message says that trying again can help.

    Args:
        message: The error's message.

    Returns:
        Whether it can help, and the words that say so; `None` for a message that says
        neither, or both.
    """
    passes, lasts = (each.search(message[:_LONGEST]) for each in (_PASSING, _LASTING))
    if passes and not lasts:
        return True, passes[0]
    return (False, lasts[0]) if lasts and not passes else None
