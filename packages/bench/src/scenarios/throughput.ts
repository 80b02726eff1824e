import { startBaselineServer } from '../baseline-server.ts';
import { drain, openQuery, openUrl } from '../http-client.ts';
import type { Finding } from '../report.ts';
import { disturbance, runUndisturbed } from '../run-undisturbed.ts';
import { median } from '../statistics.ts';
import type { Scenario } from './scenario.ts';

const CLIENTS = 50;
const REQUESTS = 400;
const SQL = 'SELECT * FROM bench_lineitem LIMIT 100';

/** Compares many concurrent small queries with the baseline server, with the same engine settings. */
export const throughput: Scenario = async ({ sluice, database, rounds }) => {
  const baseline = await startBaselineServer(database, 2);
  try {
    const query = async (): Promise<void> => void (await drain(await openQuery(sluice, '/query', { sql: SQL })));
    await perSecond(query);
    const measured = await runUndisturbed(rounds, async () => ({
      theirs: await perSecond(async () => void (await drain(await openUrl(baseline.urlFor(SQL))))),
      ours: await perSecond(query),
    }));
    const ours = median(measured.results.map((round) => round.ours));
    const theirs = median(measured.results.map((round) => round.theirs));
    const finding: Finding = {
      name: `${CLIENTS} clients × 100 rows, requests/s, × of the baseline server`,
      measured: ours / theirs,
      unit: '×',
      floor: 1.2,
      goal: 2,
      better: 'higher',
      detail: `${ours.toFixed(0)} against ${theirs.toFixed(0)} requests/s${disturbance(measured)}`,
    };
    return [finding];
  } finally {
    await baseline[Symbol.asyncDispose]();
  }
};

async function perSecond(once: () => Promise<void>): Promise<number> {
  let left = REQUESTS;
  const client = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await once();
    }
  };
  const start = performance.now();
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return REQUESTS / ((performance.now() - start) / 1000);
}
