import { type ChainEntry, checkLink } from './check-link.ts';
import { type CheckpointPayload, type DroppedRange, readCheckpoint } from './checkpoint.ts';
import type { Finding, Verdict } from './finding.ts';
import { genesisHash } from './sealed-record.ts';
import type { SignedPayload, TrustedKeys } from './signing-key.ts';
import { verifyCheckpoints } from './verify-checkpoints.ts';

/** A row of the log that has no place in the chain. */
export interface StrangeRow {
  readonly id: string;
  /** Microseconds of the epoch, as text. */
  readonly occurredUs: string;
  /** Whether the sealer has been past it, so that it would have a place. */
  readonly isPassed: boolean;
}

/** The log of one tenant as of one moment, to be read as often as asked. */
export interface ChainToVerify {
  readonly tenantId: string;
  readonly keys: TrustedKeys;
  /** By number. */
  checkpoints(): AsyncIterable<readonly SignedPayload[]>;
  /** By sequence. */
  entries(): AsyncIterable<readonly ChainEntry[]>;
  strangers(): AsyncIterable<readonly StrangeRow[]>;
  /** Payloads that were kept elsewhere, by number. */
  readonly kept?: ReadonlyMap<number, string> | undefined;
}

/** A transaction of ours cannot stay open for so long, so a record that is older when it comes was not written then. */
const LATE_MS = 15 * 60_000;

/** Follows one chain from its first record. */
class Walk {
  readonly #dropped: ReadonlyMap<number, DroppedRange>;
  readonly #checkpoints: AsyncIterator<CheckpointPayload>;
  #hash: Uint8Array;
  #next = 1;
  #checkpoint: CheckpointPayload | undefined;
  #signedAt = 0;
  records = 0;

  constructor(
    tenantId: string,
    dropped: ReadonlyMap<number, DroppedRange>,
    checkpoints: AsyncIterable<CheckpointPayload>,
  ) {
    this.#hash = genesisHash(tenantId);
    this.#dropped = dropped;
    this.#checkpoints = checkpoints[Symbol.asyncIterator]();
  }

  async start(): Promise<void> {
    this.#checkpoint = (await this.#checkpoints.next()).value;
  }

  async take(entry: ChainEntry, following: () => readonly ChainEntry[]): Promise<Finding | undefined> {
    if (entry.sequence > this.#next) await this.#skipDropped();
    const { sequence, recordId } = entry;
    if (sequence > this.#next) return missing(this.#next);
    if (sequence < this.#next) return { kind: 'inserted', sequence, recordId, reason: 'Its place is taken already.' };
    const finding = checkLink(entry, this.#hash, following) ?? this.#backdated(entry);
    if (finding !== undefined) return finding;
    this.#hash = entry.hash;
    this.#next += 1;
    this.records += 1;
    return await this.#passCheckpoints();
  }

  async end(): Promise<Finding | undefined> {
    await this.#skipDropped();
    if (this.#checkpoint !== undefined) return missing(this.#next, 'A signed checkpoint names it: the tail was cut.');
    return undefined;
  }

  get through(): number {
    return this.#next - 1;
  }

  async #skipDropped(): Promise<void> {
    for (let range = this.#dropped.get(this.#next); range !== undefined; range = this.#dropped.get(this.#next)) {
      this.#hash = Buffer.from(range.hash, 'hex');
      this.#next = range.to + 1;
      // What lies within has lost its records; it was held against its signature alone.
      while (this.#checkpoint !== undefined && this.#checkpoint.sequence <= range.to) await this.#nextCheckpoint();
    }
  }

  async #passCheckpoints(): Promise<Finding | undefined> {
    while (this.#checkpoint !== undefined && this.#checkpoint.sequence < this.#next) {
      const { sequence, hash, number } = this.#checkpoint;
      if (sequence === this.#next - 1 && hash !== Buffer.from(this.#hash).toString('hex')) {
        return {
          kind: 'altered',
          sequence,
          reason: `Checkpoint ${number} signs another record at or before this place.`,
        };
      }
      await this.#nextCheckpoint();
    }
    return undefined;
  }

  async #nextCheckpoint(): Promise<void> {
    this.#signedAt = this.#checkpoint?.issued_ts ?? 0;
    this.#checkpoint = (await this.#checkpoints.next()).value;
  }

  #backdated({ sequence, recordId, record }: ChainEntry): Finding | undefined {
    const occurredMs = Number(record?.occurredUs ?? 0) / 1000;
    if (occurredMs >= this.#signedAt - LATE_MS) return undefined;
    const reason = 'It claims a time that was signed long before it came.';
    return { kind: 'inserted', sequence, recordId, reason };
  }
}

const missing = (sequence: number, reason = 'Its place in the chain is empty.'): Finding => ({
  kind: 'missing',
  sequence,
  reason,
});

async function* payloadsOf(batches: AsyncIterable<readonly SignedPayload[]>): AsyncGenerator<CheckpointPayload> {
  for await (const batch of batches) {
    for (const { payload } of batch) {
      const read = readCheckpoint(payload);
      if (read !== undefined) yield read;
    }
  }
}

async function findStranger(chain: ChainToVerify, lastIssued: number): Promise<Finding | undefined> {
  for await (const rows of chain.strangers()) {
    const stranger = rows.find(
      ({ isPassed, occurredUs }) => isPassed || Number(occurredUs) / 1000 < lastIssued - LATE_MS,
    );
    if (stranger === undefined) continue;
    return { kind: 'inserted', recordId: stranger.id, reason: 'The log has it, but it was never sealed.' };
  }
  return undefined;
}

/**
 * Proves that the log of a tenant is what was sealed and signed, every record of it, and nothing else; or names the first that is
 * altered, missing, inserted or in another's place. Newer rows that the sealer has not come to are no finding.
 */
export async function verifyChain(chain: ChainToVerify): Promise<Verdict> {
  const { tenantId, keys, kept } = chain;
  const signed = await verifyCheckpoints({ tenantId, keys, kept, checkpoints: chain.checkpoints() });
  const verdict = (records: number, finding: Finding | undefined): Verdict => ({
    tenantId,
    records,
    checkpoints: signed.count,
    finding,
  });
  if (signed.finding !== undefined) return verdict(0, signed.finding);
  const walk = new Walk(tenantId, signed.dropped, payloadsOf(chain.checkpoints()));
  await walk.start();
  for await (const batch of chain.entries()) {
    for (const [index, entry] of batch.entries()) {
      const finding = await walk.take(entry, () => batch.slice(index + 1));
      if (finding !== undefined) return verdict(walk.records, finding);
    }
  }
  const cut = signed.hasLeft ? undefined : await walk.end();
  if (cut !== undefined) return verdict(walk.records, cut);
  if (walk.through > signed.sequence) {
    const reason = 'Records follow that no checkpoint signs: the one that signed them is gone.';
    return verdict(walk.records, { kind: 'missing', checkpoint: signed.count + 1, reason });
  }
  return verdict(walk.records, await findStranger(chain, signed.lastIssued));
}
