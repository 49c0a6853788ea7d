"""What the name of a field says about its value."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, Literal

from pytest_toolresult.rules.vocabulary import ends_in, table, words_of

Trait = Literal["state", "money", "total", "cryptic", "content", "score", "distance"]
"""What a name may promise: a state in words, an amount of money, a sum of anything,
nothing that can be understood, a whole text, how well a hit fits, how far away it is.
"""

_LONGEST: Final = 64
"""Longer names are no names but data, and promise nothing."""

_STATE: Final = table(
    en="status state type kind flag mode stage",
    zh="状态 类型 种类 标志 标记 模式 阶段",
)
_MONEY: Final = table(
    en="amount price cost fee fees subtotal balance paid tax refund salary revenue",
    zh="金额 价格 单价 总价 费用 余额 税额 工资 运费 退款 收入",
)
_CURRENCIES: Final = table(iso4217="usd eur gbp cny rmb jpy krw inr brl chf cad aud")
_SUMMED: Final = table(en="amount price due paid cost")
_TOTAL: Final = table(en="total sum", zh="合计 总计")
_CRYPTIC: Final = table(
    en="st sts flg cd typ dt nm amt cnt tmp vl fld",
    pinyin="zt lx mc je bh xm dz bz sj sl",  # initials, as of 状态, 类型, 名称, 金额
)
_NUMBERED: Final = table(
    en="val value field fld col column item arg param var tmp data key attr prop"
)
_CLEAR_LETTERS: Final = frozenset("xyznwh")
"""Coordinates, sizes and counts are called so everywhere."""

_CONTENT: Final = table(
    en="content contents body text stdout stderr output raw source code html markdown"
    " message log logs snippet excerpt preview payload arguments script template",
    zh="内容 正文 文本 输出 原文 代码 日志",
)
_SCORE: Final = table(
    en="score relevance similarity relevancy", zh="得分 分数 相似度 相关度"
)
_DISTANCE: Final = table(en="distance", zh="距离")


@lru_cache(maxsize=4096)
def traits(name: str) -> frozenset[Trait]:
    """Return what a field's name promises; nothing for most names."""
    words = words_of(name) if len(name) <= _LONGEST else ()
    if not words:
        return frozenset()
    found: dict[Trait, bool] = {
        "state": ends_in(words, _STATE),
        "money": _is_money(words),
        "total": ends_in(words, _TOTAL),
        "cryptic": _is_cryptic(name, words),
        "content": ends_in(words, _CONTENT),
        "score": ends_in(words, _SCORE),
        "distance": ends_in(words, _DISTANCE),
    }
    return frozenset(trait for trait, holds in found.items() if holds)


def _is_money(words: tuple[str, ...]) -> bool:
    if len(words) > 1 and words[-1] in _CURRENCIES:
        words = words[:-1]
    if ends_in(words, _MONEY):
        return True
    return len(words) > 1 and words[0] == "total" and words[-1] in _SUMMED


def _is_cryptic(name: str, words: tuple[str, ...]) -> bool:
    if len(name) == 1:
        return name.isascii() and name.isalpha() and name.lower() not in _CLEAR_LETTERS
    if len(words) == 1:
        return words[0] in _CRYPTIC
    numbered = len(words) == 2 and words[1].isdecimal()  # noqa: PLR2004 - as in `val1`
    return numbered and words[0] in _NUMBERED
