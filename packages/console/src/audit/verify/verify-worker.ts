/** Worker that verifies an evidence package, so that the page stays free. */
import { bytesOfBase64, type EvidenceVerdict, rejectUnreadable, verifyEvidence } from '@sluice/audit/verify-in-browser';
import { UnsupportedBrowserError } from './unsupported-browser-error.ts';
import type { VerifyReport, VerifyRequest } from './verify-worker-messages.ts';
import { webTrustedKeys } from './web-keys.ts';
import { openZip, type ZipSource } from './zip-source.ts';

const REPORT_MS = 100;
/** Members that are read twice: once for their SHA-256, once for their content. */
const READ_TWICE: readonly string[] = ['audit.ndjson', 'checkpoints.ndjson'];

const report = (message: VerifyReport): void => self.postMessage(message);

const bytesToRead = ({ names, sizeOf }: ZipSource): number =>
  names.reduce((sum, name) => sum + sizeOf(name) * (READ_TWICE.includes(name) ? 2 : 1), 0);

/** Reports the progress from time to time. */
class Progress {
  records = 0;
  bytes = 0;
  bytesMax = 1;
  #reportedMs = 0;

  tell(): void {
    const now = performance.now();
    if (now - this.#reportedMs < REPORT_MS) return;
    this.#reportedMs = now;
    report({ kind: 'progress', records: this.records, part: Math.min(1, this.bytes / this.bytesMax) });
  }
}

async function verify({ file, publicKeys, saved }: VerifyRequest): Promise<EvidenceVerdict> {
  const keys = await webTrustedKeys(publicKeys.map(bytesOfBase64));
  const progress = new Progress();
  const source = await openZip(file, (bytes) => {
    progress.bytes += bytes;
    progress.tell();
  });
  progress.bytesMax = Math.max(1, bytesToRead(source));
  return await verifyEvidence({
    source,
    keys,
    saved,
    onRecords(records) {
      progress.records = records;
    },
  });
}

self.addEventListener('message', async ({ data }: MessageEvent<VerifyRequest>) => {
  try {
    const verdict = await verify(data).catch((thrown: unknown) => rejectUnreadable(thrown));
    report({ kind: 'done', verdict });
  } catch (thrown) {
    if (thrown instanceof UnsupportedBrowserError) report({ kind: 'unsupported' });
    else report({ kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) });
  }
});
