"""Recognises a text that is itself the report of a failure, by how it starts.

Only the start counts, and only of a short text: documents, logs and search hits speak
about errors all the time, and are answers.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

LONGEST_FAILURE: Final = 600
"""Above this many characters a text is taken for content."""

_SOURCES: Final = (
    "api|binder|catalog|client|connection|database|db|http|i/?o|internal(?: server)?"
    "|network|parser|permission|query|request|runtime|server|sql|syntax|system|timeout"
    "|unexpected|unknown|upstream|validation"
)
_NO_VERBS: Final = (
    "during|handling|logging|reporting|monitoring|tracking|messaging|correcting"
)
_PHRASES: Final = (
    "bad request|unauthorized|forbidden|not found|too many requests"
    "|internal server error|bad gateway|service unavailable|gateway time-?out"
)

_STATUS_CODE: Final = (
    r"(?:(?:http )?status(?: code)?|http(?:/\d(?:\.\d)?)?(?: error)?)\s*[:=]?\s*"
    r"[45]\d\d\b"
)
_COMMAND: Final = (
    r"[\w./-]{1,60}: (?:[^\n]{0,200}: )?"
    r"(?:cannot \w|no such file|permission denied|(?:command )?not found\s*$)"
)
_ANY_CASE: Final = (
    r"error\s*:",
    rf"error (?:(?:while|when) )?(?!(?:{_NO_VERBS})\b)[a-z]+ing\b",
    rf"(?:{_SOURCES}) (?:error|exception|failure)\s*[:(]",
    r"an? (?:\w+ )?(?:error|exception) (?:has )?(?:occurred|happened|was raised)",
    r"(?:failed|unable) to [a-z]+",
    r"could(?: not|n't) [a-z]+",
    r"(?:cannot|can't|can not) [a-z]+",
    _STATUS_CODE,
    rf"[45]\d\d:? (?:{_PHRASES})",
    r"traceback \(most recent call last\)",
    _COMMAND,
)
_EXACT_CASE: Final = (
    r"[A-Z]\w{0,60}(?:Error|Exception)\s*[:(]",
    r"[A-Z]\w{0,60}Error$",
)
_CHINESE_WORK: Final = (
    "操作|请求|查询|执行|调用|连接|读取|写入|获取|加载|下载|上传|搜索|解析"
    "|工具|系统|服务|数据库|网络|处理"
)
_CHINESE: Final = (
    rf"(?:{_CHINESE_WORK})?(?:失败|出错|错误|异常)[\uff1a:\uff0c,。\uff01!]",
    r"(?:无法|未能)[\u4e00-\u9fff]",
    r"(?:发生|出现)(?:了)?(?:\S{0,6})?(?:错误|异常)",
    r"状态码\s*[\uff1a:]?\s*[45]\d\d\b",
)
_MARKUP: Final = r"[\s*#>`\[\"'❌⚠\ufe0f]{0,12}"


def is_failure(text: str) -> bool:
    """Tell whether a whole text starts as the report of a failure does."""
    return len(text) <= LONGEST_FAILURE and bool(_start().match(text))


@cache
def _start() -> re.Pattern[str]:
    any_case = "|".join((*_ANY_CASE, *_CHINESE))
    exact = "|".join(_EXACT_CASE)
    return re.compile(f"{_MARKUP}(?:(?i:{any_case})|{exact})")
