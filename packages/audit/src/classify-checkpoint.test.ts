import { describe, expect, it } from '@jest/globals';
import { sampleRecord, sealLog, signer, TENANT } from '../testing/sealed-log.ts';
import { type Checkpoint, signCheckpoint } from './checkpoint.ts';
import { type CheckpointRow, createClassifyCheckpoint } from './classify-checkpoint.ts';
import { createAuditSigner } from './signing-key.ts';

const other = createAuditSigner(Buffer.alloc(32, 4));
const [sealed] = sealLog([sampleRecord(1)], 1).checkpoints as [Checkpoint];
const stored = ({ number, sequence, ...signed }: Checkpoint): CheckpointRow => ({
  ...signed,
  number: String(number),
  sequence: String(sequence),
});
const own = stored(sealed);
const byOther = stored(signCheckpoint(other, JSON.parse(sealed.payload)));

const originOf = (checkpoint: CheckpointRow, ...published: readonly Uint8Array[]) =>
  createClassifyCheckpoint(signer)({ tenantId: TENANT, checkpoint, publishedKeys: async () => published });

describe('createClassifyCheckpoint', () => {
  it('knows its own checkpoints, those of published keys, and says of others that it does not know them', async () => {
    expect(await originOf(own)).toBe('own');
    expect(await originOf(byOther, other.publicKey)).toBe('published');
    expect(await originOf(byOther, signer.publicKey, Buffer.alloc(7))).toBe('unknown');
  });

  it.each<readonly [string, Partial<CheckpointRow>]>([
    ['a payload that is not JSON', { payload: 'x' }],
    ['a number beside its own', { number: '2' }],
    ['a number beyond the integers of a double', { number: '9223372036854775807' }],
    ['a sequence beside its own', { sequence: '9' }],
    ['a changed payload', { payload: own.payload.replace('"issued_ts":', '"issued_ts":1') }],
    ['the signature of another key', { signature: byOther.signature }],
    ['a hash without digits', { payload: own.payload.replace(/"hash":"[0-9a-f]+"/, '"hash":"x"') }],
    ['another tenant', { payload: own.payload.replace(TENANT, '00000000-0000-0000-0000-000000000000') }],
  ])('takes a checkpoint with %s for forged', async (_what, change) => {
    expect(await originOf({ ...own, ...change })).toBe('forged');
  });

  it('takes a checkpoint for forged that a published key did not sign', async () => {
    expect(await originOf({ ...byOther, signature: own.signature }, other.publicKey)).toBe('forged');
  });
});
