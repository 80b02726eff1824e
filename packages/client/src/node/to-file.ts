import { createHash, type Hash } from 'node:crypto';
import { constants } from 'node:fs';
import { access, copyFile, type FileHandle, link, lstat, open, rename, stat, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Receipt } from '../contract-types.ts';
import type { DownloadInfo, DownloadTarget, EarlierPart, OpenTarget } from '../downloads/download-target.ts';
import { receiptPathOf } from '../downloads/receipt-file.ts';
import type { Hasher } from '../downloads/sha256.ts';
import { IncompleteResultError, SluiceError } from '../errors.ts';

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

/** Error of a name that is taken. */
const exists = (path: string): SluiceError =>
  new SluiceError('target_failed', `${path} exists. Choose another name, or set overwrite.`);

/** Returns whether a name is taken, also by a symbolic link to nowhere. */
const isThere = async (path: string): Promise<boolean> =>
  await lstat(path).then(
    () => true,
    () => false,
  );

/** Returns whether the name still belongs to the open file: another download to the same path replaces it. */
async function isOwn(file: FileHandle, path: string): Promise<boolean> {
  const [own, named] = await Promise.all([file.stat(), lstat(path).catch(() => undefined)]);
  return own.ino === named?.ino && own.dev === named.dev;
}

const CLAIM_TRIES = 50;
const CLAIM_DELAY_MS = 20;

/**
 * Gives a part file a name that no other download uses, and returns it. Otherwise another download to the same path could replace the part
 * between the look at it and the rename, and its bytes would get the name.
 * @throws SluiceError if another download has replaced it
 */
async function claimPart(file: FileHandle, partPath: string): Promise<string> {
  const claimed = uniquePartPath(partPath);
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

/**
 * Creates a part file. What a crash left is removed first, and a symbolic link that another user put there is not followed: `wx` is
 * O_CREAT with O_EXCL.
 */
async function createPart(partPath: string): Promise<FileHandle> {
  await unlink(partPath).catch(() => undefined);
  return await open(partPath, 'wx');
}

/** Writes a small file whole: to `<path>.part` unless named otherwise, which is durable when this resolves. */
async function writePart(path: string, text: string, partPath = `${path}.part`): Promise<string> {
  const file = await createPart(partPath);
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

interface PublishOptions {
  readonly overwrite: boolean;
  readonly receiptText: string | undefined;
  /** Whether a receipt of an earlier file of the name may be beside it. */
  readonly hasReceipts: boolean;
}

/** Gives a durable part file its name, and keeps the receipt beside it if there is one. A file never has the receipt of another one. */
async function publishFile(partPath: string, path: string, options: PublishOptions): Promise<void> {
  const { overwrite, receiptText, hasReceipts } = options;
  if (receiptText !== undefined) {
    await publishWithReceipt(partPath, path, { overwrite, receiptText });
  } else {
    if (hasReceipts && !overwrite && (await isThere(path))) throw exists(path);
    if (hasReceipts) for (const each of [path, receiptPathOf(path)]) await unlink(each).catch(() => undefined);
    await giveName(partPath, path, overwrite);
  }
  await syncFolder(path);
}

/** Returns the path of the facts that are needed to continue a part file. */
export const partFactsPathOf = (path: string): string => `${path}.part.json`;

interface FileTargetOptions {
  /** Replaces an existing file. Default: false, an existing file is an error before the query runs. */
  readonly overwrite?: boolean;
  /**
   * Returns the text of `<path>.receipt.json`, which is durable before the file gets its name. A file that is replaced is removed before
   * its receipt is. Default: no receipt is kept.
   */
  readonly keepReceipt?: (receipt: Receipt) => Promise<string> | string;
  /**
   * Keeps `<path>.part` when the download ends early, unless its bytes are wrong, and returns the text of `<path>.part.json`, which is durable
   * before the first byte. Default: the part is removed.
   */
  readonly keepPart?: (info: DownloadInfo) => string;
  /** Continues the `<path>.part` that an earlier try has left. Its ETag is that of the earlier try, undefined if it had none. */
  readonly continuePart?: { readonly etag: string | undefined };
}

interface FilePaths {
  readonly path: string;
  readonly partPath: string;
}

/** End of the message for each error code of a file system: the reason and what to do. */
const REASONS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full. Free some space, or choose another disk.',
  EDQUOT: 'your disk quota is used up. Free some space, or choose another disk.',
  EFBIG: 'the file would be larger than the limit for files. Raise the limit (ulimit -f), or choose another disk.',
  EROFS: 'the file system is read-only. Choose another folder.',
  EACCES: 'you may not write in its folder. Choose another one.',
  EPERM: 'you may not write in its folder. Choose another one.',
  ENOENT: 'its folder does not exist. Create the folder, or choose another one.',
  ENOTDIR: 'a part of its path is not a folder. Choose another path.',
  ENAMETOOLONG: 'its name is too long. Choose a shorter one.',
};

function failed(path: string, cause: unknown): SluiceError {
  const message = cause instanceof Error ? cause.message : String(cause);
  const reason = REASONS[String((cause as NodeJS.ErrnoException | undefined)?.code)] ?? `${message}.`;
  return new SluiceError('target_failed', `${path} could not be written: ${reason}`, { cause });
}

/** Writes all bytes; `write` of a file may write fewer. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.length; ) offset += (await file.write(chunk, offset)).bytesWritten;
}

/** Returns a name beside a part file that no other download uses. */
const uniquePartPath = (partPath: string): string =>
  `${partPath.slice(0, -'.part'.length)}.${globalThis.crypto.randomUUID().slice(0, 8)}.part`;

/**
 * Opens a copy of a part file, under its name, to write behind its first bytes. Another process that continues the same part has a copy of
 * its own, so neither writes into the file of the other.
 */
async function continuePart(partPath: string, bytes: number): Promise<FileHandle> {
  const own = uniquePartPath(partPath);
  await copyFile(partPath, own, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  let file: FileHandle | undefined;
  try {
    file = await open(own, constants.O_RDWR | constants.O_APPEND);
    await file.truncate(bytes);
    await rename(own, partPath);
    return file;
  } catch (error) {
    await file?.close();
    await unlink(own).catch(() => undefined);
    throw error;
  }
}

/** Opens the part file of a download. Facts of an earlier one would be of other bytes, so they are removed first. */
async function openPart({ path, partPath }: FilePaths, facts?: string, startsAt = 0): Promise<FileHandle> {
  const factsPath = partFactsPathOf(path);
  let file: FileHandle | undefined;
  try {
    if (startsAt === 0) await unlink(factsPath).catch(() => undefined);
    file = await (startsAt === 0 ? createPart(partPath) : continuePart(partPath, startsAt));
    // Two that continue one part must not take the facts of each other.
    if (facts !== undefined)
      await rename(await writePart(factsPath, facts, uniquePartPath(`${factsPath}.part`)), factsPath);
    return file;
  } catch (error) {
    await file?.close();
    throw failed(path, error);
  }
}

/** Removes what an interrupted download has left, so that it cannot be continued. */
export async function discardPart(path: string): Promise<void> {
  for (const each of [partFactsPathOf(path), `${path}.part`]) await unlink(each).catch(() => undefined);
}

/** Returns whether bytes are wrong, so that a later try must not continue them. */
const areWrong = (reason: unknown): boolean =>
  reason instanceof IncompleteResultError && ['hash', 'row_count', 'malformed'].includes(reason.reason);

/** A target that can do without a receipt. */
interface FileTarget extends OpenTarget<string> {
  commit(receipt?: Receipt): Promise<string>;
}

function openTarget(
  file: FileHandle,
  { path, partPath }: FilePaths,
  options: FileTargetOptions,
  startsAt = 0,
): FileTarget {
  const { overwrite = false, keepReceipt, keepPart } = options;
  let current = partPath;
  return {
    readEarlier: () => file.createReadStream({ start: 0, end: startsAt - 1, autoClose: false }),
    write: (chunk) =>
      writeAll(file, chunk).catch((error: unknown) => {
        throw failed(path, error);
      }),
    commit: async (receipt) => {
      try {
        // The name must not outlive the bytes if the machine stops now.
        await file.sync();
        const receiptText = receipt === undefined ? undefined : await keepReceipt?.(receipt);
        current = await claimPart(file, partPath);
        await file.close();
        const hasReceipts = keepReceipt !== undefined || keepPart !== undefined;
        await publishFile(current, path, { overwrite, receiptText, hasReceipts });
        if (keepPart !== undefined) await unlink(partFactsPathOf(path)).catch(() => undefined);
        return path;
      } catch (error) {
        throw error instanceof SluiceError ? error : failed(path, error);
      }
    },
    abort: async (reason) => {
      if (keepPart !== undefined && current === partPath && !areWrong(reason)) return await file.close();
      // A claimed part is closed, and nobody else's.
      const isRemovable = current !== partPath || (await isOwn(file, partPath).catch(() => true));
      await file.close().catch(() => undefined);
      if (isRemovable && keepPart !== undefined) await unlink(partFactsPathOf(path)).catch(() => undefined);
      if (isRemovable) await unlink(current);
    },
  };
}

/** Rejects when the file could not get its name later. */
async function requireFreeName(path: string, overwrite: boolean): Promise<void> {
  if (!overwrite && (await isThere(path))) throw exists(path);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new SluiceError('target_failed', `${path} is a folder. Name a file in it.`);
  const folder = dirname(path);
  await access(folder, constants.W_OK).catch((error: unknown) => {
    throw failed(path, error);
  });
}

const hasherOf = (hash: Hash): Hasher => ({
  update: (bytes) => void hash.update(bytes),
  digest: () => hash.digest('hex'),
  copy: () => hasherOf(hash.copy()),
});

/** Returns the part file that an earlier try has left, if there is one. */
async function findPart(partPath: string, etag: string | undefined): Promise<EarlierPart | undefined> {
  const found = await lstat(partPath).catch(() => undefined);
  if (found === undefined || !found.isFile()) return undefined;
  return { bytes: found.size, etag };
}

/**
 * Downloads to a file: to `<path>.part`, which gets its name when its hash equals that of the host, and is removed otherwise. After a crash
 * only `<path>.part` remains; the next download to the same name replaces it, or continues it with `continuePart`.
 */
export function toFile(path: string, options: FileTargetOptions = {}): DownloadTarget<string> {
  const paths = { path, partPath: `${path}.part` };
  const { overwrite = false, keepPart, continuePart: earlier } = options;
  return {
    prepare: () => requireFreeName(path, overwrite),
    ...(earlier === undefined ? {} : { findPart: () => findPart(paths.partPath, earlier.etag) }),
    open: async (info) => {
      const file = await openPart(paths, keepPart?.(info), info.startsAt);
      return openTarget(file, paths, options, info.startsAt);
    },
    createSha256: () => hasherOf(createHash('sha256')),
  };
}

/**
 * Writes a file that has no receipt, such as an export: to `<path>.part`, which gets its name when `chunks` has ended, and is removed if it
 * throws. After a crash only `<path>.part` remains.
 * @param chunks - read only if the file can be created; throws if its end is not that of a whole file
 * @throws SluiceError `target_failed`, or what `chunks` throws
 */
export async function saveFile(
  path: string,
  chunks: AsyncIterable<Uint8Array | string>,
  { overwrite = false }: Pick<FileTargetOptions, 'overwrite'> = {},
): Promise<void> {
  await requireFreeName(path, overwrite);
  const paths = { path, partPath: `${path}.part` };
  const target = openTarget(await openPart(paths), paths, { overwrite });
  try {
    for await (const chunk of chunks) await target.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
    await target.commit();
  } catch (error) {
    await target.abort(error).catch(() => undefined);
    throw error;
  }
}
