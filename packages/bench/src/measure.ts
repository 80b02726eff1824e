import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readQuery, readUrl } from './http-client.ts';
import { nodeCpuSeconds } from './process-tree.ts';
import type { SluiceProcess } from './sluice-process.ts';

export interface Measured {
  readonly ms: number;
  readonly cpuSeconds: number;
  /** Until the first byte of the body; 0 where there is none. */
  readonly firstByteMs: number;
  readonly bytes: number;
}

const BASELINE_COPY = fileURLToPath(new URL('./baseline-copy-main.js', import.meta.url));

/** What the engine itself takes, on one thread. */
export async function measureCopy(databaseFile: string, sql: string, format: 'csv' | 'json'): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [BASELINE_COPY, databaseFile, sql, format]);
  return { ...(JSON.parse(stdout) as { ms: number; cpuSeconds: number }), firstByteMs: 0, bytes: 0 };
}

/** What it takes over HTTP, every byte read and thrown away; processor time is of host and workers, not of this client. */
export async function measureHttp(sluice: SluiceProcess, path: string, sql: string): Promise<Measured> {
  const cpuBefore = nodeCpuSeconds(sluice.pid);
  const start = performance.now();
  const { bytes, firstByteAt } = await readQuery({ sluice, path }, { sql });
  const ms = performance.now() - start;
  return { ms, cpuSeconds: nodeCpuSeconds(sluice.pid) - cpuBefore, firstByteMs: firstByteAt - start, bytes };
}

/** The same over any other server. */
export async function measureUrl(url: string): Promise<Measured> {
  const start = performance.now();
  const { bytes, firstByteAt } = await readUrl(url);
  return { ms: performance.now() - start, cpuSeconds: 0, firstByteMs: firstByteAt - start, bytes };
}
