import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createAuditSigner } from '@sluice/audit';
import { KERNEL_BUFFERS, openSlowReader, PythonProgram, type ReceivedResponse, send, until } from '@sluice/testkit';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { login } from '@sluice/testkit/requests';
import {
  type Members,
  membersOf,
  withByteChanged,
  withMember,
  zipOf,
} from '../../../../packages/audit/testing/evidence-members.ts';
import { runAuditCommand } from '../../src/commands/run-audit-command.ts';
import { type AuditReader, auditReader, writeRecords } from './audit-readers.ts';

const DAY = 86_400_000;
const FROM = Math.floor(Date.now() / DAY) * DAY - 30 * DAY;
const RECORDS = 300;
const PROGRAM = fileURLToPath(new URL('../../../../examples/python/verify_evidence.py', import.meta.url));

const seed = Buffer.alloc(32, 9);
/** The key as an auditor knows it, from outside the package. */
const PUBLIC_KEY = Buffer.from(createAuditSigner(seed).publicKey).toString('base64');

let test: TestHost;
let reader: AuditReader;
let folder: string;
let members: Members;

const evidence = (query: string, headers = reader.headers): Promise<ReceivedResponse> =>
  send(`${test.url}/audits/evidence${query}`, { headers });
const RANGE = `?start=${FROM}&end=${FROM + DAY}`;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-evidence-'));
  test = await startTestHost({ AUDIT_SIGNING_KEY: seed.toString('base64') });
  reader = await auditReader(test);
  await writeRecords(test, RECORDS, { from: new Date(FROM) });
  await test.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select id, gen_random_uuid(), $1::timestamptz + interval '5 hours', E'quo"te,\\n\\r\\u007f\\u2028😀@example.com', 'LOGIN', '',
       '{"n": 9007199254740993, "a": 1.50, "\\ue000": 1, "\\ud83d\\ude00": [true, null, {"b": "\\u0001\\\\/"}]}'
     from tenants where name = 'acme'`,
    [new Date(FROM)],
  );
  members = await membersOf((await evidence(RANGE)).bytes);
}, 120_000);
afterAll(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

interface Outcome {
  readonly code: number;
  readonly printed: string;
}

const save = async (bytes: Buffer): Promise<string> => {
  const path = join(folder, 'package.zip');
  await writeFile(path, bytes);
  return path;
};

/** Runs `npm run audit:verify -- --package FILE`. */
const verify = async (bytes: Buffer, publicKey = PUBLIC_KEY): Promise<Outcome> => {
  const printed: string[] = [];
  const code = await runAuditCommand({
    argv: ['verify', '--package', await save(bytes)],
    environment: { AUDIT_PUBLIC_KEYS: publicKey },
    say: (line) => printed.push(line),
  });
  return { code, printed: printed.join('\n') };
};

/** Runs the program in the process of the test's interpreter, with the exit code and message that `sys.exit` would have. */
const python = new PythonProgram(
  'python3',
  `
import contextlib, io, runpy, sys, traceback
def handle(words):
    sys.argv, printed = words, io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as end:
        return {"code": 1, "printed": str(end)} if isinstance(end.code, str) else {"code": end.code or 0, "printed": ""}
    except Exception:
        return {"code": 1, "printed": traceback.format_exc()}
    return {"code": 0, "printed": printed.getvalue()}
`,
);
afterAll(() => python[Symbol.dispose]());

const verifyInPython = async (bytes: Buffer, publicKey = PUBLIC_KEY): Promise<Outcome> =>
  (await python.call([PROGRAM, await save(bytes), publicKey])) as Outcome;

/** Runs the program as an auditor does. */
const verifyInProcess = async (bytes: Buffer, publicKey = PUBLIC_KEY): Promise<Outcome> => {
  const path = await save(bytes);
  return await promisify(execFile)('python3', [PROGRAM, path, publicKey]).then(
    ({ stdout }) => ({ code: 0, printed: stdout }),
    (failed: { code: number; stderr: string }) => ({ code: failed.code, printed: failed.stderr }),
  );
};

const textOf = (name: string): string => members.find(([each]) => each === name)?.[1].toString() ?? '';

describe('an evidence package', () => {
  it('is a ZIP that the verifier and an independent Python program verify with a key from elsewhere', async () => {
    const { status, headers, bytes, isWhole } = await evidence(RANGE);
    const day = (time: number) => new Date(time).toISOString().slice(0, 10);
    expect([status, headers['content-type'], isWhole]).toEqual([200, 'application/zip', true]);
    expect(headers['content-disposition']).toBe(`attachment; filename=evidence-${day(FROM)}-${day(FROM + DAY)}.zip`);
    expect((await membersOf(bytes)).map(([name]) => name)).toEqual([
      'README.md',
      'public-keys.json',
      'checkpoints.ndjson',
      'audit.ndjson',
      'summary.csv',
      'manifest.json',
      'manifest.sig',
    ]);
    expect(await verify(bytes)).toEqual({
      code: 0,
      printed: expect.stringMatching(
        new RegExp(`^${test.acme.tenantId}: ${RECORDS + 1} records and \\d+ checkpoints are verified\\.$`),
      ),
    });
    expect(await verifyInProcess(bytes)).toEqual({
      code: 0,
      printed: expect.stringMatching(new RegExp(`^Verified: ${RECORDS + 1} records of acme, \\d+ to \\d+\\.\n$`)),
    });
  });

  it('contains the records of its range, their counts, and the range', async () => {
    const records = textOf('audit.ndjson').trimEnd().split('\n').slice(0, -1);
    const ordinals = records
      .map((line) => JSON.parse(line).metadata.ordinal)
      .filter((ordinal) => ordinal !== undefined);
    expect(ordinals.sort((a, b) => a - b)).toEqual(Array.from({ length: RECORDS }, (_each, index) => index + 1));
    expect(textOf('summary.csv')).toContain('\nuser1@example.com,LOGIN,50,');
    expect(JSON.parse(textOf('manifest.json'))).toMatchObject({
      tenant: 'acme',
      tenant_id: test.acme.tenantId,
      start: FROM,
      end: FROM + DAY,
      records: RECORDS + 1,
    });
    expect(JSON.parse(textOf('public-keys.json'))).toContainEqual({
      key_id: expect.any(String),
      public_key: PUBLIC_KEY,
    });
  });

  it('of the present contains the login just before it', async () => {
    const { headers } = await login(test.url);
    const { bytes } = await evidence(`?start=${FROM}&end=${FROM + 31 * DAY}`);
    const exported = (await membersOf(bytes)).find(([name]) => name === 'audit.ndjson')?.[1].toString();
    expect(exported).toContain(String(headers['x-request-id']));
    expect(await verify(bytes)).toMatchObject({ code: 0 });
    expect(await verifyInPython(bytes)).toMatchObject({ code: 0 });
  });

  it('without records verifies', async () => {
    const { bytes } = await evidence('?start=100000000000&end=100000000001');
    expect(await verify(bytes)).toMatchObject({ code: 0, printed: expect.stringContaining(': 0 records and') });
    expect(await verifyInPython(bytes)).toMatchObject({
      code: 0,
      printed: 'Verified: 0 records of acme, None to None.\n',
    });
  });

  it('with one byte of any member changed is rejected by both verifiers, which name the member or its manifest', async () => {
    for (const [name, { length }] of members) {
      const positions = [...new Set([0, 1, 2, 3, 5, 7].map((part) => Math.floor(((length - 1) * part) / 7)))];
      for (const position of positions) {
        const forged = await zipOf(withMember(members, name, (bytes) => withByteChanged(bytes, position)));
        const named = name === 'manifest.sig' ? 'manifest.json' : name;
        expect({ name, position, ...(await verify(forged)) }).toMatchObject({
          code: 1,
          printed: expect.stringContaining(`altered: ${named}`),
        });
        if (position !== positions[1]) continue;
        expect({ name, position, ...(await verifyInPython(forged)) }).toMatchObject({ code: 1 });
      }
    }
  });

  it('is rejected with another key, cut, or without AUDIT_PUBLIC_KEYS', async () => {
    const { bytes } = await evidence(RANGE);
    const otherKey = Buffer.from(createAuditSigner(Buffer.alloc(32, 8)).publicKey).toString('base64');
    expect(await verify(bytes, otherKey)).toMatchObject({ code: 1 });
    expect(await verifyInProcess(bytes, otherKey)).toMatchObject({ code: 1 });
    expect(await verify(bytes.subarray(0, -30))).toMatchObject({
      code: 1,
      printed: expect.stringContaining('It is cut, or it is not a ZIP file.'),
    });
    expect(await verifyInPython(bytes.subarray(0, -30))).toMatchObject({ code: 1 });
    const argv = ['verify', '--package', await save(bytes)];
    const say = () => undefined;
    await expect(runAuditCommand({ argv, environment: {}, say })).rejects.toThrow('AUDIT_PUBLIC_KEYS must be set');
    const absent = runAuditCommand({
      argv: ['verify', '--package', join(folder, 'absent.zip')],
      environment: { AUDIT_PUBLIC_KEYS: PUBLIC_KEY },
      say,
    });
    await expect(absent).rejects.toThrow('ENOENT');
  });
});

describe('GET /audits/evidence', () => {
  it('is audited', async () => {
    const { headers } = await evidence(RANGE);
    const records = await test.rows('select user_name, action, target, metadata from audit_log where request_id = $1', [
      headers['x-request-id'],
    ]);
    expect(records).toEqual([
      {
        user_name: reader.email,
        action: 'EXPORT_AUDIT_EVIDENCE',
        target: 'audit_log',
        metadata: { start: FROM, end: FROM + DAY },
      },
    ]);
  });

  it.each([
    ['', 'start is required'],
    [`?start=${FROM}`, 'end is required'],
    [`?end=${FROM}`, 'start is required'],
    [`?start=${FROM}&end=${FROM}`, 'start must be before end'],
    [`?start=${FROM + 1}&end=${FROM}`, 'start must be before end'],
    [`?start=${FROM - 367 * DAY}&end=${FROM}`, 'end must be at most 366 days after start; request several packages'],
    [`?start=-1&end=${FROM}`, 'start must be an epoch timestamp from 100000000000 to 253402300799999'],
    [`?start=yesterday&end=${FROM}`, 'start must be an epoch timestamp from 100000000000 to 253402300799999'],
    [`?start=${FROM}&end=9999999999999999`, 'end must be an epoch timestamp from 100000000000 to 253402300799999'],
    [`?start=${FROM / 1000}&end=${FROM}`, 'start must be at least 100000000000: milliseconds expected'],
    [`?start=${FROM}&end=${FROM / 1000}`, 'end must be at least 100000000000: milliseconds expected'],
    [`${RANGE}&format=csv`, 'is not a known key'],
  ])('returns 400 for %s', async (query, message) => {
    const { status, body } = await evidence(query);
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining(message)]);
  });

  it('returns 403 and writes ACCESS_DENIED without audit:read, and 401 without a credential', async () => {
    const { body } = await login(test.url);
    const denied = await evidence(RANGE, { idtoken: body.id_token });
    expect(denied.status).toBe(403);
    const records = await test.rows('select action from audit_log where request_id = $1', [
      denied.headers['x-request-id'],
    ]);
    expect(records).toEqual([{ action: 'ACCESS_DENIED' }]);
    expect((await evidence(RANGE, {})).status).toBe(401);
  });

  it('never contains a record or a checkpoint of another tenant', async () => {
    const otherTenantAdmin = await auditReader(test, { tenantName: 'globex' });
    const { bytes } = await evidence(`?start=${FROM}&end=${FROM + 31 * DAY}`, otherTenantAdmin.headers);
    const texts = (await membersOf(bytes)).map(([, member]) => member.toString()).join('');
    expect([texts.includes(test.acme.tenantId), texts.includes('user1@example.com')]).toEqual([false, false]);
    expect(texts).toContain(test.globex.tenantId);
    expect(await verify(bytes)).toMatchObject({ code: 0 });
  });

  it('hides records older than the retention of the tenant, and says since when', async () => {
    const { bytes } = await evidence(`?start=${FROM - 300 * DAY}&end=${FROM}`);
    expect(
      JSON.parse((await membersOf(bytes)).find(([name]) => name === 'manifest.json')?.[1].toString() ?? ''),
    ).toMatchObject({ start: FROM - 300 * DAY, records: 0, first: null, last: null });
  });
});

describe('a long package', () => {
  /** A record's random text: hexadecimal digits, which deflate to half their length. */
  const TEXT_LENGTH = 32_000;
  const LONG_RECORDS = Math.ceil(KERNEL_BUFFERS / (TEXT_LENGTH / 2));
  const LONG_RANGE = `?start=${FROM + 10 * DAY}&end=${FROM + 11 * DAY}`;
  /** More than a page of rows. */
  const SHORTER_RANGE = `?start=${FROM + 10 * DAY}&end=${FROM + 10 * DAY + 1_500_000}`;

  beforeAll(() =>
    test.rows(
      `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
         select t.id, gen_random_uuid(), $1::timestamptz + i * interval '1 second', 'long@example.com', 'LOGIN', '',
           jsonb_build_object('text', (select string_agg(md5(i || '.' || j), '') from generate_series(1, $3::int) j))
         from tenants t, generate_series(1, $2::int) i where t.name = 'acme'`,
      [new Date(FROM + 10 * DAY), LONG_RECORDS, TEXT_LENGTH / 32],
    ),
  );

  const openStalled = () =>
    openSlowReader({
      url: `${test.url}/audits/evidence${LONG_RANGE}`,
      method: 'GET',
      headers: { connection: 'close', ...reader.headers },
      bytesPerSecond: 200_000,
    });

  it('is cut visibly when the database fails in the middle: no central directory, no end of the response', async () => {
    using client = openStalled();
    await client.untilBytes(10_000);
    client.readAt(0);
    await test.rows('alter table audit_chain rename to audit_chain_away');
    try {
      client.readAt(Number.POSITIVE_INFINITY);
      await client.ended;
    } finally {
      await test.rows('alter table audit_chain_away rename to audit_chain');
    }
    const received = client.received();
    expect(received.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
    expect(received.includes('PK\x05\x06')).toBe(false);
    expect(received.subarray(-7).toString()).not.toBe('\r\n0\r\n\r\n');
  });

  it('holds one of four reads of the tenant until its client has it or leaves; a fifth returns 429', async () => {
    const clients = Array.from({ length: 4 }, openStalled);
    for (const client of clients) {
      await client.untilBytes(1000);
      client.readAt(0);
    }
    const fifth = await evidence(RANGE);
    expect([fifth.status, fifth.headers['retry-after']]).toEqual([429, '10']);
    for (const client of clients) client.abort();
    const isFree = async () => ((await evidence(RANGE)).status === 200 ? true : undefined);
    await until(isFree, { what: 'a free read' });
  });

  it('verifies when it is read to its end', async () => {
    const { bytes, isWhole } = await evidence(SHORTER_RANGE);
    expect([isWhole, await verify(bytes)]).toEqual([true, expect.objectContaining({ code: 0 })]);
    expect(await verifyInPython(bytes)).toMatchObject({ code: 0 });
  });
});
