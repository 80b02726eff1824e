/** Length of the texts in characters: long enough that the work on each character can be measured. */
const SHORT = 8 * 1024;
const LONG = 8 * SHORT;
/** Work this quick on the longer text is linear, or harmless: 1 µs for each character. Garbage collection alone made 35 ms (measured). */
const QUICK_MS = 64;
/** A reader this slow on the longer text is not measured again. */
const SLOW_MS = 2000;
/**
 * Eight times the text takes eight times as long if the work is linear, and 64 times if it is quadratic. Garbage collection makes 13 times
 * of the former (measured), so the bound is well above it.
 */
const RATIO_MAX = 30;
/** A linear reader needs one or two attempts. The others are for a busy machine, whose other threads are counted too. */
const ROUNDS_MAX = 20;

/** A text of any length: `before`, then `period` again and again, then `after`. */
export interface RepeatedText {
  readonly before: string;
  readonly period: string;
  readonly after: string;
}

/** The same input in two sizes, of which `long` is eight times `short`. */
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
 * Checks that the time of `work` grows no faster than its input, and returns a sentence with the measurements if it does. Counts
 * processor time, and the least of several rounds, since a busy machine only ever adds to it. What `work` throws about an input
 * is part of its work.
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
  return `${sizes.description}: ${shortMs} ms became ${longMs} ms when its input became eight times as long`;
}

const textOf = ({ before, period, after }: RepeatedText, length: number): string =>
  `${before}${period.repeat(Math.ceil(length / period.length))}${after}`;

function processorMs<Input>(work: (input: Input) => unknown, input: Input): number {
  const start = process.cpuUsage();
  try {
    work(input);
  } catch {
    // A refusal takes time as well.
  }
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}
