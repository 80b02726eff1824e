import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/** Seconds of processor time of the fixed work on the machine of which the budgets were measured, with all processors busy. */
const REFERENCE_SECONDS = 1;
const ROUNDS = 10;

/** Fixed work of the kinds that tests do: objects and strings, JSON, regular expressions, sorting. */
function work() {
  let sum = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}`, values: [id, id / 3, `${id}`] }));
    const parsed = JSON.parse(JSON.stringify(rows));
    parsed.sort((one, other) => (one.name < other.name ? -1 : 1));
    const text = parsed.map(({ name, values }) => `${name}=${values.join(',')}`).join('\n');
    sum += text.match(/row (\d+)=\1/g).length + new Map(parsed.map((row) => [row.name, row])).size;
  }
  return sum;
}

if (!isMainThread) {
  const start = process.cpuUsage().user;
  const wallStart = performance.now();
  work();
  parentPort.postMessage({ wallMs: performance.now() - wallStart, userMs: (process.cpuUsage().user - start) / 1000 });
}

/**
 * Returns how many times as long as on the reference machine a fixed piece of work takes now, on all processors at once: above 1 is slower. The
 * wall times of a run, and the budgets of processor time, are compared with it.
 */
export async function measureSlowness() {
  const runs = await Promise.all(Array.from({ length: availableParallelism() }, runInThread));
  return runs.reduce((sum, { wallMs }) => sum + wallMs, 0) / runs.length / 1000 / REFERENCE_SECONDS;
}

const runInThread = () =>
  new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url)).once('message', resolve).once('error', reject);
  });
