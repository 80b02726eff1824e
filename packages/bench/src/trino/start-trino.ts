import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** A Trino of the bench alone. It compiles as in production, and no test stops it. */
export interface TrinoServer extends AsyncDisposable {
  readonly url: string;
}

const SCRIPT = fileURLToPath(new URL('../../../../deploy/components/trino.mjs', import.meta.url));
const PORT = '28091';
const OPTIONS = ['--port', PORT, '--heap', '4G', '--compiler', '4'];

const command = (name: string) => promisify(execFile)(process.execPath, [SCRIPT, name, ...OPTIONS]);

/** Installs Trino if needed (821 MB) and starts it. One that already runs is used and left running. */
export async function startTrino(): Promise<TrinoServer> {
  const runsAlready = await command('status').then(
    () => true,
    () => false,
  );
  await command('start');
  return {
    url: `http://127.0.0.1:${PORT}`,
    async [Symbol.asyncDispose]() {
      if (!runsAlready) await command('stop');
    },
  };
}
