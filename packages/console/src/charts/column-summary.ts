import { type ColumnKind, columnKind, isOrdered } from '../result/column-kind.ts';
import type { ResultView } from '../result/result-view.ts';
import { sortKey } from '../result/sort-key.ts';
import { plotNumber } from './plot-number.ts';

/** Part of the range of a column. `to` is exclusive, except in the last one. */
export interface HistogramBin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface ValueCount {
  /** JSON text of the value. */
  readonly json: string;
  readonly count: number;
}

/** Statistics of one column over the loaded rows. Values are JSON, with all their digits. */
export interface ColumnSummary {
  readonly kind: ColumnKind;
  readonly rows: number;
  readonly nulls: number;
  /** Different values without NULL; at least this many if `isDistinctExact` is false. */
  readonly distinct: number;
  readonly isDistinctExact: boolean;
  /** Undefined for a column of NULL, or whose values have no order here. */
  readonly min: string | undefined;
  readonly max: string | undefined;
  /** Counts over the range of numbers and times. Empty for other kinds. */
  readonly histogram: readonly HistogramBin[];
  /** Most frequent values, the first ones first. Empty if too many are different. */
  readonly top: readonly ValueCount[];
}

/** Values that are counted one by one. */
const DISTINCT_MAX = 100_000;
const TOP_VALUES = 10;
export const BINS = 24;
/** Rows between two calls of `pause`. */
const SLICE_ROWS = 512;

/**
 * Summarizes a column of the loaded rows.
 * @param pause - called between pieces of work; resolves when the thread was free for a moment, and rejects to give up
 */
export async function summarizeColumn(
  view: ResultView,
  column: number,
  pause: () => Promise<void> | undefined,
): Promise<ColumnSummary> {
  const kind = columnKind(view.columns[column]?.type ?? '');
  const rows = view.loadedRows;
  const counts = new Map<string, number>();
  const range = new ValueRange(kind);
  let [nulls, isDistinctExact] = [0, true];
  for (let row = 0; row < rows; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const json = view.cell(row, column);
    if (json === 'null') {
      nulls += 1;
      continue;
    }
    range.add(json);
    const known = counts.get(json);
    if (known !== undefined || counts.size < DISTINCT_MAX) counts.set(json, (known ?? 0) + 1);
    else isDistinctExact = false;
  }
  return {
    kind,
    rows,
    nulls,
    distinct: counts.size,
    isDistinctExact,
    min: range.min,
    max: range.max,
    histogram: await countBins(view, column, range, pause),
    top: isDistinctExact && counts.size < rows - nulls ? topOf(counts) : [],
  };
}

/** Smallest and largest value in the order of the engine. */
class ValueRange {
  min: string | undefined;
  max: string | undefined;
  readonly kind: ColumnKind;
  #minKey = '';
  #maxKey = '';

  constructor(kind: ColumnKind) {
    this.kind = kind;
  }

  add(json: string): void {
    if (!isOrdered(this.kind)) return;
    const key = sortKey(this.kind, json);
    if (key === undefined) return;
    if (this.min === undefined || key < this.#minKey) [this.min, this.#minKey] = [json, key];
    if (this.max === undefined || key > this.#maxKey) [this.max, this.#maxKey] = [json, key];
  }
}

function topOf(counts: ReadonlyMap<string, number>): ValueCount[] {
  const values = [...counts].map(([json, count]) => ({ json, count }));
  return values.sort((a, b) => b.count - a.count).slice(0, TOP_VALUES);
}

/** Counts numbers and times in bins of equal width. The edges are doubles: they are drawn, not compared. */
async function countBins(
  view: ResultView,
  column: number,
  { kind, min, max }: ValueRange,
  pause: () => Promise<void> | undefined,
): Promise<HistogramBin[]> {
  if (min === undefined || max === undefined) return [];
  const [low, high] = [plotNumber(kind, min), plotNumber(kind, max)];
  if (low === undefined || high === undefined || !Number.isFinite(high - low)) return [];
  const counts = new Array<number>(low === high ? 1 : BINS).fill(0);
  const width = (high - low) / counts.length;
  for (let row = 0; row < view.loadedRows; row += 1) {
    if (row % SLICE_ROWS === 0) await pause();
    const value = plotNumber(kind, view.cell(row, column));
    if (value === undefined) continue;
    const bin = width === 0 ? 0 : Math.min(counts.length - 1, Math.floor((value - low) / width));
    counts[bin] = (counts[bin] ?? 0) + 1;
  }
  return counts.map((count, bin) => ({ from: low + bin * width, to: low + (bin + 1) * width, count }));
}
