import { createHash } from 'node:crypto';
import { receiptOf } from '@sluice/testkit/requests';
import type { Reading } from './read-formats.ts';

interface StreamedHash {
  readonly bytes: number;
  readonly sha256: string;
  /** Its last bytes, where a failure would be reported. */
  readonly tail: string;
  /** True when the host's receipt has the same digest. */
  readonly isReceipted: boolean;
}

/** Hashes a body that is too large for memory. */
export async function streamedHash(reading: Reading, path: string, sql: string): Promise<StreamedHash> {
  const response = await fetch(`${reading.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...reading.credential },
    body: JSON.stringify({ sql }),
  });
  const hash = createHash('sha256');
  let bytes = 0;
  let tail = Buffer.alloc(0);
  for await (const chunk of response.body ?? []) {
    hash.update(chunk);
    bytes += chunk.byteLength;
    tail = Buffer.concat([tail, chunk]).subarray(-200);
  }
  const sha256 = hash.digest('hex');
  const receipt = await receiptOf(reading.url, response.headers.get('x-query-id') ?? '', reading.credential);
  return { bytes, sha256, tail: tail.toString(), isReceipted: receipt.sha256 === sha256 && receipt.bytes === bytes };
}
