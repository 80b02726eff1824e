/** Progress of a statement, as far as it is known. */
export interface StatementProgress {
  readonly state: 'QUEUED' | 'PLANNING' | 'RUNNING' | 'FINISHED' | 'FAILED';
  readonly rows: number;
  readonly bytes: number;
  readonly elapsedMs: number;
  /** Null: the engine does not report it. */
  readonly splitsDone: number | null;
  readonly splitsTotal: number | null;
}

/** Statistics in Trino's shape. Drivers require all of these numbers, also those that Sluice does not know, which are 0. */
export interface StatementStats {
  readonly state: StatementProgress['state'];
  readonly queued: boolean;
  readonly scheduled: boolean;
  readonly progressPercentage?: number;
  readonly nodes: number;
  readonly totalSplits: number;
  readonly queuedSplits: number;
  readonly runningSplits: number;
  readonly completedSplits: number;
  readonly planningTimeMillis: number;
  readonly analysisTimeMillis: number;
  readonly finishingTimeMillis: number;
  readonly cpuTimeMillis: number;
  readonly wallTimeMillis: number;
  readonly queuedTimeMillis: number;
  readonly elapsedTimeMillis: number;
  readonly physicalInputTimeMillis: number;
  readonly processedRows: number;
  readonly processedBytes: number;
  readonly physicalInputBytes: number;
  readonly physicalWrittenBytes: number;
  readonly internalNetworkInputBytes: number;
  readonly peakMemoryBytes: number;
  readonly spilledBytes: number;
}

const UNKNOWN = {
  planningTimeMillis: 0,
  analysisTimeMillis: 0,
  finishingTimeMillis: 0,
  cpuTimeMillis: 0,
  queuedTimeMillis: 0,
  physicalInputTimeMillis: 0,
  physicalInputBytes: 0,
  physicalWrittenBytes: 0,
  internalNetworkInputBytes: 0,
  peakMemoryBytes: 0,
  spilledBytes: 0,
} as const;

/** Returns the progress in the shape of a page's `stats`. */
export function presentStats({ state, rows, bytes, elapsedMs, ...splits }: StatementProgress): StatementStats {
  const isScheduled = state !== 'QUEUED';
  const { totalSplits, completedSplits } = splits.splitsTotal === null ? oneSplit(state) : countedSplits(splits);
  const elapsed = Math.max(0, Math.round(elapsedMs));
  return {
    state,
    queued: state === 'QUEUED',
    scheduled: isScheduled,
    ...percentage(state, splits.splitsTotal === null ? 0 : totalSplits, completedSplits),
    nodes: isScheduled ? 1 : 0,
    totalSplits,
    queuedSplits: isScheduled ? 0 : totalSplits,
    runningSplits: state === 'RUNNING' ? totalSplits - completedSplits : 0,
    completedSplits,
    wallTimeMillis: elapsed,
    elapsedTimeMillis: elapsed,
    processedRows: rows,
    processedBytes: bytes,
    ...UNKNOWN,
  };
}

interface Splits {
  readonly totalSplits: number;
  readonly completedSplits: number;
}

/** An engine that reports none works on one. The Trino CLI shows the summary of a statement only if it has splits. */
const oneSplit = (state: StatementProgress['state']): Splits => ({
  totalSplits: state === 'QUEUED' ? 0 : 1,
  completedSplits: state === 'FINISHED' ? 1 : 0,
});

function countedSplits({ splitsTotal, splitsDone }: Pick<StatementProgress, 'splitsTotal' | 'splitsDone'>): Splits {
  const totalSplits = splitsTotal ?? 0;
  return { totalSplits, completedSplits: Math.min(splitsDone ?? 0, totalSplits) };
}

function percentage(
  state: StatementProgress['state'],
  total: number,
  done: number,
): { readonly progressPercentage?: number } {
  if (state === 'FINISHED') return { progressPercentage: 100 };
  return total === 0 ? {} : { progressPercentage: Math.min(100, (done * 100) / total) };
}
