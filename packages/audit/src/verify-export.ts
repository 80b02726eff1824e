import { createHash } from 'node:crypto';
import { csvRecords } from './csv-cells.ts';
import { EXPORT_FORMATS, type ExportFormat, type ExportPayload } from './export-format.ts';
import type { ExportRow } from './export-row.ts';
import type { Finding, Verdict } from './finding.ts';
import { chainHash, sealedText } from './sealed-record.ts';
import { isSignedBy, type SignedPayload, type TrustedKeys } from './signing-key.ts';

const at = (kind: Finding['kind'], row: ExportRow | undefined, reason: string): Finding =>
  row === undefined ? { kind, reason } : { kind, sequence: row.sequence, recordId: row.record.id, reason };

const hashOf = ({ record, sequence, version, previousHash }: ExportRow): string =>
  chainHash(Buffer.from(previousHash, 'hex'), sealedText(record, sequence, version)).toString('hex');

/** Verifies the rows of one export, one by one. */
class ExportVerifier {
  readonly #format: ExportFormat;
  readonly #hash = createHash('sha256');
  #last: ExportRow | undefined;
  #first: number | undefined;
  #gap: number | undefined;
  rows = 0;

  constructor(format: ExportFormat) {
    this.#format = format;
  }

  /** Adds a line to the text that the last line signs. */
  cover(line: string): void {
    this.#hash.update(`${line}\n`);
  }

  take(row: ExportRow): Finding | undefined {
    const last = this.#last;
    if (last !== undefined && row.sequence <= last.sequence) {
      const kind = row.sequence === last.sequence ? 'inserted' : 'reordered';
      return at(kind, row, 'It is not in the order of the chain.');
    }
    const follows = last !== undefined && row.sequence === last.sequence + 1;
    if (last !== undefined && !follows) this.#gap ??= last.sequence + 1;
    if (!this.#isSealed(row)) return at('altered', row, 'Its content does not match its hash.');
    if (follows && row.previousHash !== last.hash)
      return at('altered', row, 'It does not continue from the previous record.');
    this.#first ??= row.sequence;
    this.#last = row;
    this.rows += 1;
    return undefined;
  }

  /** An export contains either the exact texts or guarded texts. The hash shows which. */
  #isSealed(row: ExportRow): boolean {
    if (hashOf(row) === row.hash) return true;
    const bare = this.#format.withoutGuard?.(row);
    return bare !== undefined && hashOf(bare) === row.hash;
  }

  end(signed: SignedPayload, keys: TrustedKeys): Finding | undefined {
    if (!isSignedBy(keys, signed)) return at('altered', undefined, 'The last line is not signed by a trusted key.');
    const payload = JSON.parse(signed.payload) as ExportPayload;
    const isWhole = Object.keys(payload.filter).length === 0;
    const gap = this.#first !== undefined && this.#first !== payload.from ? (payload.from ?? 0) : this.#gap;
    if (isWhole && gap !== undefined) {
      return { kind: 'missing', sequence: gap, reason: 'No record has this sequence number.' };
    }
    if (isWhole && this.rows > 0 && this.#last?.sequence !== payload.head.sequence) {
      return {
        kind: 'missing',
        sequence: (this.#last?.sequence ?? 0) + 1,
        reason: 'The end of the export was removed.',
      };
    }
    if (this.rows !== payload.records) {
      const kind = this.rows < payload.records ? 'missing' : 'inserted';
      return at(kind, undefined, `The signature covers ${payload.records} records, but the export has ${this.rows}.`);
    }
    if (this.#hash.digest('hex') !== payload.sha256)
      return at('altered', undefined, 'The text differs from what was signed.');
    return undefined;
  }
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

/** Verifies an export on its own: each record by its hash, the order by the chain, and the whole by the signed last line. */
export async function verifyExport({ format: name, lines, keys, visit }: ExportToVerify): Promise<Verdict> {
  const format = EXPORT_FORMATS[name];
  const verifier = new ExportVerifier(format);
  let tenantId = '';
  const verdict = (finding: Finding | undefined): Verdict => ({
    tenantId,
    records: verifier.rows,
    checkpoints: 0,
    finding,
  });
  let isFirst = true;
  for await (const line of name === 'csv' ? csvRecords(lines) : lines) {
    if (isFirst && format.head !== undefined) {
      isFirst = false;
      verifier.cover(line);
      if (line !== format.head && !format.oldHeads.includes(line))
        return verdict(at('altered', undefined, 'The header line is not one that Sluice writes.'));
      continue;
    }
    const found = read(format, line, verifier.rows);
    if ('reason' in found) return verdict(found);
    if ('payload' in found) {
      tenantId ||= (JSON.parse(found.payload) as ExportPayload).tenant_id;
      return verdict(verifier.end(found, keys));
    }
    tenantId ||= found.record.tenantId;
    verifier.cover(line);
    const finding = verifier.take(found) ?? (await visit?.(found));
    if (finding !== undefined) return verdict(finding);
  }
  return verdict(at('missing', undefined, 'The signed last line is missing: the export is incomplete.'));
}
