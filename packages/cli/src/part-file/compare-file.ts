import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Receipt } from '@sluice/client';
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

/**
 * Outcome of a verification.
 * - `matches`: the file, the saved receipt and the server's are the same.
 * - `matches_kept`: the file equals the saved receipt; the server was not asked.
 * - `file_changed`: the file is not the one of the receipt.
 * - `receipt_changed`: the saved receipt is not the server's.
 * - `unknown_query`: the server has no such query, or has it no more.
 * - `not_your_query`: another account, or an account of another tenant, downloaded the file.
 */
export type VerificationState =
  | 'matches'
  | 'matches_kept'
  | 'file_changed'
  | 'receipt_changed'
  | 'unknown_query'
  | 'not_your_query';

/** Response of the server to a request for the receipt. `offline`: the server was not asked. */
export type ServerReceipt = Receipt | 'offline' | 'unknown_query' | 'not_your_query';

const RECEIPT_FIELDS = ['query_id', 'state', 'rows', 'bytes', 'sha256', 'limited', 'started_ts', 'ended_ts'] as const;

/** Returns whether the bytes are those of the receipt. */
export const isFileOf = (file: FileHash, receipt: Receipt): boolean =>
  file.bytes === receipt.bytes && file.sha256 === receipt.sha256;

const areEqual = (one: Receipt, other: Receipt): boolean =>
  RECEIPT_FIELDS.every((field) => one[field] === other[field]);

/** Compares a file with its saved receipt, and that with the server's. */
export function compareFile(file: FileHash, saved: Receipt, server: ServerReceipt): VerificationState {
  if (typeof server === 'object' && !areEqual(saved, server)) return 'receipt_changed';
  if (!isFileOf(file, saved)) return 'file_changed';
  if (server === 'offline') return 'matches_kept';
  return typeof server === 'string' ? server : 'matches';
}
