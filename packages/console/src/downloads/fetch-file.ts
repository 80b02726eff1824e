import { type Client, SluiceError } from '@sluice/client';

/** Largest file that a page fetches and compares, in bytes. A larger one is the browser's task, which needs no memory for it. */
export const COMPARED_BYTES_MAX = 64 * 1024 * 1024;

/** A file in the memory of this page. */
export interface FetchedFile {
  readonly file: Blob;
  /** Lower-case hex. */
  readonly sha256: string;
}

/** The file is larger than COMPARED_BYTES_MAX. */
export class FileTooLargeError extends Error {
  constructor() {
    super(`The file has more than ${COMPARED_BYTES_MAX} bytes.`);
    this.name = 'FileTooLargeError';
  }
}

/** Returns whether the browser can hash the file. It can only in a secure context: https or localhost. */
export const canCompare = (): boolean => globalThis.crypto?.subtle !== undefined;

/**
 * Fetches the file of a ticket and hashes it.
 * @throws FileTooLargeError, ResponseError, or SluiceError `connection_failed` if the connection was cut
 */
export async function fetchFile(client: Client, ticketId: string, signal: AbortSignal): Promise<FetchedFile> {
  // Under another name, because the linter takes a function named use... for a hook.
  const { useTicket: redeem } = client.stream;
  const response = await redeem({ params: { id: ticketId }, signal });
  const file = new Blob(await readParts(response), { type: response.headers.get('content-type') ?? '' });
  const hash = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  const sha256 = [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return { file, sha256 };
}

async function readParts(response: Response): Promise<Uint8Array<ArrayBuffer>[]> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = (response.body ?? new Blob([]).stream()).getReader();
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read().catch((cause: unknown) => {
      throw new SluiceError('connection_failed', 'The connection was cut before the end of the file.', { cause });
    });
    if (done) return parts;
    bytes += value.length;
    if (bytes > COMPARED_BYTES_MAX) {
      await reader.cancel();
      throw new FileTooLargeError();
    }
    parts.push(value);
  }
}
