import { type CheckpointPayload, type DroppedRange, payloadHash, readCheckpoint } from '../checkpoint.ts';
import type { ExportRow } from '../export-row.ts';
import type { Finding } from '../finding.ts';
import { isSignedBy, type TrustedKeys } from '../signing-key.ts';
import { EVIDENCE_MEMBERS } from './manifest.ts';

interface MatcherOptions {
  readonly tenantId: string;
  readonly keys: TrustedKeys;
  /** Lines of `checkpoints.ndjson`. */
  readonly lines: AsyncIterator<string>;
}

interface Gap {
  readonly from: number;
  readonly to: number;
}

/** A log has few ranges that were dropped in the middle of others. */
const GAPS_MAX = 10_000;
const MEMBER = { member: EVIDENCE_MEMBERS.checkpoints } as const;

const parse = (line: string) => {
  try {
    const { payload, key_id, signature } = JSON.parse(line) as Record<string, unknown>;
    return { payload: String(payload), keyId: String(key_id), signature: Buffer.from(String(signature), 'base64') };
  } catch {
    return undefined;
  }
};

/** Compares the records of a package with its checkpoints. Both are read once, in the order of the chain. */
export class CheckpointMatcher {
  readonly #options: MatcherOptions;
  readonly #dropped: DroppedRange[] = [];
  readonly #gaps: Gap[] = [];
  #number = 0;
  #hash = '';
  #current: CheckpointPayload | undefined;
  #hasStarted = false;
  #last: number | undefined;
  count = 0;

  constructor(options: MatcherOptions) {
    this.#options = options;
  }

  /** Last sequence number that a checkpoint signs. */
  covered = 0;

  /** Checks that a record follows the previous one, and has the hash that the checkpoints sign. */
  async visit(row: ExportRow): Promise<Finding | undefined> {
    const { sequence, hash, previousHash } = row;
    if (this.#last !== undefined && sequence !== this.#last + 1)
      this.#gaps.push({ from: this.#last + 1, to: sequence - 1 });
    if (this.#gaps.length > GAPS_MAX) return this.#missing(this.#last ?? 0);
    const isFirst = this.#last === undefined;
    this.#last = sequence;
    if (!this.#hasStarted) {
      const finding = await this.#next();
      if (finding !== undefined) return finding;
    }
    while (this.#current !== undefined && this.#current.sequence <= sequence) {
      const signed = this.#current;
      const isSame =
        signed.sequence === sequence
          ? signed.hash === hash
          : !isFirst || signed.sequence !== sequence - 1 || signed.hash === previousHash;
      if (!isSame)
        return { kind: 'altered', sequence, checkpoint: signed.number, reason: 'The checkpoint signs another hash.' };
      const finding = await this.#next();
      if (finding !== undefined) return finding;
    }
    return undefined;
  }

  /** Checks the remaining checkpoints, and that every gap between records is a range whose removal is signed. */
  async end(): Promise<Finding | undefined> {
    do {
      const finding = await this.#next();
      if (finding !== undefined) return finding;
    } while (this.#current !== undefined);
    if (this.#last !== undefined && this.covered < this.#last) {
      return { ...MEMBER, kind: 'missing', sequence: this.#last, reason: 'No checkpoint covers it.' };
    }
    for (const { from, to } of this.#gaps) {
      let at: number | undefined = from;
      while (at !== undefined && at <= to) {
        const position: number = at;
        const range = this.#dropped.find((each) => each.from <= position && position <= each.to);
        if (range === undefined) return this.#missing(position);
        at = range.to + 1;
      }
    }
    return undefined;
  }

  #missing(sequence: number): Finding {
    return { kind: 'missing', sequence, reason: 'No record has this sequence number.' };
  }

  /** Reads and verifies the next checkpoint. */
  async #next(): Promise<Finding | undefined> {
    this.#hasStarted = true;
    const step = await this.#options.lines.next();
    if (step.done === true) {
      this.#current = undefined;
      return undefined;
    }
    const fault = (reason: string): Finding => ({ ...MEMBER, kind: 'altered', reason });
    const signed = parse(step.value);
    const payload = signed && readCheckpoint(signed.payload);
    if (signed === undefined || payload === undefined) return fault(`Line ${this.count + 1} is not a checkpoint.`);
    const { number, tenant_id, previous, sequence } = payload;
    const at = { checkpoint: number };
    if (!isSignedBy(this.#options.keys, signed)) return { ...fault('It is not signed by a trusted key.'), ...at };
    if (tenant_id !== this.#options.tenantId) return { ...fault('It belongs to another tenant.'), ...at };
    if (number <= this.#number || sequence < this.covered) return { ...fault('It is not in order.'), ...at };
    if (number === this.#number + 1 && number > 1 && this.count > 0 && previous !== this.#hash)
      return { ...fault('It does not continue from the previous checkpoint.'), ...at };
    this.#dropped.push(...(payload.dropped ?? []));
    this.#current = payload;
    this.#number = number;
    this.#hash = payloadHash(signed.payload);
    this.covered = sequence;
    this.count += 1;
    return undefined;
  }
}
