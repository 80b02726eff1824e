import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** A server that Sluice is compared with, in a separate process. */
interface BaselineProcess extends AsyncDisposable {
  readonly pid: number;
}

/** A server without any of Sluice's optimizations. */
interface BaselineServer extends BaselineProcess {
  urlFor(sql: string): string;
}

/** A server with login and audit record, without any of Sluice's optimizations. */
interface GovernedServer extends BaselineProcess {
  readonly url: string;
  /** Bearer token that it accepts. */
  readonly token: string;
}

/** Starts the baseline server with this number of engine threads. */
export async function startBaselineServer(databaseFile: string, threads: number): Promise<BaselineServer> {
  const { printed, ...server } = await startMain('./baseline-server-main.js', [databaseFile, String(threads)]);
  return { ...server, urlFor: (sql) => `http://127.0.0.1:${printed.trim()}/?sql=${encodeURIComponent(sql)}` };
}

/** Starts the governed baseline server with this number of engine threads. */
export async function startGovernedServer(databaseFile: string, threads: number): Promise<GovernedServer> {
  const { printed, ...server } = await startMain('./governed-server-main.js', [databaseFile, String(threads)]);
  const { port, token } = JSON.parse(printed) as { readonly port: number; readonly token: string };
  return { ...server, url: `http://127.0.0.1:${port}/query`, token };
}

interface StartedMain extends BaselineProcess {
  readonly printed: string;
}

/** Starts a main module of the bench. Resolves with its first line of output, and throws if it ends before. */
async function startMain(file: string, args: readonly string[]): Promise<StartedMain> {
  const main = fileURLToPath(new URL(file, import.meta.url));
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  return {
    printed: await firstLine(child),
    pid: child.pid ?? -1,
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  let printed = '';
  for await (const text of child.stdout?.setEncoding('utf8').iterator({ destroyOnReturn: false }) ?? []) {
    printed += String(text);
    if (printed.includes('\n')) return printed;
  }
  throw new Error(`A server of the bench ended before it was ready: ${printed}`);
}
