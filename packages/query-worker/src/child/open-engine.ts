import { DuckDbEngine, type Engine, TrinoEngine, type TrinoProgress } from '@sluice/engine';
import type { EngineSpec, JobProgress, OnProgress } from '../protocol/query-job.ts';

export interface EngineSurroundings {
  /** Where an engine may put what does not fit its memory. */
  readonly tempFolder: string;
  /** Gives the memory that rows are copied to. */
  readonly allocate: (bytes: number) => Uint8Array;
  readonly onProgress: OnProgress;
  /** Told where a statement runs that runs elsewhere. */
  readonly onPlace: (url: string) => void;
}

/** Opens the engine that serves a tenant. The caller disposes of it. */
export async function openEngine(spec: EngineSpec, surroundings: EngineSurroundings): Promise<Engine> {
  const { tempFolder, allocate, onProgress, onPlace } = surroundings;
  switch (spec.kind) {
    case 'duckdb':
      return await DuckDbEngine.open({ ...spec.profile, tempFolder }, allocate);
    case 'trino':
      return new TrinoEngine(spec.profile, {
        allocate,
        onProgress: (progress) => onProgress(jobProgress(progress)),
        onPlace,
      });
  }
}

/** Trino's states before it plans (`QueryState`); the word of one that it may add means that it works. */
const WAITING: ReadonlySet<string> = new Set(['QUEUED', 'WAITING_FOR_RESOURCES', 'DISPATCHING']);

const jobProgress = ({ state, splitsDone, splitsTotal }: TrinoProgress): JobProgress => ({
  isQueued: WAITING.has(state),
  splitsDone,
  splitsTotal,
});
