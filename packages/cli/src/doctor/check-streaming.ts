import type { Client } from '@sluice/client';
import { type CheckResult, messageOf } from './check.ts';

const NAME = 'Streaming';
/** Digits that are joined with themselves: each step takes ten times as long. */
const JOINS_MIN = 7;
const JOINS_MAX = 9;
/** A shorter statement ends before the check can distinguish a proxy that holds its beginning back. */
const ELAPSED_MIN_MS = 400;
/** Share of the time of a statement that must be between its first and last event. */
const GAP_SHARE = 0.25;

/** A statement whose columns are known at once and whose only row takes long. Both engines run it. */
function slowStatement(joins: number): string {
  const digits = Array.from({ length: 10 }, (_, digit) => `(${digit})`).join(', ');
  const names = Array.from({ length: joins }, (_, index) => `d${index}`);
  const sum = names.map((name, index) => `${name}.x * ${index + 1}`).join(' + ');
  const tables = names.map((name) => `digits ${name}`).join(' CROSS JOIN ');
  return `WITH digits(x) AS (VALUES ${digits}) SELECT max((${sum}) % 97) AS top FROM ${tables}`;
}

interface Timing {
  /** Time of the statement by the host. */
  readonly elapsedMs: number;
  /** Time between the first and the last event as they arrived here. */
  readonly gapMs: number;
}

async function measure(client: Client, joins: number, signal: AbortSignal): Promise<Timing> {
  let firstAt: number | undefined;
  const note = (): void => {
    firstAt ??= performance.now();
  };
  const query = client.query(slowStatement(joins), { signal, onProgress: note });
  const columns = query.columns.then(note);
  for await (const _rows of query.batches()) note();
  await columns;
  const elapsedMs = query.summary?.elapsedMs ?? 0;
  return { elapsedMs, gapMs: performance.now() - (firstAt ?? performance.now()) };
}

/**
 * Checks that events arrive when they are sent: a proxy that buffers responses holds the first one back until the last.
 */
export async function checkStreaming(client: Client, signal: AbortSignal): Promise<CheckResult> {
  try {
    let timing = await measure(client, JOINS_MIN, signal);
    for (let joins = JOINS_MIN + 1; joins <= JOINS_MAX && timing.elapsedMs < ELAPSED_MIN_MS; joins += 1)
      timing = await measure(client, joins, signal);
    const { elapsedMs, gapMs } = timing;
    const times = `the first event came ${Math.round(gapMs)} ms before the last, of ${Math.round(elapsedMs)} ms`;
    if (gapMs >= elapsedMs * GAP_SHARE) return { name: NAME, status: 'ok', message: times };
    const message = `${times}: something on the way buffers responses. Switch that off for the stream host, such as \`proxy_buffering off\` in nginx`;
    return { name: NAME, status: 'failed', message };
  } catch (error) {
    if (signal.aborted) throw error;
    return { name: NAME, status: 'failed', message: messageOf(error) };
  }
}
