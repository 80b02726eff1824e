import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const SLUICE = fileURLToPath(new URL('../../dist/sluice.js', import.meta.url));
/** Limits files to 1 or 2 KiB and ignores the signal of the limit, as a disk that is full after the first part of a write. */
const LIMITED = `trap '' XFSZ; ulimit -f 2; exec "$1" "$2" --help > "$3"`;

it('fails when the file behind stdout takes only a part of the last write', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-output-'));
  try {
    const path = join(folder, 'help.txt');
    const run = promisify(execFile)('/bin/sh', ['-c', LIMITED, 'sh', process.execPath, SLUICE, path]);
    await expect(run).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^error: The output could not be written: .*EFBIG.* Make room, or write it elsewhere\.$/m,
      ),
    });
    expect((await readFile(path)).length).toBeGreaterThan(0);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
