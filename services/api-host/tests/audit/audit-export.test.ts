import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type TrustedKeys, trustedKeys, type Verdict, verifyExport } from '@sluice/audit';
import { createAccountStore } from '@sluice/store/identity';
import { type ReceivedResponse, send } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login, postJson } from '@sluice/testkit/requests';
import pg from 'pg';
import { runTenantCommand } from '../../src/commands/run-tenant-command.ts';
import { type AuditReader, auditReader, SEALER_LOCK, writeRecords } from './audit-readers.ts';
import { followLog } from './follow-log.ts';

/** Longer than several attempts of a host to get the lock. */
const LOCKED_MS = 2500;
const DAY = 86_400_000;
const FROM = Math.floor(Date.now() / DAY) * DAY - 30 * DAY;

let test: TestHost;
let reader: AuditReader;
let keys: TrustedKeys;

interface Checkpoints {
  readonly data: { payload: string; key_id: string; signature: string }[];
  readonly keys: { key_id: string; public_key: string }[];
}

const checkpoints = async (query = ''): Promise<Checkpoints> =>
  (await send(`${test.url}/audits/checkpoints${query}`, { headers: reader.headers })).body;

beforeAll(async () => {
  test = await startTestHost({ SSE_HEARTBEAT_INTERVAL: '100ms' });
  reader = await auditReader(test);
  await writeRecords(test, 700, { from: new Date(FROM) });
  await test.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select id, gen_random_uuid(), $1::timestamptz, E'quo"te,\\n\\r@example.com', 'LOGIN', '', '{"n": 9007199254740993, "a": "\\"\\u00e9,"}'
     from tenants where name = 'acme'`,
    [new Date(FROM)],
  );
  await exported({});
  keys = trustedKeys((await checkpoints()).keys.map(({ public_key }) => Buffer.from(public_key, 'base64')));
}, 120_000);
afterAll(async () => await test[Symbol.asyncDispose]());

const exported = (wanted: object): Promise<ReceivedResponse> =>
  postJson(`${test.url}/audits/logs/export`, wanted, reader.headers);
const ofFormat = { ndjson: {}, csv: { format: 'csv' } } as const;
type FormatName = keyof typeof ofFormat;

async function* linesOf(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}
const verdictOf = (lines: readonly string[], format: FormatName = 'ndjson'): Promise<Verdict> =>
  verifyExport({ format, lines: linesOf(lines), keys });
const linesOfText = (text: string): string[] => text.split('\n').slice(0, -1);

describe.each(['ndjson', 'csv'] as const)('an export as %s', (format) => {
  it('contains every record committed before it, and verifies', async () => {
    const { headers: loginHeaders } = await login(test.url);
    const { status, headers, text } = await exported(ofFormat[format]);
    expect([status, headers['content-type']]).toEqual([200, format === 'csv' ? 'text/csv' : 'application/x-ndjson']);
    expect(text).toContain(String(loginHeaders['x-request-id']));
    const verdict = await verdictOf(linesOfText(text), format);
    expect(verdict).toEqual({
      tenantId: test.acme.tenantId,
      records: expect.any(Number),
      checkpoints: 0,
      finding: undefined,
      end: expect.objectContaining({ kind: 'export', filter: {} }),
    });
    expect(verdict.records).toBeGreaterThan(700);
  });

  it('verifies when filtered, and contains only matches', async () => {
    const wanted = {
      ...ofFormat[format],
      start: FROM,
      end: FROM + DAY,
      advance_options: { user_name: 'user1@example.com' },
    };
    const { text } = await exported(wanted);
    expect(await verdictOf(linesOfText(text), format)).toMatchObject({ records: 234, finding: undefined });
    expect(text).not.toContain('user2@example.com');
    const none = await exported({ ...ofFormat[format], advance_options: { user_name: 'nobody@example.com' } });
    expect(await verdictOf(linesOfText(none.text), format)).toMatchObject({ records: 0, finding: undefined });
  });

  it('fails verification at the first record that was changed, removed, added or moved', async () => {
    const lines = linesOfText((await exported({ ...ofFormat[format], start: FROM + 1, end: FROM + DAY })).text);
    const head = format === 'csv' ? 1 : 0;
    const at = (index: number): string => lines[head + index] ?? '';
    const sequenceAt = (index: number) => Number(/\d+/.exec(at(index))?.[0]);
    const findingOf = async (changed: readonly string[]) => (await verdictOf(changed, format)).finding;
    expect(await findingOf(lines)).toBeUndefined();
    expect(await findingOf(lines.with(head + 7, at(7).replace(/target(\d)/, 'Target$1')))).toMatchObject({
      kind: 'altered',
      sequence: sequenceAt(7),
    });
    expect(await findingOf(lines.toSpliced(head + 9, 1))).toMatchObject({ kind: 'missing' });
    expect(await findingOf(lines.toSpliced(head + 9, 0, at(9)))).toMatchObject({
      kind: 'inserted',
      sequence: sequenceAt(9),
    });
    expect(await findingOf(lines.with(head + 3, at(4)).with(head + 4, at(3)))).toMatchObject({
      kind: 'reordered',
      sequence: sequenceAt(3),
    });
    expect(await findingOf(lines.slice(0, -1))).toMatchObject({ kind: 'missing' });
    expect(await findingOf(lines.with(-1, lines.at(-1)?.replace('records', 'recorbs') ?? ''))).toMatchObject({
      kind: 'altered',
    });
  });

  it('that is unfiltered reports what is missing', async () => {
    const lines = linesOfText((await exported(ofFormat[format])).text);
    const head = format === 'csv' ? 1 : 0;
    for (const index of [0, 5, lines.length - head - 2]) {
      const sequence = Number(/\d+/.exec(lines[head + index] ?? '')?.[0]);
      const { finding } = await verdictOf(lines.toSpliced(head + index, 1), format);
      expect(finding).toMatchObject({ kind: 'missing', sequence });
    }
  });
});

describe('an export', () => {
  it('as CSV has no formula in a cell unless raw=true, which is audited; both forms verify', async () => {
    await postJson(`${test.url}/audits/logs/search`, { size: 1 }, { ...reader.headers, 'user-agent': '=1+1' });
    const guarded = await exported({ format: 'csv' });
    const raw = await exported({ format: 'csv', raw: true });
    expect([guarded.text.includes(",'=1+1,"), guarded.text.includes(',=1+1,')]).toEqual([true, false]);
    expect([raw.text.includes(",'=1+1,"), raw.text.includes(',=1+1,')]).toEqual([false, true]);
    for (const { text } of [guarded, raw]) {
      expect((await verdictOf(linesOfText(text), 'csv')).finding).toBeUndefined();
    }
    const records = await test.rows('select metadata from audit_log where request_id = $1', [
      raw.headers['x-request-id'],
    ]);
    expect(records).toEqual([{ metadata: { format: 'csv', raw: true } }]);
    expect((await exported({ raw: 'yes' })).status).toBe(400);
  });

  it('is audited, needs audit:read, and rejects unknown parameters', async () => {
    const { headers } = await exported({ format: 'csv', advance_options: { action: 'LOGIN' } });
    const records = await test.rows('select action, metadata from audit_log where request_id = $1', [
      headers['x-request-id'],
    ]);
    expect(records).toEqual([{ action: 'EXPORT_AUDIT_LOGS', metadata: { format: 'csv', action: 'LOGIN' } }]);
    for (const wanted of [{ format: 'xml' }, { size: 10 }, { start: 2e12, end: 1e12 }, { start: -1 }, { end: 1.7e9 }]) {
      expect((await exported(wanted)).status).toBe(400);
    }
    const { body } = await login(test.url);
    expect((await postJson(`${test.url}/audits/logs/export`, {}, { idtoken: body.id_token })).status).toBe(403);
  });

  it('never contains a record of another tenant', async () => {
    const otherTenantAdmin = await auditReader(test, { tenantName: 'globex' });
    const { text } = await postJson(`${test.url}/audits/logs/export`, {}, otherTenantAdmin.headers);
    expect(text).not.toContain(test.acme.tenantId);
    expect((await verdictOf(linesOfText(text))).finding).toBeUndefined();
  });
});

describe('while another process holds the lock of the sealer', () => {
  it('an export, an evidence package and a tenant export wait, and have the records committed before them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tenant-export-'));
    const end = Date.now() + DAY;
    const sealer = new pg.Client({ connectionString: test.testDatabase.superuserUrl });
    await sealer.connect();
    try {
      await sealer.query('select pg_advisory_lock($1)', [SEALER_LOCK]);
      const requestId = String((await login(test.url)).headers['x-request-id']);
      const requests = [
        exported({}),
        send(`${test.url}/audits/evidence?start=${end - DAY}&end=${end}`, { headers: reader.headers }),
        runTenantCommand({
          argv: ['export', 'acme', '--to', join(folder, 'acme')],
          environment: { ...test.environment, DATABASE_OWNER_URL: test.testDatabase.ownerUrl },
          say: () => undefined,
        }),
      ] as const;
      expect(await Promise.race([...requests, wait(LOCKED_MS, 'waiting')])).toBe('waiting');
      await sealer.end();
      const [log, evidence] = await Promise.all(requests);
      expect([log.status, evidence.status]).toEqual([200, 200]);
      expect((await verdictOf(linesOfText(log.text))).finding).toBeUndefined();
      const tenantLog = await readFile(join(folder, 'acme', 'audit.ndjson'), 'utf8');
      expect([log.text.includes(requestId), tenantLog.includes(requestId)]).toEqual([true, true]);
    } finally {
      await sealer.end().catch(() => undefined);
      await rm(folder, { recursive: true });
    }
  });
});

describe('checkpoints', () => {
  it('are signed, numbered and chained, in pages', async () => {
    const { data } = await checkpoints('?size=1000');
    const payloads = data.map(({ payload }) => JSON.parse(payload));
    expect(payloads.map(({ number }) => number)).toEqual(payloads.map((_payload, index) => index + 1));
    expect(payloads.every(({ tenant_id }) => tenant_id === test.acme.tenantId)).toBe(true);
    const second = await checkpoints('?after=1&size=1');
    expect(second.data).toEqual([data[1]]);
    for (const query of ['?size=0', '?size=1001', '?after=-1', '?after=x', '?colour=red']) {
      expect((await send(`${test.url}/audits/checkpoints${query}`, { headers: reader.headers })).status).toBe(400);
    }
  });
});

const follow = (
  query: string,
  isEnough: (text: string) => boolean,
  headers: Record<string, string> = {},
): Promise<string> => followLog({ url: test.url, reader, query, headers }, isEnough);
const idsOf = (text: string): number[] => [...text.matchAll(/^id: (\d+)\ndata: /gm)].map(([, id]) => Number(id));

describe('the follow stream', () => {
  it('sends heartbeats while no record is sealed', async () => {
    expect(await follow('', (text) => text.includes(': keep-alive\n\n'))).toMatch(/(^|\n\n): keep-alive\n\n/);
  });

  it('sends each record once and in order from any sequence, and resumes', async () => {
    const first = await follow('?after=0', (text) => idsOf(text).length >= 500);
    expect(idsOf(first)).toEqual(idsOf(first).map((_id, index) => index + 1));
    const last = idsOf(first).at(-1) ?? 0;
    const second = await follow('?after=0', (text) => idsOf(text).length >= 100, { 'last-event-id': String(last) });
    expect(idsOf(second)[0]).toBe(last + 1);
    const record = JSON.parse(/^data: (.*)$/m.exec(second)?.[1] ?? '');
    expect(record).toMatchObject({ sequence: last + 1, tenant_id: test.acme.tenantId, hash: expect.any(String) });
  });

  it('sends new records', async () => {
    let requestId = '';
    const followed = follow('', (text) => requestId !== '' && text.includes(requestId));
    requestId = String((await login(test.url)).headers['x-request-id']);
    expect(await followed).toContain(requestId);
  });

  it('ends when the reader loses the permission', async () => {
    const accounts = createAccountStore(test.database);
    const leaver = await auditReader(test, { email: 'leaver@example.com' });
    const [row] = await test.rows<{ id: string }>(`select id from users where email = 'leaver@example.com'`);
    const followed = follow('', () => false, leaver.headers);
    await accounts.setRoles({ tenantId: test.acme.tenantId, kind: 'user', id: row?.id ?? '' }, ['analyst']);
    await followed;
  });

  it('rejects an invalid sequence, and a reader without audit:read', async () => {
    const status = async (query: string, headers: Record<string, string>) =>
      (await send(`${test.url}/audits/logs/stream${query}`, { headers })).status;
    expect(await status('?after=-1', reader.headers)).toBe(400);
    expect(await status('?after=1&after=2', reader.headers)).toBe(400);
    expect(await status('', { ...reader.headers, 'last-event-id': 'x' })).toBe(400);
    expect(await status('', { idtoken: (await login(test.url)).body.id_token })).toBe(403);
  });
});
