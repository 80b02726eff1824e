import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findFreePort } from './free-port.ts';
import { makeServerFolder } from './server-folder.ts';
import { type PostgresServer, startPostgres } from './start-postgres.ts';

let work: string;
let folder: string;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  // As root the server is another user, who must be able to pass.
  await chmod(work, 0o755);
  folder = join(work, 'server');
});
afterAll(() => rm(work, { recursive: true }));

const start = (): Promise<PostgresServer> =>
  startPostgres({
    folder,
    secrets: { superuserPassword: 'super', ownerPassword: 'own' },
    durability: 'full',
    announce: () => undefined,
  });

const ask = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
};

const pidOf = async (): Promise<number> =>
  Number.parseInt(await readFile(join(folder, 'data', 'postmaster.pid'), 'utf8'), 10);

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('startPostgres', () => {
  it('keeps what was written from one start to the next, and is durable', async () => {
    {
      await using server = await start();
      await ask(server.ownerUrl, 'create table kept (id int)');
      expect(await ask(server.ownerUrl, 'show fsync')).toEqual([{ fsync: 'on' }]);
      expect(await ask(server.ownerUrl, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    }
    await using server = await start();
    expect(await ask(server.ownerUrl, 'select count(*)::int as rows from kept')).toEqual([{ rows: 0 }]);
  });

  it('serves the loopback alone, and nobody without a password', async () => {
    await using server = await start();
    expect(await ask(server.superuserUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await expect(ask(server.ownerUrl.replace(':own@', ':wrong@'), 'select 1')).rejects.toThrow(/password/);
  });

  it('is gone when it is stopped', async () => {
    const server = await start();
    const pid = await pidOf();
    await server[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });

  it('tells when the server ended by itself', async () => {
    const server = await start();
    process.kill(await pidOf(), 'SIGQUIT');
    await expect(server.ended).resolves.toEqual(expect.any(String));
  });

  it('starts where a crash left the number of a process that is now another', async () => {
    const otherTenantAdmin = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(otherTenantAdmin, 'spawn');
    await writeFile(join(folder, 'data', 'postmaster.pid'), `${otherTenantAdmin.pid}\n${join(folder, 'data')}\n`);
    await using server = await start();
    expect(await ask(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(otherTenantAdmin.pid ?? 0)).toBe(true);
    otherTenantAdmin.kill('SIGKILL');
    await once(otherTenantAdmin, 'exit');
  });

  it('stops a server that was left running on its data, and takes its place', async () => {
    const left = await start();
    const pid = await pidOf();
    await using server = await start();
    expect(isAlive(pid)).toBe(false);
    expect(await ask(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await left.ended;
  });
});

describe('makeServerFolder', () => {
  it('refuses a folder that others can write, or that is only a link to one', async () => {
    await mkdir(join(work, 'open'));
    await chmod(join(work, 'open'), 0o777);
    await symlink(folder, join(work, 'link'));
    for (const name of ['open', 'link']) {
      await expect(makeServerFolder(join(work, name))).rejects.toThrow(/belongs to somebody else/);
    }
  });
});

describe('findFreePort', () => {
  it('answers a port that can be listened on', async () => {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      findFreePort().then((port) => server.listen(port, '127.0.0.1', resolve), reject);
    });
    server.close();
  });
});
