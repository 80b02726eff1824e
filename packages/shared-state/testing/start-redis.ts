import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A Redis of the test's own, to stop, kill and empty. */
export interface TestRedis extends AsyncDisposable {
  readonly url: string;
  /** What its operator would type, the answer as Redis writes it. */
  command(...words: string[]): Promise<string>;
  /** Stops it without a word: connections stay, nothing answers. */
  suspend(): void;
  resume(): void;
  kill(): Promise<void>;
  /** Again on the same port, empty. */
  start(): Promise<void>;
}

export interface TestRedisOptions {
  readonly password?: string;
  readonly args?: readonly string[];
}

const HOST = '127.0.0.1';
const START_MS = 10_000;

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, HOST);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts the `redis-server` on the PATH, which `deploy/components/redis.mjs install` sees to. */
export async function startRedis({ password, args = [] }: TestRedisOptions = {}): Promise<TestRedis> {
  const port = await findFreePort();
  const secret = password === undefined ? [] : ['--requirepass', password];
  const settings = ['--bind', HOST, '--port', String(port), '--save', '', '--appendonly', 'no', ...secret, ...args];
  let child: ChildProcess | undefined;
  const command = (...words: string[]): Promise<string> => ask(port, password, words);
  const kill = async (): Promise<void> => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const exited = once(ending, 'exit');
    ending.kill('SIGKILL');
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
  const deadline = performance.now() + START_MS;
  while (!(await command('PING').catch(() => '')).includes('PONG')) {
    if (performance.now() > deadline) throw new Error(`Redis did not start within ${START_MS / 1000} s`);
    await wait(20);
  }
}

/** One command on a connection of its own, inline (Redis protocol specification, "Inline commands"). */
async function ask(port: number, password: string | undefined, words: readonly string[]): Promise<string> {
  const socket = connect({ host: HOST, port });
  socket.setTimeout(2_000, () => socket.destroy(new Error('Redis did not answer')));
  await once(socket, 'connect');
  const login = password === undefined ? '' : `AUTH ${password}\r\n`;
  socket.write(`${login}${words.map((word) => JSON.stringify(word)).join(' ')}\r\nQUIT\r\n`);
  let answer = '';
  for await (const data of socket) answer += String(data);
  return answer;
}
