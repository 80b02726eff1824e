import { randomBytes } from 'node:crypto';
import { open, readFile, rename, rm } from 'node:fs/promises';
import { startFailure, systemCode } from '../start-failure.ts';

/**
 * Reads a secret of the home, or creates it at the first start, readable by its owner only. It is synced to disk before it is used,
 * because data that is encrypted with a lost key is lost too.
 */
export async function ensureSecretFile(path: string, make: () => string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (thrown) {
    if (systemCode(thrown) !== 'ENOENT') throw startFailure(`${path} cannot be read`, thrown);
  }
  const secret = make();
  const unfinished = `${path}.new`;
  try {
    const file = await open(unfinished, 'w', 0o600);
    try {
      await file.writeFile(`${secret}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(unfinished, path);
    return secret;
  } catch (thrown) {
    await rm(unfinished, { force: true });
    throw startFailure(`${path} cannot be written`, thrown);
  }
}

export const randomPassword = (): string => randomBytes(24).toString('base64url');
