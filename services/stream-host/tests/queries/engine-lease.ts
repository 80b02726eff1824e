import { createFormat } from '@sluice/encoders';
import type { Engine, SentEvent } from '@sluice/engine';
import { openEngine } from '@sluice/engine/open-engine';
import { EMPTY_DUCKDB } from '@sluice/engine/testing';
import type { WorkerLease } from '@sluice/query-worker';

/** Opens DuckDB without data in this process, for statements that create their own rows. The caller disposes of it. */
export const openDuckDb = (tempFolder: string): Promise<Engine> =>
  openEngine(
    { kind: 'duckdb', key: 'test', profile: EMPTY_DUCKDB },
    {
      tempFolder,
      allocate: (bytes) => new Uint8Array(bytes),
      lendableFrames: 4,
      onProgress: () => undefined,
      onRemoteStatement: () => undefined,
      onTables: () => undefined,
    },
  );

/** Leases an engine of this process, which runs jobs as a query worker does. */
export const leaseOf = (engine: Engine): WorkerLease => ({
  run: ({ statement, format }, signal) => {
    const rows = createFormat(format);
    // The statement keeps no rows, so none are yielded in their stored form.
    return engine.run(statement, (columns) => rows.row(columns), signal) as AsyncIterable<SentEvent>;
  },
  [Symbol.dispose]: () => undefined,
});
