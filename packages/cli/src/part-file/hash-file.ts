import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { CommandError } from '../errors.ts';

const CHUNK_BYTES = 1_048_576;

export interface FileHash {
  readonly bytes: number;
  /** Lower-case hex. */
  readonly sha256: string;
}

interface HashOptions {
  readonly signal: AbortSignal;
  /** Called after each chunk with the bytes so far and the size of the file. */
  readonly onProgress: (bytes: number, total: number) => Promise<void> | void;
}

/** Says what is wrong with a file that should be verified. */
async function explain(path: string, cause: NodeJS.ErrnoException): Promise<CommandError> {
  const isPart = cause.code === 'ENOENT' && (await stat(`${path}.part`).catch(() => undefined)) !== undefined;
  const why = isPart
    ? `There is only ${path}.part, of a download that was interrupted. Download it again.`
    : `${path} could not be read: ${cause.message}. Check the name.`;
  return new CommandError(why, { cause });
}

/**
 * Hashes a file in constant memory.
 * @throws CommandError if it cannot be read
 */
export async function hashFile(path: string, { signal, onProgress }: HashOptions): Promise<FileHash> {
  const hash = createHash('sha256');
  let bytes = 0;
  try {
    const { size } = await stat(path);
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_BYTES, signal })) {
      hash.update(chunk as Buffer);
      bytes += (chunk as Buffer).length;
      await onProgress(bytes, size);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw await explain(path, error as NodeJS.ErrnoException);
  }
  return { bytes, sha256: hash.digest('hex') };
}
