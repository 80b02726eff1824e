/** Worker that hashes a file, so that the page stays free. */
import { hashFile } from './hash-file.ts';
import type { HashReport, HashRequest } from './hash-worker-messages.ts';

const REPORT_MS = 100;

const report = (message: HashReport): void => self.postMessage(message);

self.addEventListener('message', async ({ data: { file } }: MessageEvent<HashRequest>) => {
  let bytes = 0;
  let reportedMs = 0;
  try {
    const sha256 = await hashFile(file, (added) => {
      bytes += added;
      const now = performance.now();
      if (now - reportedMs < REPORT_MS) return;
      reportedMs = now;
      report({ kind: 'progress', bytes });
    });
    report({ kind: 'done', sha256 });
  } catch {
    report({ kind: 'failed' });
  }
});
