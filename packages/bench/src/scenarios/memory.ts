import { setTimeout as wait } from 'node:timers/promises';
import { drain, openQuery } from '../http-client.ts';
import { commandOf, memoryOf, processTree } from '../process-tree.ts';
import type { Finding } from '../report.ts';
import type { BenchContext, Scenario } from './scenario.ts';

const MIB = 1024 * 1024;
const manyFlights = (rows: number): string =>
  `SELECT f.* FROM flights f, range(${Math.ceil(rows / 3_000_000)}) LIMIT ${rows}`;

/** Measures the memory of host and worker during ten million rows, with a fast and with a slow reader. */
export const memory: Scenario = async (context) => {
  await watch(context, 1_000_000, 'fast'); // one-time buffers are not growth
  const one = await watch(context, 1_000_000, 'fast');
  const ten = await watch(context, 10_000_000, 'fast');
  const slow = await watch(context, 10_000_000, 'slow');
  const growth = Math.max(ten.host - ten.hostBefore, slow.host - slow.hostBefore) / MIB;
  const findings: readonly Finding[] = [
    {
      name: 'host memory growth over 10 million rows',
      measured: growth,
      unit: 'MiB',
      floor: 32,
      goal: 8,
      better: 'lower',
      detail: `fast ${format(ten.host - ten.hostBefore)}, slow ${format(slow.host - slow.hostBefore)}`,
    },
    {
      name: 'worker peak, 10 million rows over 1 million',
      measured: (ten.worker - one.worker) / MIB,
      unit: 'MiB',
      floor: 32,
      goal: 8,
      better: 'lower',
      detail: `${format(ten.worker)} over ${format(one.worker)}`,
    },
  ];
  return findings;
};

const format = (bytes: number): string => `${(bytes / MIB).toFixed(1)} MiB`;

interface Peaks {
  readonly hostBefore: number;
  readonly host: number;
  readonly worker: number;
}

async function watch({ sluice }: BenchContext, rows: number, reader: 'fast' | 'slow'): Promise<Peaks> {
  const hostBefore = memoryOf(sluice.pid).residentBytes;
  const peaks = { host: 0, worker: 0 };
  const response = await openQuery(sluice, '/query', { sql: manyFlights(rows) });
  const sample = (): void => {
    peaks.host = Math.max(peaks.host, memoryOf(sluice.pid).residentBytes);
    const workers = processTree(sluice.pid).filter(({ pid }) => commandOf(pid).includes('worker-main'));
    for (const { pid } of workers) peaks.worker = Math.max(peaks.worker, memoryOf(pid).residentBytes);
  };
  const timer = setInterval(sample, 50);
  try {
    if (reader === 'slow') await readSlowly(response, 12_000);
    await drain(response);
  } finally {
    clearInterval(timer);
  }
  return { hostBefore, ...peaks };
}

/** Reads a little now and then for this long, like a client on a slow connection. */
async function readSlowly(response: Awaited<ReturnType<typeof openQuery>>, forMs: number): Promise<void> {
  const until = performance.now() + forMs;
  while (performance.now() < until) {
    response.read(8 * 1024);
    await wait(100);
  }
}
