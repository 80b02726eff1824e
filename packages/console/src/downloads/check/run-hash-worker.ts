import type { HashReport, HashRequest } from './hash-worker-messages.ts';

/** The browser cannot read a file: it is a folder, it has changed since it was chosen, or it is gone. */
export class UnreadableFileError extends Error {
  constructor() {
    super('The browser cannot read the file.');
    this.name = 'UnreadableFileError';
  }
}

interface WorkerOptions {
  readonly signal: AbortSignal;
  /** Called with the number of bytes so far. */
  readonly onBytes: (bytes: number) => void;
}

/**
 * Hashes a file in a worker, which the page loads now. Returns the SHA-256 in lower-case hex.
 * @throws UnreadableFileError, or the reason of the signal
 */
export function runHashWorker(file: Blob, { signal, onBytes }: WorkerOptions): Promise<string> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./hash-worker.ts', import.meta.url), { type: 'module' });
  const hashed = new Promise<string>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'The worker cannot be loaded.')));
    worker.addEventListener('message', ({ data }: MessageEvent<HashReport>) => {
      if (data.kind === 'progress') onBytes(data.bytes);
      else if (data.kind === 'done') resolve(data.sha256);
      else reject(new UnreadableFileError());
    });
  });
  worker.postMessage({ file } satisfies HashRequest);
  return hashed.finally(() => worker.terminate());
}
