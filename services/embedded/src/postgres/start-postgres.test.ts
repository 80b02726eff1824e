import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { findFreePort } from './free-port.ts';
import { makeServerFolder } from './server-folder.ts';
import { type PostgresServer, startPostgres } from './start-postgres.ts';

let work: string;
let folder: string;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  // Under root the server runs as another user, who needs access.
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

const select = async (url: string, sql: string): Promise<unknown[]> => {
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

const parentOf = async (pid: number): Promise<number> => {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'ppid=', '-p', String(pid)]);
  return Number(stdout);
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('startPostgres', () => {
  it('keeps data across restarts, with full durability', async () => {
    {
      await using server = await start();
      await select(server.ownerUrl, 'create table kept (id int)');
      expect(await select(server.ownerUrl, 'show fsync')).toEqual([{ fsync: 'on' }]);
      expect(await select(server.ownerUrl, 'show synchronous_commit')).toEqual([{ synchronous_commit: 'on' }]);
    }
    await using server = await start();
    expect(await select(server.ownerUrl, 'select count(*)::int as rows from kept')).toEqual([{ rows: 0 }]);
  });

  it('listens on the loopback only and rejects a wrong password', async () => {
    await using server = await start();
    expect(await select(server.superuserUrl, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    await expect(select(server.ownerUrl.replace(':own@', ':wrong@'), 'select 1')).rejects.toThrow(/password/);
  });

  it('ends its process on disposal', async () => {
    const server = await start();
    const pid = await pidOf();
    await server[Symbol.asyncDispose]();
    expect(isAlive(pid)).toBe(false);
  });

  it('resolves `ended` when the server ends unexpectedly', async () => {
    const server = await start();
    process.kill(await pidOf(), 'SIGQUIT');
    await expect(server.ended).resolves.toEqual(expect.any(String));
  });

  it('ends its process, and says why, when its guardian is killed', async () => {
    const server = await start();
    const pid = await pidOf();
    process.kill(await parentOf(pid), 'SIGKILL');
    await expect(server.ended).resolves.toBe('its guardian was killed by SIGKILL, so it was stopped');
    await expect(select(server.ownerUrl, 'select 1')).rejects.toThrow(/ECONNREFUSED/);
  });

  it('starts when postmaster.pid of a crashed server has the reused PID of another process', async () => {
    await (await start())[Symbol.asyncDispose]();
    const otherProcess = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(otherProcess, 'spawn');
    await writeFile(join(folder, 'data', 'postmaster.pid'), `${otherProcess.pid}\n${join(folder, 'data')}\n`);
    await using server = await start();
    expect(await select(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(isAlive(otherProcess.pid ?? 0)).toBe(true);
    otherProcess.kill('SIGKILL');
    await once(otherProcess, 'exit');
  });

  it('stops an orphaned server on its data before it starts', async () => {
    const left = await start();
    const pid = await pidOf();
    await using server = await start();
    expect(isAlive(pid)).toBe(false);
    expect(await select(server.ownerUrl, 'select 1 as one')).toEqual([{ one: 1 }]);
    await left.ended;
  });
});

describe('makeServerFolder', () => {
  it('throws for a folder that others can write and for a symbolic link', async () => {
    await mkdir(join(work, 'open'));
    await chmod(join(work, 'open'), 0o777);
    await mkdir(join(work, 'target'));
    await symlink(join(work, 'target'), join(work, 'link'));
    for (const name of ['open', 'link']) {
      await expect(makeServerFolder(join(work, name))).rejects.toThrow(/owned or writable by another user/);
    }
  });
});

describe('findFreePort', () => {
  it('returns a port that can be listened on', async () => {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      findFreePort().then((port) => server.listen(port, '127.0.0.1', resolve), reject);
    });
    server.close();
  });
});
