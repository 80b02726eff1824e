import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { reservePort } from '@sluice/testkit';

/** A Redis of a single test, which may suspend, kill and empty it. */
export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  /** Sends a command and returns the raw reply. */
  command(...words: string[]): Promise<string>;
  /** Suspends the process: connections stay open, and commands get no reply. */
  suspend(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Starts an empty Redis on the same port. */
  start(): Promise<void>;
}

interface TestRedisOptions {
  readonly password?: string;
  readonly args?: readonly string[];
}

const HOST = '127.0.0.1';
const START_TIMEOUT_MS = 60_000;

/** Starts the `redis-server` on the PATH, which `deploy/components/redis.mjs install` installs. */
export async function startRedis({ password, args = [] }: TestRedisOptions = {}): Promise<TestRedis> {
  const port = await reservePort();
  const secret = password === undefined ? [] : ['--requirepass', password];
  const settings = ['--bind', HOST, '--port', String(port), '--save', '', '--appendonly', 'no', ...secret, ...args];
  let child: ChildProcess | undefined;
  const command = (...words: string[]): Promise<string> => send(port, password, words);
  const kill = async (): Promise<void> => {
    const killed = child;
    child = undefined;
    if (killed === undefined || killed.exitCode !== null || killed.signalCode !== null) return;
    const exited = once(killed, 'exit');
    killed.kill('SIGKILL');
    await exited;
  };
  const start = async (): Promise<void> => {
    const started = spawn('redis-server', settings, { stdio: 'ignore' });
    child = started;
    const failed = once(started, 'error').then(([error]) => Promise.reject(error));
    await Promise.race([failed, untilReady(command)]);
  };
  await start();
  const at = `${HOST}:${port}`;
  return {
    url: password === undefined ? `redis://${at}` : `redis://:${encodeURIComponent(password)}@${at}`,
    command,
    suspend: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    kill,
    start,
    [Symbol.asyncDispose]: kill,
  };
}

async function untilReady(command: TestRedis['command']): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  while (!(await command('PING').catch(() => '')).includes('PONG')) {
    if (performance.now() > deadline) throw new Error(`Redis did not start within ${START_TIMEOUT_MS / 1000} s.`);
    await wait(20);
  }
}

/** Sends one inline command on a new connection (Redis protocol specification, "Inline commands"). */
async function send(port: number, password: string | undefined, words: readonly string[]): Promise<string> {
  const socket = connect({ host: HOST, port });
  socket.setTimeout(2_000, () => socket.destroy(new Error('Redis did not reply.')));
  await once(socket, 'connect');
  const login = password === undefined ? '' : `AUTH ${password}\r\n`;
  socket.write(`${login}${words.map((word) => JSON.stringify(word)).join(' ')}\r\nQUIT\r\n`);
  let reply = '';
  for await (const data of socket) reply += String(data);
  return reply;
}
