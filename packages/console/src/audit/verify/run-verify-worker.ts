import type { EvidenceVerdict } from '@sluice/audit/verify-in-browser';
import { UnsupportedBrowserError } from './unsupported-browser-error.ts';
import type { VerifyProgress, VerifyReport, VerifyRequest } from './verify-worker-messages.ts';

interface WorkerOptions {
  readonly signal: AbortSignal;
  readonly onProgress: (progress: VerifyProgress) => void;
}

/**
 * Verifies a package in a worker, which the page loads now.
 * @throws UnsupportedBrowserError, or the reason of the signal
 */
export function runVerifyWorker(
  request: VerifyRequest,
  { signal, onProgress }: WorkerOptions,
): Promise<EvidenceVerdict> {
  signal.throwIfAborted();
  const worker = new Worker(new URL('./verify-worker.ts', import.meta.url), { type: 'module' });
  const verified = new Promise<EvidenceVerdict>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    worker.addEventListener('error', ({ message }) => reject(new Error(message || 'The verifier cannot be loaded.')));
    worker.addEventListener('message', ({ data }: MessageEvent<VerifyReport>) => {
      if (data.kind === 'progress') onProgress(data);
      else if (data.kind === 'done') resolve(data.verdict);
      else reject(data.kind === 'unsupported' ? new UnsupportedBrowserError() : new Error(data.message));
    });
  });
  worker.postMessage(request);
  return verified.finally(() => worker.terminate());
}
