"""Secrets that their own form gives away: provider keys, JSON web tokens, webhook addresses.

Every format begins with a fixed text, or holds one, so a text without it costs nothing more. The
forms are those that the providers document; bodies are taken a little shorter than real ones,
because a key that lost its tail is still a key.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from memctl.extraction.secrets.searched import Detector, SearchedText
from memctl.extraction.secrets.span import Span, positions_of
from memctl.extraction.secrets.wording import is_slug

_WORD = r"[A-Za-z0-9_-]"


@dataclass(frozen=True, slots=True)
class TokenFormat:
    """``prefix`` as it stands in the text, ``body`` as a pattern for what follows it.

    Only the named group ``value`` is secret where the body has one, else all. ``ambiguous``
    formats also begin ordinary names, so that a chain of words is left alone.
    """

    kind: str
    prefix: str
    body: str
    ambiguous: bool = False
    pattern: re.Pattern[str] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "pattern", re.compile(self.body))


def _formats(kind: str, body: str, *prefixes: str) -> list[TokenFormat]:
    return [TokenFormat(kind, prefix, body) for prefix in prefixes]


TOKEN_FORMATS: tuple[TokenFormat, ...] = (
    TokenFormat("anthropic key", "sk-ant-", _WORD + "{16,}"),
    TokenFormat("openrouter key", "sk-or-", _WORD + "{20,}"),
    *_formats("openai key", _WORD + "{16,}", "sk-proj-", "sk-svcacct-", "sk-admin-", "sk-None-"),
    TokenFormat("api key", "sk-", _WORD + "{20,}", ambiguous=True),
    *_formats("stripe key", "[A-Za-z0-9]{10,}", "sk_live_", "sk_test_", "rk_live_", "rk_test_"),
    TokenFormat("webhook secret", "whsec_", "[A-Za-z0-9+/=]{16,}"),
    TokenFormat("api key", "sk_", "[0-9a-f]{40,}"),
    *_formats("aws key", "[A-Z0-9]{16}(?![A-Za-z0-9])", "AKIA", "ASIA", "ABIA", "ACCA"),
    TokenFormat("google key", "AIza", _WORD + "{30,}"),
    TokenFormat("google key", "AQ.Ab", _WORD + "{30,}"),
    TokenFormat("google token", "ya29.", r"[A-Za-z0-9_.-]{20,}"),
    TokenFormat("google token", "1//0", _WORD + "{30,}"),
    TokenFormat("google secret", "GOCSPX-", _WORD + "{20,}"),
    TokenFormat("firebase key", "AAAA", _WORD + r"{7}:APA91" + _WORD + "{60,}"),
    *_formats("github token", "[A-Za-z0-9]{20,}", "ghp_", "gho_", "ghu_", "ghs_", "ghr_"),
    TokenFormat("github token", "github_pat_", "[A-Za-z0-9_]{20,}"),
    *_formats(
        "gitlab token",
        r"[A-Za-z0-9_.-]{16,}",
        *("glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glsoat-", "glagent-"),
        *("gloas-", "glimt-", "glffct-", "GR1348941"),
    ),
    *_formats(
        "slack token",
        "[A-Za-z0-9-]{10,}",
        *(f"xox{letter}-" for letter in "abceoprs"),
        *("xapp-", "xoxe.xoxb-", "xoxe.xoxp-"),
    ),
    TokenFormat(
        "slack webhook",
        "hooks.slack.com/",
        "(?:services|workflows|triggers)/(?P<value>[A-Za-z0-9/_-]{20,})",
    ),
    *_formats(
        "discord webhook",
        r"(?P<value>\d{5,}/[A-Za-z0-9_-]{20,})",
        "discord.com/api/webhooks/",
        "discordapp.com/api/webhooks/",
    ),
    TokenFormat("discord token", "mfa.", _WORD + "{60,}"),
    TokenFormat(
        "teams webhook", "webhook.office.com/webhookb2/", r"(?P<value>[A-Za-z0-9@/_-]{40,})"
    ),
    TokenFormat("npm token", "npm_", "[A-Za-z0-9]{30,}", ambiguous=True),
    TokenFormat("pypi token", "pypi-", _WORD + "{30,}", ambiguous=True),
    TokenFormat("rubygems key", "rubygems_", "[0-9a-f]{40,}"),
    TokenFormat("huggingface token", "hf_", "[A-Za-z0-9]{24,}", ambiguous=True),
    TokenFormat("huggingface token", "api_org_", "[A-Za-z0-9]{24,}"),
    TokenFormat("sendgrid key", "SG.", r"[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    *_formats("twilio key", "[0-9a-fA-F]{32}(?![A-Za-z0-9])", "SK", "AC"),
    TokenFormat("mailgun key", "key-", "[0-9a-f]{32}(?![A-Za-z0-9])"),
    TokenFormat("brevo key", "xkeysib-", _WORD + "{40,}"),
    *_formats("square token", _WORD + "{20,}", "sq0atp-", "sq0csp-", "sq0idp-"),
    TokenFormat("square token", "EAAA", _WORD + "{56,}"),
    TokenFormat("facebook token", "EAAC", "[A-Za-z0-9]{60,}"),
    *_formats("shopify token", "[0-9a-fA-F]{32}", "shpat_", "shpca_", "shppa_", "shpss_"),
    *_formats("digitalocean token", "[0-9a-f]{40,}", "dop_v1_", "doo_v1_", "dor_v1_"),
    TokenFormat("heroku key", "HRKU-", _WORD + "{30,}"),
    TokenFormat("fly token", "fo1_", _WORD + "{30,}"),
    *_formats("fly token", "[A-Za-z0-9+/=_-]{60,}", "fm1r_", "fm1a_", "fm2_"),
    TokenFormat("linear key", "lin_api_", "[A-Za-z0-9]{30,}"),
    TokenFormat("notion token", "secret_", "[A-Za-z0-9]{40,}", ambiguous=True),
    TokenFormat("notion token", "ntn_", "[A-Za-z0-9]{40,}"),
    TokenFormat("airtable token", "pat", r"[A-Za-z0-9]{14}\.[0-9a-f]{60,}"),
    *_formats("atlassian token", r"[A-Za-z0-9_=-]{60,}", "ATATT3", "ATCTT3"),
    TokenFormat("bitbucket password", "ATBB", "[A-Za-z0-9]{32}"),
    TokenFormat("databricks token", "dapi", "[0-9a-f]{32}"),
    TokenFormat("dropbox token", "sl.", _WORD + "{80,}"),
    *_formats(
        "doppler token",
        "[A-Za-z0-9]{40,}",
        *(f"dp.{part}." for part in ("pt", "ct", "sa", "scim", "audit")),
    ),
    TokenFormat("doppler token", "dp.st.", r"(?:[a-z0-9_-]+\.)?[A-Za-z0-9]{40,}"),
    TokenFormat("docker token", "dckr_pat_", _WORD + "{20,}"),
    *_formats("vault token", _WORD + "{20,}", "hvs.", "hvb.", "hvr."),
    TokenFormat("grafana token", "glc_", r"[A-Za-z0-9+/=]{32,}"),
    TokenFormat("grafana token", "glsa_", "[A-Za-z0-9_]{32,}"),
    TokenFormat("new relic key", "NRAK-", "[A-Z0-9]{20,}"),
    *_formats("sentry token", r"[A-Za-z0-9+/=_-]{40,}", "sntrys_", "sntryu_"),
    TokenFormat("postman key", "PMAK-", "[0-9a-f]{20,}-[0-9a-f]{30,}"),
    TokenFormat("groq key", "gsk_", "[A-Za-z0-9]{30,}"),
    TokenFormat("xai key", "xai-", "[A-Za-z0-9]{40,}"),
    TokenFormat("perplexity key", "pplx-", "[A-Za-z0-9]{30,}"),
    TokenFormat("replicate token", "r8_", "[A-Za-z0-9]{30,}"),
    TokenFormat("tavily key", "tvly-", _WORD + "{20,}", ambiguous=True),
    TokenFormat("nvidia key", "nvapi-", _WORD + "{40,}"),
    *_formats("langsmith key", r"[0-9a-f]{32}_[0-9a-f]{10}", "lsv2_pt_", "lsv2_sk_"),
    *_formats("langfuse key", r"[0-9a-f-]{30,}", "sk-lf-"),
    TokenFormat("supabase token", "sbp_", "[0-9a-f]{36,}"),
    TokenFormat("supabase key", "sb_secret_", _WORD + "{20,}"),
    *_formats(
        "planetscale token", r"[A-Za-z0-9_.=-]{30,}", "pscale_tkn_", "pscale_pw_", "pscale_oauth_"
    ),
    TokenFormat("figma token", "figd_", _WORD + "{30,}"),
    TokenFormat("age key", "AGE-SECRET-KEY-1", "[A-Z0-9]{50,}"),
    *_formats(
        "tailscale key",
        _WORD + "{16,}",
        "tskey-auth-",
        "tskey-api-",
        "tskey-client-",
        "tskey-webhook-",
    ),
    TokenFormat("matrix token", "syt_", r"[A-Za-z0-9+/=_-]{24,}"),
    TokenFormat("1password token", "ops_eyJ", r"[A-Za-z0-9+/=_-]{60,}"),
    TokenFormat("json web token", "eyJ", r"[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]*){2,4}"),
    TokenFormat("azure key", "AccountKey=", r"(?P<value>[A-Za-z0-9+/]{40,}={0,2})"),
    TokenFormat("azure key", "SharedAccessKey=", r"(?P<value>[A-Za-z0-9+/]{30,}={0,2})"),
    TokenFormat("azure signature", "sig=", r"(?P<value>[A-Za-z0-9%+/_-]{40,}(?:%3D|=)?)"),
    TokenFormat("password", "WIFI:", r"[^\n]{0,80}?;P:(?P<value>(?:[^;\\\n]|\\.){1,80});"),
)

_AWS_PAIR = (
    r"A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])[^\n]{0,60}\n?[^\n]{0,60}?(?<![A-Za-z0-9+/=])"
    r"(?=[a-z0-9+/]{0,39}[A-Z])(?=[A-Z0-9+/]{0,39}[a-z])"
    r"(?P<value>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])"
)
"""The secret half of a pair has no form of its own; what stands behind the public half is one."""

_GUARDED_PATTERNS: tuple[tuple[str, str, re.Pattern[str]], ...] = (
    ("aws secret", "akia", re.compile(_AWS_PAIR)),
    ("aws secret", "asia", re.compile(_AWS_PAIR)),
    ("telegram token", ":aa", re.compile(r"(?<!\d)\d{6,12}:AA[A-Za-z0-9_-]{28,}")),
    ("mailchimp key", "-us", re.compile(r"(?<![A-Za-z0-9])[0-9a-f]{32}-us\d{1,2}(?![A-Za-z0-9])")),
    (
        "terraform token",
        ".atlasv1.",
        re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_-]{40,}"),
    ),
)
"""Kind, a text without which there is none (in lower case), and pattern."""

_DISCORD_TOKEN = re.compile(
    r"[MNO](?<![A-Za-z0-9_.-][MNO])[A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{25,}"
)
"""It has nothing fixed but its first letter."""


def find_tokens(searched: SearchedText) -> Iterator[Span]:
    """Secrets with a known form."""
    text = searched.text
    for word, token_format in _FORMATS:
        if word in searched.words:
            yield from _find_format(token_format, text)
    for kind, word, pattern in _GUARDED_PATTERNS:
        if word in searched.words:
            for match in pattern.finditer(text):
                group = "value" if "value" in pattern.groupindex else 0
                yield Span(match.start(group), match.end(group), kind)


def find_discord_tokens(searched: SearchedText) -> Iterator[Span]:
    """Tokens of Discord's bots."""
    for match in _DISCORD_TOKEN.finditer(searched.text):
        yield Span(match.start(), match.end(), "discord token")


def _find_format(token_format: TokenFormat, text: str) -> Iterator[Span]:
    prefix_length = len(token_format.prefix)
    handled = 0
    for start in positions_of(token_format.prefix, text):
        if start < handled or _continues_word(text, start, token_format.prefix):
            continue
        match = token_format.pattern.match(text, start + prefix_length)
        if match is None:
            continue
        handled = match.end()
        has_value = "value" in token_format.pattern.groupindex
        begin = match.start("value") if has_value else start
        end = match.end("value") if has_value else match.end()
        if not (token_format.ambiguous and is_slug(text[begin:end])):
            yield Span(begin, end, token_format.kind)


def _continues_word(text: str, start: int, prefix: str) -> bool:
    """Whether the prefix only ends a longer word, as ``sk-`` does in ``task-board``."""
    if start == 0:
        return False
    before = text[start - 1]
    if before == "-":
        return "-" in prefix
    return before.isascii() and before.isalnum()


_FORMATS = [(token_format.prefix.lower(), token_format) for token_format in TOKEN_FORMATS]
_GUARDS = [word for _, word, _ in _GUARDED_PATTERNS]

TOKENS = Detector(find_tokens, frozenset({*(word for word, _ in _FORMATS), *_GUARDS}))
DISCORD_TOKENS = Detector(find_discord_tokens)
