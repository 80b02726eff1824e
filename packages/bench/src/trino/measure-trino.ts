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

/** Avoids full collections that many large buffers would cause, so that no reader is measured by how it allocates memory. */
const NODE_FLAGS = ['--no-incremental-marking'];

/** Measures one of the readers in a separate process, without the start of the process. */
export async function measureReader(way: string, url: string, sql: string): Promise<Read> {
  const { stdout } = await promisify(execFile)(process.execPath, [...NODE_FLAGS, READER, way, url, sql]);
  return JSON.parse(stdout) as Read;
}

export interface TrinoCli {
  readonly java: string;
  readonly jar: string;
}

/** Finds Trino's CLI or fetches it from Maven Central. Returns undefined when it or Java is not available. */
export async function findTrinoCli(): Promise<TrinoCli | undefined> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PREPARE_CLI]);
    const cli = JSON.parse(stdout) as TrinoCli;
    return existsSync(cli.jar) ? cli : undefined;
  } catch {
    return undefined;
  }
}

/** Measures the CLI, which discards its CSV output. Includes the start of its JVM, since that is how it is used. */
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
