import type { RowChunk, RowSource } from '../../door/row-source.ts';
import type { QueryRun } from '../queries/query-run.ts';

/** Returns the rows of a query that was started in the format `trino`. */
export const sourceOfRun = (run: QueryRun): RowSource => ({
  get columns() {
    return run.columns;
  },
  get progress() {
    return run.progress;
  },
  get isKept() {
    return run.isKept;
  },
  get isStopped() {
    return run.progress.isStopped;
  },
  chunks: chunksOf(run),
  leavesRowsToStore: () => run.leaveRowsToStore(),
  stop: (reason) => run.stop(reason),
});

async function* chunksOf(run: QueryRun): AsyncGenerator<RowChunk> {
  let counted = 0;
  for await (const bytes of run.fileBody()) {
    const rows = run.progress.rows - counted;
    counted += rows;
    if (bytes.byteLength > 0) yield { rows, bytes };
    run.releaseChunk(bytes);
  }
}
