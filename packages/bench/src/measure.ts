import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { nodeCpuSeconds } from './process-tree.ts';
import type { SluiceProcess } from './sluice-process.ts';

export interface Measured {
  readonly ms: number;
  readonly cpuSeconds: number;
  /** Until the first byte of the body; 0 where there is none. */
  readonly firstByteMs: number;
  readonly bytes: number;
}

const YARDSTICK = fileURLToPath(new URL('./yardstick-main.js', import.meta.url));
const CREDENTIAL = `Basic ${Buffer.from('analyst@acme.example:sluice-demo').toString('base64')}`;

/** What the engine itself takes, on one thread. */
export async function measureCopy(database: string, sql: string, format: 'csv' | 'json'): Promise<Measured> {
  const { stdout } = await promisify(execFile)(process.execPath, [YARDSTICK, database, sql, format]);
  return { ...(JSON.parse(stdout) as { ms: number; cpuSeconds: number }), firstByteMs: 0, bytes: 0 };
}

/** What it takes over HTTP, every byte read and thrown away. Throws unless the answer is 200 and whole. */
export async function measureHttp(sluice: SluiceProcess, path: string, sql: string): Promise<Measured> {
  const cpuBefore = nodeCpuSeconds(sluice.pid);
  const start = performance.now();
  const response = await fetch(`${sluice.streamUrl}${path}`, {
    method: 'POST',
    headers: { authorization: CREDENTIAL, 'content-type': 'application/json' },
    body: JSON.stringify({ sql }),
  });
  if (response.status !== 200 || response.body === null)
    throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  let bytes = 0;
  let firstByteMs = 0;
  for await (const chunk of response.body) {
    if (bytes === 0) firstByteMs = performance.now() - start;
    bytes += chunk.byteLength;
  }
  return { ms: performance.now() - start, cpuSeconds: nodeCpuSeconds(sluice.pid) - cpuBefore, firstByteMs, bytes };
}
