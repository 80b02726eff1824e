import { Agent, request } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiOperations, isPermission, type Operation, PERMISSIONS, streamOperations } from '@sluice/contract';
import { measureSlowness } from '@sluice/testkit';
import { json, route } from '../src/index.ts';
import { type Started, startApp } from '../testing/start-app.ts';

const BYTES = 64 * 1024;
/** Limits on the reference machine (.ci/machine-speed.mjs): 5 ms in the host, and 2 ms for the client and the socket. */
const QUERY_MS = 7;
/** Bodies of the API host may hold more values: its imports and configurations are large. */
const API_MS = 15;
/** Attempts until the code is compiled, and then for a pause of the machine, which only adds time. */
const ATTEMPTS_MAX = 200;

const { streamQuery } = streamOperations;
const { importMetadata, createDatamap, applyConfiguration } = apiOperations;

/** Returns `head`, as many parts as fit into 64 KiB or are allowed, and `tail`. Spaces fill the rest. */
function filled(head: string, part: (index: number) => string, tail: string, partsMax = Number.POSITIVE_INFINITY) {
  const parts: string[] = [];
  let length = head.length + tail.length;
  for (let index = 0; index < partsMax; index += 1) {
    const next = part(index);
    length += next.length + 1;
    if (length > BYTES) break;
    parts.push(next);
  }
  return `${head}${parts.join(',')}${tail}`.padEnd(BYTES);
}

/** Just below the limit of values. */
const MOST = (streamQuery.body?.valuesMax ?? 0) - 10;
const key = (index: number) => `"${index.toString(36)}":1`;
const deep = (inner: string) => `${'{"a":'.repeat(60)}${inner}${'}'.repeat(60)}`;

const QUERY_BODIES: Readonly<Record<string, string>> = {
  'unknown members': filled('{', key, '}', MOST),
  'a repeated member': filled('{', () => '"a":1', '}', MOST),
  'a list': filled('[', () => '1', ']', MOST),
  'lists within a list': filled('[', () => '[]', ']', MOST),
  'objects within a list': filled('[', () => '{"a":1}', ']', MOST / 2),
  'too many parameters': filled('{"sql":"SELECT 1","parameters":{', key, '}}', MOST),
  'parameters that are not values': filled('{"sql":"SELECT 1","parameters":{', (n) => `"p${n}":[]`, '}}', 1_000),
  'parameters without a valid type': filled(
    '{"sql":"SELECT 1","parameters":{',
    (n) => `"p${n}":{"type":"timestamp(3) with time zone","value":"2020-01-01 00:00:0"}`,
    '}}',
    1_000,
  ),
  'a list of items that do not fit': filled(
    '{"sql":"SELECT 1","parameters":{"a":{"type":"array(timestamp(3))","value":[',
    () => '"x"',
    ']}}}',
    10_000,
  ),
  'lists of several types': filled(
    '{"sql":"SELECT 1","parameters":{',
    (n) => `"p${n}":["x",${Array.from({ length: 100 }, () => 1).join()}]`,
    '}}',
    300,
  ),
  'a list beside SQL that is not a string': filled('{"sql":5,"parameters":{"a":[', (n) => `${n}`, ']}}', 10_000),
  'numbers with a fraction, far down': filled(
    `{"parameters":${'{"a":'.repeat(60)}[`,
    () => '1.10',
    `]${'}'.repeat(61)}`,
    MOST,
  ),
  'one long number': `{"sql":5,"parameters":{"a":${'1'.repeat(BYTES - 40)}}}`,
  escapes: `{"sql":"${'\\"'.repeat(BYTES / 2 - 20)}","x":1}`,
  'a mistake at the end': filled('[', () => '"a"', ',]', MOST),
  'a repeated member, far down': deep(`{${'"a":1,'.repeat(MOST - 70)}"a":1}`),
  'more values than the limit': filled('[', () => '1', ']'),
};

const list = (count: number, value: string) => `[${Array.from({ length: count }, () => value).join(',')}]`;

const API_BODIES: readonly (readonly [operation: Operation, what: string, body: string])[] = [
  [importMetadata, 'tags', filled('{"metadata_objects":[', () => `{"tags":${list(600, '1')}}`, ']}', 50)],
  [importMetadata, 'fields', filled('{"metadata_objects":[', () => `{"fields":${list(600, '1')}}`, ']}', 50)],
  [
    importMetadata,
    'fields without names',
    filled('{"metadata_objects":[', () => `{"fields":${list(400, '{}')}}`, ']}', 50),
  ],
  [importMetadata, 'unknown members', filled('{', key, '}')],
  [
    createDatamap,
    'allowed values',
    filled(
      '{"name":"a","parameters":[',
      (n) => `{"name":"p${n}","type":"date","allowed_values":${list(1_000, '1')}}`,
      ']}',
      100,
    ),
  ],
  [createDatamap, 'one long list', filled('{"name":"a","tags":[', () => '1', ']}')],
  [
    applyConfiguration,
    'queries of items',
    filled('{"marketplace_items":[', () => `{"queries":${list(100, '{}')},"tags":${list(100, '1')}}`, ']}', 200),
  ],
  [applyConfiguration, 'roles of users', filled('{"users":[', () => `{"roles":${list(100, '1')}}`, ']}', 500)],
  [applyConfiguration, 'a mistake at the end', filled('[', () => '1', ',]')],
];

const authenticator = (() => {
  let accounts = 0;
  // Each request is of another account, so that no budget of refused bodies ends.
  return {
    authenticate: async () => ({
      tenant: { id: '1', name: 'acme', state: 'active' as const, settings: {} },
      kind: 'user' as const,
      id: `user ${accounts++}`,
      name: 'ann',
      roles: [],
      permissions: new Set(Object.keys(PERMISSIONS).filter(isPermission)),
      authenticatedAtMs: performance.now(),
    }),
  };
})();

let started: Started;
let slowness: number;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
beforeAll(async () => {
  slowness = measureSlowness();
  const operations: readonly Operation[] = [streamQuery, importMetadata, createDatamap, applyConfiguration];
  started = await startApp({
    authenticator,
    routes: operations.map((operation) => route(operation, async () => json(200, {}))),
  });
});
afterAll(async () => {
  agent.destroy();
  await started[Symbol.asyncDispose]();
});

function send({ method, path }: Operation, body: string): Promise<number> {
  const headers = { 'content-type': 'application/json', idtoken: 'x', 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(started.address(path), { agent, method, headers }, (response) => {
      response.resume().on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject).end(body);
  });
}

/** Time of the fastest attempt, with its client. Ends as soon as one is within the time. */
async function fastestMs(operation: Operation, body: string, withinMs: number): Promise<number> {
  let fastest = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS_MAX && fastest > withinMs; attempt += 1) {
    const begun = performance.now();
    expect(await send(operation, body)).toBe(400);
    fastest = Math.min(fastest, performance.now() - begun);
  }
  return fastest;
}

describe('a refused body of 64 KiB', () => {
  it.each(Object.entries(QUERY_BODIES))('POST /query takes little time: %s', async (_what, body) => {
    const limitMs = QUERY_MS * slowness;
    expect(await fastestMs(streamQuery, body, limitMs)).toBeLessThanOrEqual(limitMs);
  });

  it.each(API_BODIES.map(([operation, what, body]) => [operation.path, what, { operation, body }] as const))(
    'POST %s takes little time: %s',
    async (_path, _what, { operation, body }) => {
      const limitMs = API_MS * slowness;
      expect(await fastestMs(operation, body, limitMs)).toBeLessThanOrEqual(limitMs);
    },
  );
});
