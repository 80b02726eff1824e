import { drain, openQuery, readQuery } from '../http-client.ts';
import { disturbance, runUndisturbed } from '../run-undisturbed.ts';
import { median } from '../statistics.ts';
import { type BenchContext, type Scenario, TABLES } from './scenario.ts';

const SMALL = { sql: 'SELECT origin, delay FROM flights LIMIT 100' };
const SAMPLES = 60;
/** Measured separately, so that a disturbed batch can be repeated alone. */
const BATCHES = 6;

/** Measures the first byte of a small query, on an idle machine and during a large stream. */
export const latency: Scenario = async (context) => {
  await firstBytes(context, 20); // warm-up
  const alone = await runUndisturbed(BATCHES, () => firstBytes(context, SAMPLES / BATCHES));
  const idle = median(alone.results.flat());
  const big = keepStreaming(context);
  const during = await runUndisturbed(BATCHES, () => firstBytes(context, SAMPLES / BATCHES));
  await big.stop();
  const busy = median(during.results.flat());
  return [
    {
      name: 'metadata event, warm worker, idle machine',
      measured: idle,
      unit: 'ms',
      floor: 20,
      goal: 5,
      better: 'lower',
      detail: `median of ${SAMPLES}${disturbance(alone)}`,
    },
    {
      name: 'small query during one large stream, × of idle',
      measured: busy / idle,
      unit: '×',
      floor: 3,
      goal: 1.5,
      better: 'lower',
      detail: `first byte p50 ${busy.toFixed(1)} ms${disturbance(during)}`,
    },
    {
      name: 'small query during one large stream',
      measured: busy,
      unit: 'ms',
      floor: 20,
      goal: 20,
      better: 'lower',
      detail: 'first byte p50',
    },
  ];
};

async function firstBytes({ sluice }: BenchContext, samples: number): Promise<number[]> {
  const found: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    const start = performance.now();
    const { firstByteAt } = await drain(await openQuery(sluice, '/query', SMALL));
    found.push(firstByteAt - start);
  }
  return found;
}

interface Background {
  stop(): Promise<void>;
}

/** Starts a client that reads a large result repeatedly until it is stopped. */
function keepStreaming({ sluice }: BenchContext): Background {
  const leaving = new AbortController();
  const done = (async () => {
    while (!leaving.signal.aborted) {
      await readQuery({ sluice, path: '/query', signal: leaving.signal }, { sql: TABLES.flights.sql });
    }
  })();
  return {
    stop: async () => {
      leaving.abort();
      await done.catch(() => undefined);
    },
  };
}
