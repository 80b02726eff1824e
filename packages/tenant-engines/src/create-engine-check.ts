import { TrinoEngine } from '@sluice/engine';
import type { WorkerPool } from '@sluice/query-worker';
import type { EngineResolver } from './resolver/engine-resolver.ts';

/** Shorter than the timeout of a probe, and without retries: the next probe is a retry. */
const LIMITS = { answerTimeoutMs: 1_500, retryForMs: 0 } as const;

/** Creates a readiness check. It rejects while no query can run: workers do not start, or the common Trino is unavailable. */
export function createEngineCheck(resolveEngine: EngineResolver, workers: WorkerPool): () => Promise<void> {
  const { kind, profile } = resolveEngine({ id: '', name: '', state: 'active', settings: {} });
  const trino = kind === 'trino' ? { ...profile, limits: LIMITS } : undefined;
  return async () => {
    if (workers.isBroken) throw new Error('Query workers do not start.');
    if (trino === undefined) return;
    await using engine = new TrinoEngine(trino);
    await engine.check();
  };
}
