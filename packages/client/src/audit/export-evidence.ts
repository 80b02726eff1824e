import type { ApiOperationTypes } from '../contract-types.ts';
import { IncompleteResultError } from '../errors.ts';
import type { ApiOperations, CallOptions, QueryValues } from '../operations/operations.ts';
import { readChunks } from '../queries/read-blocks.ts';

/** Range of time in epoch milliseconds: `start` is inclusive, `end` exclusive. */
export type EvidenceRange = QueryValues<NonNullable<ApiOperationTypes['exportAuditEvidence']['query']>>;

export interface ExportEvidenceOptions extends Pick<CallOptions, 'signal'> {
  /** Longest silence in milliseconds. Default: unlimited. */
  readonly idleTimeoutMs?: number | undefined;
}

/** End of central directory of a ZIP file without a comment (APPNOTE 4.3.16). It is written last. */
const END_BYTES = 22;
const END_SIGNATURE = [0x50, 0x4b, 0x05, 0x06];

function lastBytes(before: Uint8Array, chunk: Uint8Array): Uint8Array {
  const joined = new Uint8Array([...before, ...chunk.subarray(-END_BYTES)]);
  return joined.subarray(-END_BYTES);
}

/**
 * Yields the bytes of an evidence package, a ZIP file, as they arrive. Leaving the loop ends the export.
 * @throws IncompleteResultError if the package ends early. What it contains is a question for the verifier
 */
export async function* exportEvidence(
  api: Pick<ApiOperations, 'exportAuditEvidence'>,
  query: EvidenceRange,
  { signal = new AbortController().signal, idleTimeoutMs }: ExportEvidenceOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const response = await api.exportAuditEvidence({ query, signal });
  const ids = { requestId: response.headers.get('x-request-id') ?? undefined };
  const source = response.body ?? new Blob([]).stream();
  let tail: Uint8Array = new Uint8Array();
  for await (const chunk of readChunks(source, { idleTimeoutMs, signal, ids, advice: 'Run the export again.' })) {
    tail = lastBytes(tail, chunk);
    yield chunk;
  }
  if (tail.length === END_BYTES && END_SIGNATURE.every((byte, index) => tail[index] === byte)) return;
  const message = 'The package ended without its central directory, so it is incomplete. Run the export again.';
  throw new IncompleteResultError('cut', message, ids);
}
