import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { PageReader } from './raw-pages.ts';

export interface Read {
  readonly ms: number;
  readonly cpuSeconds: number;
  readonly rows: number;
}

const READER = fileURLToPath(new URL('./reader-main.js', import.meta.url));

/** Avoids full collections that many large buffers would cause, so that no reader is measured by how it allocates memory. */
const NODE_FLAGS = ['--no-incremental-marking'];

/** Measures one of the readers in a separate process, without the start of the process. */
export async function measureReader(way: string, url: string, sql: string, reader?: PageReader): Promise<Read> {
  const account = reader === undefined ? [] : [reader.user, reader.password ?? ''];
  const args = [...NODE_FLAGS, READER, way, url, sql, ...account];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Read;
}
