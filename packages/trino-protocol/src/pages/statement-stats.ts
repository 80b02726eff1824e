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
  const totalSplits = splits.splitsTotal ?? 0;
  const completedSplits = Math.min(splits.splitsDone ?? 0, totalSplits);
  const isScheduled = state !== 'QUEUED';
  const elapsed = Math.max(0, Math.round(elapsedMs));
  return {
    state,
    queued: state === 'QUEUED',
    scheduled: isScheduled,
    ...percentage(state, completedSplits, totalSplits),
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

function percentage(
  state: StatementProgress['state'],
  done: number,
  total: number,
): { readonly progressPercentage?: number } {
  if (state === 'FINISHED') return { progressPercentage: 100 };
  return total === 0 ? {} : { progressPercentage: Math.min(100, (done * 100) / total) };
}
