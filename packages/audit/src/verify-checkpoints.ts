import { type DroppedRange, payloadHash, readCheckpoint } from './checkpoint.ts';
import type { Finding } from './finding.ts';
import { isSignedBy, type SignedPayload, type TrustedKeys } from './trusted-keys.ts';

interface CheckpointsToVerify {
  readonly tenantId: string;
  readonly keys: TrustedKeys;
  /** Checkpoints ordered by number. */
  readonly checkpoints: AsyncIterable<readonly SignedPayload[]>;
  /** Payloads that were saved outside the database, by number. The log must still contain them unchanged. */
  readonly saved?: ReadonlyMap<number, string> | undefined;
}

interface VerifiedCheckpoints {
  readonly count: number;
  readonly finding: Finding | undefined;
  /** Dropped ranges by their first sequence number. */
  readonly dropped: ReadonlyMap<number, DroppedRange>;
  /** Sequence number that the last checkpoint signs. */
  readonly sequence: number;
  readonly lastIssued: number;
  readonly hasLeft: boolean;
}

const wrong = (number: number, kind: Finding['kind'], reason: string): Finding => ({
  kind,
  checkpoint: number,
  reason,
});

/** Checks signatures, numbers and links of the checkpoints, and returns what the chain is verified against. */
export async function verifyCheckpoints(given: CheckpointsToVerify): Promise<VerifiedCheckpoints> {
  const dropped = new Map<number, DroppedRange>();
  const state = { count: 0, sequence: 0, lastIssued: 0, hasLeft: false, previous: null as string | null };
  const unseen = new Set(given.saved?.keys());

  const check = async (signed: SignedPayload): Promise<Finding | undefined> => {
    const number = state.count + 1;
    const payload = readCheckpoint(signed.payload);
    if (payload === undefined) return wrong(number, 'altered', 'The checkpoint cannot be read.');
    if (!(await isSignedBy(given.keys, signed))) return wrong(number, 'altered', 'It is not signed by a trusted key.');
    if (payload.tenant_id !== given.tenantId) return wrong(number, 'altered', 'It belongs to another tenant.');
    if (payload.number > number) return wrong(number, 'missing', 'No checkpoint has this number.');
    if (payload.number < number) return wrong(payload.number, 'inserted', 'Two checkpoints have this number.');
    if (payload.previous !== state.previous)
      return wrong(number, 'altered', 'It does not continue from the previous checkpoint.');
    if (payload.sequence < state.sequence)
      return wrong(number, 'altered', 'Its sequence number is lower than that of the previous checkpoint.');
    const saved = given.saved?.get(number);
    if (saved !== undefined && saved !== signed.payload)
      return wrong(number, 'altered', 'It differs from the saved copy.');
    unseen.delete(number);
    for (const range of payload.dropped ?? []) dropped.set(range.from, range);
    state.count = number;
    state.sequence = payload.sequence;
    state.lastIssued = payload.issued_ts;
    state.hasLeft = payload.kind === 'tombstone';
    state.previous = payloadHash(signed.payload);
    return undefined;
  };

  const verifyAll = async (): Promise<Finding | undefined> => {
    for await (const batch of given.checkpoints) {
      for (const signed of batch) {
        const finding = await check(signed);
        if (finding !== undefined) return finding;
      }
    }
    const [lost] = [...unseen].sort((a, b) => a - b);
    return lost === undefined
      ? undefined
      : wrong(lost, 'missing', 'There is a saved copy of it, but the log no longer contains it.');
  };

  const finding = await verifyAll();
  const { count, sequence, lastIssued, hasLeft } = state;
  return { count, finding, dropped, sequence, lastIssued, hasLeft };
}
