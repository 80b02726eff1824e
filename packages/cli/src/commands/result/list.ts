import { defineCommand } from '../../command.ts';
import type { CommandContext, Connection } from '../../context.ts';
import { type HistoryEntry, SEARCHED_MAX, SHORT_ID_CHARACTERS, statementOf } from '../../history-entries/find-entry.ts';
import { type ListColumn, printList } from '../../output/print-list.ts';
import { formatFutureTime, formatTime, isoTime } from '../../times/time.ts';

const COLUMNS: readonly ListColumn<HistoryEntry>[] = [
  {
    title: 'Id',
    isWhole: true,
    cell: ({ query_id: id }) => id.slice(0, SHORT_ID_CHARACTERS),
    value: ({ query_id: id }) => id,
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
    title: 'Kept until',
    isWhole: true,
    cell: ({ kept_until: until }) => (until === null ? null : formatFutureTime(until, Date.now())),
    value: ({ kept_until: until }) => isoTime(until),
  },
];

/** Yields the entries of the history whose results are kept, newest first. */
async function* keptEntries(
  { client }: Connection,
  { signal }: Pick<CommandContext, 'signal'>,
  contains: string | undefined,
): AsyncGenerator<HistoryEntry> {
  const filters = {
    state: 'FINISHED',
    size: 1000,
    signal,
    ...(contains === undefined ? {} : { q: contains }),
  } as const;
  let searched = 0;
  for await (const entry of client.history(filters)) {
    if (entry.kept_until !== null && entry.kept_until > Date.now()) yield entry;
    searched += 1;
    if (searched === SEARCHED_MAX) return;
  }
}

export const resultList = defineCommand({
  name: 'result list',
  summary: 'List your kept results, newest first',
  description:
    'A result is kept if its query has `--keep`. The list is that of your last 10,000 queries; results that others have shared are not in it. With `--json`, one JSON object per line, as of `sluice history`.',
  arguments: {},
  options: {
    contains: {
      kind: 'text',
      value: 'TEXT',
      meaning: 'Only with this text in the SQL.',
    },
    limit: { kind: 'integer', value: 'N', min: 1, default: 50, meaning: 'At most this many results.' },
  },
  examples: [
    { command: 'result list', does: 'lists your kept results' },
    { command: 'result list --contains flights --json', does: 'prints those with this word, one JSON object per line' },
  ],
  routes: ['GET /query/history'],
  run: async (context, { options: { contains, limit } }) => {
    const connection = await context.connect();
    await printList(context, keptEntries(connection, context, contains), {
      columns: COLUMNS,
      what: 'kept results',
      limit,
      empty: 'You have no kept results. `sluice query --keep 24h` keeps one.',
    });
  },
});
