import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { startPostgres as startServer } from '@sluice/embedded/postgres';

/** A serving role for `migrate`. Roles belong to the server, so every test database has the same two. */
export interface TestRole {
  readonly name: string;
  readonly password: string;
}

export interface TestServer {
  readonly port: number;
  readonly superuserUrl: string;
  readonly ownerUrl: string;
  readonly apiRole: TestRole;
  readonly streamRole: TestRole;
}

const START_MS = 120_000;
const POLL_MS = 20;

/**
 * The one PostgreSQL server of this jest run. The first caller in any worker starts it; the others wait. It ends with the run
 * (jest/global-setup.mjs), not with the worker.
 */
export async function startPostgres(): Promise<TestServer> {
  const run = runFolder();
  if (await claims(join(run, 'starting'))) return start(run);
  const deadline = Date.now() + START_MS;
  while (Date.now() < deadline) {
    const server = await readServer(run);
    if (server !== undefined) return server;
    await delay(POLL_MS);
  }
  throw new Error(`PostgreSQL was not ready within ${START_MS / 1000} s. The test file that started it has failed.`);
}

const runFolder = (): string => {
  // biome-ignore lint/style/noProcessEnv: the environment is the only way from jest's global setup to its workers.
  const folder = process.env['SLUICE_TEST_RUN'];
  if (folder === undefined) throw new Error('The test kit needs jest with packages/testkit/jest/global-setup.mjs.');
  return folder;
};

/** Creating a folder is atomic: it succeeds for one of the workers that try at once. */
const claims = (path: string): Promise<boolean> =>
  mkdir(path).then(
    () => true,
    () => false,
  );

const start = async (run: string): Promise<TestServer> => {
  const secrets = { superuserPassword: password(), ownerPassword: password() };
  const server = await startServer({
    folder: join(run, 'postgres'),
    secrets,
    durability: 'none',
    announce: (line) => process.stderr.write(`${line}\n`),
    lifeline: join(run, 'lifeline'),
    removeAfterwards: [run],
  });
  server.unref();
  const shared: TestServer = {
    port: server.port,
    superuserUrl: server.superuserUrl,
    ownerUrl: server.ownerUrl,
    apiRole: { name: 'sluice_api', password: password() },
    streamRole: { name: 'sluice_stream', password: password() },
  };
  await writeFile(join(run, 'server.json.new'), JSON.stringify(shared), { mode: 0o600 });
  await rename(join(run, 'server.json.new'), join(run, 'server.json'));
  return shared;
};

const password = (): string => randomBytes(18).toString('base64url');

const readServer = async (run: string): Promise<TestServer | undefined> => {
  try {
    return JSON.parse(await readFile(join(run, 'server.json'), 'utf8')) as TestServer;
  } catch {
    return undefined;
  }
};
