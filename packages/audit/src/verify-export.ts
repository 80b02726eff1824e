import { bytesOfHex, hexOf } from './byte-encodings.ts';
import { csvRecords } from './csv-cells.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportPayload } from './export-format.ts';
import { ExportTextError } from './export-lines.ts';
import { type ExportRow, toPosition } from './export-row.ts';
import type { Finding, Verdict } from './finding.ts';
import { createSha256 } from './node-sha256.ts';
import { chainHash, sealedText } from './sealed-record.ts';
import { SetAsideReports } from './set-aside-reports.ts';
import { isSignedBy, type SignedPayload, type TrustedKeys } from './trusted-keys.ts';

const at = (kind: Finding['kind'], row: ExportRow | undefined, reason: string): Finding =>
  row === undefined ? { kind, reason } : { ...toPosition(row), kind, reason };

const hashOf = ({ record, sequence, version, previousHash }: ExportRow): string =>
  hexOf(chainHash(bytesOfHex(previousHash), sealedText(record, sequence, version)));

/** Verifies the rows of one export, one by one. */
class ExportVerifier {
  readonly #format: ExportFormat;
  readonly #hash = createSha256();
  #last: ExportRow | undefined;
  #first: number | undefined;
  /** First missing sequence number, and the rows before it. */
  #gap: { readonly sequence: number; readonly rows: number } | undefined;
  readonly reports = new SetAsideReports();
  rows = 0;
  tenantId = '';
  /** Content of the signed last line; undefined until it was read and matches the export. */
  payload: ExportPayload | undefined;

  constructor(format: ExportFormat) {
    this.#format = format;
  }

  /** Adds a line to the text that the last line signs. */
  cover(line: string): void {
    this.#hash.update(`${line}\n`);
  }

  take(row: ExportRow): Finding | undefined {
    this.tenantId ||= row.record.tenantId;
    const last = this.#last;
    if (last !== undefined && row.sequence <= last.sequence) {
      const kind = row.sequence === last.sequence ? 'inserted' : 'reordered';
      return at(kind, row, 'It is not in the order of the chain.');
    }
    const follows = last !== undefined && row.sequence === last.sequence + 1;
    if (last !== undefined && !follows) this.#gap ??= { sequence: last.sequence + 1, rows: this.rows };
    if (!this.#isSealed(row)) return at('altered', row, 'Its content does not match its hash.');
    if (follows && row.previousHash !== last.hash)
      return at('altered', row, `It does not continue from record ${last.sequence}: one of the two was altered.`);
    this.#first ??= row.sequence;
    this.#last = row;
    this.reports.takeRecord(row.record, row.sequence);
    this.rows += 1;
    return undefined;
  }

  /** An export contains either the exact strings or guarded ones. The hash shows which. */
  #isSealed(row: ExportRow): boolean {
    if (hashOf(row) === row.hash) return true;
    const bare = this.#format.withoutGuard?.(row);
    return bare !== undefined && hashOf(bare) === row.hash;
  }

  end(payload: ExportPayload): Finding | undefined {
    this.tenantId ||= payload.tenant_id;
    const isWhole = Object.keys(payload.filter).length === 0;
    const gap = isWhole ? this.#gapFinding(payload) : undefined;
    const finding = gap ?? this.#countFinding(payload) ?? this.#textFinding(payload) ?? this.#headFinding(payload);
    if (finding === undefined) this.payload = payload;
    return finding;
  }

  /** Finds a missing record in an export without a filter, which has every record from its first one to the end of the chain. */
  #gapFinding({ from, head }: ExportPayload): Finding | undefined {
    const last = this.#last;
    const gap = this.#first !== undefined && this.#first !== from ? (from ?? 0) : this.#gap?.sequence;
    if (gap !== undefined) return { kind: 'missing', sequence: gap, reason: 'No record has this sequence number.' };
    if (last === undefined || last.sequence === head.sequence) return undefined;
    if (last.sequence > head.sequence) return at('inserted', last, `The chain ended with record ${head.sequence}.`);
    return { kind: 'missing', sequence: last.sequence + 1, reason: 'The end of the export was removed.' };
  }

  /** Number of verified rows before a finding: a gap is known to be one only at the end. */
  rowsBefore(finding: Finding | undefined): number {
    return finding?.kind === 'missing' && finding.sequence === this.#gap?.sequence ? (this.#gap?.rows ?? 0) : this.rows;
  }

  #countFinding({ records }: ExportPayload): Finding | undefined {
    if (this.rows === records) return undefined;
    const kind = this.rows < records ? 'missing' : 'inserted';
    return at(kind, undefined, `The signature covers ${records} records, but the export has ${this.rows}.`);
  }

  /** The chain could have been computed again from an altered record on. Then its end is not the one that was sealed. */
  #headFinding({ head }: ExportPayload): Finding | undefined {
    const last = this.#last;
    if (last === undefined || last.sequence !== head.sequence || last.hash === head.hash) return undefined;
    return at('altered', last, 'The chain was sealed with another hash: this record or an earlier one was changed.');
  }

  #textFinding({ sha256 }: ExportPayload): Finding | undefined {
    if (hexOf(this.#hash.digest()) === sha256) return undefined;
    return at('altered', undefined, 'The text differs from what was signed.');
  }
}

function parsePayload(text: string): ExportPayload | undefined {
  try {
    return JSON.parse(text) as ExportPayload;
  } catch {
    return undefined;
  }
}

/** Returns what a signed last line says, or why it does not count. Every other thing that the key signs has another kind. */
async function readEnd(signed: SignedPayload, keys: TrustedKeys): Promise<ExportPayload | Finding> {
  if (!(await isSignedBy(keys, signed)))
    return at('altered', undefined, 'The last line is not signed by a trusted key.');
  const payload = parsePayload(signed.payload);
  if (payload?.kind === 'export') return payload;
  return at('altered', undefined, 'The last line was signed for something else than an export.');
}

const read = (format: ExportFormat, line: string, after: number): ExportRow | SignedPayload | Finding => {
  try {
    return format.read(line);
  } catch {
    return { kind: 'altered', reason: `The line after ${after} records cannot be read.` };
  }
};

interface ExportToVerify {
  readonly format: 'ndjson' | 'csv';
  /** Lines without line ends. */
  readonly lines: AsyncIterable<string>;
  readonly keys: TrustedKeys;
  /** Called for each verified record. A finding that it returns ends the verification. */
  readonly visit?: (row: ExportRow) => Promise<Finding | undefined>;
}

/** Verdict of an export. */
export interface ExportVerdict extends Verdict {
  /** Content of the signed last line; undefined if there is a finding. */
  readonly end: ExportPayload | undefined;
}

const headFinding = ({ head, oldHeads }: ExportFormat, line: string): Finding | undefined =>
  line === head || oldHeads.includes(line)
    ? undefined
    : at('altered', undefined, 'The header line is not one that Sluice writes.');

/** Verifies a line after the header: a record, or the signed end. */
async function lineFinding(
  verifier: ExportVerifier,
  line: string,
  { format, keys, visit }: ExportToVerify,
): Promise<Finding | undefined> {
  if (verifier.payload !== undefined) return at('inserted', undefined, 'Text follows the signed last line.');
  const found = read(EXPORT_FORMATS[format], line, verifier.rows);
  if ('reason' in found) return found;
  if ('payload' in found) {
    const payload = await readEnd(found, keys);
    return 'reason' in payload ? payload : verifier.end(payload);
  }
  verifier.cover(line);
  return verifier.take(found) ?? (await visit?.(found));
}

/** Reads an export to its end or to the first finding. */
async function runVerifier(verifier: ExportVerifier, input: ExportToVerify): Promise<Finding | undefined> {
  const format = EXPORT_FORMATS[input.format];
  let isHead = format.head !== undefined;
  for await (const line of input.format === 'csv' ? csvRecords(input.lines) : input.lines) {
    if (isHead) verifier.cover(line);
    const finding = isHead ? headFinding(format, line) : await lineFinding(verifier, line, input);
    isHead = false;
    if (finding !== undefined) return finding;
  }
  if (verifier.payload !== undefined) return undefined;
  return at('missing', undefined, 'The signed last line is missing: the export is incomplete.');
}

/**
 * Verifies an export on its own: each record by its hash, the order by the chain, and the whole by the signed last line, after which nothing
 * may follow.
 */
export async function verifyExport(input: ExportToVerify): Promise<ExportVerdict> {
  const verifier = new ExportVerifier(EXPORT_FORMATS[input.format]);
  const finding = await runVerifier(verifier, input).catch((error: unknown) => {
    if (error instanceof ExportTextError) return at('altered', undefined, error.message);
    throw error;
  });
  const { tenantId, payload, reports } = verifier;
  return {
    tenantId,
    records: verifier.rowsBefore(finding),
    checkpoints: 0,
    finding,
    ...(reports.count === 0 ? {} : { setAside: reports }),
    end: finding === undefined ? payload : undefined,
  };
}
