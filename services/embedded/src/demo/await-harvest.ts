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

/** Asks for a harvest, or joins the one that is under way, and resolves when it is over. @throws StartFailure */
export async function awaitHarvest(api: ApiClient, signal: AbortSignal): Promise<void> {
  const { run_id: id } = await api.post<{ run_id: string }>('/admin/harvest');
  const until = Date.now() + HARVEST_TIMEOUT_MS;
  while (Date.now() < until) {
    const { data } = await api.get<{ data: Harvest[] }>('/admin/harvest');
    const run = data.find(({ run_id }) => run_id === id);
    if (run?.state === 'FINISHED') return;
    if (run?.state === 'FAILED') throw new StartFailure(`The catalog was not mirrored: ${run.error?.message ?? ''}`);
    await wait(EVERY_MS, undefined, { signal });
  }
  throw new StartFailure('The catalog was not mirrored within two minutes.');
}
