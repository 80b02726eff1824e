import { getEventListeners } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Client, createClient, IncompleteResultError, ResponseError, SluiceError } from '@sluice/client';
import { toFile } from '@sluice/client/node';
import { until } from '@sluice/testkit';
import { apiOperationTable } from '../../../../packages/client/src/operations/api-operation-table.ts';
import { streamOperationTable } from '../../../../packages/client/src/operations/stream-operation-table.ts';
import {
  COMPLETE,
  ENDLESS_ANSWERS,
  eventsOf,
  exampleOf,
  type HostileHost,
  METADATA,
  mutationsOf,
  QUERY_ID,
  ROW,
  STREAM_HEADERS,
  sendJson,
  shapeOf,
  startHostileHost,
  WRONG_ANSWERS,
  writeForever,
} from '../hostile-host.ts';

const MIB = 1024 * 1024;
/** The largest limit, and what the sockets of both sides hold. */
const WRITTEN_MAX = 96 * MIB;

let host: HostileHost;
let client: Client;
let folder: string;
const clientOf = (options: Partial<Parameters<typeof createClient>[0]> = {}): Client =>
  createClient({
    ...{ tenant: 'acme', streamUrl: host.url, apiUrl: host.url, retries: 0, timeoutMs: 20_000 },
    auth: { token: () => 'x' },
    ...options,
  });
beforeAll(async () => {
  host = await startHostileHost();
  client = clientOf();
  folder = await mkdtemp(join(tmpdir(), 'sluice-hostile-'));
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

type Call = (input: object) => Promise<unknown>;
type Row = readonly [method: string, path: string, access: string, returned: string, ...unknown[]];
/** Every operation that returns JSON, with values for its path. */
const CALLS = [...Object.entries<Row>(streamOperationTable), ...Object.entries<Row>(apiOperationTable)]
  .filter(([, [, , , returned]]) => returned === 'json')
  .map(([operation, [method, path]]) => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const params = Object.fromEntries(names.map((name) => [name, 'x']));
    const call = () => {
      const own = operation in client.api ? client.api : client.stream;
      return (Reflect.get(own, operation) as Call)({ params, ...(method === 'GET' ? {} : { body: '{}' }) });
    };
    return { operation, call };
  });

async function collect<Each>(source: AsyncIterable<Each>): Promise<Each[]> {
  const all: Each[] = [];
  for await (const each of source) all.push(each);
  return all;
}

const failureOf = (running: Promise<unknown>): Promise<unknown> =>
  running.then(
    () => undefined,
    (error: unknown) => error,
  );

/** The sentence of a failure. No error of JavaScript itself may reach the caller. */
async function sentenceOf(running: Promise<unknown>): Promise<string | undefined> {
  const error = await failureOf(running);
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(SluiceError);
  const { message } = error as SluiceError;
  expect(message).not.toMatch(/TypeError|RangeError|SyntaxError|undefined|\[object/);
  return message;
}

describe('an answer of another shape', () => {
  it('is rejected with the place, for every member of every operation', async () => {
    expect(CALLS.length).toBeGreaterThan(60);
    let count = 0;
    for (const { operation, call } of CALLS) {
      const shape = shapeOf(operation);
      if (shape === undefined) throw new Error(`${operation} has no shape.`);
      host.answer(operation, (response) => sendJson(response, exampleOf(shape)));
      expect([operation, await sentenceOf(call())]).toEqual([operation, undefined]);
      for (const { place, value } of mutationsOf(shape)) {
        count += 1;
        host.answer(operation, (response) => sendJson(response, value));
        const sentence = await sentenceOf(call());
        expect([operation, place, value, sentence]).toEqual([
          ...[operation, place, value],
          expect.stringMatching(/^The server's answer is not valid: /),
        ]);
        expect(sentence).toContain(place.split('[]').at(-1)?.replace(/^\./, ''));
      }
    }
    expect(count).toBeGreaterThan(1000);
  });

  it.each(Object.entries(WRONG_ANSWERS))('%s does not throw an error of JavaScript itself', async (_name, how) => {
    for (const { operation, call } of CALLS.filter((_, index) => index % 8 === 0)) {
      host.answer(operation, how);
      await sentenceOf(call());
    }
    host.answer('login', how);
    const auth = { email: 'a', password: 'b' };
    expect(await sentenceOf(clientOf({ auth, timeoutMs: 500 }).api.getMe())).toBeDefined();
    for (const operation of ['streamQuery', 'downloadCsv', 'getQuery', 'exportMetadata', 'exportAuditLogs']) {
      host.answer(operation, how);
      await sentenceOf(client.rows('SELECT 1'));
      const target = toFile(join(folder, 'out.csv'), { overwrite: true });
      await sentenceOf(client.download({ format: 'csv', sql: 'SELECT 1' }, target));
      await sentenceOf(collect(client.metadata.exportAll()));
      await sentenceOf(collect(client.audit.export()));
    }
  });
});

describe('an answer without an end', () => {
  const assertBounded = async (running: Promise<unknown>): Promise<string | undefined> => {
    const before = host.written();
    const sentence = await sentenceOf(running);
    await until(async () => (host.written() > before ? true : undefined), { what: 'the end of the connection' });
    expect(host.written() - before).toBeLessThan(WRITTEN_MAX);
    return sentence;
  };

  it.each(Object.entries(ENDLESS_ANSWERS))('%s is read up to a limit', async (name, how) => {
    for (const operation of ['login', 'getMe', 'getQuery']) {
      host.answer(operation, how);
      const own = clientOf(operation === 'login' ? { auth: { email: 'a', password: 'b' } } : {});
      const sentence = await assertBounded(
        operation === 'getQuery' ? own.awaitReceipt(QUERY_ID, { lostTimeoutMs: 0 }) : own.api.getMe(),
      );
      expect(sentence).toMatch(name.includes('error') ? /status 500 without an error of Sluice/ : /more than 64 MiB/);
    }
  });

  it('that trickles ends at the time limit', async () => {
    host.answer('getMe', (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.once('close', () => clearInterval(timer));
    });
    expect(await sentenceOf(clientOf({ timeoutMs: 300 }).api.getMe())).toMatch(
      /did not send its whole answer within 300 ms/,
    );
  });

  it.each([
    ['an event', 'data: {"type":"metadata","x":"', /not a row has more than 16 MiB/],
    ['a comment', ': x', /not a row has more than 16 MiB/],
  ])('of a query (%s) is read up to a limit', async (_name, start, expected) => {
    host.answer('streamQuery', (response) => {
      response.writeHead(200, STREAM_HEADERS).write(start);
      writeForever(response, 'x'.repeat(MIB));
    });
    expect(await assertBounded(client.rows('SELECT 1'))).toMatch(expected);
  });

  it('of an export (one line, one object) is read up to a limit', async () => {
    const endless = (start: string) =>
      host.answer(undefined, (response) => {
        response.writeHead(200).write(start);
        writeForever(response, 'x'.repeat(MIB));
      });
    endless('{"metadata_objects":[{"id":"');
    expect(await assertBounded(collect(client.metadata.exportAll()))).toMatch(
      /object of the export has more than 16 MiB/,
    );
    endless('{"a":"');
    expect(await assertBounded(collect(client.audit.export()))).toMatch(/line of the export has more than 16 MiB/);
  });

  it('reads a row of 24 MB, because rows have no limit', async () => {
    const value = 'x'.repeat(24_000_000);
    host.answer(
      'streamQuery',
      (response) =>
        void response
          .writeHead(200, STREAM_HEADERS)
          .end(eventsOf(METADATA, { type: 'row', data: { n: value } }, COMPLETE)),
    );
    const [row] = await client.rows<{ readonly n: string }>('SELECT 1');
    expect(row?.n.length).toBe(value.length);
  });
});

describe('the events of a query', () => {
  const deep = `${'array('.repeat(20_000)}bigint${')'.repeat(20_000)}`;
  it.each<[string, readonly unknown[]]>([
    ['no event', []],
    ['no end', [METADATA, ROW]],
    ['null', [null]],
    ['a number', [1]],
    ['an event without a type', [{}]],
    ['columns that are null', [{ type: 'metadata', columns: null }]],
    ['a column that is null', [{ type: 'metadata', columns: [null] }]],
    ['a column without a type', [{ type: 'metadata', columns: [{ name: 'n' }] }]],
    ['a type that is a number', [{ type: 'metadata', columns: [{ name: 'n', type: 1 }] }]],
    ['a row that is null', [METADATA, { type: 'row', data: null }, COMPLETE]],
    ['a row that is a number', [METADATA, { type: 'row', data: 1 }, COMPLETE]],
    ['a row without data', [METADATA, { type: 'row' }, COMPLETE]],
    ['an error without a code', [METADATA, { type: 'error', error: 'x' }]],
    ['an error with wrong members', [METADATA, { type: 'error', error: {}, code: 1, location: 'x' }]],
    ['progress with wrong members', [METADATA, { type: 'progress', rows: '1' }]],
    ['an end with wrong members', [METADATA, ROW, { ...COMPLETE, rows: '1' }]],
    ['the end of another query', [METADATA, ROW, { ...COMPLETE, query_id: 'another' }]],
    ['an end that is too early', [COMPLETE]],
  ])('%s is an incomplete result', async (_name, events) => {
    for (const options of [{}, { rows: 'text' }] as const) {
      host.answer('streamQuery', (response) => void response.writeHead(200, STREAM_HEADERS).end(eventsOf(...events)));
      const error = await failureOf(client.rows('SELECT 1', options as { readonly rows: 'text' }));
      expect(error).toBeInstanceOf(IncompleteResultError);
    }
  });

  it('with a type that is nested deeply, and a number of a million digits, are read', async () => {
    const metadata = {
      type: 'metadata',
      columns: [
        { name: 'd', type: deep },
        { name: 'n', type: 'bigint' },
      ],
    };
    const digits = '9'.repeat(1_000_000);
    host.answer('streamQuery', (response) => {
      response
        .writeHead(200, STREAM_HEADERS)
        .end(eventsOf(metadata, { type: 'row', data: { d: null, n: digits } }, COMPLETE));
    });
    expect(await client.rows('SELECT 1')).toEqual([{ d: null, n: digits }]);
  });
});

describe('a receipt', () => {
  it('of another query proves nothing', async () => {
    host.answer('getQuery', (response, _request, whole) => {
      const end = response.end.bind(response) as (text: string) => void;
      Object.assign(response, { end: (text: string) => end(text.replace(QUERY_ID, QUERY_ID.replace(/1$/, '2'))) });
      whole();
    });
    const path = join(folder, 'other.csv');
    const error = await failureOf(client.download({ format: 'csv', sql: 'SELECT 1' }, toFile(path)));
    expect(error).toMatchObject({ reason: 'receipt', message: expect.stringContaining('receipt of another query') });
    expect(await failureOf(client.awaitReceipt(QUERY_ID))).toMatchObject({ code: 'unexpected_response' });
  });

  it('is awaited without another listener on the signal for each request', async () => {
    let requests = 0;
    host.answer('getQuery', (response, _request, whole) => {
      requests += 1;
      if (requests > 5) return whole();
      sendJson(response, {
        ...{ query_id: QUERY_ID, state: 'RUNNING', rows: 0, bytes: 0, sha256: null, limited: false },
        ...{ started_ts: 1, ended_ts: null, error: null },
      });
    });
    const { signal } = new AbortController();
    const counts: number[] = [];
    const onReceipt = () => void counts.push(getEventListeners(signal, 'abort').length);
    await client.awaitReceipt(QUERY_ID, { signal, onReceipt });
    expect(Math.max(...counts)).toBeLessThanOrEqual(1);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('pages without an end', () => {
  const page = (token: (number: number) => unknown, entries = 1) => {
    let number = 0;
    host.answer('listCatalogs', (response) => {
      number += 1;
      const shape = shapeOf('listCatalogs') as { readonly data: Parameters<typeof exampleOf>[0] };
      const data = (exampleOf(shape.data) as unknown[]).slice(0, entries);
      sendJson(response, { data, next_page_token: token(number) });
    });
    return failureOf(collect(client.catalog.catalogs()));
  };

  it.each<[string, () => Promise<unknown>, RegExp]>([
    ['a token that is null', () => page(() => null), /next_page_token must be a string/],
    ['the same token', () => page(() => 'same'), /has no end, because it has the token of an earlier page/],
    ['a circle of tokens', () => page((number) => `t${number % 7}`), /has no end, because it has the token/],
    ['new tokens of empty pages', () => page((number) => `t${number}`, 0), /1000 of its pages have nothing new/],
  ])('(%s) are an error', async (_name, read, expected) => {
    const error = await read();
    expect(error).toBeInstanceOf(ResponseError);
    expect((error as Error).message).toMatch(expected);
  });
});

describe('a path that leads to another host', () => {
  it.each(['.evil.example/me', '@127.0.0.1:1/me', ':1/me', 'me', '', '\\\\evil.example/me', ' /me'])(
    '%j is rejected before a token is sent',
    async (path) => {
      host.seen.length = 0;
      const error = await failureOf(client.request({ method: 'GET', host: 'api', path }));
      expect(error).toBeInstanceOf(TypeError);
      expect((error as Error).message).toMatch(/^path must begin with \//);
      expect(host.seen).toEqual([]);
    },
  );

  it('is sent to its own host when it only looks so', async () => {
    host.answer('none', (response) => sendJson(response, {}));
    host.seen.length = 0;
    for (const path of ['//evil.example/me', '/\\evil.example/me', '/../@evil.example'])
      expect((await client.request({ method: 'GET', host: 'api', path })).status).toBe(200);
    expect(host.seen.map(({ authorization }) => authorization)).toEqual(['Bearer x', 'Bearer x', 'Bearer x']);
  });
});
