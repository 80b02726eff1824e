import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { allCases, allCombinations, pairwise } from '@sluice/testkit';
import type { TestHosts } from '@sluice/testkit/hosts';
import { finalReceipt } from '@sluice/testkit/requests';
import { CUT, countTo } from '@sluice/testkit/statements';
import { FORMATS, type FormatName } from './assert-cut.ts';
import { byAll, expectCut, read, readByNode, type Source } from './read-transfers.ts';
import { startStoppableHosts } from './start-stoppable-hosts.ts';
import { STOPS, type Stop } from './stops.ts';
import { CLIENTS } from './third-party-clients.ts';

let stoppable: Awaited<ReturnType<typeof startStoppableHosts>>;
let hosts: TestHosts;
let source: Source;
beforeAll(async () => {
  stoppable = await startStoppableHosts();
  ({ hosts, source } = stoppable);
}, 120_000);
afterAll(async () => await stoppable?.[Symbol.asyncDispose]());

const BY_NODE = 'node:http';
const DIMENSIONS = {
  stop: Object.entries<Stop>(STOPS).flatMap(([name, { endsItself }]) => (endsItself ? [name] : [])),
  row: CUT.rows,
  format: FORMATS,
  client: [...CLIENTS.keys(), BY_NODE],
};

/** Ends of a result with the last row 99999; in any other format: the row has a line of its own. */
const LAST_ROW: Readonly<Partial<Record<FormatName, RegExp>>> = {
  stream: /\n\ndata: \{"type":"complete"\}\n\n$/,
  json: /\{"n":99999\}\n\]\}$/,
  csv: /\n99999\n$/,
  ndjson: /\n\{"n":99999\}\n$/,
};

describe('a complete result', () => {
  it.each(FORMATS)('ends without an error for curl, fetch and Python in %s', async (format) => {
    const sql = countTo(100_000);
    const reads = await Promise.all(byAll(format).map((reader) => read(reader, sql, source)));
    for (const { client, status, failure, text } of reads) {
      expect([client, status, failure]).toEqual([client, 200, undefined]);
      expect(text).toMatch(LAST_ROW[format] ?? /\n\W*99999\W*\n$/);
    }
  });
});

describe('a statement that fails', () => {
  it.each(allCases ? allCombinations(DIMENSIONS) : pairwise(DIMENSIONS))(
    'by $stop in row $row is reported in $format to $client, or fails the transfer',
    async ({ stop, row, format, client }) => {
      const { sql, cut } = STOPS[stop as keyof typeof STOPS];
      if (client !== BY_NODE) {
        await expectCut([await read({ client, format }, sql(row), source)], cut(row));
        return;
      }
      const transfer = await readByNode(format, sql(row), source);
      await expectCut([transfer], cut(row));
      const { credential } = source;
      const receipt = await finalReceipt(hosts.url, transfer.queryId, { credential });
      expect(receipt).toMatchObject({ error: { code: cut(row).code } });
    },
  );
});
