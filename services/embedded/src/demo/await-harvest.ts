import { setTimeout as wait } from 'node:timers/promises';
import { StartFailure } from '../start-failure.ts';
import type { ApiClient } from './api-client.ts';

interface Harvest {
  readonly run_id: string;
  readonly state: string;
  readonly error: { readonly code: string; readonly message: string } | null;
}

const EVERY_MS = 250;
const HARVEST_TIMEOUT_MS = 600_000;
/** Failures of the host, not of the engine: the next run may succeed. */
const BUSY_CODES: ReadonlySet<string> = new Set(['service_unavailable', 'audit_unavailable', 'too_many_requests']);

const startHarvest = async (api: ApiClient): Promise<string> =>
  (await api.post<{ run_id: string }>('/admin/harvest')).run_id;

/**
 * Starts a harvest, or joins a running one, and resolves when it has finished. A harvest that failed because the host was busy is started
 * again. @throws StartFailure
 */
export async function awaitHarvest(api: ApiClient, signal: AbortSignal): Promise<void> {
  const until = Date.now() + HARVEST_TIMEOUT_MS;
  let id = await startHarvest(api);
  while (Date.now() < until) {
    const { data } = await api.get<{ data: Harvest[] }>('/admin/harvest');
    const run = data.find(({ run_id }) => run_id === id);
    if (run?.state === 'FINISHED') return;
    if (run?.state === 'FAILED') {
      if (!BUSY_CODES.has(run.error?.code ?? ''))
        throw new StartFailure(`The catalog could not be harvested: ${run.error?.message ?? ''}`);
      id = await startHarvest(api);
    }
    await wait(EVERY_MS, undefined, { signal });
  }
  throw new StartFailure('The catalog was not harvested within ten minutes.');
}
