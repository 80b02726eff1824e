import { shortOrLong } from './short-or-long.ts';

/** Length of the input in characters: long enough that the work on each character can be measured. */
const SHORT = shortOrLong(2, 4, 8) * 1024;
const LONG = 8 * SHORT;
/** Work this quick on the longer input is linear or harmless: 1 µs per character. Garbage collection alone took 35 ms (measured). */
const QUICK_MS = LONG / 1024;
/** A reader this slow on the longer input is not measured again. */
const SLOW_MS = 2000;
/**
 * Input of eight times the length takes 8 times as long if the work is linear, and 64 times if it is quadratic. Garbage collection
 * turns 8 into 13 (measured), so the bound is well above that.
 */
const RATIO_MAX = 30;
/** A linear reader needs one or two attempts. The others are for a busy machine, whose other threads are counted too. */
const ROUNDS_MAX = 20;

/** Input of any length: `before`, then repetitions of `period`, then `after`. */
export interface RepeatedText {
  readonly before: string;
  readonly period: string;
  readonly after: string;
}

/** One input in two sizes: `long` has eight times the length of `short`. */
export interface Sizes<Input> {
  readonly description: string;
  readonly short: Input;
  readonly long: Input;
}

export const sizesOf = (text: RepeatedText): Sizes<string> => ({
  description: JSON.stringify(text),
  short: textOf(text, SHORT),
  long: textOf(text, LONG),
});

/**
 * Returns a sentence with measurements if the time of `work` grows faster than its input, else undefined. Measures processor time, and
 * the minimum of several rounds, because a busy machine only adds time. An error of `work` counts as work.
 */
export function findNonlinearGrowth<Input>(work: (input: Input) => unknown, sizes: Sizes<Input>): string | undefined {
  let shortMs = Number.POSITIVE_INFINITY;
  let longMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    longMs = Math.min(longMs, processorMs(work, sizes.long));
    if (longMs <= QUICK_MS) return undefined;
    shortMs = Math.min(shortMs, processorMs(work, sizes.short));
    if (longMs <= shortMs * RATIO_MAX) return undefined;
    if (longMs > SLOW_MS) break;
  }
  return `${sizes.description}: ${shortMs} ms became ${longMs} ms with an input of eight times the length`;
}

const textOf = ({ before, period, after }: RepeatedText, length: number): string =>
  `${before}${period.repeat(Math.ceil(length / period.length))}${after}`;

function processorMs<Input>(work: (input: Input) => unknown, input: Input): number {
  const start = process.cpuUsage();
  try {
    work(input);
  } catch {
    // Rejecting an input takes time too.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
