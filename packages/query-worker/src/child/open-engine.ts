import { DuckDbEngine, type Engine, TrinoEngine, type TrinoProgress } from '@sluice/engine';
import type { EngineSpec, JobProgress, OnProgress } from '../protocol/query-job.ts';

export interface OpenEngineOptions {
  /** Folder for data that does not fit the engine's memory. */
  readonly tempFolder: string;
  /** Allocates the memory that rows are copied to. */
  readonly allocate: (bytes: number) => Uint8Array;
  readonly onProgress: OnProgress;
  /** Receives the address at which a remote statement can be cancelled. */
  readonly onRemoteStatement: (url: string) => void;
}

/** Opens the engine that serves a tenant. The caller disposes of it. */
export async function openEngine(spec: EngineSpec, options: OpenEngineOptions): Promise<Engine> {
  const { tempFolder, allocate, onProgress, onRemoteStatement } = options;
  switch (spec.kind) {
    case 'duckdb':
      return await DuckDbEngine.open({ ...spec.profile, tempFolder }, allocate);
    case 'trino':
      return new TrinoEngine(spec.profile, {
        allocate,
        onProgress: (progress) => onProgress(jobProgress(progress)),
        onPlace: onRemoteStatement,
      });
  }
}

/** Trino's states before planning (`QueryState`). An unknown state counts as running. */
const WAITING: ReadonlySet<string> = new Set(['QUEUED', 'WAITING_FOR_RESOURCES', 'DISPATCHING']);

const jobProgress = ({ state, splitsDone, splitsTotal }: TrinoProgress): JobProgress => ({
  isQueued: WAITING.has(state),
  splitsDone,
  splitsTotal,
});
