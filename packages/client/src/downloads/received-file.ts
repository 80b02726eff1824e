import { SluiceError, type SluiceErrorFields } from '../errors.ts';
import { readChunks } from '../queries/read-blocks.ts';
import { createTaskBreaks } from '../queries/yield-to-events.ts';
import type { DownloadTarget, OpenTarget } from './download-target.ts';
import { createRowCounter, type RowCounter } from './row-counter.ts';
import { createSha256, type Hasher } from './sha256.ts';

export interface DownloadProgress {
  readonly queryId: string;
  /** Bytes so far. */
  readonly bytes: number;
  /** Rows so far; undefined for formats whose rows cannot be counted on the way. */
  readonly rows: number | undefined;
  readonly elapsedMs: number;
}

/** Ids of a download, for its errors. */
export type DownloadIds = SluiceErrorFields & { readonly queryId: string };

interface ReceivedFileInput {
  readonly target: Pick<DownloadTarget<unknown>, 'createSha256'>;
  readonly mediaType: string;
  readonly ids: DownloadIds;
  readonly onProgress: ((progress: DownloadProgress) => void) | undefined;
}

interface BodyOptions {
  /** Bytes at the beginning of the body that were received before. */
  readonly skip: number;
  readonly idleTimeoutMs: number | undefined;
  readonly signal: AbortSignal | undefined;
}

/** Returns the hash of a target if it can be read more than once. */
const withCopies = (hasher: Hasher | undefined): Required<Hasher> | undefined =>
  hasher?.copy === undefined ? undefined : (hasher as Required<Hasher>);

/** Bytes of a file across the connections that they arrive on: they are hashed, counted and written once, in order. */
export class ReceivedFile {
  readonly #open: OpenTarget<unknown>;
  readonly #hasher: Required<Hasher>;
  readonly #counter: RowCounter | undefined;
  readonly #input: ReceivedFileInput;
  readonly #startedMs = performance.now();
  #bytes = 0;

  constructor(open: OpenTarget<unknown>, input: ReceivedFileInput) {
    this.#open = open;
    this.#input = input;
    this.#hasher = withCopies(input.target.createSha256?.()) ?? createSha256();
    this.#counter = createRowCounter(input.mediaType);
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Rows so far; undefined if the format does not show them. */
  get rows(): number | undefined {
    return this.#counter?.rows;
  }

  get ids(): DownloadIds {
    return this.#input.ids;
  }

  /**
   * Takes the bytes that the target has from an earlier try.
   * @throws SluiceError `target_failed` if they are not this many
   */
  async adopt(chunks: AsyncIterable<Uint8Array> | undefined, bytes: number): Promise<void> {
    try {
      for await (const chunk of chunks ?? []) this.#count(chunk);
      if (this.#bytes !== bytes) throw new Error(`its first ${bytes} bytes are missing`);
    } catch (cause) {
      throw this.#targetFailure('could not be continued', cause);
    }
  }

  /**
   * Reads a body into the target.
   * @throws IncompleteResultError if the connection is cut or silent for too long, SluiceError `target_failed`
   */
  async receive(body: ReadableStream<Uint8Array> | null, { skip, idleTimeoutMs, signal }: BodyOptions): Promise<void> {
    const breakTask = createTaskBreaks();
    const options = { idleTimeoutMs, signal: signal ?? new AbortController().signal, ids: this.ids };
    let left = skip;
    for await (const chunk of readChunks(body ?? new Blob([]).stream(), options)) {
      await breakTask();
      const fresh = chunk.subarray(Math.min(left, chunk.length));
      left -= chunk.length - fresh.length;
      if (fresh.length > 0) await this.#add(fresh);
    }
  }

  /** Returns the SHA-256 of the bytes so far in lower-case hex. */
  digest(): string {
    return this.#hasher.copy().digest();
  }

  async #add(chunk: Uint8Array): Promise<void> {
    this.#count(chunk);
    try {
      await this.#open.write(chunk);
    } catch (cause) {
      throw this.#targetFailure('could not be written', cause);
    }
    const { onProgress, ids } = this.#input;
    const elapsedMs = performance.now() - this.#startedMs;
    onProgress?.({ queryId: ids.queryId, bytes: this.#bytes, rows: this.rows, elapsedMs });
  }

  #count(chunk: Uint8Array): void {
    this.#bytes += chunk.length;
    this.#hasher.update(chunk);
    this.#counter?.add(chunk);
  }

  #targetFailure(what: string, cause: unknown): SluiceError {
    if (cause instanceof SluiceError) return cause;
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new SluiceError('target_failed', `The download ${what}: ${reason}`, { ...this.ids, cause });
  }
}
