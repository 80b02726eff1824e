import { ResponseError } from '@sluice/client';
import { visibleText } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { findEntry, type HistoryEntry } from '../../history-entries/find-entry.ts';
import { printDetails } from '../../output/print-details.ts';
import { formatDuration, formatFutureTime, formatTime } from '../../times/time.ts';

const parametersOf = (entry: HistoryEntry | undefined): string | null => {
  const parameters = Object.entries(entry?.parameters ?? {});
  return parameters.length === 0
    ? null
    : parameters.map(([name, value]) => `${name} = ${JSON.stringify(value)}`).join('\n');
};

export const historyShow = defineCommand({
  name: 'history show',
  summary: 'Show the statement and the receipt of one of your queries',
  description:
    'A receipt is kept as long as its audit record, the statement as long as the history. SHA-256 is that of the uncompressed body as sent.',
  arguments: {
    id: { meaning: 'Id of the query, or its beginning.', isRequired: true, completes: 'query' },
  },
  options: { sql: { kind: 'flag', meaning: 'Print the statement alone, as it was sent.' } },
  examples: [
    {
      command: 'history show "$(sluice history --json --limit 1 | sed \'s/.*"query_id":"\\([^"]*\\)".*/\\1/\')"',
      does: 'shows the receipt of your last query',
    },
  ],
  routes: ['GET /query/{id}', 'GET /query/history'],
  run: async (context, { arguments: { id: given }, options }) => {
    const { client } = await context.connect();
    const entry = await findEntry(context, client, given.toLowerCase());
    const id = entry?.query_id ?? given;
    if (options.sql) {
      if (typeof entry?.sql !== 'string') throw new CommandError(`Your history has no statement of query ${id}.`);
      const { stdout } = context.terminal;
      return await stdout.write(`${stdout.isTerminal ? visibleText(entry.sql) : entry.sql}\n`);
    }
    const receipt = await client.stream.getQuery({ params: { id }, signal: context.signal }).catch((error: unknown) => {
      if (!(error instanceof ResponseError) || ![400, 404].includes(error.status ?? 0)) throw error;
      throw new CommandError(`You have no query ${id}. \`sluice history\` shows the ids.`, { cause: error });
    });
    const { ended_ts: ended, started_ts: started } = receipt;
    const { kind = null, sql = null, parameters = null, kept_until: keptUntil = null } = entry ?? {};
    await printDetails(
      context,
      { ...receipt, kind, sql, parameters, kept_until: keptUntil },
      {
        title: `Query ${receipt.query_id}`,
        fields: [
          ['State', receipt.state],
          ['Kind', kind],
          ['Statement', sql, 'whole'],
          ['Parameters', parametersOf(entry), 'whole'],
          ['Rows', receipt.limited === true ? `${receipt.rows} (more exist; the query had a size)` : receipt.rows],
          ['Bytes', receipt.bytes],
          ['SHA-256', receipt.sha256],
          ['Started', formatTime(started)],
          ['Ended', formatTime(ended)],
          ['Duration', ended === null || started === null ? null : formatDuration(ended - started)],
          ['Kept until', keptUntil === null ? null : formatFutureTime(keptUntil, Date.now())],
          ['Error', receipt.error === null ? null : `${receipt.error.code}: ${receipt.error.message}`],
        ],
      },
    );
  },
});
