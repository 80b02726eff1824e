import { setTimeout as wait } from 'node:timers/promises';
import { StartFailure } from '../start-failure.ts';
import type { ApiClient } from './api-client.ts';

interface Harvest {
  readonly run_id: string;
  readonly state: string;
  readonly error: { readonly message: string } | null;
}

const EVERY_MS = 250;
const HARVEST_TIMEOUT_MS = 120_000;

/** Starts a harvest, or joins a running one, and resolves when it has finished. @throws StartFailure */
export async function awaitHarvest(api: ApiClient, signal: AbortSignal): Promise<void> {
  const { run_id: id } = await api.post<{ run_id: string }>('/admin/harvest');
  const until = Date.now() + HARVEST_TIMEOUT_MS;
  while (Date.now() < until) {
    const { data } = await api.get<{ data: Harvest[] }>('/admin/harvest');
    const run = data.find(({ run_id }) => run_id === id);
    if (run?.state === 'FINISHED') return;
    if (run?.state === 'FAILED')
      throw new StartFailure(`The catalog could not be harvested: ${run.error?.message ?? ''}`);
    await wait(EVERY_MS, undefined, { signal });
  }
  throw new StartFailure('The catalog was not harvested within two minutes.');
}
