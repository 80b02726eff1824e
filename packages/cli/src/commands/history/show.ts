import { ResponseError } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { CommandError } from '../../errors.ts';
import { printDetails } from '../../output/print-details.ts';
import { formatDuration, formatTime } from '../../times/format-time.ts';

export const historyShow = defineCommand({
  name: 'history show',
  summary: 'Show the receipt of one of your queries',
  description: 'A receipt is kept as long as its audit record. Its SHA-256 is that of the uncompressed body as sent.',
  arguments: { id: { meaning: 'Id of the query.', isRequired: true, completes: 'query' } },
  options: {},
  examples: [
    {
      command: 'history show "$(sluice history --json --limit 1 | sed \'s/.*"query_id":"\\([^"]*\\)".*/\\1/\')"',
      does: 'shows the receipt of your last query',
    },
  ],
  routes: ['GET /query/{id}'],
  run: async (context, { arguments: { id } }) => {
    const { client } = await context.connect();
    const receipt = await client.stream.getQuery({ params: { id }, signal: context.signal }).catch((error: unknown) => {
      if (!(error instanceof ResponseError) || error.status !== 404) throw error;
      throw new CommandError(`You have no query ${id}. \`sluice history\` shows the ids.`, { cause: error });
    });
    const { ended_ts: ended, started_ts: started } = receipt;
    await printDetails(context, receipt, {
      title: `Query ${receipt.query_id}`,
      fields: [
        ['State', receipt.state],
        ['Rows', receipt.limited === true ? `${receipt.rows} (more exist; the query had a size)` : receipt.rows],
        ['Bytes', receipt.bytes],
        ['SHA-256', receipt.sha256],
        ['Started', formatTime(started)],
        ['Ended', formatTime(ended)],
        ['Duration', ended === null || started === null ? null : formatDuration(ended - started)],
        ['Error', receipt.error === null ? null : `${receipt.error.code}: ${receipt.error.message}`],
      ],
    });
  },
});
