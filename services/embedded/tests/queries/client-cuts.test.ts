import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type Client,
  createClient,
  IncompleteResultError,
  type Query,
  type StatementDownload,
  toBlob,
} from '@sluice/client';
import { shortOrLong } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { countTo } from '@sluice/testkit/statements';

const ROWS = 12;
/** Bytes between two cuts of a download; near its end, every byte is tried. */
const STEP = shortOrLong(5, 1);
const END_BYTES = 64;
const URL_OF_NOTHING = 'http://127.0.0.1:9';

let hosts: TestHosts;
let client: Client;
beforeAll(async () => {
  hosts = await startHosts();
  const { email, password } = hosts.ann;
  client = createClient({ tenant: 'acme', streamUrl: hosts.url, apiUrl: hosts.api.url, auth: { email, password } });
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
});

/** A recorded response, and the receipt of its query. */
interface Recorded {
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  readonly receipt: unknown;
}

async function record(response: Response): Promise<Recorded> {
  const { headers } = response;
  const bytes = new Uint8Array(await response.arrayBuffer());
  const receipt = await client.stream.getQuery({ params: { id: headers.get('x-query-id') ?? '' } });
  return { headers, bytes, receipt };
}

/**
 * Returns a client that receives the first bytes of a recorded response, each from a connection of its own.
 * @param ending - whether the body ends as a complete one does, or with a failure of the connection
 */
function replay({ headers, bytes, receipt }: Recorded, length: number, ending: 'end' | 'cut'): Client {
  const body = () =>
    new ReadableStream<Uint8Array>({
      start: (controller) => {
        if (length > 0) controller.enqueue(bytes.slice(0, length));
        if (ending === 'end') controller.close();
      },
      pull: (controller) => controller.error(new TypeError('terminated')),
    });
  const fetchRecorded = async (_input: unknown, init?: RequestInit) =>
    init?.method === 'GET' ? Response.json(receipt) : new Response(body(), { headers });
  const urls = { streamUrl: URL_OF_NOTHING, apiUrl: URL_OF_NOTHING };
  return createClient({ tenant: 'acme', ...urls, auth: { token: () => 'x' }, fetch: fetchRecorded as typeof fetch });
}

async function read(query: Query): Promise<{ rows: number; error: unknown }> {
  let rows = 0;
  try {
    for await (const _row of query) rows += 1;
    return { rows, error: undefined };
  } catch (error) {
    return { rows, error };
  }
}

describe('a recorded stream of rows', () => {
  let recorded: Recorded;
  beforeAll(async () => {
    const body = { sql: countTo(ROWS), progress: true, big_numbers: 'string' as const };
    recorded = await record(await client.stream.streamQuery({ body }));
  });

  it('is complete with all its bytes', async () => {
    const query = replay(recorded, recorded.bytes.length, 'end').query('SELECT 1');
    expect(await read(query)).toEqual({ rows: ROWS, error: undefined });
    expect(query).toMatchObject({ state: 'complete', summary: { rows: ROWS } });
  });

  it.each(['end', 'cut'] as const)('is never complete when it is cut at any byte (%s)', async (ending) => {
    const seen = new Set<number>();
    for (let length = 0; length < recorded.bytes.length; length += 1) {
      const query = replay(recorded, length, ending).query('SELECT 1');
      const { rows, error } = await read(query);
      seen.add(rows);
      expect({ length, error }).toEqual({ length, error: expect.any(IncompleteResultError) });
      expect(query).toMatchObject({ state: 'incomplete', summary: undefined });
    }
    // All rows arrive before the last event does, and still do not make the result complete.
    expect([...seen]).toEqual(Array.from({ length: ROWS + 1 }, (_, n) => n));
  });
});

describe.each(['csv', 'json', 'ndjson', 'xlsx', 'parquet'] as const)('a recorded download of %s', (format) => {
  let recorded: Recorded;
  const request: StatementDownload = { format, sql: countTo(ROWS) };
  beforeAll(async () => {
    const id = `download${format.slice(0, 1).toUpperCase()}${format.slice(1)}` as 'downloadCsv';
    recorded = await record(await client.stream[id]({ body: { sql: request.sql } }));
  });

  it('equals its receipt with all its bytes', async () => {
    const { result } = await replay(recorded, recorded.bytes.length, 'end').download(request, toBlob());
    expect(result.size).toBe(recorded.bytes.length);
  });

  it.each(['end', 'cut'] as const)('is never complete when it is cut at any byte (%s)', async (ending) => {
    const { length: whole } = recorded.bytes;
    const lengths = Array.from({ length: whole }, (_, length) => length).filter(
      (length) => length % STEP === 0 || length >= whole - END_BYTES,
    );
    const failures = await Promise.all(
      lengths.map((length) =>
        replay(recorded, length, ending)
          .download(request, toBlob())
          .then(
            () => `complete with ${length} bytes`,
            (error: unknown) => error,
          ),
      ),
    );
    expect(failures.filter((error) => !(error instanceof IncompleteResultError))).toEqual([]);
  });

  it('is not complete when one of its bytes was changed', async () => {
    const { bytes } = recorded;
    for (const at of [0, Math.floor(bytes.length / 2), bytes.length - 1]) {
      const changed = bytes.map((byte, index) => (index === at ? byte ^ 1 : byte));
      const changing = replay({ ...recorded, bytes: changed }, bytes.length, 'end').download(request, toBlob());
      await expect(changing).rejects.toMatchObject({ reason: 'hash' });
    }
  });
});
