import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Read {
  readonly ms: number;
  readonly cpuSeconds: number;
  readonly rows: number;
}

const READER = fileURLToPath(new URL('./reader-main.js', import.meta.url));
const PREPARE_CLI = fileURLToPath(new URL('../../../../deploy/components/trino-cli.mjs', import.meta.url));

/** What V8 makes of many large buffers is no reader's own cost: without this, none is judged by how it came by its memory. */
const NODE_FLAGS = ['--no-incremental-marking'];

/** One of the readers, in a process of its own; how long the process takes to start is not counted. */
export async function measureReader(way: string, url: string, sql: string): Promise<Read> {
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_FLAGS, READER, way, url, sql]);
  return JSON.parse(stdout) as Read;
}

export interface TrinoCli {
  readonly java: string;
  readonly jar: string;
}

/** Trino's CLI, fetched from Maven Central where it is not; undefined where that, or Java, cannot be had. */
export async function findTrinoCli(): Promise<TrinoCli | undefined> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PREPARE_CLI]);
    const cli = JSON.parse(stdout) as TrinoCli;
    return existsSync(cli.jar) ? cli : undefined;
  } catch {
    return undefined;
  }
}

/** The CLI writing CSV into nothing, the start of its JVM included: that is how people run it. */
export async function measureCli({ java, jar }: TrinoCli, url: string, sql: string): Promise<number> {
  const start = performance.now();
  const args = ['-jar', jar, '--server', url, '--user', 'bench', '--output-format', 'CSV', '--execute', sql];
  const env = { PATH: `${dirname(java)}:/usr/bin:/bin`, HOME: join(dirname(jar), 'home') };
  const child = spawn(java, args, { stdio: ['ignore', 'pipe', 'ignore'], env });
  child.stdout.resume();
  const [code] = (await once(child, 'close')) as [number];
  if (code !== 0) throw new Error(`Trino's CLI ended with ${code}.`);
  return performance.now() - start;
}
