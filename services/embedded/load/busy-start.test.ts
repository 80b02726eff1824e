import { mkdtemp, readFile, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { reservePort, send, until } from '@sluice/testkit';
import { descendantsOf, isRunning, type SpawnedSluice, spawnSluice, stateFolderOf } from '../tests/spawn-sluice.ts';

const READY = /^Sluice is ready.*$/m;
const DESCRIBING = /^Describing the demo tables .*$/m;
const START_MS = 120_000;

let work: string;
let home: string;
let running: SpawnedSluice | undefined;
let start: () => Promise<SpawnedSluice>;
beforeAll(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), 'sluice-busy-')));
  home = join(work, 'home');
  // The database of the home stores the issuer, and so the port. The host gives up sooner than by default.
  const environment = { IDP_PORT: String(await reservePort()), DATABASE_TIMEOUT: '1s' };
  start = async () => {
    running = await spawnSluice({ home, environment });
    return running;
  };
});
/** Kills a program, and waits until PostgreSQL and its other processes have ended. */
async function killAll({ child, exited }: SpawnedSluice): Promise<void> {
  const below = descendantsOf(child.pid ?? 0);
  child.kill('SIGKILL');
  await exited;
  await until(() => (below.some(isRunning) ? undefined : true), { what: 'the end of all processes' });
}

afterEach(async () => {
  if (running !== undefined) await killAll(running);
});
afterAll(async () => {
  for (const folder of [stateFolderOf(home), work]) await rm(folder, { recursive: true, force: true });
});

async function postgresOf(sluice: SpawnedSluice): Promise<readonly number[]> {
  const below = descendantsOf(sluice.child.pid ?? 0);
  const names = await Promise.all(below.map((pid) => readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')));
  return below.filter((_, index) => names[index]?.trim() === 'postgres');
}

/** Returns the description of a demo table. */
async function descriptionOf({ apiPort }: SpawnedSluice, table: string): Promise<unknown> {
  const url = `http://127.0.0.1:${apiPort}`;
  const login = await send(`${url}/auth/login/acme`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email: 'analyst@acme.example', password: 'sluice-demo' }),
  });
  const { body } = await send(`${url}/catalog/demo/vega/${table}`, { headers: { idtoken: login.body.id_token } });
  return body.description;
}

describe('the first start', () => {
  // In this order: the second start finds what the first one left.
  it(
    'leaves a demo without descriptions when it is killed before them',
    async () => {
      const sluice = await start();
      await sluice.untilPrinted(DESCRIBING);
      await killAll(sluice);
      expect(await readFile(join(home, 'demo-seeded.json'), 'utf8')).not.toContain('metadata-1');
    },
    START_MS,
  );

  it(
    'is completed by the next one, which waits while PostgreSQL does not answer',
    async () => {
      const sluice = await start();
      await sluice.untilPrinted(DESCRIBING);
      const stopped = await postgresOf(sluice);
      expect(stopped.length).toBeGreaterThan(3);
      for (const pid of stopped) process.kill(pid, 'SIGSTOP');
      try {
        await sluice.untilPrinted(/^The host is busy \(.*\)\. Waiting \.\.\.$/m);
      } finally {
        for (const pid of stopped) process.kill(pid, 'SIGCONT');
      }
      await sluice.untilPrinted(READY);
      expect(sluice.output()).not.toContain('incomplete');
      expect(JSON.parse(await readFile(join(home, 'demo-seeded.json'), 'utf8'))).toEqual(
        expect.arrayContaining(['metadata-1', 'datamap-domains-1']),
      );
      expect(await descriptionOf(sluice, 'flights')).toEqual(expect.stringMatching(/flight/i));
    },
    START_MS,
  );
});
