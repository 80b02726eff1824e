import { type DroppedRange, payloadHash, readCheckpoint } from './checkpoint.ts';
import type { Finding } from './finding.ts';
import { isSignedBy, type SignedPayload, type TrustedKeys } from './signing-key.ts';

export interface CheckpointsToVerify {
  readonly tenantId: string;
  readonly keys: TrustedKeys;
  /** By number. */
  readonly checkpoints: AsyncIterable<readonly SignedPayload[]>;
  /** What somebody kept of them elsewhere, by number; they must still be there, unchanged. */
  readonly kept?: ReadonlyMap<number, string> | undefined;
}

export interface VerifiedCheckpoints {
  readonly count: number;
  readonly finding: Finding | undefined;
  /** By where they begin. */
  readonly dropped: ReadonlyMap<number, DroppedRange>;
  /** Sequence of the last. */
  readonly sequence: number;
  readonly lastIssued: number;
  readonly hasLeft: boolean;
}

const wrong = (number: number, kind: Finding['kind'], reason: string): Finding => ({
  kind,
  checkpoint: number,
  reason,
});

/** Checks signatures, numbers and that each names the one before; answers what the chain is to be held against. */
export async function verifyCheckpoints(given: CheckpointsToVerify): Promise<VerifiedCheckpoints> {
  const dropped = new Map<number, DroppedRange>();
  const state = { count: 0, sequence: 0, lastIssued: 0, hasLeft: false, previous: null as string | null };
  const unseen = new Set(given.kept?.keys());

  const check = (signed: SignedPayload): Finding | undefined => {
    const number = state.count + 1;
    const payload = readCheckpoint(signed.payload);
    if (payload === undefined) return wrong(number, 'altered', 'It cannot be read.');
    if (!isSignedBy(given.keys, signed))
      return wrong(number, 'altered', 'Its signature is not by a key that is believed.');
    if (payload.tenant_id !== given.tenantId) return wrong(number, 'altered', 'It is of another tenant.');
    if (payload.number > number) return wrong(number, 'missing', 'Its number is missing.');
    if (payload.number < number) return wrong(payload.number, 'inserted', 'Its number stands twice.');
    if (payload.previous !== state.previous) return wrong(number, 'altered', 'It does not follow the one before.');
    if (payload.sequence < state.sequence) return wrong(number, 'altered', 'It goes back in the chain.');
    const kept = given.kept?.get(number);
    if (kept !== undefined && kept !== signed.payload)
      return wrong(number, 'altered', 'It is not the one that was kept.');
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
        const finding = check(signed);
        if (finding !== undefined) return finding;
      }
    }
    const [lost] = [...unseen].sort((a, b) => a - b);
    return lost === undefined ? undefined : wrong(lost, 'missing', 'It was kept elsewhere and is here no more.');
  };

  const finding = await verifyAll();
  const { count, sequence, lastIssued, hasLeft } = state;
  return { count, finding, dropped, sequence, lastIssued, hasLeft };
}
