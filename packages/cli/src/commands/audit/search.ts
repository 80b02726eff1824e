import type { AuditEntry } from '@sluice/client';
import { FILTER_OPTIONS, readFilter } from '../../audit-log/filter-options.ts';
import { writeReadsSince } from '../../audit-log/reads-since.ts';
import { defineCommand } from '../../command.ts';
import { type ListColumn, printList } from '../../output/print-list.ts';
import { formatTime, isoTime } from '../../times/time.ts';

type TextField = 'query_id' | 'id' | 'request_id' | 'session_id' | 'address' | 'user_agent';

const inCsv = (name: TextField): ListColumn<AuditEntry> => ({
  title: name,
  isOnlyInCsv: true,
  cell: (entry) => entry[name],
});

/** Columns of a search of the audit log. */
const ENTRY_COLUMNS: readonly ListColumn<AuditEntry>[] = [
  {
    title: 'Timestamp',
    isWhole: true,
    cell: ({ timestamp }) => formatTime(timestamp),
    value: ({ timestamp }) => isoTime(timestamp),
  },
  { title: 'User', cell: ({ user }) => user },
  { title: 'Action', cell: ({ action }) => action },
  { title: 'Target', cell: ({ target }) => target },
  { title: 'Metadata', cell: ({ metadata }) => JSON.stringify(metadata) },
  ...(['query_id', 'id', 'request_id', 'session_id', 'address', 'user_agent'] as const).map(inCsv),
];

/** Largest page of the API. */
const PAGE_RECORDS_MAX = 3000;

export const auditSearch = defineCommand({
  name: 'audit search',
  summary: 'Search the audit log',
  description:
    'Needs the permission `audit:read`, and is itself recorded, page by page. docs/audit-actions.md lists the actions. A table on a terminal, CSV with more columns in a pipe; with `--json`, one JSON object per line. For a copy that can be verified, see `sluice audit export`.',
  arguments: {},
  options: {
    ...FILTER_OPTIONS,
    order: {
      kind: 'text',
      value: 'ORDER',
      choices: ['desc', 'asc'],
      default: 'desc',
      meaning: 'Newest (desc) or oldest (asc) first.',
    },
    limit: { kind: 'integer', value: 'N', min: 1, default: 50, meaning: 'At most this many records.' },
    all: { kind: 'flag', meaning: 'All records that match, whatever --limit says.' },
  },
  examples: [
    {
      command: 'audit search --user analyst@acme.example --since 7d',
      does: 'shows what an account did in the last week',
    },
    { command: 'audit search --reads demo.vega.flights', does: 'shows who read a table' },
    { command: 'audit search --action LOGIN_FAILED --all > failed-logins.csv', does: 'saves every failed login' },
    {
      command: 'audit search --text "from flights" --exclude-action READ_CATALOG --limit 5',
      does: 'finds statements and objects by words',
    },
  ],
  routes: ['POST /audits/logs/search', 'GET /audits/logs/search'],
  run: async (context, { options }) => {
    const { signal } = context;
    const limit = options.all ? undefined : options.limit;
    const size = Math.min((limit ?? PAGE_RECORDS_MAX) + 1, PAGE_RECORDS_MAX);
    const search = { ...readFilter(options), sort_value: options.order, size };
    const { client } = await context.connect();
    let since: number | null | undefined;
    const onReadsSince = (found: number | null): void => {
      since = found;
    };
    await printList(context, client.audit.search(search, { signal, onReadsSince }), {
      columns: ENTRY_COLUMNS,
      what: 'records',
      limit,
      empty: 'No record matches.',
    });
    if (since !== undefined) await writeReadsSince(context.terminal, since);
  },
});
