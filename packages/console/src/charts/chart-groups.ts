import type { ResultView } from '../result/result-view.ts';
import type { Aggregate, ChartAxes, Pause } from './chart-kind.ts';
import { type ChartSeries, findSeries, SLICE_ROWS } from './chart-series.ts';

/** Values of one series in one group. */
class Totals {
  #count = 0;
  #sum = 0;
  #minimum = Number.POSITIVE_INFINITY;
  #maximum = Number.NEGATIVE_INFINITY;

  add(value: number): void {
    this.#count += 1;
    this.#sum += value;
    this.#minimum = Math.min(this.#minimum, value);
    this.#maximum = Math.max(this.#maximum, value);
  }

  value(aggregate: Aggregate): number {
    if (aggregate === 'count') return this.#count;
    if (aggregate === 'sum') return this.#sum;
    if (aggregate === 'average') return this.#sum / this.#count;
    return aggregate === 'minimum' ? this.#minimum : this.#maximum;
  }
}

/** Rows with the same value of a column. */
interface Group<Key> {
  readonly key: Key;
  /** Value of each series that has one. */
  readonly values: readonly { readonly series: number; readonly value: number }[];
}

interface Groups<Key> {
  readonly groups: readonly Group<Key>[];
  readonly series: ChartSeries;
}

/**
 * Groups rows, and makes one value of each group and series.
 * @param keyOf - returns what rows of a group have in common; undefined leaves a row out
 */
export async function groupRows<Key extends string | number>(
  view: ResultView,
  axes: ChartAxes,
  keyOf: (row: number) => Key | undefined,
  pause: Pause,
): Promise<Groups<Key>> {
  const { aggregate = 'sum' } = axes;
  const series = await findSeries(view, axes, pause);
  const groups = new Map<Key, Totals[]>();
  for (let row = 0; row < view.loadedRows; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const key = keyOf(row);
    if (key === undefined) continue;
    for (const { series: index, value } of series.valuesOf(row)) {
      const totals = groups.get(key) ?? [];
      groups.set(key, totals);
      totals[index] ??= new Totals();
      totals[index].add(value);
    }
  }
  const valuesOf = (totals: readonly (Totals | undefined)[]) =>
    totals.flatMap((each, index) => (each === undefined ? [] : [{ series: index, value: each.value(aggregate) }]));
  return { groups: [...groups].map(([key, totals]) => ({ key, values: valuesOf(totals) })), series };
}
