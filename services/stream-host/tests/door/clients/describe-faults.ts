import { beforeAll, describe, expect, it } from '@jest/globals';
import { type CannedResponse, type CuttingProxy, seededRandom, shortOrLong } from '@sluice/testkit';
import { pythonClient, REPEATING_CLIENTS } from './client-programs.ts';
import { WHOLE, WIDE_SQL } from './client-reads.ts';
import type { ClientTarget } from './client-target.ts';

/** Addresses of pages. That of the statement itself has no further part. */
const PAGES = '/v1/statement/';
/** More than a read asks for. */
const REQUESTS = 5_000;
const FAULTY_SHARE = 0.3;
/** Python tries three times. */
const FAULTS_IN_A_ROW_MAX = 2;
const READ_MS = 300_000;

type Reply = Parameters<CuttingProxy['reply']>[1];

const UNAVAILABLE: CannedResponse = { status: 503, body: 'later' };
const FORWARDED: Reply = { delayMs: 0 };

/** Draws what happens to each request. Never more than two faults follow each other. */
function drawReplies(seed: number, faults: readonly Reply[]): readonly Reply[] {
  const random = seededRandom(seed);
  let inRow = 0;
  return Array.from({ length: REQUESTS }, () => {
    const isFaulty = inRow < FAULTS_IN_A_ROW_MAX && random() < FAULTY_SHARE;
    inRow = isFaulty ? inRow + 1 : 0;
    return isFaulty ? (faults[Math.floor(random() * faults.length)] ?? UNAVAILABLE) : FORWARDED;
  });
}

interface FaultyServer {
  readonly target: ClientTarget;
  readonly proxy: CuttingProxy;
}

/** Declares the tests of reads whose pages fail on the way. */
export function describeFaults(server: string, find: () => FaultyServer): void {
  const seeds = Array.from({ length: shortOrLong(1, 10, 100) }, (_, index) => index + 1);

  describe.each(REPEATING_CLIENTS)(`$name, on ${server}`, (client) => {
    beforeAll(client.install, READ_MS * 2);

    it.each(seeds)(
      'loses no row when 30 %% of the requests fail with 503 (seed %d)',
      async (seed) => {
        const { target, proxy } = find();
        proxy.reset();
        proxy.reply(PAGES, ...drawReplies(seed, [UNAVAILABLE]));
        expect(await client.read(target, WIDE_SQL)).toEqual(WHOLE);
      },
      READ_MS,
    );

    it.each(seeds)(
      'has all rows or an error when 30 %% of the connections are lost (seed %d)',
      async (seed) => {
        const { target, proxy } = find();
        proxy.reset();
        proxy.reply(PAGES, ...drawReplies(seed, ['unsent', 'lost', UNAVAILABLE]));
        const outcome = await client.read(target, WIDE_SQL);
        if (!('failure' in outcome)) expect(outcome).toEqual(WHOLE);
        expect(proxy.seen.length).toBeGreaterThan(0);
      },
      READ_MS,
    );
  });

  // JDBC and the command line try for two minutes.
  it(
    'ends Python with an error when pages are cut again and again',
    async () => {
      const { target, proxy } = find();
      await pythonClient.install();
      proxy.reset();
      // The first pages have no rows yet.
      proxy.damage(PAGES, { kind: 'cut', afterBytes: 100_000 });
      expect(await pythonClient.read(target, WIDE_SQL)).toEqual({ failure: expect.any(String) });
    },
    READ_MS,
  );
}
