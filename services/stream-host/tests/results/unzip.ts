import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const UNZIP = `
import base64, json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as z:
    json.dump([[i.filename, base64.b64encode(z.read(i)).decode()] for i in z.infolist()], sys.stdout)
`;

/** Returns the members in order, read and verified by Python's zipfile. */
export async function unzip(bytes: Buffer): Promise<ReadonlyMap<string, Buffer>> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-zip-'));
  try {
    const path = join(folder, 'archive.zip');
    await writeFile(path, bytes);
    const { stdout } = await promisify(execFile)('python3', ['-c', UNZIP, path], { maxBuffer: 64 * 1024 * 1024 });
    const members = JSON.parse(stdout) as [string, string][];
    return new Map(members.map(([name, text]) => [name, Buffer.from(text, 'base64')]));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
