import { TrinoEngine } from '@sluice/engine';
import type { WorkerPool } from '@sluice/query-worker';
import type { EngineResolver } from './engine-resolver.ts';

/** Shorter than a probe waits, and without a second try: the next probe is one. */
const LIMITS = { answerTimeoutMs: 1_500, retryForMs: 0 } as const;

/** Rejects while no query can run: its workers do not start, or the Trino that most tenants have does not answer. */
export function createEngineCheck(resolveEngine: EngineResolver, workers: WorkerPool): () => Promise<void> {
  const { kind, profile } = resolveEngine({ id: '', name: '', state: 'active', settings: {} });
  const trino = kind === 'trino' ? { ...profile, limits: LIMITS } : undefined;
  return async () => {
    if (workers.isBroken) throw new Error('query workers do not start');
    if (trino === undefined) return;
    await using engine = new TrinoEngine(trino);
    await engine.check();
  };
}
