import { describe, expect, it } from '@jest/globals';
import { sampleRecord, sealLog, signer, TENANT } from '../testing/sealed-log.ts';
import { type CheckpointPayload, readCheckpoint, signCheckpoint } from './checkpoint.ts';
import { createAuditSigner, trustedKeys } from './signing-key.ts';
import type { SignedPayload } from './trusted-keys.ts';
import { verifyCheckpoints } from './verify-checkpoints.ts';

const { checkpoints } = sealLog([0, 1, 2, 3, 4, 5].map(sampleRecord), 2);
const payloadAt = (index: number) => readCheckpoint(checkpoints[index]?.payload ?? '') as CheckpointPayload;

const verify = (signed: readonly SignedPayload[], saved?: ReadonlyMap<number, string>, tenantId = TENANT) => {
  const batches = async function* () {
    yield signed;
  };
  return verifyCheckpoints({ tenantId, keys: trustedKeys([signer.publicKey]), checkpoints: batches(), saved });
};
const findingOf = async (...given: Parameters<typeof verify>) => (await verify(...given)).finding;

/** The second checkpoint with other values, signed with the key of the log. */
const second = (changes: Partial<CheckpointPayload>) => {
  const [one, , three] = checkpoints as [SignedPayload, SignedPayload, SignedPayload];
  return [one, signCheckpoint(signer, { ...payloadAt(1), ...changes }), three];
};

describe('verifyCheckpoints', () => {
  it('returns how far an intact list signs the log', async () => {
    expect(await verify(checkpoints)).toEqual({
      count: 3,
      finding: undefined,
      dropped: new Map(),
      sequence: 6,
      lastIssued: payloadAt(2).issued_ts,
      hasLeft: false,
    });
    expect(await verify([])).toMatchObject({ count: 0, finding: undefined, sequence: 0 });
  });

  it('returns dropped ranges, and whether the tenant was removed', async () => {
    const range = { from: 1, to: 2, hash: 'ab' };
    const last = { ...payloadAt(2), kind: 'tombstone', dropped: [range] } as const;
    const { dropped, hasLeft, finding } = await verify([...checkpoints.slice(0, 2), signCheckpoint(signer, last)]);
    expect([finding, dropped, hasLeft]).toEqual([undefined, new Map([[1, range]]), true]);
  });

  it.each<readonly [string, Partial<CheckpointPayload>, object]>([
    ['another tenant', { tenant_id: 'other' }, { kind: 'altered', checkpoint: 2 }],
    ['a number that is left out', { number: 3 }, { kind: 'missing', checkpoint: 2 }],
    ['a number that is used twice', { number: 1 }, { kind: 'inserted', checkpoint: 1 }],
    ['another predecessor', { previous: '00' }, { kind: 'altered', checkpoint: 2 }],
    ['a lower sequence number', { sequence: 1 }, { kind: 'altered', checkpoint: 2 }],
  ])('finds %s, although the signature is valid', async (_what, changes, finding) => {
    expect(await findingOf(second(changes))).toMatchObject(finding);
  });

  it('finds a file that is not a checkpoint, and a key that is not trusted', async () => {
    const otherSigner = createAuditSigner(Buffer.alloc(32, 4));
    const [one] = checkpoints as [SignedPayload];
    expect(await findingOf([{ ...one, payload: 'null' }])).toMatchObject({ kind: 'altered', checkpoint: 1 });
    expect(await findingOf([signCheckpoint(otherSigner, payloadAt(0))])).toMatchObject({
      kind: 'altered',
      checkpoint: 1,
    });
  });

  it('finds a saved copy that differs, and the first one that the log has lost', async () => {
    const saved = (numbers: readonly number[]) => new Map(numbers.map((number) => [number, `copy ${number}`]));
    expect(await findingOf(checkpoints, saved([2]))).toMatchObject({ kind: 'altered', checkpoint: 2 });
    expect(await findingOf(checkpoints, saved([9, 7]))).toMatchObject({ kind: 'missing', checkpoint: 7 });
  });
});
