import type { ApiOperationTypes } from '../contract-types.ts';
import { createSha256, type Hasher } from '../downloads/sha256.ts';
import { IncompleteResultError, type SluiceErrorFields } from '../errors.ts';
import { PART_BYTES_MAX } from '../http/read-json.ts';
import type { ApiOperations, CallOptions } from '../operations/operations.ts';
import { malformed, readChunks } from '../queries/read-blocks.ts';

export type AuditExportInput = NonNullable<ApiOperationTypes['exportAuditLogs']['body']>;

/** Content of the signed last line of an export. The client compares the hash, but does not verify the signature. */
export interface AuditExportEnd {
  readonly records: number;
  /** SHA-256 of everything before the last line, in lower-case hex. */
  readonly sha256: string;
  /** Filter of the export; empty for the whole log. */
  readonly filter: Readonly<Record<string, unknown>>;
  /** First sequence that the export could contain; null for an empty chain. */
  readonly from: number | null;
  /** The end of the chain when the export began. */
  readonly head: { readonly sequence: number; readonly hash: string };
}

export interface ExportAuditOptions extends Pick<CallOptions, 'signal'> {
  /** Longest silence in milliseconds. Default: unlimited. */
  readonly idleTimeoutMs?: number | undefined;
  /** Faster hash of the platform. */
  readonly createSha256?: () => Hasher;
  /** Called with the last line, once everything before it has its hash. */
  readonly onEnd?: (end: AuditExportEnd) => void;
}

const NEWLINE = 0x0a;
/** The signed last line as CSV: its text is in one quoted cell. */
const CSV_END = /^end,.*?"(\{.*\})",*$/;

function readEnd(line: string): AuditExportEnd | undefined {
  const text = line.startsWith('end,') ? CSV_END.exec(line)?.[1]?.replaceAll('""', '"') : line;
  try {
    const { type, payload } = JSON.parse(text ?? '') as { readonly type?: unknown; readonly payload?: unknown };
    return type === 'end' ? (JSON.parse(String(payload)) as AuditExportEnd) : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps the last line of a file, and hashes everything before it. */
class LastLine {
  readonly #hasher: Hasher;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(hasher: Hasher) {
    this.#hasher = hasher;
  }

  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    // A line end at the end of a chunk may be that of the last line.
    const hadEnd = this.#parts.at(-1)?.at(-1) === NEWLINE;
    const before = chunk.lastIndexOf(NEWLINE, -2) + 1;
    if (hadEnd || before > 0) {
      for (const part of this.#parts) this.#hasher.update(part);
      this.#hasher.update(chunk.subarray(0, before));
      this.#parts = [];
      this.#bytes = 0;
    }
    this.#bytes += chunk.length - before;
    if (this.#bytes > PART_BYTES_MAX)
      throw malformed(`A line of the export has more than ${PART_BYTES_MAX / 1024 / 1024} MiB`, {});
    // A copy, because the platform may reuse the memory of a chunk.
    this.#parts.push(chunk.slice(before));
  }

  /** Returns the last line with the hash of everything before it. */
  end(): { readonly text: string; readonly sha256: string } {
    const decoder = new TextDecoder();
    const text = this.#parts.map((part) => decoder.decode(part, { stream: true })).join('') + decoder.decode();
    return { text: text.replace(/\n$/, ''), sha256: this.#hasher.digest() };
  }
}

function checkEnd(last: LastLine, ids: SluiceErrorFields): AuditExportEnd {
  const { text, sha256 } = last.end();
  const end = readEnd(text);
  if (end === undefined)
    throw new IncompleteResultError('cut', 'The export ended without its signed last line. Run the export again.', ids);
  if (end.sha256 === sha256) return end;
  const message = 'The export is not what the host signed: its SHA-256 is another one. Run the export again.';
  throw new IncompleteResultError('hash', message, ids);
}

/**
 * Yields the bytes of an export of the audit log as they arrive. Leaving the loop ends the export.
 * @throws IncompleteResultError if the export ends early, or its last line does not describe everything before it
 */
export async function* exportAudit(
  api: Pick<ApiOperations, 'exportAuditLogs'>,
  body: AuditExportInput = {},
  { signal = new AbortController().signal, idleTimeoutMs, createSha256: create, onEnd }: ExportAuditOptions = {},
): AsyncGenerator<Uint8Array, void, undefined> {
  const response = await api.exportAuditLogs({ body, signal });
  const ids = { requestId: response.headers.get('x-request-id') ?? undefined };
  const last = new LastLine((create ?? createSha256)());
  const source = response.body ?? new Blob([]).stream();
  for await (const chunk of readChunks(source, { idleTimeoutMs, signal, ids, advice: 'Run the export again.' })) {
    last.add(chunk);
    yield chunk;
  }
  onEnd?.(checkEnd(last, ids));
}

/** Range of time in epoch milliseconds: `start` is inclusive, `end` exclusive. */
export type EvidenceRange = NonNullable<ApiOperationTypes['exportAuditEvidence']['query']>;

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
