import type { KeptResultFacts } from '@sluice/client';
import { defineCommand } from '../../command.ts';
import { explainMissing, findResult, RESULT_ARGUMENT } from '../../kept-results/find-result.ts';
import { LAST_RESULT } from '../../kept-results/last-result.ts';
import { type Details, printDetails } from '../../output/print-details.ts';
import { formatBytes, formatCount } from '../../output/quantity.ts';
import { formatFutureTime, formatTime } from '../../times/time.ts';

function sharesText({ shares, is_own: isOwn }: KeptResultFacts): string | null {
  if (shares === null || !isOwn) return null;
  return shares.length === 0 ? 'with no other account' : shares.map(({ kind, name }) => `${kind} ${name}`).join(', ');
}

const toDetails = (facts: KeptResultFacts): Details => ({
  title: `Result of query ${facts.query_id}`,
  fields: [
    ['Statement', facts.sql, 'whole'],
    ['Rows', facts.limited ? `${formatCount(facts.rows)} (more exist; the query had a size)` : formatCount(facts.rows)],
    ['Stored', formatBytes(facts.bytes)],
    ['Ran', `${formatTime(facts.as_of)} by ${facts.ran_by}`],
    ['Time zone', facts.time_zone],
    ['Kept until', formatFutureTime(facts.expires_ts, Date.now())],
    ['Shared', sharesText(facts)],
    ['Formats', facts.formats.join(', ')],
  ],
  tables: [
    {
      title: 'Columns',
      columns: [{ title: 'Column' }, { title: 'Type' }],
      rows: facts.columns.map(({ name, type }) => [name, type]),
    },
  ],
});

export const resultShow = defineCommand({
  name: 'result show',
  summary: 'Show a kept result: its columns, size, expiry, shares and formats',
  arguments: { id: RESULT_ARGUMENT },
  options: {},
  examples: [{ command: `result show "${LAST_RESULT}"`, does: 'shows your last kept result' }],
  routes: ['GET /query/{id}/result', 'GET /query/history'],
  run: async (context, { arguments: { id } }) => {
    const { signal } = context;
    const { client } = await context.connect();
    const result = await findResult(context, client, id);
    const facts = await result.facts({ signal }).catch(explainMissing(result.id));
    await printDetails(context, facts, toDetails(facts));
  },
});
