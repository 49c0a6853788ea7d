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
_KINDS: Final = "unknown|unexpected|internal|general|generic|server"
_PHRASES: Final = {
    "en": (
        r"(?:an? |the )?(?:(?:{kinds}) )*{failure}(?: has)?(?: occurred| happened)?",
        r"(?:oops,? )?something went wrong(?:,? please try again(?: later)?)?",
        r"(?:the )?{works}(?: has)? (?:failed|was unsuccessful|error|did not work)",
        r"(?:the )?{works} could not be completed",
        r"failed(?: to {do}(?: the)?(?: tool| {works})?)?",
        r"error(?: while| when)? {doing}(?: the)?(?: tool| {works})?",
        r"(?:unable to|could not|cannot) {do}(?: the| your)? {works}",
        r"(?:please )?try again(?: later)?",
        r"invalid (?:input|argument|arguments|request|parameters?)",
        r"bad request",
        r"internal(?: server)? error",
        r"n/?a|none|null|undefined|unknown",
    ),
    "zh": (
        r"{works}?(?:发生|出现)?了?(?:未知|内部|意外)?(?:错误|异常|失败|出错)了?",
        r"(?:系统|服务)(?:繁忙|不可用)",
        r"请?(?:稍后)?(?:再试|重试)",
        r"(?:参数|输入)(?:无效|错误|有误)",
    ),
}
"""The phrases of each language; `{works}` stands for one of its words for a call."""

_PARTS: Final = {
    "{kinds}": _KINDS,
    "{failure}": "(?:error|exception|failure|problem)",
    "{do}": "(?:execute|run|process|complete|perform)",
    "{doing}": "(?:executing|running|calling|processing)",
}
_ENDS: Final = " \t\r\n.!:,。\uff01\uff1a\uff0c"
_SENTENCE_ENDS: Final = re.compile("[.!;,。\uff01\uff1b\uff0c]")


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
    parts = [part.strip(_ENDS) for part in _SENTENCE_ENDS.split(text)]
    return [part for part in parts if part] or [text]


@cache
def _stock() -> re.Pattern[str]:
    phrases = [
        _filled(phrase, language)
        for language, phrases in _PHRASES.items()
        for phrase in phrases
    ]
    return re.compile("|".join(f"(?:{each})" for each in phrases), re.IGNORECASE)


def _filled(phrase: str, language: str) -> str:
    for name, words in (_PARTS | {"{works}": f"(?:{_WORKS[language]})"}).items():
        phrase = phrase.replace(name, words)
    return phrase
