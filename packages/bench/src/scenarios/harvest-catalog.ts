import type { Finding } from '../report.ts';
import { type CatalogSize, type HarvestedCatalog, harvestTwice, type WatchedHarvest } from './harvest-run.ts';

interface HarvestCatalogOptions extends CatalogSize {
  readonly print: (line: string) => void;
}

const MIB = 1024 * 1024;
/** The smaller catalog has this fraction of the tables. */
const PART = 4;

/**
 * Harvests a generated catalog and one of a quarter of its size. Measures the memory of the host, which must not grow with the size,
 * the memory of the worker against DuckDB's own for the same file, and a repeated harvest against the first.
 */
export async function harvestCatalog({ tables, columns, print }: HarvestCatalogOptions): Promise<readonly Finding[]> {
  const part = await harvestTwice({ tables: Math.ceil(tables / PART), columns }, print);
  const whole = await harvestTwice({ tables, columns }, print);
  return [
    growth('harvest, growth of the host', whole.first),
    growth('repeated harvest, growth of the host', whole.again),
    {
      name: `harvest, growth of the host over that of a catalog of 1/${PART}`,
      measured: (growthOf(whole) - growthOf(part)) / MIB,
      unit: 'MiB',
      floor: 32,
      goal: 16,
      better: 'lower',
      detail: `${(growthOf(whole) / MIB).toFixed(0)} MiB over ${(growthOf(part) / MIB).toFixed(0)} MiB`,
    },
    {
      name: 'harvest, memory of the worker, × of DuckDB’s own for the file',
      measured: workerPeakOf(whole) / whole.plainPeakBytes,
      unit: '×',
      floor: 1.5,
      goal: 1.25,
      better: 'lower',
      detail: `${(workerPeakOf(whole) / MIB).toFixed(0)} MiB against ${(whole.plainPeakBytes / MIB).toFixed(0)} MiB; with 1/${PART} ${(workerPeakOf(part) / MIB).toFixed(0)} MiB against ${(part.plainPeakBytes / MIB).toFixed(0)} MiB`,
    },
    {
      name: 'repeated harvest, processor time, × of the first',
      measured: whole.again.cpuSeconds / whole.first.cpuSeconds,
      unit: '×',
      floor: 0.5,
      goal: 0.25,
      better: 'lower',
      detail: timesOf(whole.again, whole.first),
    },
    {
      name: `harvest, processor time, × of a catalog of 1/${PART}`,
      measured: whole.first.cpuSeconds / part.first.cpuSeconds,
      unit: '×',
      floor: PART * 2,
      goal: PART * 1.25,
      better: 'lower',
      detail: timesOf(whole.first, part.first),
    },
  ];
}

const timesOf = (one: WatchedHarvest, other: WatchedHarvest): string =>
  `${one.cpuSeconds.toFixed(1)} s of processor time (${one.seconds.toFixed(1)} s) against ${other.cpuSeconds.toFixed(1)} s (${other.seconds.toFixed(1)} s)`;

/** Returns the growth of the host in the first harvest, which writes all rows. */
const growthOf = ({ first }: HarvestedCatalog): number => first.hostGrowthBytes;
const workerPeakOf = ({ first, again }: HarvestedCatalog): number =>
  Math.max(first.workerPeakBytes, again.workerPeakBytes);

const growth = (name: string, { run, hostGrowthBytes, seconds }: WatchedHarvest): Finding => ({
  name,
  measured: hostGrowthBytes / MIB,
  unit: 'MiB',
  floor: 128,
  goal: 64,
  better: 'lower',
  detail: `${run.columnsSeen} columns of ${run.tablesSeen} tables, ${run.tablesChanged} written, ${seconds.toFixed(1)} s`,
});
