import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { numberedResult } from '@sluice/engine/testing';
import { type ReceivedResponse, until } from '@sluice/testkit';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';
import { FAILS_LATE } from '@sluice/testkit/statements';
import { startTrinoTenants } from '../trino/trino-tenants.ts';
import { type ReceivedSpan, startOtlpReceiver } from './otlp-receiver.ts';

const HEADERS = 'x-collector-key=of%20the%20collector';
const CALLER_TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER_SPAN = '00f067aa0ba902b7';
const CONTINUED = { traceparent: `00-${CALLER_TRACE}-${CALLER_SPAN}-01` };

let receiver: Awaited<ReturnType<typeof startOtlpReceiver>>;
let hosts: TestHosts;
beforeAll(async () => {
  receiver = await startOtlpReceiver();
  hosts = await startHosts({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url, OTEL_EXPORTER_OTLP_HEADERS: HEADERS });
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await receiver?.[Symbol.asyncDispose]();
});

const factsOf = ({ attributes }: ReceivedSpan): Readonly<Record<string, unknown>> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));

/** Waits for the spans of the trace of a query, by name. Its request ends last. */
async function spansOf(answer: ReceivedResponse): Promise<ReadonlyMap<string, ReceivedSpan>> {
  const query = await until(
    () => receiver.spans.find((span) => factsOf(span)['sluice.query.id'] === queryIdOf(answer)),
    { what: 'the span of the query' },
  );
  const ofTrace = () => receiver.spans.filter(({ traceId }) => traceId === query.traceId);
  await until(() => ofTrace().find(({ name }) => name.startsWith('POST ')), {
    what: 'the span of the request',
  });
  return new Map(ofTrace().map((span) => [span.name, span]));
}

/** Returns the path of each span from the request down. */
function pathsOf(spans: ReadonlyMap<string, ReceivedSpan>): readonly string[] {
  const byId = new Map([...spans.values()].map((span) => [span.spanId, span]));
  const pathOf = (span: ReceivedSpan): string => {
    const parent = byId.get(span.parentSpanId ?? '');
    return parent === undefined ? span.name : `${pathOf(parent)} > ${span.name}`;
  };
  return [...spans.values()].map(pathOf).sort();
}

const TREE = (request: string) => [
  request,
  `${request} > query`,
  `${request} > query > admission`,
  `${request} > query > audit`,
  `${request} > query > receipt`,
  `${request} > query > worker`,
  `${request} > query > worker > engine`,
];

describe('traces', () => {
  it('follow a query from its request through admission, audit, worker and engine to its receipt', async () => {
    const answer = await post(`${hosts.url}/query`, { sql: 'SELECT 42 AS n' }, basicOf(hosts.ann));
    expect(answer.status).toBe(200);
    const spans = await spansOf(answer);
    expect(pathsOf(spans)).toEqual(TREE('POST /query'));
    expect(factsOf(spans.get('query') as ReceivedSpan)).toEqual({
      'sluice.query.id': queryIdOf(answer),
      'sluice.query.format': 'sse',
      'sluice.query.state': 'FINISHED',
      'sluice.query.rows': 1,
      'sluice.query.bytes': expect.any(Number),
      'sluice.tenant': 'acme',
    });
    expect(factsOf(spans.get('engine') as ReceivedSpan)).toEqual({ 'db.system.name': 'duckdb' });
    expect(factsOf(spans.get('POST /query') as ReceivedSpan)).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/query',
      'http.response.status_code': 200,
      'sluice.request_id': answer.headers['x-request-id'],
    });
    const [engine, worker] = [spans.get('engine'), spans.get('worker')] as [ReceivedSpan, ReceivedSpan];
    expect(BigInt(engine.endTimeUnixNano) >= BigInt(engine.startTimeUnixNano)).toBe(true);
    // The clocks of two processes differ by less than this.
    expect(Number(BigInt(worker.startTimeUnixNano) - BigInt(engine.startTimeUnixNano)) / 1e6).toBeLessThan(50);
  });

  it('continue the trace of the caller, and the log has its id with request, query and tenant', async () => {
    const headers = { ...basicOf(hosts.ann), ...CONTINUED, 'x-request-id': 'traced-request' };
    const answer = await post(`${hosts.url}/query/download/csv`, { sql: 'SELECT 42 AS n' }, headers);
    const spans = await spansOf(answer);
    const request = spans.get('POST /query/download/csv');
    expect([request?.traceId, request?.parentSpanId]).toEqual([CALLER_TRACE, CALLER_SPAN]);
    const ids = {
      requestId: 'traced-request',
      traceId: CALLER_TRACE,
      queryId: queryIdOf(answer),
      tenant: 'acme',
    };
    const lines = hosts.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const ofRequest = lines.filter(({ requestId }) => requestId === 'traced-request');
    for (const message of ['query started', 'query ended', 'request completed']) {
      expect(ofRequest.find(({ msg }) => msg === message)).toMatchObject(ids);
    }
  });

  it('mark the query that failed with the code of its failure', async () => {
    const answer = await post(`${hosts.url}/query`, { sql: FAILS_LATE }, basicOf(hosts.ann));
    const spans = await spansOf(answer);
    expect(pathsOf(spans)).toEqual(TREE('POST /query'));
    expect(factsOf(spans.get('query') as ReceivedSpan)).toMatchObject({
      'sluice.query.state': 'FAILED',
      'error.type': expect.stringMatching(/^[a-z_]+$/),
    });
    expect(spans.get('query')?.status.code).toBe(2);
  });

  it('are not recorded for a caller who decided against it', async () => {
    const traceId = CALLER_TRACE.replaceAll('4', '5');
    const headers = { ...basicOf(hosts.ann), traceparent: `00-${traceId}-${CALLER_SPAN}-00` };
    await post(`${hosts.url}/query`, { sql: 'SELECT 42 AS n' }, headers);
    await spansOf(await post(`${hosts.url}/query`, { sql: 'SELECT 43 AS n' }, basicOf(hosts.ann)));
    expect(receiver.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('reach the collector with its headers, and contain no SQL, value, credential or name of an account', async () => {
    const secret = 'a-literal-of-the-statement';
    const user = await hosts.build.user(hosts.acme);
    const answers = [
      await post(`${hosts.url}/query`, { sql: `SELECT '${secret}' AS wrong_column` }, basicOf(user)),
      await post(`${hosts.url}/query`, { sql: `SELECT CAST('${secret}' AS integer) AS n` }, basicOf(user)),
      await post(`${hosts.url}/query`, { sql: `DELETE FROM items WHERE name = '${secret}'` }, basicOf(user)),
      await post(`${hosts.url}/query`, { sql: 'SELECT 1' }, { authorization: 'Basic bm90OnJpZ2h0' }),
    ];
    for (const answer of answers.slice(0, 3)) await spansOf(answer);
    const received = receiver.requests.join('\n');
    expect(received).toContain('POST /v1/traces');
    expect(received).toContain('"x-collector-key":"of the collector"');
    for (const word of [secret, 'wrong_column', 'SELECT', 'DELETE', user.email, user.password, 'bm90OnJpZ2h0']) {
      expect([word, received.includes(word)]).toEqual([word, false]);
    }
  });
});

describe('a collector that is down', () => {
  it('is logged once, and prevents neither queries nor the end of the host', async () => {
    const own = await startHosts({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' });
    const isLost = () => own.logLines.filter((line) => line.includes('"event":"traces_lost"'));
    try {
      for (let sent = 0; sent < 3; sent += 1) {
        expect((await post(`${own.url}/query`, { sql: 'SELECT 1' }, basicOf(own.ann))).status).toBe(200);
        await until(() => (isLost().length > 0 ? true : undefined), { what: 'the warning' });
      }
      await own.stream.drain();
      expect(isLost()).toHaveLength(1);
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });
});

describe('a trace on Trino', () => {
  const tenants = { wells: { fake: { result: numberedResult(3, 1) } } };
  const answersOf = async (settings: Readonly<Record<string, string>>, headers: Readonly<Record<string, string>>) => {
    await using trino = await startTrinoTenants(tenants, settings);
    const { hosts: own, callers, fakes } = trino;
    const answer = await post(`${own.url}/query`, { sql: 'SELECT n FROM shop.s.t' }, { ...callers.wells, ...headers });
    expect((await eventsOf(answer)).at(-1)).toMatchObject({ type: 'complete' });
    const submitted = fakes.get('wells')?.requests.find(({ kind }) => kind === 'submit');
    return { answer, traceparent: submitted?.headers['traceparent'] };
  };

  it('is continued with the span of the worker while traces are recorded', async () => {
    const { answer, traceparent } = await answersOf({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url }, {});
    const worker = (await spansOf(answer)).get('worker');
    expect(traceparent).toBe(`00-${worker?.traceId}-${worker?.spanId}-01`);
  });

  it('is passed on without a collector too, and is not begun for a caller who sent none', async () => {
    const { traceparent } = await answersOf({}, CONTINUED);
    expect(traceparent).toMatch(new RegExp(`^00-${CALLER_TRACE}-[0-9a-f]{16}-01$`));
    expect((await answersOf({}, {})).traceparent).toBeUndefined();
  });
});
