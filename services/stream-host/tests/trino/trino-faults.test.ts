import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  type FakeFault,
  type FakeRequest,
  type FakeTrinoOptions,
  numberedResult,
  selfSigned,
} from '@sluice/engine/testing';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { eventsOf, post, queryIdOf, receiptOf } from '@sluice/testkit/requests';
import { startTrinoTenants, type TenantTrino, type TrinoTenants } from './trino-tenants.ts';

const PATHS = {
  stream: '/query',
  json: '/query/download/json',
  csv: '/query/download/csv',
  ndjson: '/query/download/ndjson',
} as const;
type Format = keyof typeof PATHS;
const FORMATS = Object.keys(PATHS) as readonly Format[];

/** Large enough that rows are sent before the next page is requested. */
const RESULT = numberedResult(60_000, 20_000);
const HTML = {
  kind: 'answer',
  contentType: 'text/html',
  body: '<html><body>nginx at trino-7.internal</body></html>',
} as const;

const failing = (fault: (request: FakeRequest) => FakeFault | undefined): TenantTrino => ({
  fake: { result: RESULT, fault },
});
const onPage = (page: number, fault: FakeFault): TenantTrino =>
  failing((request) => (request.kind === 'page' && request.page === page ? fault : undefined));
const respondingWith = (options: Partial<FakeTrinoOptions>): TenantTrino => ({ fake: { result: RESULT, ...options } });

const OWN_CERTIFICATE = selfSigned('trino');
const OTHER_CERTIFICATE = selfSigned('not-trino');

/** Faults before the first row. */
const AT_ONCE: Readonly<Record<string, readonly [TenantTrino, code: string, sentence: RegExp]>> = {
  'refused-connection': [{ url: 'http://127.0.0.1:9' }, 'ENGINE_UNAVAILABLE', /refuses the connection/],
  'unknown-name': [{ url: 'http://trino.invalid:8080' }, 'ENGINE_UNAVAILABLE', /cannot be reached/],
  html: [failing(() => HTML), 'ENGINE_UNAVAILABLE', /is not Trino/],
  'another-certificate': [
    { ...respondingWith({ tls: OTHER_CERTIFICATE }), more: { ca: OWN_CERTIFICATE.certificate } },
    'ENGINE_UNAVAILABLE',
    /certificate of Trino is not trusted/,
  ],
  old: [respondingWith({ version: '399' }), 'ENGINE_UNAVAILABLE', /too old/],
  starting: [respondingWith({ isStarting: true }), 'ENGINE_UNAVAILABLE', /is starting/],
  'no-json': [
    onPage(1, { kind: 'answer', contentType: 'application/json', body: '{"id":' }),
    'ENGINE_UNAVAILABLE',
    /./,
  ],
  denied: [
    failing(({ kind }) => (kind === 'submit' ? { kind: 'status', status: 401 } : undefined)),
    'ENGINE_UNAVAILABLE',
    /./,
  ],
};

/** Faults after which rows may have been sent. */
const PART_WAY: Readonly<Record<string, readonly [TenantTrino, code: string]>> = {
  storm: [onPage(3, { kind: 'status', status: 502 }), 'ENGINE_UNAVAILABLE'],
  'html-page': [onPage(3, HTML), 'ENGINE_UNAVAILABLE'],
  hanging: [onPage(3, { kind: 'hang' }), 'ENGINE_UNAVAILABLE'],
  resetting: [onPage(3, { kind: 'reset' }), 'ENGINE_UNAVAILABLE'],
  cut: [onPage(3, { kind: 'cut', bytes: 5000 }), 'ENGINE_UNAVAILABLE'],
  forgotten: [onPage(3, { kind: 'status', status: 410 }), 'ENGINE_UNAVAILABLE'],
  'failing-data': [
    respondingWith({
      result: {
        ...RESULT,
        pages: [
          ...RESULT.pages.slice(0, 2),
          { error: { message: 'boom', errorName: 'DIVISION_BY_ZERO', errorType: 'USER_ERROR' } },
        ],
      },
    }),
    'DATA_ERROR',
  ],
  'worker-lost': [
    respondingWith({
      result: {
        ...RESULT,
        pages: [
          ...RESULT.pages.slice(0, 2),
          { error: { message: 'node 10.0.0.7 is gone', errorName: 'REMOTE_HOST_GONE', errorType: 'INTERNAL_ERROR' } },
        ],
      },
    }),
    'ENGINE_UNAVAILABLE',
  ],
};

/** Transient faults, which are not reported. */
const PASSING: Readonly<Record<string, TenantTrino>> = {
  // Attempts are counted across all formats.
  'short-storm': failing(({ kind, attempt }) =>
    kind === 'page' && attempt % 3 !== 0 ? { kind: 'status', status: attempt % 3 === 1 ? 502 : 503 } : undefined,
  ),
  'lost-once': failing(({ kind, page, attempt }) =>
    kind === 'page' && page === 2 && attempt % 2 === 1 ? { kind: 'reset' } : undefined,
  ),
  'cut-once': failing(({ kind, page, attempt }) =>
    kind === 'page' && page === 2 && attempt % 2 === 1 ? { kind: 'cut', bytes: 300 } : undefined,
  ),
  'own-certificate': { ...respondingWith({ tls: OWN_CERTIFICATE }), more: { ca: OWN_CERTIFICATE.certificate } },
  setting: respondingWith({
    headers: { 'x-trino-set-session': 'query_max_run_time=1s', 'x-trino-set-catalog': 'other' },
  }),
};

const SECRET = 'engine-secret-7f3a';

const processText = async (pid: number): Promise<string> =>
  (await Promise.all(['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8')))).join('');

const TRIES_MAX = 5;

let tenants: TrinoTenants<string>;
const answers = new Map<string, Readonly<Record<Format, ReceivedResponse>>>();

/** A worker serves one tenant. With as many tenants at a time as workers, each tenant keeps its worker for all formats. */
const WORKERS = 6;

/** Runs every fault in every format; tenants in parallel, because each fake server handles one statement at a time. */
beforeAll(async () => {
  const all: Record<string, TenantTrino> = { ...PASSING };
  for (const [name, [trino]] of [...Object.entries(AT_ONCE), ...Object.entries(PART_WAY)]) all[name] = trino;
  all['secret'] = { ...respondingWith({}), more: { user: 'sluice-service', password: SECRET } };
  tenants = await startTrinoTenants(all, {
    ENGINE_ANSWER_TIMEOUT: '500ms',
    WORKERS_MAX: String(WORKERS),
    QUEUE_TIMEOUT: '100s',
  });
  const waiting = Object.keys(all).values();
  const askAll = async (): Promise<void> => {
    for (const name of waiting) {
      const ask = async (format: Format): Promise<ReceivedResponse> => {
        for (let tries = 1; ; tries += 1) {
          const answer = await post(
            `${tenants.hosts.url}${PATHS[format]}`,
            { sql: `SELECT * FROM ${name.replaceAll('-', '_')}` },
            tenants.callers[name],
          );
          // The database is too slow on a busy machine: nothing ran, so the request is repeated, as clients do.
          if (tries === TRIES_MAX || !/audit_unavailable|service_unavailable/i.test(answer.text)) return answer;
        }
      };
      answers.set(name, {
        stream: await ask('stream'),
        json: await ask('json'),
        csv: await ask('csv'),
        ndjson: await ask('ndjson'),
      });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, askAll));
}, 150_000);
afterAll(async () => await tenants?.[Symbol.asyncDispose]());

function answerOf(name: string, format: Format): ReceivedResponse {
  const answer = answers.get(name)?.[format];
  if (answer === undefined) throw new Error(`${name} has no response`);
  return answer;
}

async function expectOneOutcome(name: string, format: Format, expected: object): Promise<void> {
  const queryId = queryIdOf(answerOf(name, format));
  const outcomes = await tenants.hosts.rows<{ metadata: object }>(
    'select metadata from audit_log where query_id = $1 and record_id is not null',
    [queryId],
  );
  expect(outcomes).toEqual([{ metadata: expect.objectContaining(expected) }]);
  expect(await receiptOf(tenants.hosts.url, queryId, tenants.callers[name] ?? {})).toMatchObject(expected);
}

/** Returns how a response ended: an error in its format, or a cut transfer. */
async function failureOf(answer: ReceivedResponse, format: Format): Promise<unknown> {
  if (format === 'stream') {
    const lastEvents = (await eventsOf(answer)).filter(({ type }) => type === 'error' || type === 'complete');
    expect([answer.status, answer.isWhole, lastEvents.length]).toEqual([200, true, 1]);
    return lastEvents[0]?.['code'];
  }
  if (format === 'json') {
    expect(answer.isWhole).toBe(true);
    return answer.body.code;
  }
  return answer.isWhole ? answer.body.error.toUpperCase() : 'cut';
}

describe.each(FORMATS)('as %s, an unusable Trino is reported without addresses', (format) => {
  it.each(Object.keys(AT_ONCE))('%s', async (name) => {
    const [, code, sentence] = AT_ONCE[name] ?? [];
    const answer = answerOf(name, format);
    expect(await failureOf(answer, format)).toBe(code);
    expect(answer.status).toBe(format === 'stream' ? 200 : 503);
    expect(answer.text).toMatch(sentence ?? /never/);
    expect(answer.text).not.toMatch(/127\.0\.0\.1|invalid:8080|nginx|internal|ECONN|node_modules/);
    await expectOneOutcome(name, format, { state: 'FAILED', rows: 0 });
  });
});

describe.each(FORMATS)('as %s, a result that Trino breaks off never looks complete', (format) => {
  it.each(Object.keys(PART_WAY))('%s', async (name) => {
    const [, code] = PART_WAY[name] ?? [];
    const answer = answerOf(name, format);
    const end = await failureOf(answer, format);
    expect(end).toBe((format === 'csv' || format === 'ndjson') && answer.status === 200 ? 'cut' : code);
    expect(answer.text).not.toMatch(/"type":"complete"|nginx|internal|10\.0\.0\.7/);
    expect((answer.text.match(/row \d+/g) ?? []).length).toBeLessThanOrEqual(40_000);
    await expectOneOutcome(name, format, { state: 'FAILED' });
  });
});

describe.each(FORMATS)('as %s, a transient fault neither repeats nor loses a row', (format) => {
  it.each([...Object.keys(PASSING), 'secret'])('%s', async (name) => {
    const answer = answerOf(name, format);
    const ids = (answer.text.match(/row \d+/g) ?? []).map((text) => Number(text.slice(4)));
    expect([answer.status, answer.isWhole, ids.length]).toEqual([200, true, 60_000]);
    expect(ids.every((id, index) => id === index)).toBe(true);
    await expectOneOutcome(name, format, { state: 'FINISHED', rows: 60_000 });
  });
});

describe('a session', () => {
  it('ignores session settings in Trino’s responses to an earlier statement', () => {
    const submits = tenants.fakes.get('setting')?.requests.filter(({ kind }) => kind === 'submit') ?? [];
    expect(submits).toHaveLength(FORMATS.length);
    for (const { headers } of submits) {
      expect(headers['x-trino-session']).toBeUndefined();
      expect(headers['x-trino-catalog']).toBe('shop');
      expect(headers['x-trino-client-tags']).toBe('tenant=setting');
    }
  });
});

describe('a password for Trino', () => {
  it('is sent to Trino and appears in no log, response, audit record, argument or environment', async () => {
    const [request] = tenants.fakes.get('secret')?.requests.filter(({ kind }) => kind === 'submit') ?? [];
    expect(request?.headers.authorization).toBe(`Basic ${Buffer.from(`sluice-service:${SECRET}`).toString('base64')}`);
    const audit = await tenants.hosts.rows('select * from audit_log');
    const shown = `${JSON.stringify(audit)}${tenants.hosts.logLines.join('')}`;
    for (const form of [SECRET, Buffer.from(SECRET).toString('base64').slice(0, -4)]) expect(shown).not.toContain(form);
    const { pids } = tenants.hosts.stream.context.workers;
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) expect(await processText(pid)).not.toContain(SECRET);
  });
});

describe('/ready', () => {
  it('reports the engine as down while Trino is unreachable, and /health stays up', async () => {
    const ready = await send(`${tenants.hosts.url}/ready`);
    expect([ready.status, ready.text]).toEqual([503, expect.stringContaining('engine')]);
    expect((await send(`${tenants.hosts.url}/health`)).status).toBe(200);
  });
});
