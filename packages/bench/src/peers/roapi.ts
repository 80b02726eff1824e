import { join } from 'node:path';
import type { OpenPeer } from './peer.ts';
import { installPythonPackage } from './python-package.ts';
import { freePorts, startServer } from './server-process.ts';

const VERSION = '0.12.7';
const MEDIA_TYPES = { csv: 'application/csv', json: 'application/json' } as const;

/** DataFusion behind HTTP. */
export const openRoapi: OpenPeer = async ({ folder, parquet, rows }) => {
  const commands = await installPythonPackage(folder, 'roapi', VERSION);
  const [http = 0, postgres = 0, flight = 0] = await freePorts(3);
  const args = ['-a', `127.0.0.1:${http}`, '-p', `127.0.0.1:${postgres}`, '--addr-flight-sql', `127.0.0.1:${flight}`];
  const server = await startServer(join(commands, 'roapi'), [...args, '-t', `bench_lineitem=${parquet}`], http);
  return {
    name: 'roapi',
    version: VERSION,
    transport: 'HTTP',
    caveat:
      'holds the table and the whole response in memory, so the first byte comes last; no users, audit or isolation',
    rows,
    formats: ['csv', 'json'],
    read: (format) =>
      server.measure('/api/sql', {
        method: 'POST',
        headers: { accept: MEDIA_TYPES[format] },
        body: 'SELECT * FROM bench_lineitem',
      }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
};
