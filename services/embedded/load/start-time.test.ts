import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { measureSlowness, reservePort } from '@sluice/testkit';
import { type SpawnedSluice, spawnSluice, stateFolderOf } from '../tests/spawn-sluice.ts';

const READY = /^Sluice is ready.*$/m;
/** Limit on the reference machine. */
const START_MS_MAX = 4_000;

let work: string;
let home: string;
let start: () => Promise<SpawnedSluice>;
beforeAll(async () => {
  work = await realpath(await mkdtemp(join(tmpdir(), 'sluice-start-')));
  home = join(work, 'home');
  // The database of the home stores the issuer, and so the port.
  const environment = { IDP_PORT: String(await reservePort()) };
  start = () => spawnSluice({ home, environment });
});
afterAll(async () => {
  for (const folder of [stateFolderOf(home), work]) await rm(folder, { recursive: true, force: true });
});

it('npm start is ready within 4 s in an existing home', async () => {
  const first = await start();
  await first.untilPrinted(READY);
  first.child.kill('SIGINT');
  await first.exited;
  const slownessBefore = measureSlowness();
  const began = performance.now();
  const second = await start();
  try {
    await second.untilPrinted(READY);
    const ms = performance.now() - began;
    expect(ms).toBeLessThan(START_MS_MAX * Math.max(slownessBefore, measureSlowness()));
  } finally {
    second.child.kill('SIGINT');
    await second.exited;
  }
});
