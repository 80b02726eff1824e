import { RANGE_OPTIONS, readRange } from '../../audit-log/filter-options.ts';
import { defineCommand } from '../../command.ts';
import { type ListColumn, printList } from '../../output/print-list.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** Longest range of the API. */
const RANGE_MS_MAX = 366 * DAY_MS;
/** Most names of the API. */
const NAMES_MAX = 1000;

interface CountedName {
  readonly name: string;
  readonly records: number;
}

const COLUMNS: readonly ListColumn<CountedName>[] = [
  { title: 'Name', cell: ({ name }) => name },
  { title: 'Records', isRight: true, cell: ({ records }) => records },
];

async function* each<Entry>(entries: readonly Entry[]): AsyncGenerator<Entry> {
  yield* entries;
}

export const auditSummary = defineCommand({
  name: 'audit summary',
  summary: 'Count records of the audit log by user, action or table',
  description:
    'Needs the permission `audit:read`, and is itself recorded. `--by table` counts the queries and downloads that read each table or view, in whole hours. Records of earlier releases name no tables. A table on a terminal, CSV in a pipe; with `--json`, one JSON object per line.',
  arguments: {},
  options: {
    by: {
      kind: 'text',
      value: 'KIND',
      choices: ['user', 'action', 'table'],
      default: 'user',
      meaning: 'What to count by.',
    },
    ...RANGE_OPTIONS,
    since: { ...RANGE_OPTIONS.since, default: '30d' },
    limit: {
      kind: 'integer',
      value: 'N',
      min: 1,
      max: NAMES_MAX,
      default: 50,
      meaning: 'At most this many names, those with the most records.',
    },
  },
  examples: [
    { command: 'audit summary --by table --since 7d', does: 'shows the tables that were read most in the last week' },
    { command: 'audit summary --by action', does: 'shows how often each action happened in the last 30 days' },
  ],
  routes: ['GET /audits/summary'],
  run: async (context, { options }) => {
    const { by, limit } = options;
    const { start = 0, end } = readRange(options);
    const now = Date.now();
    // The clock of the host may be ahead. The host rejects a range that is too long.
    const until = end ?? Math.max(now, Math.min(now + HOUR_MS, start + RANGE_MS_MAX));
    const { client } = await context.connect();
    const size = Math.min(limit + 1, NAMES_MAX);
    const counted = await client.api.summarizeAuditLogs({
      query: { by, start, end: until, size },
      signal: context.signal,
    });
    await printList(context, each(counted.data), {
      columns: COLUMNS,
      what: 'names',
      limit,
      empty: 'No record matches.',
    });
  },
});
