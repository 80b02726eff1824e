import type { Finding } from '../report.ts';
import { type CatalogSize, type HarvestedCatalog, harvestTwice, type WatchedHarvest } from './harvest-run.ts';

export interface HarvestCatalogOptions extends CatalogSize {
  readonly print: (line: string) => void;
}

const MIB = 1024 * 1024;
/** The smaller catalog beside the one that was asked for. */
const PART = 4;

/**
 * Harvests of a generated catalog and of one a quarter its size: the memory of the host, which must not follow the size, that of
 * the worker beside DuckDB's own for the same file, and what a harvest of what is there already takes beside the first.
 */
export async function harvestCatalog({ tables, columns, print }: HarvestCatalogOptions): Promise<readonly Finding[]> {
  const part = await harvestTwice({ tables: Math.ceil(tables / PART), columns }, print);
  const whole = await harvestTwice({ tables, columns }, print);
  return [
    growth('harvest, growth of the host', whole.first),
    growth('harvest of what is there already, growth of the host', whole.again),
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
      name: 'harvest, memory of the worker beside DuckDB’s own for the file',
      measured: workerPeakOf(whole) / whole.plainPeakBytes,
      unit: '×',
      floor: 1.5,
      goal: 1.25,
      better: 'lower',
      detail: `${(workerPeakOf(whole) / MIB).toFixed(0)} MiB beside ${(whole.plainPeakBytes / MIB).toFixed(0)} MiB; of 1/${PART} ${(workerPeakOf(part) / MIB).toFixed(0)} MiB beside ${(part.plainPeakBytes / MIB).toFixed(0)} MiB`,
    },
    {
      name: 'harvest of what is there already, processor beside the first',
      measured: whole.again.cpuSeconds / whole.first.cpuSeconds,
      unit: '×',
      floor: 0.5,
      goal: 0.25,
      better: 'lower',
      detail: timesOf(whole.again, whole.first),
    },
    {
      name: `harvest, processor beside that of a catalog of 1/${PART}`,
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
  `${one.cpuSeconds.toFixed(1)} s of processor (${one.seconds.toFixed(1)} s) beside ${other.cpuSeconds.toFixed(1)} s (${other.seconds.toFixed(1)} s)`;

/** Of the first, whose pages are written. */
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
