import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('./baseline-server-main.js', import.meta.url));

/** A server without any of Sluice's optimizations, in a separate process. */
interface BaselineServer extends AsyncDisposable {
  urlFor(sql: string): string;
}

export async function startBaselineServer(databaseFile: string, threads: number): Promise<BaselineServer> {
  const child = spawn(process.execPath, [MAIN, databaseFile, String(threads)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [port] = await once(child.stdout, 'data');
  return {
    urlFor: (sql) => `http://127.0.0.1:${String(port).trim()}/?sql=${encodeURIComponent(sql)}`,
    async [Symbol.asyncDispose]() {
      const closed = once(child, 'close');
      child.kill('SIGKILL');
      await closed;
    },
  };
}
