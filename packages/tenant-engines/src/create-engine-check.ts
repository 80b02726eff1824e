import { checkEngine } from '@sluice/engine';
import type { WorkerPool } from '@sluice/query-worker';
import type { EngineResolver } from './resolver/engine-resolver.ts';

/** Creates a readiness check. It rejects while no query can run: workers do not start, or the common engine is unavailable. */
export function createEngineCheck(resolveEngine: EngineResolver, workers: WorkerPool): () => Promise<void> {
  const engine = resolveEngine({ id: '', name: '', state: 'active', settings: {} });
  return async () => {
    if (workers.isBroken) throw new Error('Query workers do not start.');
    await checkEngine(engine);
  };
}
