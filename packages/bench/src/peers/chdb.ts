import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { OpenPeer, PeerRead } from './peer.ts';
import { installPythonPackage } from './python-package.ts';

const VERSION = '4.4.0';
const READER = fileURLToPath(new URL('../../python/read_chdb.py', import.meta.url));
const FORMATS = { csv: 'CSV', json: 'JSONEachRow' } as const;

/** ClickHouse in a Python process, on all processors. */
export const openChdb: OpenPeer = async ({ folder, parquet, rows }) => {
  const commands = await installPythonPackage(folder, 'chdb', VERSION);
  return {
    name: 'chDB',
    version: VERSION,
    transport: 'in process',
    caveat: 'a library: no HTTP, login, permissions, audit or isolation; reads Parquet; writes the decimal 35.00 as 35',
    rows,
    formats: ['csv', 'json'],
    async read(format) {
      const { stdout } = await promisify(execFile)(join(commands, 'python'), [READER, parquet, FORMATS[format]]);
      return JSON.parse(stdout) as PeerRead;
    },
    async [Symbol.asyncDispose]() {
      // Nothing is left running.
    },
  };
};
