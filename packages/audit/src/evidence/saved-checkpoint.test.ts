import { describe, expect, it } from '@jest/globals';
import { sampleRecord, sealLog, signer, TENANT } from '../../testing/sealed-log.ts';
import { readCheckpoint } from '../checkpoint.ts';
import type { ExportRow } from '../export-row.ts';
import { trustedKeys } from '../signing-key.ts';
import type { SignedPayload } from '../trusted-keys.ts';
import type { EvidenceManifest } from './manifest.ts';
import { CopyComparison } from './saved-checkpoint.ts';

const keys = trustedKeys([signer.publicKey]);
const [signed] = sealLog([0, 1].map(sampleRecord), 2).checkpoints as [SignedPayload];
const payload = readCheckpoint(signed.payload);
const until = payload?.until_ts ?? 0;

const start = (change: Partial<SignedPayload>, stored: string | undefined = signed.payload, tenantId = TENANT) =>
  new CopyComparison({ signed: { ...signed, ...change }, stored }).start(tenantId, keys);
const saved = new CopyComparison({ signed, stored: signed.payload });
const endOf = (last: number | null, covered: number, end: number) =>
  saved.end({ manifest: { end } as EvidenceManifest, last, covered });
const rowOf = (sequence: number, hash: string): ExportRow => ({
  record: sampleRecord(sequence),
  sequence,
  version: 0,
  previousHash: '',
  hash,
});

describe('CopyComparison', () => {
  it('accepts a copy that the log still has', async () => {
    expect(await start({})).toBeUndefined();
  });

  it('names the copy if it does not count', async () => {
    const unusable = { kind: 'altered', member: 'the saved checkpoint' };
    expect(await start({}, signed.payload, 'other')).toMatchObject(unusable);
    expect(await start({ payload: 'null' })).toMatchObject(unusable);
    expect(await start({ signature: new Uint8Array(64) })).toMatchObject(unusable);
  });

  it('finds a checkpoint that the log has changed or lost', async () => {
    expect(await start({}, 'other')).toMatchObject({ kind: 'altered', checkpoint: 1 });
    const lost = new CopyComparison({ signed, stored: undefined });
    expect(await lost.start(TENANT, keys)).toMatchObject({ kind: 'missing', checkpoint: 1 });
  });

  it('compares the hash of the record that the copy ends with, and of no other', () => {
    expect(saved.visit(rowOf(2, payload?.hash ?? ''))).toBeUndefined();
    expect(saved.visit(rowOf(1, 'ab'))).toBeUndefined();
    expect(saved.visit(rowOf(2, 'ab'))).toMatchObject({ kind: 'altered', checkpoint: 1, sequence: 2 });
  });

  it('finds checkpoints and records that end before the copy', () => {
    expect(endOf(2, 2, until + 1)).toBeUndefined();
    expect(endOf(2, 1, until + 1)).toMatchObject({ kind: 'missing', checkpoint: 1 });
    expect(endOf(1, 2, until + 1)).toMatchObject({ kind: 'missing', sequence: 2 });
  });

  it('expects no records that were written after the range', () => {
    expect(endOf(1, 2, until)).toBeUndefined();
    expect(endOf(null, 2, until + 1)).toBeUndefined();
  });
});
