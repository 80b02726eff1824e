import { bytesOfBase64 } from '../byte-encodings.ts';
import { type CheckpointPayload, type DroppedRange, payloadHash, readCheckpoint } from '../checkpoint.ts';
import { type ExportRow, toPosition } from '../export-row.ts';
import type { Finding, WrongTimes } from '../finding.ts';
import { RecordTimes } from '../record-times.ts';
import { isSignedBy, type SignedPayload, type TrustedKeys } from '../trusted-keys.ts';
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

const parse = (line: string): SignedPayload | undefined => {
  try {
    const { payload, key_id, signature } = JSON.parse(line) as Record<string, unknown>;
    return { payload: String(payload), keyId: String(key_id), signature: bytesOfBase64(String(signature)) };
  } catch {
    return undefined;
  }
};

/** Checks whether a checkpoint that ends right before a row signs the hash that the row follows. */
const signsPrevious = ({ sequence, hash }: CheckpointPayload, row: ExportRow): boolean =>
  sequence !== row.sequence - 1 || hash === row.previousHash;

/** Compares the records of a package with its checkpoints. Both are read once, in the order of the chain. */
export class CheckpointMatcher {
  readonly #options: MatcherOptions;
  readonly #dropped: DroppedRange[] = [];
  readonly #gaps: Gap[] = [];
  readonly #times = new RecordTimes();
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

  /** Records whose times are not those at which they were written. */
  wrongTimes: WrongTimes | undefined;

  /** Last checkpoint that was read. */
  latest: SignedPayload | undefined;

  /** Checks that a record has the hash that the checkpoints sign, and looks whether it can have been written at its time. */
  async visit(row: ExportRow): Promise<Finding | undefined> {
    const { sequence, record } = row;
    if (this.#last !== undefined && sequence !== this.#last + 1)
      this.#gaps.push({ from: this.#last + 1, to: sequence - 1 });
    if (this.#gaps.length > GAPS_MAX) return this.#missing(this.#last ?? 0);
    const isFirst = this.#last === undefined;
    this.#last = sequence;
    if (!this.#hasStarted) {
      const finding = await this.#next();
      if (finding !== undefined) return finding;
    }
    while (this.#current !== undefined && this.#current.sequence < sequence) {
      const finding = await this.#pass(row, !isFirst || signsPrevious(this.#current, row));
      if (finding !== undefined) return finding;
    }
    const wrongTimes = this.#times.checkSealed({ sequence, recordId: record.id, record }, this.#current);
    if (wrongTimes !== undefined) this.#addWrongTime(row);
    while (this.#current?.sequence === sequence) {
      const finding = await this.#pass(row, this.#current.hash === row.hash);
      if (finding !== undefined) return finding;
    }
    return undefined;
  }

  /** Continues with the next checkpoint, unless the current one signs another hash than a row has. */
  async #pass(row: ExportRow, isSame: boolean): Promise<Finding | undefined> {
    const signed = this.#current;
    if (signed === undefined) return undefined;
    if (!isSame)
      return {
        ...toPosition(row),
        kind: 'altered',
        checkpoint: signed.number,
        reason: 'The checkpoint signs another hash.',
      };
    this.#times.pass(signed);
    return await this.#next();
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

  #addWrongTime(row: ExportRow): void {
    const { sequence, timeMs } = toPosition(row);
    this.wrongTimes = {
      count: (this.wrongTimes?.count ?? 0) + 1,
      first: this.wrongTimes?.first ?? { sequence, timeMs },
    };
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
    if (!(await isSignedBy(this.#options.keys, signed)))
      return { ...fault('It is not signed by a trusted key.'), ...at };
    if (tenant_id !== this.#options.tenantId) return { ...fault('It belongs to another tenant.'), ...at };
    if (number <= this.#number || sequence < this.covered) return { ...fault('It is not in order.'), ...at };
    if (number === this.#number + 1 && number > 1 && this.count > 0 && previous !== this.#hash)
      return { ...fault('It does not continue from the previous checkpoint.'), ...at };
    this.#dropped.push(...(payload.dropped ?? []));
    this.#current = payload;
    this.latest = signed;
    this.#number = number;
    this.#hash = payloadHash(signed.payload);
    this.covered = sequence;
    this.count += 1;
    return undefined;
  }
}
