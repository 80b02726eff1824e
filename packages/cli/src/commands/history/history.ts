import { defineCommand } from '../../command.ts';
import { type HistoryEntry, SHORT_ID_CHARACTERS, statementOf } from '../../history-entries/find-entry.ts';
import { type ListColumn, printList } from '../../output/print-list.ts';
import { formatDuration, formatTime, isoTime, parseTime, TIME_FORMS } from '../../times/time.ts';

const STATES = ['QUEUED', 'RUNNING', 'FINISHED', 'FAILED', 'CANCELLED', 'UNKNOWN'] as const;
const KINDS = ['QUERY', 'DOWNLOAD', 'MARKETPLACE', 'DATAMAP'] as const;

const durationMs = (entry: HistoryEntry): number | null =>
  entry.ended_ts === null ? null : entry.ended_ts - entry.started_ts;

const COLUMNS: readonly ListColumn<HistoryEntry>[] = [
  {
    title: 'Id',
    isWhole: true,
    cell: ({ query_id: id }) => id.slice(0, SHORT_ID_CHARACTERS),
    value: ({ query_id: id }) => id,
  },
  {
    title: 'State',
    isWhole: true,
    cell: ({ state, limited }) => (limited ? `${state} (limited)` : state),
    value: ({ state }) => state,
  },
  { title: 'Rows', isRight: true, cell: ({ rows }) => rows },
  {
    title: 'Statement',
    cell: (entry) => statementOf(entry).replaceAll(/\s+/g, ' ').trim(),
    value: statementOf,
  },
  {
    title: 'Started',
    isWhole: true,
    cell: (entry) => formatTime(entry.started_ts),
    value: (entry) => isoTime(entry.started_ts),
  },
  {
    title: 'Duration',
    csvName: 'duration_ms',
    isRight: true,
    cell: (entry) => {
      const ms = durationMs(entry);
      return ms === null ? null : formatDuration(ms);
    },
    value: durationMs,
  },
];

export const history = defineCommand({
  name: 'history',
  summary: 'List your own queries and downloads, newest first',
  description:
    'Reaches back as far as QUERY_HISTORY of the host (30 days by default). `sluice history show` reads older receipts. With `--json`, one JSON object per line.',
  arguments: {},
  options: {
    state: { kind: 'text', value: 'STATE', choices: STATES, meaning: 'Only this state.' },
    kind: {
      kind: 'text',
      value: 'KIND',
      choices: KINDS,
      meaning: 'Only queries, downloads, or those of items or datamaps.',
    },
    since: { kind: 'text', value: 'TIME', meaning: `Started at this time or later: ${TIME_FORMS}.` },
    until: { kind: 'text', value: 'TIME', meaning: 'Started before this time, in the same forms.' },
    contains: {
      kind: 'text',
      value: 'TEXT',
      meaning: 'Only with this text in the SQL, or in the id of the item or datamap.',
    },
    limit: { kind: 'integer', value: 'N', min: 1, default: 50, meaning: 'At most this many queries.' },
  },
  examples: [
    { command: 'history', does: 'lists your last 50 queries and downloads' },
    { command: 'history --state FAILED --since 7d', does: 'lists what failed in the last week' },
    { command: 'history --contains flights --json', does: 'prints queries with this word, one JSON object per line' },
  ],
  routes: ['GET /query/history'],
  run: async (context, { options: { state, kind, since, until, contains, limit } }) => {
    const filters = {
      ...(state === undefined ? {} : { state }),
      ...(kind === undefined ? {} : { kind }),
      ...(since === undefined ? {} : { since: parseTime('--since', since) }),
      ...(until === undefined ? {} : { until: parseTime('--until', until) }),
      ...(contains === undefined ? {} : { q: contains }),
      size: Math.min(limit + 1, 1000),
      signal: context.signal,
    };
    const { client } = await context.connect();
    await printList(context, client.history(filters), { columns: COLUMNS, what: 'queries', limit });
  },
});
