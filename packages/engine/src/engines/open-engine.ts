import { DuckDbEngine } from '../duckdb/duckdb-engine.ts';
import type { Engine, EngineProgress } from '../engine.ts';
import type { TableName } from '../table-name.ts';
import { TrinoEngine, type TrinoProgress } from '../trino/trino-engine.ts';
import type { EngineSpec } from './engine-kinds.ts';

interface EngineOptions {
  /** Folder for data that does not fit the engine's memory. */
  readonly tempFolder: string;
  /** Allocates the memory that rows are copied to. */
  readonly allocate: (bytes: number) => Uint8Array;
  /** Number of row events whose memory the receiver may use before it calls `release`. */
  readonly lendableFrames: number;
  readonly onProgress: (progress: EngineProgress) => void;
  /** Receives the tables and views that the running statement reads, at most once, from an engine that reports them then. */
  readonly onTables: (tables: readonly TableName[]) => void;
  /** Receives the address at which a remote statement can be cancelled. */
  readonly onRemoteStatement: (url: string) => void;
}

/**
 * Opens the engine that serves a tenant. The caller disposes of it. This module is an entry of its own (`@sluice/engine/open-engine`), because it
 * loads DuckDB, which hosts do not need.
 */
export async function openEngine(spec: EngineSpec, options: EngineOptions): Promise<Engine> {
  const { tempFolder, allocate, lendableFrames, onProgress, onTables, onRemoteStatement } = options;
  switch (spec.kind) {
    case 'duckdb':
      return await DuckDbEngine.open({ ...spec.profile, tempFolder }, { allocate, lendableFrames });
    case 'trino':
      return new TrinoEngine(spec.profile, {
        allocate,
        onProgress: (progress) => onProgress(engineProgress(progress)),
        onTables,
        onCancelUrl: onRemoteStatement,
      });
  }
}

/** Trino's states before planning (`QueryState`). An unknown state counts as running. */
const QUEUED_STATES: ReadonlySet<string> = new Set(['QUEUED', 'WAITING_FOR_RESOURCES', 'DISPATCHING']);

const engineProgress = ({ state, splitsDone, splitsTotal }: TrinoProgress): EngineProgress => ({
  isQueued: QUEUED_STATES.has(state),
  splitsDone,
  splitsTotal,
});
