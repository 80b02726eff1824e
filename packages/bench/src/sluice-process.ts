import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeCpuSeconds } from './process-tree.ts';

/** A Sluice in separate processes, as a user runs it. */
export interface SluiceProcess extends AsyncDisposable {
  /** Process id of the process with both hosts. */
  readonly pid: number;
  readonly apiUrl: string;
  readonly streamUrl: string;
  /** Port of the stream host over TLS, on `localhost`. */
  readonly streamTlsPort: number;
  /** Path of its certificate, in PEM. */
  readonly certificatePath: string;
  /** Returns the event-loop delay since the last call. Must not be called concurrently. */
  takeEventLoopDelay(): Promise<EventLoopDelay>;
}

/** Event-loop delay, as `perf_hooks` measures it within the process. */
export interface EventLoopDelay {
  readonly p99Ms: number;
  readonly maxMs: number;
  readonly samples: number;
}

const PROBE = new URL('./event-loop-probe.js', import.meta.url).href;
const MAIN = fileURLToPath(new URL('../../../services/embedded/dist/main.js', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}

/** Starts Sluice with this home folder. Resolves when it is ready and its workers are warm. Rejects with its output when it ends before. */
export async function startSluice(
  home: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<SluiceProcess> {
  const [apiPort, streamPort] = [await freePort(), await freePort()];
  const [identityProviderPort, streamTlsPort] = [await freePort(), await freePort()];
  const child = spawn(process.execPath, ['--import', PROBE, MAIN], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
      SLUICE_HOME: home,
      API_PORT: String(apiPort),
      STREAM_PORT: String(streamPort),
      IDP_PORT: String(identityProviderPort),
      STREAM_TLS_PORT: String(streamTlsPort),
      ...settings,
    },
  });
  await untilReady(child);
  await untilIdle(child.pid ?? -1);
  return {
    pid: child.pid ?? -1,
    apiUrl: `http://127.0.0.1:${apiPort}`,
    streamUrl: `http://127.0.0.1:${streamPort}`,
    streamTlsPort,
    certificatePath: resolve(home, 'tls.pem'),
    async takeEventLoopDelay() {
      const reply = once(child, 'message');
      child.send('report');
      return (await reply)[0] as EventLoopDelay;
    },
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.kill('SIGTERM');
      await closed;
    },
  };
}

async function untilReady(child: ChildProcess): Promise<void> {
  let printed = '';
  for await (const text of child.stdout?.setEncoding('utf8') ?? []) {
    printed += String(text);
    if (printed.includes('Sluice is ready')) {
      child.stdout?.resume(); // later output is discarded, so that it does not block the process
      return;
    }
  }
  throw new Error(`Sluice ended before it was ready:\n${printed}`);
}

const SAMPLE_MS = 500;
const IDLE_SHARE_MAX = 0.1;
const SETTLING_MS = 20_000;

/** Waits until the process is idle: warm workers start after it is ready, a second of processor time each, and would slow the first measurement. */
async function untilIdle(pid: number): Promise<void> {
  const deadline = performance.now() + SETTLING_MS;
  let before = nodeCpuSeconds(pid);
  for (let idle = 0; idle < 2 && performance.now() < deadline; ) {
    await setTimeout(SAMPLE_MS);
    const now = nodeCpuSeconds(pid);
    idle = now - before < (IDLE_SHARE_MAX * SAMPLE_MS) / 1000 ? idle + 1 : 0;
    before = now;
  }
}
