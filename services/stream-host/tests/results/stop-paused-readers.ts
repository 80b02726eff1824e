import { openSlowReader, until } from '@sluice/testkit';
import { listOf } from '@sluice/testkit/requests';
import { LONG } from '@sluice/testkit/statements';
import { FORMATS, pathOf } from './assert-cut.ts';
import type { Read, Source } from './read-transfers.ts';

/** Reads an endless result in each format, pauses after 100 kB, stops the queries, and reads on. */
export async function stopPausedReaders(
  { url, credential }: Source,
  stop: (queryId: string) => Promise<unknown> | unknown,
): Promise<readonly Read[]> {
  // Queries of a killed host stay listed until another host closes them.
  const known = new Set((await listOf(url, credential)).map(({ query_id }) => query_id));
  const readers = FORMATS.map((format) =>
    openSlowReader({
      url: `${url}${pathOf(format)}`,
      headers: { 'content-type': 'application/json', connection: 'close', ...credential },
      body: JSON.stringify({ sql: LONG }),
    }),
  );
  try {
    await Promise.all(readers.map((reader) => reader.untilBytes(100_000)));
    for (const reader of readers) reader.readAt(0);
    const running = await until(
      async () => {
        const listed = (await listOf(url, credential)).filter(({ query_id }) => !known.has(query_id));
        return listed.length === FORMATS.length ? listed : undefined;
      },
      { what: 'all queries' },
    );
    for (const { query_id } of running) await stop(query_id);
    for (const reader of readers) reader.readAt(Number.POSITIVE_INFINITY);
    await Promise.all(readers.map((reader) => reader.ended));
    return readers.map((reader, index) => {
      const { text, isWhole } = readBody(reader.received());
      const failure = isWhole ? undefined : 'IncompleteRead';
      return { client: 'a paused socket', format: FORMATS[index] ?? 'stream', status: 200, text, failure };
    });
  } finally {
    for (const reader of readers) reader[Symbol.dispose]();
  }
}

/** Parses a chunked body; `isWhole` is true when its last chunk has arrived. */
function readBody(received: Buffer): { readonly text: string; readonly isWhole: boolean } {
  const pieces: Buffer[] = [];
  let at = received.indexOf('\r\n\r\n') + 4;
  for (;;) {
    const end = received.indexOf('\r\n', at);
    const size = end === -1 ? Number.NaN : Number.parseInt(received.toString('latin1', at, end), 16);
    if (Number.isNaN(size)) return { text: Buffer.concat(pieces).toString(), isWhole: false };
    if (size === 0) return { text: Buffer.concat(pieces).toString(), isWhole: true };
    pieces.push(received.subarray(end + 2, end + 2 + size));
    at = end + 2 + size + 2;
  }
}
