import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readQuery, readUrl } from './http-client.ts';
import { nodeCpuSeconds } from './process-tree.ts';
import type { SluiceProcess } from './sluice-process.ts';

export interface Measured {
  readonly ms: number;
  readonly cpuSeconds: number;
  /** Time to the first byte of the body, or 0 without a body. */
  readonly firstByteMs: number;
  readonly bytes: number;
}

const BASELINE_COPY = fileURLToPath(new URL('./baseline-copy-main.js', import.meta.url));

/** Measures the engine's own COPY, on one thread. */
export async function measureCopy(databaseFile: string, sql: string, format: 'csv' | 'json'): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [BASELINE_COPY, databaseFile, sql, format]);
  return { ...(JSON.parse(stdout) as { ms: number; cpuSeconds: number }), firstByteMs: 0, bytes: 0 };
}

/** Measures a query over HTTP, with every byte read and discarded. Processor time is that of host and workers, not of this client. */
export async function measureHttp(sluice: SluiceProcess, path: string, sql: string): Promise<Measured> {
  const cpuBefore = nodeCpuSeconds(sluice.pid);
  const start = performance.now();
  const { bytes, firstByteAt } = await readQuery({ sluice, path }, { sql });
  const ms = performance.now() - start;
  return { ms, cpuSeconds: nodeCpuSeconds(sluice.pid) - cpuBefore, firstByteMs: firstByteAt - start, bytes };
}

/** Measures a GET request to any other server. */
export async function measureUrl(url: string): Promise<Measured> {
  const start = performance.now();
  const { bytes, firstByteAt } = await readUrl(url);
  return { ms: performance.now() - start, cpuSeconds: 0, firstByteMs: firstByteAt - start, bytes };
}
