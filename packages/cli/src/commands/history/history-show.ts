import { ResponseError } from '@sluice/client';
import { visibleText } from '@sluice/contract/visible-text';
import { defineCommand } from '../../command.ts';
import type { CommandContext, Connection } from '../../context.ts';
import { CommandError } from '../../errors.ts';
import { printDetails } from '../../output/print-details.ts';
import { formatDuration, formatTime } from '../../times/time.ts';

type Client = Connection['client'];
type Entry = ReturnType<Client['history']> extends AsyncGenerator<infer Each> ? Each : never;

const WHOLE_ID_CHARACTERS = 36;
/** Queries of the history among which a short id is looked for, newest first. */
const SEARCHED_MAX = 10_000;

/**
 * Finds a query in the history by the beginning of its id. Undefined: it is not among the last 10,000.
 * @throws CommandError if several begin with it
 */
async function findEntry({ signal }: CommandContext, client: Client, id: string): Promise<Entry | undefined> {
  let [found, searched]: [Entry | undefined, number] = [undefined, 0];
  for await (const entry of client.history({ size: 1000, signal })) {
    if (entry.query_id.startsWith(id)) {
      if (found !== undefined)
        throw new CommandError(`Several of your queries begin with ${id}: ${found.query_id} and ${entry.query_id}.`);
      found = entry;
      if (id.length === WHOLE_ID_CHARACTERS) break;
    }
    searched += 1;
    if (searched === SEARCHED_MAX) break;
  }
  return found;
}

const parametersOf = (entry: Entry | undefined): string | null => {
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
    const { kind = null, sql = null, parameters = null } = entry ?? {};
    await printDetails(
      context,
      { ...receipt, kind, sql, parameters },
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
          ['Error', receipt.error === null ? null : `${receipt.error.code}: ${receipt.error.message}`],
        ],
      },
    );
  },
});
