import { startBaselineServer } from '../baseline-server.ts';
import { measureCopy, measureHttp, measureUrl } from '../measure.ts';
import type { Finding } from '../report.ts';
import { disturbance, runUndisturbed } from '../run-undisturbed.ts';
import { median } from '../statistics.ts';
import { type BenchContext, type Scenario, TABLES } from './scenario.ts';

interface Case {
  readonly name: string;
  readonly table: keyof typeof TABLES;
  readonly path: string;
  readonly copyFormat: 'csv' | 'json';
  readonly wall: { readonly floor: number; readonly goal: number };
  readonly cpu: { readonly floor: number; readonly goal: number };
}

const CASES: readonly Case[] = [
  {
    name: 'CSV, 16 columns',
    table: 'lineitem',
    path: '/query/download/csv',
    copyFormat: 'csv',
    wall: { floor: 1.05, goal: 1.3 },
    cpu: { floor: 1.15, goal: 1 },
  },
  {
    name: 'SSE, 16 columns',
    table: 'lineitem',
    path: '/query',
    copyFormat: 'json',
    wall: { floor: 0.95, goal: 1.2 },
    cpu: { floor: 1.2, goal: 1 },
  },
  {
    name: 'CSV, 5 columns',
    table: 'flights',
    path: '/query/download/csv',
    copyFormat: 'csv',
    wall: { floor: 0.95, goal: 1.15 },
    cpu: { floor: 1.4, goal: 1.2 },
  },
  {
    name: 'SSE, 5 columns',
    table: 'flights',
    path: '/query',
    copyFormat: 'json',
    wall: { floor: 0.8, goal: 0.95 },
    cpu: { floor: 1.9, goal: 1.5 },
  },
];

/** Compares whole results over HTTP with the engine's own COPY, interleaved. */
export const results: Scenario = async (context) => {
  const findings: Finding[] = [];
  for (const one of CASES) findings.push(...(await measureCase(context, one)));
  findings.push(await againstBaselineServer(context));
  return findings;
};

async function measureCase({ sluice, database, rounds, print }: BenchContext, one: Case): Promise<readonly Finding[]> {
  const { sql, rows } = TABLES[one.table];
  await measureHttp(sluice, one.path, sql); // warm-up
  const measured = await runUndisturbed(rounds, async () => ({
    engine: await measureCopy(database, sql, one.copyFormat),
    ours: await measureHttp(sluice, one.path, sql),
  }));
  const engine = measured.results.map((round) => round.engine);
  const ours = measured.results.map((round) => round.ours);
  const ms = median(ours.map((measured) => measured.ms));
  const engineMs = median(engine.map((measured) => measured.ms));
  const firstByteMs = median(ours.map((measured) => measured.firstByteMs));
  const cpu = median(ours.map((measured) => measured.cpuSeconds));
  const engineCpu = median(engine.map((measured) => measured.cpuSeconds));
  const speed = (milliseconds: number): string => `${Math.round(rows / milliseconds)}`;
  print(`  ${one.name}: ${speed(ms)} thousand rows/s over HTTP, COPY ${speed(engineMs)}`);
  return [
    {
      name: `${one.name}, wall, × of COPY`,
      measured: engineMs / ms,
      unit: '×',
      ...one.wall,
      better: 'higher',
      detail: `${speed(ms)} against ${speed(engineMs)} thousand rows/s, first byte ${firstByteMs.toFixed(0)} ms${disturbance(measured)}`,
    },
    {
      name: `${one.name}, CPU, × of COPY`,
      measured: cpu / engineCpu,
      unit: '×',
      ...one.cpu,
      better: 'lower',
      detail: `${cpu.toFixed(2)} against ${engineCpu.toFixed(2)} s`,
    },
  ];
}

async function againstBaselineServer({ sluice, database, rounds }: BenchContext): Promise<Finding> {
  const { sql, rows } = TABLES.lineitem;
  const sample = 100_000;
  const baseline = await startBaselineServer(database, 2);
  try {
    const measured = await runUndisturbed(rounds, async () => ({
      baselineMs: (await measureUrl(baseline.urlFor(`${sql} LIMIT ${sample}`))).ms / sample,
      oursMs: (await measureHttp(sluice, '/query', sql)).ms / rows,
    }));
    const baselineMs = median(measured.results.map((round) => round.baselineMs));
    const oursMs = median(measured.results.map((round) => round.oursMs));
    const speed = (msPerRow: number): string => `${Math.round(1 / msPerRow)}`;
    return {
      name: 'SSE, 16 columns, × of the baseline server',
      measured: baselineMs / oursMs,
      unit: '×',
      floor: 10,
      goal: 15,
      better: 'higher',
      detail: `${speed(oursMs)} against ${speed(baselineMs)} thousand rows/s${disturbance(measured)}`,
    };
  } finally {
    await baseline[Symbol.asyncDispose]();
  }
}
