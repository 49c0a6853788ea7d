"""What the name of a field says about its value, by tables that take more languages."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

Trait = Literal["state", "money", "total", "cryptic", "content", "score", "distance"]
"""What a name may promise: a state in words, an amount of money, a sum of anything,
nothing that can be understood, a whole text, how well a hit fits, how far away it is.
"""

_LONGEST: Final = 64
"""Longer names are no names but data, and promise nothing."""

_STATE: Final = {
    "en": "status state type kind flag mode stage",
    "zh": "状态 类型 种类 标志 标记 模式 阶段",
}
_MONEY: Final = {
    "en": "amount price cost fee fees subtotal balance paid tax refund salary revenue",
    "zh": "金额 价格 单价 总价 费用 余额 税额 工资 运费 退款 收入",
}
_CURRENCIES: Final = frozenset("usd eur gbp cny rmb jpy krw inr brl chf cad aud".split())
_TOTALS: Final = frozenset("amount price due paid cost".split())
_CRYPTIC: Final = {
    "en": "st sts flg cd typ dt nm amt cnt tmp vl fld",
    "zh": "zt lx mc je bh xm dz bz sj sl",  # initials of pinyin: 状态, 类型, 名称, 金额
}
_NUMBERED: Final = frozenset(
    "val value field fld col column item arg param var tmp data key attr prop".split()
)
_CLEAR_LETTERS: Final = frozenset("xyznwh")
"""Coordinates, sizes and counts are called so everywhere."""

_CONTENT: Final = {
    "en": (
        "content contents body text stdout stderr output raw source code html markdown"
        " message log logs snippet excerpt preview payload arguments script template"
    ),
    "zh": "内容 正文 文本 输出 原文 代码 日志",
}
_TOTAL: Final = {"en": "total sum", "zh": "合计 总计"}
_SCORE: Final = {
    "en": "score relevance similarity rank_score relevancy",
    "zh": "得分 分数 相似度 相关度",
}
_DISTANCE: Final = {"en": "distance", "zh": "距离"}

_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_a-zA-Z]+")


def words_of(name: str) -> tuple[str, ...]:
    """Split a name into its words: `orderStatus`, `order_status`, `order-status`."""
    return tuple(word.casefold() for word in _WORD.findall(name))


@lru_cache(maxsize=4096)
def traits(name: str) -> frozenset[Trait]:
    """Return what a field's name promises; nothing for most names."""
    words = words_of(name) if len(name) <= _LONGEST else ()
    if not words:
        return frozenset()
    found: dict[Trait, bool] = {
        "state": _ends(words, _STATE),
        "money": _is_money(words),
        "total": _ends(words, _TOTAL),
        "cryptic": _is_cryptic(name, words),
        "content": _ends(words, _CONTENT),
        "score": _ends(words, _SCORE),
        "distance": _ends(words, _DISTANCE),
    }
    return frozenset(trait for trait, holds in found.items() if holds)


@lru_cache(maxsize=64)
def _english(table: str) -> frozenset[str]:
    return frozenset(table.split())


def _ends(words: tuple[str, ...], table: dict[str, str]) -> bool:
    """Tell whether the last word is in a table; Chinese words stand unseparated."""
    last = words[-1]
    return last in _english(table["en"]) or (
        not last.isascii() and last.endswith(tuple(table["zh"].split()))
    )


def _is_money(words: tuple[str, ...]) -> bool:
    if len(words) > 1 and words[-1] in _CURRENCIES:
        words = words[:-1]
    if _ends(words, _MONEY):
        return True
    return len(words) > 1 and words[0] == "total" and words[-1] in _TOTALS


def _is_cryptic(name: str, words: tuple[str, ...]) -> bool:
    if len(name) == 1:
        return name.isascii() and name.isalpha() and name.lower() not in _CLEAR_LETTERS
    if len(words) == 1:
        return any(words[0] in _english(table) for table in _CRYPTIC.values())
    numbered = len(words) == 2 and words[1].isdecimal()  # noqa: PLR2004 - as in `val1`
    return numbered and words[0] in _NUMBERED
