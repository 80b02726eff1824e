import { TrinoEngine } from '../trino/trino-engine.ts';
import type { EngineSpec } from './engine-spec.ts';

/** Shorter than the timeout of a readiness probe, and without retries: the next probe is a retry. */
const TRINO_PROBE_LIMITS = { answerTimeoutMs: 1_500, retryForMs: 0 } as const;

/** Checks that an engine outside this process responds. Throws `engine_unavailable` with a message about what is wrong. */
export async function checkEngine(spec: EngineSpec): Promise<void> {
  if (spec.kind !== 'trino') return;
  await using engine = new TrinoEngine({ ...spec.profile, limits: TRINO_PROBE_LIMITS });
  await engine.check();
}
