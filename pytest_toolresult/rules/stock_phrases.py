"""Recognises messages that would fit every failure, by tables of words."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

_LONGEST: Final = 80

_WORKS: Final = {
    "en": "tool|call|operation|request|query|execution|action|command|task|function"
    "|process|job|search|fetch|lookup",
    "zh": "工具|调用|操作|请求|查询|执行|处理|任务|命令|系统|服务|搜索",
}
_PHRASES: Final = {
    "en": (
        r"(?:an? |the )?(?:unknown |unexpected |internal |general |generic |server )*"
        r"(?:error|exception|failure|problem)(?: has)?(?: occurred| happened)?",
        r"(?:oops,? )?something went wrong(?:,? please try again(?: later)?)?",
        r"(?:the )?(?:{works})(?: has)?(?: failed| was unsuccessful| error| did not"
        r" work| could not be completed)",
        r"failed(?: to (?:execute|run|process|complete|perform)(?: the)?"
        r"(?: tool| {works}))?",
        r"error(?: while| when)? (?:executing|running|calling|processing)"
        r"(?: the)?(?: tool| {works})?",
        r"(?:unable to|could not|cannot) (?:complete|process|perform|execute)"
        r"(?: the| your)? (?:{works})",
        r"(?:please )?try again(?: later)?",
        r"invalid (?:input|argument|arguments|request|parameters?)",
        r"bad request",
        r"internal(?: server)? error",
        r"n/?a|none|null|undefined|unknown",
    ),
    "zh": (
        r"(?:{works})?(?:发生|出现)?(?:了)?(?:未知|内部|意外)?"
        r"(?:错误|异常|失败|出错)(?:了)?",
        r"(?:系统|服务)(?:繁忙|不可用)",
        r"(?:请)?(?:稍后)?(?:再试|重试)",
        r"(?:参数|输入)(?:无效|错误|有误)",
    ),
}
_ENDS: Final = " \t\r\n.!。！:：,，"


def is_stock_phrase(message: str, tool: str) -> bool:
    """Tell whether a whole message says nothing but that something failed.

    Args:
        message: The error's message.
        tool: The tool's name, which many runtimes add.
    """
    if len(message) > _LONGEST + len(tool):
        return False
    bare = message.strip(_ENDS)
    if tool and bare.endswith(tool):
        bare = bare.removesuffix(tool).rstrip(_ENDS + "'\"`")
    return all(_stock().fullmatch(part) for part in _sentences(bare))


def _sentences(text: str) -> list[str]:
    parts = [part.strip(_ENDS) for part in re.split(r"[.!;。！；]", text)]
    return [part for part in parts if part] or [text]


@cache
def _stock() -> re.Pattern[str]:
    phrases = [
        phrase.replace("{works}", _WORKS[language])
        for language, table in _PHRASES.items()
        for phrase in table
    ]
    return re.compile("|".join(f"(?:{each})" for each in phrases), re.IGNORECASE)
