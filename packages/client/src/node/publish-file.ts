import { access, type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { receiptPathOf } from '../downloads/receipt-file.ts';
import { SluiceError } from '../errors.ts';

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

/** Error of a name that is taken. */
export const exists = (path: string): SluiceError =>
  new SluiceError('target_failed', `${path} exists. Choose another name, or set overwrite.`);

export const isThere = async (path: string): Promise<boolean> =>
  await access(path).then(
    () => true,
    () => false,
  );

/** Returns whether the name still belongs to the open file: another download to the same path replaces it. */
export async function isOwn(file: FileHandle, path: string): Promise<boolean> {
  const [own, named] = await Promise.all([file.stat(), stat(path).catch(() => undefined)]);
  return own.ino === named?.ino && own.dev === named.dev;
}

const CLAIM_TRIES = 5;
const CLAIM_DELAY_MS = 20;

/**
 * Gives a part file a name that no other download uses, and returns it. Otherwise another download to the same path could replace the part
 * between the look at it and the rename, and its bytes would get the name.
 * @throws SluiceError if another download has replaced it
 */
export async function claimPart(file: FileHandle, partPath: string): Promise<string> {
  const claimed = `${partPath.slice(0, -'.part'.length)}.${globalThis.crypto.randomUUID().slice(0, 8)}.part`;
  for (let tries = 1; ; tries += 1) {
    try {
      await rename(partPath, claimed);
      break;
    } catch (error) {
      // The other download may have taken it by mistake, and is about to put it back.
      if (codeOf(error) !== 'ENOENT' || tries === CLAIM_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, CLAIM_DELAY_MS));
    }
  }
  if (await isOwn(file, claimed)) return claimed;
  await rename(claimed, partPath);
  throw new SluiceError('target_failed', `Another download replaced ${partPath}. Download to another name.`);
}

/** Makes names durable. Windows has no such call, and some network mounts reject it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(dirname(path)).catch(() => undefined);
  await folder?.sync().catch(() => undefined);
  await folder?.close();
}

/** Gives the file its name. Without `overwrite` it is linked, which fails if the name was taken meanwhile. */
async function giveName(partPath: string, path: string, overwrite: boolean): Promise<void> {
  if (overwrite) return await rename(partPath, path);
  try {
    await link(partPath, path);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw exists(path);
    // A file system without hard links (exFAT, some network mounts).
    if (await isThere(path)) throw exists(path);
    return await rename(partPath, path);
  }
  await unlink(partPath);
}

/** Writes a small file whole: to `<path>.part`, which is durable when this resolves. */
async function writePart(path: string, text: string): Promise<string> {
  const partPath = `${path}.part`;
  const file = await open(partPath, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return partPath;
}

/**
 * Gives a durable part file its name, with its receipt. The order of the steps: the receipt is durable beside its name; a file that is
 * replaced is removed; the receipt gets its name; the file gets its name. So at every moment the name has no file, or the file of the
 * receipt.
 */
async function publishWithReceipt(
  partPath: string,
  path: string,
  { overwrite, receiptText }: { readonly overwrite: boolean; readonly receiptText: string },
): Promise<void> {
  const receiptPath = receiptPathOf(path);
  const receiptPart = await writePart(receiptPath, receiptText);
  try {
    if (overwrite) await unlink(path).catch(() => undefined);
    else if (await isThere(path)) throw exists(path);
    await rename(receiptPart, receiptPath);
  } catch (error) {
    await unlink(receiptPart).catch(() => undefined);
    throw error;
  }
  await syncFolder(path);
  try {
    await giveName(partPath, path, overwrite);
  } catch (error) {
    await unlink(receiptPath).catch(() => undefined);
    throw error;
  }
}

/** Gives a durable part file its name, and keeps the receipt beside it if there is one. */
export async function publishFile(
  partPath: string,
  path: string,
  options: { readonly overwrite: boolean; readonly receiptText: string | undefined },
): Promise<void> {
  const { overwrite, receiptText } = options;
  if (receiptText === undefined) await giveName(partPath, path, overwrite);
  else await publishWithReceipt(partPath, path, { overwrite, receiptText });
  await syncFolder(path);
}
