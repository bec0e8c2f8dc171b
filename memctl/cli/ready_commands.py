# ruff: noqa: E501
# fmt: off
"""What every command takes, as ``command_rules`` reads it from its function; made by
docs/generate.py.
"""

from __future__ import annotations

from memctl.cli.command_line import CommandRule, OptionRules, SwitchRule, ValueRule

COMMAND_RULES: dict[str, CommandRule] = {
    'save': CommandRule(
        options={
            '--type': ValueRule(parameter='memory_type', kind='line'),
            '-t': ValueRule(parameter='memory_type', kind='line'),
            '--importance': ValueRule(parameter='importance', kind='number'),
            '-i': ValueRule(parameter='importance', kind='number'),
            '--tag': ValueRule(parameter='tag', kind='line', repeats=True),
            '--source': ValueRule(parameter='source', kind='line'),
            '--channel': ValueRule(parameter='channel', kind='line'),
            '--session': ValueRule(parameter='session_id', kind='line'),
            '--origin': ValueRule(parameter='origin', kind='line'),
            '--key': ValueRule(parameter='key', kind='line'),
            '--subject': ValueRule(parameter='subject', kind='line'),
            '--event-at': ValueRule(parameter='event_at', kind='line'),
            '--ttl': ValueRule(parameter='ttl', kind='line'),
            '--pin': SwitchRule(parameter='pin', says=True),
        },
        arguments=(ValueRule(parameter='text', kind='text', repeats=True, is_required=True),),
        groups={},
    ),
    'recall': CommandRule(
        options={
            '--type': ValueRule(parameter='types', kind='line', group='filters', repeats=True),
            '-t': ValueRule(parameter='types', kind='line', group='filters', repeats=True),
            '--tag': ValueRule(parameter='tags', kind='line', group='filters', repeats=True),
            '--channel': ValueRule(parameter='channels', kind='line', group='filters', repeats=True),
            '--session': ValueRule(parameter='sessions', kind='line', group='filters', repeats=True),
            '--source': ValueRule(parameter='sources', kind='line', group='filters', repeats=True),
            '--origin': ValueRule(parameter='origins', kind='line', group='filters', repeats=True),
            '--min-importance': ValueRule(parameter='minimum_importance', kind='number', group='filters'),
            '--pinned': SwitchRule(parameter='pinned', says=True, group='filters'),
            '--since': ValueRule(parameter='since', kind='line', group='filters'),
            '--until': ValueRule(parameter='until', kind='line', group='filters'),
            '--limit': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
            '-n': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
            '--mode': ValueRule(parameter='mode', kind='line'),
            '--sort': ValueRule(parameter='sort', kind='line'),
            '--kind': ValueRule(parameter='kind', kind='line'),
            '--as-of': ValueRule(parameter='as_of', kind='line'),
            '--min-score': ValueRule(parameter='minimum_score', kind='number'),
            '--weights': ValueRule(parameter='weights', kind='line'),
            '--mmr': ValueRule(parameter='mmr', kind='number'),
            '--half-life': ValueRule(parameter='half_life', kind='line'),
            '--batch': ValueRule(parameter='batch', kind='path'),
            '--answer': SwitchRule(parameter='answer', says=True),
            '--explain': SwitchRule(parameter='explain', says=True),
        },
        arguments=(ValueRule(parameter='query', kind='text', repeats=True),),
        groups={'filters': ('memctl.cli.options', 'FilterOptions')},
    ),
    'context': CommandRule(
        options={
            '--max-tokens': ValueRule(parameter='max_tokens', kind='whole number', minimum=100, maximum=1000000),
            '--query': ValueRule(parameter='query', kind='text'),
            '-q': ValueRule(parameter='query', kind='text'),
            '--channel': ValueRule(parameter='channels', kind='line', repeats=True),
            '--tag': ValueRule(parameter='tags', kind='line', repeats=True),
            '--llm': SwitchRule(parameter='llm', says=True),
            '--words': ValueRule(parameter='words', kind='whole number', minimum=50, maximum=5000),
        },
        arguments=(),
        groups={},
    ),
    'show': CommandRule(
        options={
        },
        arguments=(ValueRule(parameter='ids', kind='text', repeats=True, is_required=True),),
        groups={},
    ),
    'list': CommandRule(
        options={
            '--type': ValueRule(parameter='types', kind='line', group='filters', repeats=True),
            '-t': ValueRule(parameter='types', kind='line', group='filters', repeats=True),
            '--tag': ValueRule(parameter='tags', kind='line', group='filters', repeats=True),
            '--channel': ValueRule(parameter='channels', kind='line', group='filters', repeats=True),
            '--session': ValueRule(parameter='sessions', kind='line', group='filters', repeats=True),
            '--source': ValueRule(parameter='sources', kind='line', group='filters', repeats=True),
            '--origin': ValueRule(parameter='origins', kind='line', group='filters', repeats=True),
            '--min-importance': ValueRule(parameter='minimum_importance', kind='number', group='filters'),
            '--pinned': SwitchRule(parameter='pinned', says=True, group='filters'),
            '--since': ValueRule(parameter='since', kind='line', group='filters'),
            '--until': ValueRule(parameter='until', kind='line', group='filters'),
            '--sort': ValueRule(parameter='sort', kind='line'),
            '--reverse': SwitchRule(parameter='reverse', says=True),
            '-r': SwitchRule(parameter='reverse', says=True),
            '--limit': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
            '-n': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
            '--offset': ValueRule(parameter='offset', kind='whole number', minimum=0, maximum=1000000000),
            '--forgotten': SwitchRule(parameter='forgotten', says=True),
            '--superseded': SwitchRule(parameter='superseded', says=True),
            '--as-of': ValueRule(parameter='as_of', kind='line'),
        },
        arguments=(),
        groups={'filters': ('memctl.cli.options', 'FilterOptions')},
    ),
    'edit': CommandRule(
        options={
            '--content': ValueRule(parameter='content', kind='text', group='changes'),
            '-c': ValueRule(parameter='content', kind='text', group='changes'),
            '--type': ValueRule(parameter='memory_type', kind='line', group='changes'),
            '-t': ValueRule(parameter='memory_type', kind='line', group='changes'),
            '--importance': ValueRule(parameter='importance', kind='number', group='changes'),
            '-i': ValueRule(parameter='importance', kind='number', group='changes'),
            '--tag': ValueRule(parameter='tag', kind='line', group='changes', repeats=True),
            '--untag': ValueRule(parameter='untag', kind='line', group='changes', repeats=True),
            '--subject': ValueRule(parameter='subject', kind='line', group='changes'),
            '--key': ValueRule(parameter='key', kind='line', group='changes'),
            '--source': ValueRule(parameter='source', kind='line', group='changes'),
            '--channel': ValueRule(parameter='channel', kind='line', group='changes'),
            '--session': ValueRule(parameter='session_id', kind='line', group='changes'),
            '--event-at': ValueRule(parameter='event_at', kind='line', group='changes'),
            '--expires': ValueRule(parameter='expires', kind='line', group='changes'),
            '--pin': SwitchRule(parameter='pin', says=True, group='changes'),
            '--unpin': SwitchRule(parameter='pin', says=False, group='changes'),
            '--clear': ValueRule(parameter='clear', kind='line', group='changes', repeats=True),
        },
        arguments=(ValueRule(parameter='memory', kind='text', is_required=True),),
        groups={'changes': ('memctl.cli.commands.edit_command', 'ChangeOptions')},
    ),
    'forget': CommandRule(
        options={
            '--purge': SwitchRule(parameter='purge', says=True),
            '--yes': SwitchRule(parameter='yes', says=True),
            '--dry-run': SwitchRule(parameter='dry_run', says=True),
        },
        arguments=(ValueRule(parameter='ids', kind='text', repeats=True, is_required=True),),
        groups={},
    ),
    'restore': CommandRule(
        options={
            '--dry-run': SwitchRule(parameter='dry_run', says=True),
        },
        arguments=(ValueRule(parameter='ids', kind='text', repeats=True, is_required=True),),
        groups={},
    ),
    'maintain': CommandRule(
        options={
            '--only': ValueRule(parameter='only', kind='line', repeats=True),
            '--dry-run': SwitchRule(parameter='dry_run', says=True),
            '--yes': SwitchRule(parameter='yes', says=True),
            '--if-due': SwitchRule(parameter='if_due', says=True),
            '--reindex': SwitchRule(parameter='reindex', says=True),
            '--model': ValueRule(parameter='model', kind='line'),
            '--consolidate': SwitchRule(parameter='consolidate', says=True),
            '--max-calls': ValueRule(parameter='max_calls', kind='whole number', minimum=1),
            '--max-cost': ValueRule(parameter='max_cost', kind='number', minimum=0),
            '--install-timer': SwitchRule(parameter='install_timer', says=True),
            '--print': SwitchRule(parameter='print_only', says=True),
        },
        arguments=(),
        groups={},
    ),
    'log': CommandRule(
        options={
            '--limit': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
            '-n': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
        },
        arguments=(ValueRule(parameter='operation', kind='whole number', minimum=1),),
        groups={},
    ),
    'undo': CommandRule(
        options={
            '--dry-run': SwitchRule(parameter='dry_run', says=True),
            '--force': SwitchRule(parameter='force', says=True),
            '--limit': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
            '-n': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
        },
        arguments=(ValueRule(parameter='operation', kind='whole number', minimum=1),),
        groups={},
    ),
    'link': CommandRule(
        options={
            '--weight': ValueRule(parameter='weight', kind='number'),
        },
        arguments=(ValueRule(parameter='source', kind='text', is_required=True), ValueRule(parameter='relation', kind='text', is_required=True), ValueRule(parameter='target', kind='text', is_required=True),),
        groups={},
    ),
    'unlink': CommandRule(
        options={
            '--relation': ValueRule(parameter='relation', kind='line'),
        },
        arguments=(ValueRule(parameter='source', kind='text', is_required=True), ValueRule(parameter='target', kind='text', is_required=True),),
        groups={},
    ),
    'graph': CommandRule(
        options={
            '--depth': ValueRule(parameter='depth', kind='whole number', minimum=1, maximum=10),
            '--format': ValueRule(parameter='output_format', kind='line'),
        },
        arguments=(ValueRule(parameter='memory', kind='text', is_required=True),),
        groups={},
    ),
    'migrate-openclaw': CommandRule(
        options={
            '--dry-run': SwitchRule(parameter='dry_run', says=True),
            '--verbose': SwitchRule(parameter='verbose', says=True),
            '-v': SwitchRule(parameter='verbose', says=True),
            '--sessions': SwitchRule(parameter='sessions', says=True),
            '--persona': SwitchRule(parameter='persona', says=True),
            '--follow-config': SwitchRule(parameter='follow_config', says=True),
            '--since': ValueRule(parameter='since', kind='line'),
            '--workspace': ValueRule(parameter='workspace', kind='line', repeats=True),
            '--channel-prefix': ValueRule(parameter='channel_prefix', kind='line'),
            '--llm': SwitchRule(parameter='llm', says=True),
            '--max-calls': ValueRule(parameter='max_calls', kind='whole number', minimum=1),
            '--max-cost': ValueRule(parameter='max_cost', kind='number', minimum=0),
            '--report': ValueRule(parameter='report', kind='path'),
        },
        arguments=(ValueRule(parameter='path', kind='path'),),
        groups={},
    ),
    'channel': CommandRule(
        options={
            '--limit': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
            '-n': ValueRule(parameter='limit', kind='whole number', minimum=1, maximum=10000),
        },
        arguments=(ValueRule(parameter='name', kind='text'),),
        groups={},
    ),
    'ingest': CommandRule(
        options={
            '--dry-run': SwitchRule(parameter='dry_run', says=True),
            '--channel': ValueRule(parameter='channel', kind='line'),
            '--tag': ValueRule(parameter='tag', kind='line', repeats=True),
            '--password': ValueRule(parameter='password', kind='text'),
            '--estimate': SwitchRule(parameter='estimate', says=True),
            '--max-calls': ValueRule(parameter='max_calls', kind='whole number', minimum=1),
            '--max-cost': ValueRule(parameter='max_cost', kind='number', minimum=0),
            '--status': SwitchRule(parameter='status', says=True),
            '--retry': SwitchRule(parameter='retry', says=True),
            '--forget-source': ValueRule(parameter='forget_source', kind='path'),
            '--purge': SwitchRule(parameter='purge', says=True),
            '--yes': SwitchRule(parameter='yes', says=True),
            '--watch': SwitchRule(parameter='watch', says=True),
            '--install-service': SwitchRule(parameter='install_service', says=True),
            '--print': SwitchRule(parameter='print_only', says=True),
        },
        arguments=(ValueRule(parameter='paths', kind='path', repeats=True),),
        groups={},
    ),
    'export': CommandRule(
        options={
            '--format': ValueRule(parameter='output_format', kind='line'),
            '--forgotten': SwitchRule(parameter='forgotten', says=True),
            '--force': SwitchRule(parameter='force', says=True),
        },
        arguments=(ValueRule(parameter='file', kind='path'),),
        groups={},
    ),
    'import': CommandRule(
        options={
        },
        arguments=(ValueRule(parameter='file', kind='path', is_required=True),),
        groups={},
    ),
    'status': CommandRule(
        options={
        },
        arguments=(),
        groups={},
    ),
    'stats': CommandRule(
        options={
            '--weeks': ValueRule(parameter='weeks', kind='whole number', minimum=1, maximum=520),
        },
        arguments=(),
        groups={},
    ),
    'backup': CommandRule(
        options={
            '--force': SwitchRule(parameter='force', says=True),
            '-f': SwitchRule(parameter='force', says=True),
        },
        arguments=(ValueRule(parameter='file', kind='path', is_required=True),),
        groups={},
    ),
    'restore-backup': CommandRule(
        options={
            '--yes': SwitchRule(parameter='yes', says=True),
            '--dry-run': SwitchRule(parameter='dry_run', says=True),
        },
        arguments=(ValueRule(parameter='file', kind='path', is_required=True),),
        groups={},
    ),
    'doctor': CommandRule(
        options={
            '--deep': SwitchRule(parameter='deep', says=True),
            '--fix': SwitchRule(parameter='fix', says=True),
        },
        arguments=(),
        groups={},
    ),
    'serve': CommandRule(
        options={
            '--idle-minutes': ValueRule(parameter='idle_minutes', kind='number', minimum=0),
            '--stop': SwitchRule(parameter='stop', says=True),
        },
        arguments=(),
        groups={},
    ),
    'config': CommandRule(
        options={
            '--force': SwitchRule(parameter='force', says=True),
            '-f': SwitchRule(parameter='force', says=True),
            '--keep': SwitchRule(parameter='keep', says=True),
        },
        arguments=(ValueRule(parameter='action', kind='text'), ValueRule(parameter='key', kind='text'), ValueRule(parameter='value', kind='text'),),
        groups={},
    ),
    'man': CommandRule(
        options={
            '--roff': SwitchRule(parameter='roff', says=True),
        },
        arguments=(ValueRule(parameter='topic', kind='text'),),
        groups={},
    ),
    'completion': CommandRule(
        options={
        },
        arguments=(ValueRule(parameter='shell', kind='text', is_required=True),),
        groups={},
    ),
}

SHARED_RULES: OptionRules = {
    '--json': SwitchRule(parameter='as_json', says=True, group='session'),
    '--store': ValueRule(parameter='store', kind='path', group='session'),
    '--config': ValueRule(parameter='config', kind='path', group='session'),
    '--debug': SwitchRule(parameter='debug', says=True, group='session'),
}
"""Options that every command takes, before its name or behind it."""
