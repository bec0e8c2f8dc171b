"""What may stand between a word that names a secret and the secret itself.

``name: value`` and ``name = value`` assign it, ``the name for the shop is value`` states it, and
``name value`` only puts it there.
"""

from __future__ import annotations

import re

_BETWEEN = r"""
    (?:_|[^\w\s:=：＝(（|<>.,;?!/-]){0,6}
    (?:[ \t]?[(（][^()（）\n]{0,40}[)）])?
    (?:[ \t](?:for|of|to|on|at|zu[mr]?|für|vom?|pour|du|de|del|della|para|per|för|til|voor|do
        |для|от|к)[ \t][^\n:=|：]{1,40}?)?
    [\\"'`*_]{0,4}[ \t\u3000]{0,8}
"""
ASSIGNMENT = re.compile(
    _BETWEEN + r"(?P<sign>:=|=>|-{1,2}>|→|={1,2}|[:：＝>])[*_]{0,3}[ \t\u3000]{0,8}", re.VERBOSE
)
STATEMENT = re.compile(
    _BETWEEN
    + r"""
    (?: (?<=[ \t])(?P<verb>is\ now|is|was|will\ be|ist|lautet|war|est|es|é|è|jest|är|er)
        (?:[ \t]?[:：])?[ \t]{1,4}
      | (?<=[ \t])(?:(?:set|changed|reset)\ to|to|это|[-–—|])[ \t]{1,4}
      | (?P<copula>已?(?:改|设|設|换|換|更新|变更)(?:成|为|為)了?|[是为為はが가은는이])
        [:：]?[ \t\u3000]{0,4}
    )
    """,
    re.VERBOSE | re.IGNORECASE,
)
JUXTAPOSITION = re.compile(r"[\"'`*_]{0,3}[ \t\u3000]{1,4}")
