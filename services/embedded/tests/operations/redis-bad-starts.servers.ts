import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startRedis, type TestRedis } from '@sluice/shared-state/testing';
import { reservePort, until } from '@sluice/testkit';
import { type HostProgram, startBuiltHost, startHosts, type TestHosts } from '@sluice/testkit/hosts';

// Run by `npm run test:redis`, which provides a Redis; `npm test` needs no server.
let hosts: TestHosts;
let redis: TestRedis;
let folder: string;
beforeAll(async () => {
  redis = await startRedis({ password: 'right' });
  hosts = await startHosts();
  folder = await mkdtemp(join(tmpdir(), 'sluice-bad-starts-'));
}, 120_000);
afterAll(async () => {
  await Promise.all([hosts?.[Symbol.asyncDispose](), redis?.[Symbol.asyncDispose]()]);
  if (folder !== undefined) await rm(folder, { recursive: true });
});

const environmentOf = (program: HostProgram): Readonly<Record<string, string>> => ({
  ...(program === 'API host' ? hosts.apiEnvironment : hosts.environment),
  LOG_LEVEL: 'info',
});

const OTHER_ACCOUNT = 65_534;
/** Takes from root the right to read files of other accounts, which the account of a container does not have. */
const WITHOUT_RIGHTS = ['setpriv', '--bounding-set', '-dac_override,-dac_read_search'];

/** Writes a file that a process run by the returned command cannot read. */
async function writeUnreadable(path: string, text: string): Promise<readonly string[]> {
  await writeFile(path, text);
  const isRoot = process.getuid?.() === 0;
  if (isRoot) await chown(path, OTHER_ACCOUNT, OTHER_ACCOUNT);
  await chmod(path, isRoot ? 0o600 : 0);
  return isRoot ? WITHOUT_RIGHTS : [];
}

/** Asserts that a start ends with one sentence on standard error, prints nothing else, and is never ready. */
async function assertOneSentence(
  program: HostProgram,
  options: Parameters<typeof startBuiltHost>[1],
  sentence: RegExp,
): Promise<void> {
  const host = await startBuiltHost(program, options);
  const probes: (number | undefined)[] = [];
  const ends = async () => {
    probes.push(await host.readiness());
    return host.hasEnded() ? true : undefined;
  };
  await until(ends, { what: 'the end of the start', withinMs: 60_000 });
  expect(await host.ended).toBe(1);
  expect(host.stderr).toMatch(sentence);
  expect(host.stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(host.stdout).toBe('');
  expect(probes).not.toContain(200);
}

/** Asserts that a host starts and reports a readiness, and stops it. */
async function assertReadiness(
  program: HostProgram,
  environment: Readonly<Record<string, string>>,
  status: number,
): Promise<void> {
  const host = await startBuiltHost(program, { environment: { ...environment, DRAIN_DELAY: '0' } });
  const isReported = async () => ((await host.readiness()) === status || host.hasEnded() ? true : undefined);
  await until(isReported, { what: `the readiness ${status}`, withinMs: 30_000 });
  expect([host.hasEnded(), host.stderr]).toEqual([false, '']);
  host.child.kill('SIGTERM');
  expect(await host.ended).toBe(0);
}

describe.each<HostProgram>(['API host', 'stream host'])('the %s', (program) => {
  it('does not start with a secret in a file that it cannot read, and names the file', async () => {
    const path = join(folder, `${program.replace(' ', '-')}-database-url`);
    const { DATABASE_URL: url = '', ...environment } = environmentOf(program);
    const runBy = await writeUnreadable(path, url);
    await assertOneSentence(
      program,
      { environment: { ...environment, DATABASE_URL_FILE: path }, runBy },
      /^One setting is wrong: DATABASE_URL_FILE: the file \S+-database-url cannot be read \(EACCES\)$/m,
    );
  });

  it('does not start on a database without the last migration, and says what to run', async () => {
    const [last] = await hosts.rows<{ name: string }>('select name from knex_migrations order by id desc limit 1');
    await hosts.rows('delete from knex_migrations where name = $1', [last?.name]);
    try {
      const sentence = `^The database schema is older than this version of Sluice: ${last?.name} is missing\\. Run the migrate command of this version\\.$`;
      await assertOneSentence(program, { environment: environmentOf(program) }, new RegExp(sentence, 'm'));
    } finally {
      const insert = 'insert into knex_migrations (name, batch, migration_time) values ($1, 1, now())';
      await hosts.rows(insert, [last?.name]);
    }
  });

  it.each([
    ['a wrong password', 'redis://:wrong@'],
    ['no password', 'redis://'],
  ])('does not start with %s of Redis, and names the setting', async (_case, login) => {
    const url = redis.url.replace(/^redis:\/\/.*@/, login);
    await assertOneSentence(
      program,
      { environment: { ...environmentOf(program), REDIS_URL: url } },
      /^Redis rejects the user or the password of REDIS_URL\. Correct the setting and start the host again\.$/m,
    );
  });

  it('starts with the right password of Redis, and is not ready while Redis does not run', async () => {
    await assertReadiness(program, { ...environmentOf(program), REDIS_URL: redis.url }, 200);
    const absent = `redis://127.0.0.1:${await reservePort()}`;
    await assertReadiness(program, { ...environmentOf(program), REDIS_URL: absent }, 503);
  });
});
