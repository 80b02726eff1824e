import { expect } from '@jest/globals';

const ATTEMPTS_MAX = 4;

/** A promised time, and the words for it in the output of the run. */
interface TimePromise {
  readonly what: string;
  readonly withinMs: number;
}

/**
 * Asserts that the fastest of up to four attempts keeps a promised time, because other work on the machine only adds time. For tests under
 * load, which run alone. Prints the time of every attempt if the first was too slow, so that a promise that is kept only sometimes is seen. Returns the last result.
 */
export async function assertWithin<Result>(
  { what, withinMs }: TimePromise,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const times: number[] = [];
  for (;;) {
    const begun = performance.now();
    const result = await attempt();
    times.push(Math.round(performance.now() - begun));
    if (Math.min(...times) >= withinMs && times.length < ATTEMPTS_MAX) continue;
    if (times.length > 1) process.stdout.write(`${what}: ${times.join(', ')} ms, promised: ${withinMs} ms\n`);
    expect({ what, isKept: Math.min(...times) < withinMs, times }).toEqual({ what, isKept: true, times });
    return result;
  }
}
