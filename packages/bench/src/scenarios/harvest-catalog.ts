import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { startApiHost } from '@sluice/api-host';
import { createDatabase, createHarvestRunStore, createTenantStore, type HarvestRun } from '@sluice/store';
import type { Finding } from '../report.ts';
import { openHarvestStage } from './harvest-database.ts';

export interface HarvestCatalogOrder {
  readonly tables: number;
  readonly columns: number;
  readonly say: (line: string) => void;
}

const MIB = 1024 * 1024;
const SAMPLE_MS = 50;

/**
 * A harvest of a generated catalog through a whole API host, in this process: what its memory grows by at the most, the second
 * time beside the first, which writes every row, and how long both take.
 */
export async function harvestCatalog({ tables, columns, say }: HarvestCatalogOrder): Promise<readonly Finding[]> {
  say(`Making a catalog of ${tables} tables and ${tables * columns} columns ...`);
  await using stage = await openHarvestStage(tables, columns);
  await using database = createDatabase({ url: stage.apiUrl });
  const runs = createHarvestRunStore(database);
  const host = await startApiHost({
    environment: {
      LISTEN_HOST: '127.0.0.1',
      API_PORT: '0',
      LOG_LEVEL: 'warn',
      DATABASE_URL: stage.apiUrl,
      SLUICE_MASTER_KEY: randomBytes(32).toString('base64'),
      ISSUER_TEMPLATE: 'https://{tenant}.bench',
      HARVEST_EVERY: '1m',
      // DuckDB holds the whole catalog of a file in memory, in whichever worker opens it.
      WORKER_MEMORY: '8GiB',
      DUCKDB_CATALOGS: `wide=${stage.catalogPath}`,
    },
  });
  try {
    await wait(2_000); // code is loaded and connections are open
    collectGarbage();
    const { id } = await createTenantStore(database).create({ name: 'bench' });
    const first = await watch(() => endOf(runs, id, 1));
    say(`first: ${first.text}`);
    collectGarbage();
    const second = await watch(() => endOf(runs, id, 2));
    say(`again: ${second.text}`);
    const detail = (watched: Watched): string =>
      `${watched.run.columnsSeen} columns of ${watched.run.tablesSeen} tables, ${watched.run.tablesChanged} written, ${watched.seconds.toFixed(1)} s`;
    return [
      growth('harvest, growth of the host', first, detail(first)),
      growth('harvest of what is there already, growth of the host', second, detail(second)),
      {
        name: 'harvest of what is there already, time beside the first',
        measured: second.seconds / first.seconds,
        unit: '×',
        floor: 0.5,
        goal: 0.25,
        better: 'lower',
        detail: `${second.seconds.toFixed(1)} s of ${first.seconds.toFixed(1)} s`,
      },
    ];
  } finally {
    await host[Symbol.asyncDispose]();
  }
}

const growth = (name: string, { growthBytes }: Watched, detail: string): Finding => ({
  name,
  measured: growthBytes / MIB,
  unit: 'MiB',
  floor: 256,
  goal: 128,
  better: 'lower',
  detail,
});

interface Watched {
  readonly run: HarvestRun;
  readonly growthBytes: number;
  readonly seconds: number;
  readonly text: string;
}

/** What this process' memory grows by at the most while the work goes on; the time is the run's own. */
async function watch(work: () => Promise<HarvestRun>): Promise<Watched> {
  const before = residentBytes();
  let peak = before;
  const sampler = setInterval(() => {
    peak = Math.max(peak, residentBytes());
  }, SAMPLE_MS);
  try {
    const run = await work();
    if (run.state !== 'FINISHED') throw new Error(`The harvest failed: ${run.error?.message}`);
    const seconds = ((run.ended?.getTime() ?? 0) - (run.started?.getTime() ?? 0)) / 1000;
    const growthBytes = peak - before;
    return { run, growthBytes, seconds, text: `${seconds.toFixed(1)} s, ${(growthBytes / MIB).toFixed(0)} MiB` };
  } finally {
    clearInterval(sampler);
  }
}

const residentBytes = (): number => {
  const [, pages = '0'] = readFileSync('/proc/self/statm', 'utf8').split(' ');
  return Number(pages) * 4096;
};

const collectGarbage = (): void => globalThis.gc?.();

/** The tenant's run of this number, the oldest being the first, once it is over. */
async function endOf(
  runs: ReturnType<typeof createHarvestRunStore>,
  tenantId: string,
  number: number,
): Promise<HarvestRun> {
  for (;;) {
    const run = (await runs.list(tenantId, 20)).at(-number);
    if (run?.ended != null) return run;
    await wait(SAMPLE_MS);
  }
}
