import { watchStolenTime } from './stolen-time.ts';

/** A round that lost more time than this to other machines of the same hypervisor measures them rather than Sluice. */
const STOLEN_SHARE_MAX = 0.03;
const TRIES_PER_ROUND = 3;

interface Rounds<T> {
  readonly results: readonly T[];
  /** The largest share of the machine's time, 0 to 1, that was stolen in any of these rounds. */
  readonly stolenShare: number;
}

/**
 * Runs rounds until enough of them were undisturbed by other machines, at most three times as many, and returns the least disturbed
 * ones. A single round proves nothing, disturbed or not, so it is not repeated. Measurements to compare must be in one round, so
 * that both run under the same conditions.
 */
export async function runUndisturbed<T>(wanted: number, round: () => Promise<T>): Promise<Rounds<T>> {
  const found: { readonly result: T; readonly stolenShare: number }[] = [];
  const triesMax = wanted === 1 ? 1 : wanted * TRIES_PER_ROUND;
  const quiet = (): number => found.filter(({ stolenShare }) => stolenShare <= STOLEN_SHARE_MAX).length;
  while (quiet() < wanted && found.length < triesMax) {
    const stolen = watchStolenTime();
    const result = await round();
    found.push({ result, stolenShare: stolen() });
  }
  const best = found.sort((a, b) => a.stolenShare - b.stolenShare).slice(0, wanted);
  return { results: best.map(({ result }) => result), stolenShare: best.at(-1)?.stolenShare ?? 0 };
}

/** Returns the note on disturbances for the detail of a finding, or an empty text. */
export const disturbance = ({ stolenShare }: Rounds<unknown>): string =>
  stolenShare > STOLEN_SHARE_MAX ? `; up to ${Math.round(stolenShare * 100)} % of the machine’s time was stolen` : '';
