import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Credential } from '@sluice/testkit/requests';

export interface CurlOutcome {
  readonly exitCode: number;
  readonly bytes: Buffer;
}

/** Downloads with curl into a file of `folder`. Exit code 18 means that the transfer was cut. */
export async function curl(
  url: string,
  { body, credential, folder }: { readonly body: object; readonly credential: Credential; readonly folder: string },
  ...options: string[]
): Promise<CurlOutcome> {
  const file = join(folder, `curl-${performance.now()}`);
  const headers = Object.entries({ 'content-type': 'application/json', ...credential });
  const args = [
    ...['--silent', '--output', file, '--data-binary', JSON.stringify(body)],
    ...headers.flatMap(([name, value]) => ['--header', `${name}: ${value}`]),
    ...options,
    url,
  ];
  const exitCode = await new Promise<number>((resolve) => {
    execFile('curl', args, (error) => resolve(error === null ? 0 : Number(error.code)));
  });
  return { exitCode, bytes: await readFile(file).catch(() => Buffer.alloc(0)) };
}
