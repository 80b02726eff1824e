import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

/** Wrong for every program, so each ends after it has loaded all its modules. */
const WRONG_SETTINGS = { DATABASE_URL: 'mysql://x', API_PORT: 'none', STREAM_PORT: 'none' };

/** Flags of V8. A small heap makes it mark while it loads a bundle, in any version of Node.js. */
const FLAGS = ['--trace-incremental-marking', '--max-old-space-size=64'];

/** Starts a built program, and returns its output with V8's lines about incremental marking. */
function traceOf(service: string): Promise<string> {
  const main = fileURLToPath(new URL(`../../../${service}/dist/main.js`, import.meta.url));
  return new Promise((resolve) => {
    execFile(process.execPath, [...FLAGS, main], { env: WRONG_SETTINGS }, (_, stdout, stderr) =>
      resolve(stdout + stderr),
    );
  });
}

describe('the start of a program', () => {
  // V8 may crash if the flag changes while it marks, and loading modules starts a marking, as in the API host.
  it.each(['embedded', 'stream-host'])('disables incremental marking before V8 marks (%s)', async (service) => {
    const trace = await traceOf(service);
    expect(trace).toContain('settings are wrong');
    expect(trace).not.toContain('[IncrementalMarking]');
  });

  it('marks incrementally in the API host, which streams no results', async () => {
    const trace = await traceOf('api-host');
    expect(trace).toContain('settings are wrong');
    expect(trace).toContain('[IncrementalMarking] Start');
  });
});
