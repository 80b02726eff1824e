import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { cpuSecondsOf } from '../process-tree.ts';
import { type RequestOptions, readResponse } from '../read-response.ts';
import type { PeerRead } from './peer.ts';

const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 200;

/** A server of another product on loopback. */
export interface ServerProcess extends AsyncDisposable {
  readonly url: string;
  /** Reads and discards a response. */
  measure(path: string, request: RequestOptions): Promise<PeerRead>;
}

export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

/** Starts a server. Rejects when it ends, or does not respond in time. */
export async function startServer(command: string, args: readonly string[], port: number): Promise<ServerProcess> {
  const child = spawn(command, args, { stdio: 'ignore' });
  const closed = once(child, 'close');
  const url = `http://127.0.0.1:${port}`;
  const [pid] = [child.pid ?? -1];
  const server: ServerProcess = {
    url,
    async measure(path, request) {
      const before = cpuSecondsOf(pid);
      const start = performance.now();
      const { bytes } = await readResponse(`${url}${path}`, request);
      return { ms: performance.now() - start, cpuSeconds: cpuSecondsOf(pid) - before, bytes };
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await closed;
    },
  };
  const deadline = performance.now() + READY_TIMEOUT_MS;
  while (!(await responds(url))) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    if (performance.now() > deadline) throw new Error(`${command} does not respond`);
    await setTimeout(POLL_MS);
  }
  return server;
}

const responds = (url: string): Promise<boolean> =>
  fetch(url).then(
    () => true,
    () => false,
  );
