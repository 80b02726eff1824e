import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type PostgresServer, startPostgres } from '@sluice/embedded/postgres';
import { migrateJobs } from '@sluice/jobs';
import { migrate } from '@sluice/store';
import type { TestDatabase } from '@sluice/testkit';
import { startHosts, type TestHosts } from './start-hosts.ts';

const MEBIBYTE = 1024 * 1024;
/** No file may be longer: a whole WAL segment fits, the log of the month does not. */
const FILE_BYTES_MAX = 16 * MEBIBYTE;

let folder: string;
let server: PostgresServer;
let hosts: TestHosts;

async function databaseOn({ ownerUrl, superuserUrl, urlOf }: PostgresServer): Promise<TestDatabase> {
  const apiRole = { name: 'sluice_api', password: 'api-password' };
  const streamRole = { name: 'sluice_stream', password: 'stream-password' };
  await migrate({ ownerUrl, apiRole, streamRole });
  await migrateJobs({ ownerUrl, apiRole: apiRole.name });
  const of = ({ name, password }: typeof apiRole) => urlOf({ role: name, password });
  const dispose = async (): Promise<void> => undefined;
  const urls = { ownerUrl, superuserUrl, apiUrl: of(apiRole), streamUrl: of(streamRole) };
  return { ...urls, apiRole, streamRole, dispose, [Symbol.asyncDispose]: dispose };
}

const write = (records: number, metadataCharacters: number) =>
  hosts.rows(
    `insert into audit_log (tenant_id, id, occurred, user_name, action, target, metadata)
     select $1, gen_random_uuid(), now(), 'filler@example.com', 'LOGIN', '', jsonb_build_object('filler', left(repeat(md5(i::text), 30), $3))
     from generate_series(1, $2::int) i`,
    [hosts.acme.id, records, metadataCharacters],
  );

/** Writes until not one record more finds room. What is refused stands in nobody's way, so smaller and smaller lots are tried. */
async function takeAllRoom(): Promise<void> {
  for (const records of [1000, 100, 10, 1]) {
    for (;;) {
      const refused = await write(records, 1).catch((thrown: Error) => thrown.message);
      if (typeof refused !== 'string') continue;
      expect(refused).toContain('could not extend file');
      break;
    }
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-disk-'));
  await chmod(folder, 0o755); // as root, the server is another user
  const secrets = { superuserPassword: 'super', ownerPassword: 'own' };
  server = await startPostgres({
    folder: join(folder, 'server'),
    secrets,
    durability: 'none',
    announce: () => undefined,
  });
  hosts = await startHosts({ DATABASE_TIMEOUT: '1s' }, undefined, await databaseOn(server));
  // The log of this month is longer than a file may be then.
  await write(20_000, 900);
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await server?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const processes = async (): Promise<number[]> => {
  const data = join(folder, 'server', 'data');
  const postmaster = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  const children = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, 'utf8');
  return [postmaster, ...children.trim().split(' ').map(Number)];
};

/**
 * The kernel refuses to let files of the server grow (RLIMIT_FSIZE), as it does where a disk is full, and needs no right to
 * mount one. A process may set it for others of its user.
 */
const limitFiles = async (bytes: number | 'unlimited'): Promise<void> => {
  const { uid, gid } = await stat(join(folder, 'server', 'data'));
  for (const pid of await processes()) {
    await promisify(execFile)('prlimit', ['--pid', String(pid), `--fsize=${bytes}:`], { uid, gid }).catch(
      () => undefined,
    );
  }
};

const query = async (): Promise<{ status: number; error: string; requestId: string; ms: number }> => {
  const begun = performance.now();
  const response = await fetch(`${hosts.url}/query`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${hosts.ann.email}:${hosts.ann.password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ sql: 'SELECT 1' }),
  });
  const text = await response.text();
  const error = response.status === 200 ? '' : JSON.parse(text).error;
  return {
    status: response.status,
    error,
    requestId: response.headers.get('x-request-id') ?? '',
    ms: performance.now() - begun,
  };
};

const recordsOf = async (requestIds: readonly string[]): Promise<number> =>
  (await hosts.rows('select id from audit_log where record_id is null and request_id = any ($1)', [requestIds])).length;

describe('where the disk of the audit log is full', () => {
  it('no query runs unrecorded, 503 comes within 3 s, and all is well within 5 s of there being room', async () => {
    expect((await query()).status).toBe(200);
    await limitFiles(FILE_BYTES_MAX);
    const answers: Awaited<ReturnType<typeof query>>[] = [];
    try {
      await takeAllRoom();
      while (answers.filter(({ status }) => status === 503).length < 5) answers.push(await query());
      expect(Math.max(...answers.map(({ ms }) => ms))).toBeLessThan(3000);
      const refused = answers.filter(({ status }) => status !== 200);
      expect(new Set(refused.map(({ status, error }) => `${status} ${error}`))).toEqual(
        new Set(['503 audit_unavailable']),
      );
      expect((await fetch(`${hosts.url}/health`)).status).toBe(200);
    } finally {
      await limitFiles('unlimited');
    }
    const room = performance.now();
    while ((await query()).status !== 200) expect(performance.now() - room).toBeLessThan(5000);
    const idsOf = (isServed: boolean) =>
      answers.filter(({ status }) => (status === 200) === isServed).map(({ requestId }) => requestId);
    expect(await recordsOf(idsOf(true))).toBe(idsOf(true).length);
    expect(await recordsOf(idsOf(false))).toBe(0);
  }, 60_000);
});
