import type { Client } from '@sluice/client';
import { until } from '@sluice/testkit';

/** Mirrors the tables of the engine into the catalog, as an admin does. Returns at the end. */
export async function harvestCatalog(admin: Client): Promise<void> {
  const { run_id: runId } = await admin.api.startHarvest();
  await until(
    async () => {
      const { data } = await admin.api.listHarvests();
      return data.find(({ run_id: id, state }) => id === runId && state === 'FINISHED');
    },
    { what: 'the harvest', withinMs: 60_000 },
  );
}
