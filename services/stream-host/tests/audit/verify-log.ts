import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { TestHosts } from '../hosts/start-hosts.ts';

const COMMAND = fileURLToPath(new URL('../../../api-host/dist/commands/audit-main.js', import.meta.url));

/** Returns the output of `npm run audit:verify` for the log of these hosts. Rejects when it reports a problem. */
export async function verifyLog({ testDatabase }: TestHosts): Promise<string> {
  const env = { DATABASE_URL: testDatabase.apiUrl };
  return (await promisify(execFile)(process.execPath, [COMMAND, 'verify'], { env })).stdout;
}
