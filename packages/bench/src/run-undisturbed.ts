import { type Disturbance, watchDisturbance } from './machine-load.ts';

/** A round that lost a larger share of the machine's time to other machines or processes measures them rather than Sluice. */
const SHARE_MAX = 0.05;
const TRIES_PER_ROUND = 3;

interface Rounds<T> {
  readonly results: readonly T[];
  /** The largest share of the machine's time, 0 to 1, that was lost in any of these rounds. */
  readonly lostShare: number;
}

const lostShareOf = ({ stolenShare, othersShare }: Disturbance): number => stolenShare + othersShare;

/**
 * Runs rounds until enough of them were undisturbed, at most three times as many, and returns the least disturbed ones. A single
 * round proves nothing, disturbed or not, so it is not repeated. Measurements to compare must be in one round, so that both run
 * under the same conditions.
 */
export async function runUndisturbed<T>(wanted: number, round: () => Promise<T>): Promise<Rounds<T>> {
  const found: { readonly result: T; readonly lostShare: number }[] = [];
  const triesMax = wanted === 1 ? 1 : wanted * TRIES_PER_ROUND;
  const quiet = (): number => found.filter(({ lostShare }) => lostShare <= SHARE_MAX).length;
  while (quiet() < wanted && found.length < triesMax) {
    const disturbance = watchDisturbance();
    const result = await round();
    found.push({ result, lostShare: lostShareOf(disturbance()) });
  }
  const best = found.sort((a, b) => a.lostShare - b.lostShare).slice(0, wanted);
  return { results: best.map(({ result }) => result), lostShare: best.at(-1)?.lostShare ?? 0 };
}

/** Returns the note on disturbances for the detail of a finding, or an empty string. */
export const disturbance = ({ lostShare }: Rounds<unknown>): string =>
  lostShare > SHARE_MAX ? `; up to ${Math.round(lostShare * 100)} % of the machine’s time went elsewhere` : '';
