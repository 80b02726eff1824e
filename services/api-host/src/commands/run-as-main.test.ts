import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

const TENANT = fileURLToPath(new URL('../../dist/commands/tenant-main.js', import.meta.url));
/** Limits files to 512 bytes or 1 KiB and ignores the signal of the limit, as a disk that is full after the first part of a write. */
const LIMITED = `trap '' XFSZ; ulimit -f 1; exec "$1" "$2" --help > "$3"`;

it('fails when the file behind stdout takes only a part of a line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-output-'));
  try {
    const words = ['-c', LIMITED, 'sh', process.execPath, TENANT, join(folder, 'help.txt')];
    const failure = { code: 1, stderr: expect.stringContaining('EFBIG') };
    await expect(promisify(execFile)('/bin/sh', words)).rejects.toMatchObject(failure);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
