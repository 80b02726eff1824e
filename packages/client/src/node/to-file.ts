import { createHash } from 'node:crypto';
import { access, type FileHandle, link, open, rename, stat, unlink } from 'node:fs/promises';
import type { DownloadTarget, OpenTarget } from '../downloads/download-target.ts';
import { SluiceError } from '../errors.ts';

interface FileTargetOptions {
  /** Replaces an existing file. Default: false, an existing file is an error before the query runs. */
  readonly overwrite?: boolean;
}

const codeOf = (error: unknown): unknown => (error instanceof Error ? Reflect.get(error, 'code') : undefined);

const exists = (path: string): SluiceError =>
  new SluiceError('target_failed', `${path} exists. Choose another name, or set overwrite.`);

const failed = (path: string, cause: unknown): SluiceError => {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new SluiceError('target_failed', `${path} could not be written: ${reason}`, { cause });
};

/** Gives the file its name. Without `overwrite` it is linked, which fails if the name was taken meanwhile. */
async function publish(partPath: string, path: string, overwrite: boolean): Promise<void> {
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

const isThere = async (path: string): Promise<boolean> =>
  await access(path).then(
    () => true,
    () => false,
  );

/** Returns whether the name still belongs to the open file: another download to the same path replaces it. */
async function isOwn(file: FileHandle, partPath: string): Promise<boolean> {
  const [own, named] = await Promise.all([file.stat(), stat(partPath).catch(() => undefined)]);
  return own.ino === named?.ino && own.dev === named.dev;
}

/** Writes all bytes; `write` of a file may write fewer. */
async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let offset = 0; offset < chunk.length; ) offset += (await file.write(chunk, offset)).bytesWritten;
}

/** Creates the part file. One that a crash left is removed first. */
async function createPart(partPath: string): Promise<FileHandle> {
  try {
    await unlink(partPath).catch(() => undefined);
    return await open(partPath, 'wx');
  } catch (error) {
    throw failed(partPath, error);
  }
}

function openTarget(file: FileHandle, partPath: string, path: string, overwrite: boolean): OpenTarget<string> {
  return {
    write: (chunk) => writeAll(file, chunk),
    commit: async () => {
      try {
        // The name must not outlive the bytes if the machine stops now.
        await file.sync();
        if (!(await isOwn(file, partPath)))
          throw new SluiceError('target_failed', `Another download replaced ${partPath}. Download to another name.`);
        await file.close();
        await publish(partPath, path, overwrite);
        return path;
      } catch (error) {
        throw error instanceof SluiceError ? error : failed(path, error);
      }
    },
    abort: async () => {
      // Closed by a commit that failed.
      const isRemovable = await isOwn(file, partPath).catch(() => true);
      await file.close().catch(() => undefined);
      if (isRemovable) await unlink(partPath);
    },
  };
}

/**
 * Downloads to a file: to `<path>.part`, which gets its name when hash and row count equal the receipt, and is removed otherwise. After a
 * crash only `<path>.part` remains.
 */
export function toFile(path: string, { overwrite = false }: FileTargetOptions = {}): DownloadTarget<string> {
  const partPath = `${path}.part`;
  return {
    prepare: async () => {
      if (!overwrite && (await isThere(path))) throw exists(path);
    },
    open: async () => {
      const file = await createPart(partPath);
      return openTarget(file, partPath, path, overwrite);
    },
    createSha256: () => {
      const hash = createHash('sha256');
      return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') };
    },
  };
}
