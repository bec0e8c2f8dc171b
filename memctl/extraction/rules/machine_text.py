"""What programs write rather than people: code, logs, output of tools, summaries of changes.

Told by form, in any language; what stands in fences is known as code already.
"""

from __future__ import annotations

import re

from memctl.extraction.rules.language import languages
from memctl.extraction.rules.phrases import fold

_LOG_PREFIX = re.compile(
    r"^\W{0,2}(?:\d{4}[-/]\d\d[-/]\d\d[T ])?\d{1,2}:\d\d(?P<seconds>:\d\d)?(?:[.,]\d+)?"
    r"(?:Z|[+-]\d\d:?\d\d)?\W"
)
_SYSTEM_LOG = re.compile(
    r"^[A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d:\d\d \S+ \S+?(?:\[\d+\])?:"
    r"|^\d{1,3}(?:\.\d{1,3}){3} \S+ \S+ \[[^\]]+\] \""
    r"|^[a-z][\w.-]{1,30}\[\d+\]: \S|^\[ *\d+\.\d{3,6}\] \S|^kernel: [^:]{1,60}: \S"
    r"|^(?:usb|pci|ata)\w* \d[\d:.-]*: \S|^(?:eth|wlan|enp|wlp)\w+: (?:carrier|link|NIC)\b"
)
"""Lines of syslog, of the kernel (also without their time) and of web servers."""

_UNIT = r"(?:s|secs?|seconds?|min|mins|minutes?|h|hours?)"
_COUNTED_THING = (
    r"(?:bytes|files|images|items|messages|objects|packages|pages|photos|records|rows|songs"
    r"|updates)"
)
_SHARE_DONE = r"\(?\d{1,3} ?%\)?"
_PROGRESS = re.compile(
    rf"^(?:.{{0,60}}[ :(])?\d{{1,3}} ?%(?: ?(?:complete|done|finished))?[,;) ].{{0,40}}"
    rf"\b\d+ ?{_UNIT} (?:left|remaining)\W*$"
    r"|^(?:Copying|Downloading|Exporting|Extracting|Importing|Indexing|Installing|Loading"
    r"|Processing|Scanning|Syncing|Updating|Uploading)\b[^.,;!?]{0,40}?,?[ (:]"
    rf"(?:\d+(?: of |/)\d+(?: {_COUNTED_THING})?\)?(?: {_SHARE_DONE})?|{_SHARE_DONE})"
    r"(?: complete| done)?[.\s]*$"
    r"|^(?:Backup|Download|Export|Import|Installation|Scan|Sync|Transfer|Update|Upload)"
    r" (?:complete|completed|finished|failed|in progress|paused)\W+\d.{0,60}\b"
    r"(?:left|remaining|updated|copied|transferred|skipped|failed|errors?)\W*$"
    r"|^\d{1,3} ?% (?:complete|downloaded|installed|uploaded)\b"
    r"|^(?:Copying|Downloading|Extracting|Fetching|Installing|Uploading) \S+ ?:? *"
    r"(?:\[[=#> .-]*\] *)?\d{1,3} ?%"
)
"""How far a program has come with what it does."""

_TOOL_OUTPUT = re.compile(
    r"^(?:npm|yarn|pnpm) (?:ERR!|(?:WARN|warn|notice|info|http|error)\b)"
    r"|^(?:added|removed|changed|audited) \d+ packages?\b"
    r"|^(?:fatal|error(?:\[\w+\])?): |^hint: [A-Z(]"
    r"|^(?:BŁĄD|CHYBA|HIBA|HATA|VIRHE|FEJL|FEIL|FEHLER|ERREUR|ERRORE?|ERRO|EROARE|ОШИБКА|ПОМИЛКА"
    r"|ΣΦΑΛΜΑ|错误|錯誤|エラー|오류)[:：] ?\S"
    r"|^Exception in thread |^File \"[^\"]+\", line \d+"
    r"|^(?:Uncaught |Unhandled |Caused by: )?(?:\w+\.)*[A-Z]\w*(?:Error|Exception): "
    r"|^(?:panic: |thread '[^']*' panicked|Segmentation fault\b|HTTP(?: error)? [1-5]\d\d\b)"
    r"|^Error: (?:Cannot|Could not|Failed|Unable|No such|Invalid|Unexpected|Missing|[A-Z_]{4,})\b"
    r"|^Traceback\b|^Build (?:succeeded|failed)\b|\b\d+ Warning\(s\)|^Time Elapsed "
    r"|^\[[\w/.-]+ [0-9a-f]{7,40}\] |^\d+ files? changed\b"
    r"|^On branch \S+ (?:Your branch|nothing to commit|Changes|Untracked)"
    r"|^(?:Your branch is |nothing to commit|Untracked files:|Already up to date)"
    r"|^(?:Collecting|Downloading|Requirement already satisfied:?|Successfully installed) [\w.-]+"
    r"(?:[-=<>~ (]|$)"
    r"|^\W*(?:tests?:? +)?\d+ (?:tests? |examples? |specs? )?"
    r"(?:passed|passing|failed|failing|skipped)(?:$|[,;.] |,? in \d| \()"
    r"|^(?:PASS(?:ED)?|FAIL(?:ED)?|ok|not ok)[: ] *(?:\d+ - |\S*[/.:]\S)"
    r"|^(?:collected|running|found|discovered) \d+ (?:items?|tests?|specs?|test files?)(?: |$)"
    r"|^(?:Tests?|Test (?:Suites|Files)|Snapshots|Suites|Specs): +\d+"
    r" (?:passed|failed|total|skipped)"
    r"|^--- (?:PASS|FAIL): |^test result: |^Ran \d+ tests? in "
    r"|^\S+::\S+ (?:PASSED|FAILED|SKIPPED|ERROR)"
    r"|^(?:Compiling|Finished|Building|Fetching|Resolving|Unpacking|Setting up|Cloning into|Get:\d+"
    r"|Hit:\d+|Reading package lists|Receiving objects|remote:|Step \d+/\d+|BUILD (?:SUCCESS|FAIL))"
    r".*(?: v?\d+\.\d|\.\.\.|: |\[|%)"
    r"|^Error \d{3}: |^[EW]: [A-Z]"
    r"|^(?:\d[\d:.]+ )?(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) /\S* \d{3}\b"
    r"|^HTTP/\d(?:\.\d)? \d{3}\b|^[bcdlps-](?:[r-][w-][xsStT-]){3}[.+@]? +\d+ \S"
    r"|^(?:Content|Accept|Cache|Access|User|Set|Last|Transfer|If|X)-[A-Z][A-Za-z-]*: \S"
    r"|^make(?:\[\d+\])?: |^(?:bash|sh|zsh|cp|mv|rm|tar|cat|ls|mkdir|chmod|curl|wget|sudo|gcc|g\+\+"
    r"|ld): .*(?:: [A-Z]|not found|error|denied|\(\d+\))"
    r"|^(?P<rule>[=*#~_-]{3,}) .* (?P=rule)$"
)
"""What package managers, compilers, interpreters, test runners, git and web servers print."""

_LONG_ERROR_NAME = re.compile(r".{0,200}\b(?:\w+\.){2,}\w+(?:Exception|Error)\b")
_COUNTED_ERRORS = re.compile(
    r".{0,100}\b\d+ (?:errors?|failures?)(?:,| and) \d+ (?:warnings?|skipped)\b"
)
_TIME_TAKEN = re.compile(
    r".{0,100}\b(?:in|took|[Tt]ime:|[Dd]uration:|[Ee]lapsed:?) +\d+\.\d+ ?m?s(?:ec|econds)?\.?$"
)
_SECONDS = ("s", "sec")
"""What the time that something took ends with."""

_COMMIT = re.compile(
    r"^(?:feat|fix|chore|docs|refactor|tests?|ci|build|perf|style|revert)"
    r"(?:\([\w/., -]+\))?!?: \S"
    r"|^(?:v\d+\.\d+(?:\.\d+)?|\d+\.\d+\.\d(?!\d))\S* ?[-–—:] [a-z]"
    r"|^(?:diff --git |index [0-9a-f]+\.\.|@@ -\d|--- a/|\+\+\+ b/)"
    r"|^(?:commit [0-9a-f]{7,40}$|Merge (?:branch|pull request|remote-tracking branch) \S"
    r"|Revert \")"
    r"|^(?=[a-f]*\d)[0-9a-f]{7,12} (?:\(|(?-i:[A-Z][a-z]+ ))"
    r"|^(?:fix|add|remove|update|bump|refactor|rename|improve|drop|clean ?up|reformat|format)"
    r"(?:e[sd]|s|ed)? (?:\S+ ){0,4}(?:typos?|readme|changelog|linters?|lint|dependenc(?:y|ies)"
    r"|deps|docstrings?|imports|unit tests?|regression tests?|type hints|gitignore|whitespace|ci"
    r"|workflow)\b",
    re.IGNORECASE,
)
"""How changes to a program are summed up."""

_RELEASE_TITLE = re.compile(
    r"^\W*(?:(?:(?:version|release|v)\.? ?\d+(?:\.\d+){1,3}|\[v?\d+(?:\.\d+){1,3}\]"
    r"|\d+\.\d+\.\d(?!\d))(?:[-.]?(?:a|b|rc|alpha|beta|dev|pre)[-.]?\d*)?|\[?unreleased\]?"
    r"|added|changed|fixed|removed|deprecated|bug ?fixes|breaking changes)"
    r"\W*(?:\d{4}-\d\d-\d\d\W*)?$",
    re.IGNORECASE,
)
"""The headings over what is new in a version of a program; ``14.3.26`` may be a day."""

_PROMPT = re.compile(r"^(?:\$|\w+@[\w-]+:\S*[$#]|>>>|PS [A-Z]:\S*>) [a-z.~/]")
_LOG_LEVEL = re.compile(
    r"\b(?:DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|TRACE|FATAL|CRITICAL)\b(?=[\s:\]|])"
)
_LOG_SOURCE = re.compile(
    r"(?:system|kernel|daemon|systemd|cron|server|bot)(?:\[\d+\])?\s?:", re.IGNORECASE
)
_THE_SYSTEM = re.compile(
    r"(?:system|kernel|systemd|cron|sistema|système|systeem|система|系统|系統|システム|시스템)"
    r"(?:\[\d+\])?\s?[:：]",
    re.IGNORECASE,
)
"""Who writes a line of a log, behind a time of day, in any language."""

_PROGRAM = re.compile(r"[a-z][\w.-]*(?:\[\d+\])?: ")
"""Who writes a line of a log, behind a time with seconds."""

_WORKER = re.compile(r"[\[<(][a-z][\w./:-]*[\])>] \S")
"""The part of a program that writes a line of a log, in brackets behind a time with seconds."""

_STATE = re.compile(
    r"[\w.-]+: (?:online|offline|alive|idle|busy|ok|up|down|ready|started|stopped|joined|left"
    r"|connected|disconnected|timeout|done|restarted)\.?$"
)
"""What a program says of its state, in a word behind its name."""

_CHANNEL_EVENT = re.compile(r"\S{1,40} (?:has )?(?:joined|left|quit|parted)\b")
_CHANNEL_NAME = re.compile(
    r"^(?:\S{1,40} )?has (?:joined|left) #[a-z]"
    r"|^[a-z]\S{0,40} (?:has )?(?:joined|left|quit|parted) the (?:channel|chat|room|server|call)"
    r"(?:\W*$|\s\S+ (?:has )?(?:joined|left|quit|parted) )"
)
_CODE = re.compile(
    r"^(?:[$>#%] ?\w+ |(?:import|from|def|class|const|let|var|function|return|public|private"
    r"|export|#include|SELECT|INSERT|UPDATE|CREATE|sudo|git|npm|pip|docker|curl|cd|ls|mkdir)\s)"
    r".*(?:[;{}()=]|--?\w|/| [*+%&|]{1,2} |\.\w+$)"
    r"|^\{ ?\"|^\[ ?[{\[]|^[{}\[\]<>();,\s]+$|^</?\w+[^>]*>$|^\w+\(.*\);?$"
    r"|^\s*at [\w.$]+\(|^[+-]?\s*(?:[\w<>\[\]*&.]+ ){0,3}[\w.\[\]>-]+ ?[-+*/|]?= ?[^=].*;$"
    r"|^for \w+(?:, ?\w+)* in [\w.]+\(.*\):|^SPDX-\w+(?:-\w+)*: "
    r"|^[a-z_]\w* ?[-+*/]?= .*[=+*/-] .*\b[a-z_]\w*\((?!s\))[^)]*\);?$|^\w+(?:\.\w+)+\(.*\);?$"
    r"|^[.#]?[a-z][\w-]* \{ ?[a-z-]+: [^{}]*\}$|^(?:\(\w*(?:, \w+)*\)|[a-z]) => \S"
    r"|^(?:if|while|for|switch) ?\(.*\) ?\{|^#!/\w+/|^SELECT \S.* FROM \w"
    r"|^(?:[a-z_][\w.-]*=\S+(?:\s+|$)){2,}$"
)
_SYMBOLS = re.compile(r"[{}<>=()$&|\\\[\]]")
_SYMBOLS_MINIMUM = 5
_SYMBOLS_SHARE = 0.12
"""So many brackets and operators, and so large a share of all characters, are those of code."""


def is_code(text: str) -> bool:
    """Whether a text is code, or what is typed at a prompt."""
    head = text[:300]
    if _CODE.match(head) is not None or _PROMPT.match(head) is not None:
        return True
    symbols = len(_SYMBOLS.findall(head))
    return symbols >= _SYMBOLS_MINIMUM and symbols >= _SYMBOLS_SHARE * len(head)


def is_log_line(text: str) -> bool:
    """Whether a text is a line of a log, or what a tool prints while it works."""
    if (
        _SYSTEM_LOG.match(text)
        or _CHANNEL_NAME.match(text)
        or _is_tool_output(" ".join(text[:300].split()))
        or _PROGRESS.match(text)
    ):
        return True
    prefix = _LOG_PREFIX.match(text)
    rest = text[prefix.end() :].strip() if prefix else text
    bare = rest.lstrip("[<(* ")
    if _LOG_LEVEL.match(bare) or (prefix is not None and _CHANNEL_EVENT.match(bare)):
        return True
    is_exact = prefix is not None and prefix["seconds"] is not None
    if is_exact and (_PROGRAM.match(rest) or _WORKER.match(rest)):
        return True
    if prefix is not None and (_THE_SYSTEM.match(bare) or _STATE.match(bare)):
        return True
    source = _LOG_SOURCE.match(rest)
    if source is None and (prefix is None or not bare[:1].islower()):
        return False
    folded = fold(rest[:200])
    return any(one.has(folded, "log line") for one in languages())


def _is_tool_output(line: str) -> bool:
    if _TOOL_OUTPUT.match(line) is not None:
        return True
    if ("Exception" in line or "Error" in line) and _LONG_ERROR_NAME.match(line) is not None:
        return True
    if ("error" in line or "failure" in line) and _COUNTED_ERRORS.match(line) is not None:
        return True
    return line.removesuffix(".").endswith(_SECONDS) and _TIME_TAKEN.match(line) is not None


def is_commit_message(text: str) -> bool:
    """Whether a text sums up a change to a program, or begins a listing of one."""
    return _COMMIT.match(text) is not None


def is_release_title(title: str) -> bool:
    """Whether a heading names a version of a program or a kind of changes to it."""
    return _RELEASE_TITLE.match(title) is not None
