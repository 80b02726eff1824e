import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';

/** Times of the fixed work on the reference machine, where the budgets were measured, with both of its processors busy. */
const REFERENCE_SECONDS = 0.75;
const REFERENCE_PROCESSOR_SECONDS = 0.67;
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

if (!isMainThread) parentPort.postMessage(work());

/**
 * Returns how many times as long as on the reference machine a fixed piece of work takes now, on all processors at once: `wall` by the clock and
 * `processor` by processor time. Above 1 is slower. Budgets are scaled by the second, which other work on the machine hardly changes.
 */
export async function measureSlowness() {
  const threads = availableParallelism();
  const before = process.cpuUsage();
  const start = performance.now();
  await Promise.all(Array.from({ length: threads }, runInThread));
  const wallSeconds = (performance.now() - start) / 1000;
  const { user, system } = process.cpuUsage(before);
  return {
    wall: wallSeconds / REFERENCE_SECONDS,
    processor: (user + system) / 1e6 / threads / REFERENCE_PROCESSOR_SECONDS,
  };
}

const runInThread = () =>
  new Promise((resolve, reject) => {
    new Worker(new URL(import.meta.url)).once('message', resolve).once('error', reject);
  });
