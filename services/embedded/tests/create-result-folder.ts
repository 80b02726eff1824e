import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Settings of a stream host that keeps results in a folder of its own. */
export interface ResultFolder extends AsyncDisposable {
  readonly settings: Readonly<Record<string, string>>;
}

/** Creates a folder for kept results. */
export async function createResultFolder(): Promise<ResultFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-results-'));
  return {
    settings: {
      RESULT_FOLDER: join(folder, 'results'),
      RESULT_KEY: randomBytes(32).toString('base64'),
      RESULT_KEEP_MAX: '24h',
    },
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}
