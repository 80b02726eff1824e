import { describe, expect, it } from '@jest/globals';
import { sampleRecord, sealLog, signer, TENANT } from '../../testing/sealed-log.ts';
import { base64Of, hexOf } from '../byte-encodings.ts';
import { readCheckpoint, signCheckpoint } from '../checkpoint.ts';
import type { ExportRow } from '../export-row.ts';
import type { Finding } from '../finding.ts';
import { genesisHash } from '../sealed-record.ts';
import { trustedKeys } from '../signing-key.ts';
import type { SignedPayload } from '../trusted-keys.ts';
import { CheckpointMatcher } from './checkpoint-matcher.ts';

const log = sealLog([0, 1, 2, 3, 4, 5].map(sampleRecord), 2);
const rows = log.entries.map(({ record, sequence, version, hash }, index): ExportRow => {
  const previous = log.entries[index - 1]?.hash ?? genesisHash(TENANT);
  if (record === undefined) throw new Error('A sealed log has every record.');
  return { record, sequence, version, previousHash: hexOf(previous), hash: hexOf(hash) };
});

const lineOf = ({ payload, keyId, signature }: SignedPayload): string =>
  JSON.stringify({ payload, key_id: keyId, signature: base64Of(signature) });
const lines = log.checkpoints.map(lineOf);

async function match(given: readonly ExportRow[], texts: readonly string[] = lines) {
  const source = async function* () {
    yield* texts;
  };
  const matcher = new CheckpointMatcher({ tenantId: TENANT, keys: trustedKeys([signer.publicKey]), lines: source() });
  let finding: Finding | undefined;
  for (const row of given) finding ??= await matcher.visit(row);
  finding ??= await matcher.end();
  return { finding, matcher };
}

describe('CheckpointMatcher', () => {
  it('accepts a whole log and any part of it', async () => {
    const { finding, matcher } = await match(rows);
    expect([finding, matcher.count, matcher.covered, matcher.wrongTimes]).toEqual([undefined, 3, 6, undefined]);
    expect((await match(rows.slice(1, 5))).finding).toBeUndefined();
    expect((await match([])).finding).toBeUndefined();
  });

  it('finds a hash that the checkpoint does not sign', async () => {
    const changed = rows.with(3, { ...(rows[3] as ExportRow), hash: '00' });
    expect((await match(changed)).finding).toMatchObject({ kind: 'altered', checkpoint: 2, sequence: 4 });
  });

  it('finds a record that no checkpoint covers', async () => {
    expect((await match(rows, lines.slice(0, 2))).finding).toMatchObject({ kind: 'missing', sequence: 6 });
  });

  it('finds a gap, unless a checkpoint signs that its records were dropped', async () => {
    const cut = rows.toSpliced(2, 1);
    expect((await match(cut)).finding).toMatchObject({ kind: 'missing', sequence: 3 });
    const payload = readCheckpoint(log.checkpoints[2]?.payload ?? '');
    if (payload === undefined) throw new Error('The log has three checkpoints.');
    const dropped = [{ from: 2, to: 3, hash: rows[2]?.hash ?? '' }];
    const signed = signCheckpoint(signer, { ...payload, kind: 'retention', dropped });
    expect((await match(cut, lines.with(2, lineOf(signed)))).finding).toBeUndefined();
  });

  it('finds checkpoints that are not in order, not of the log, or not readable', async () => {
    const swapped = [lines[1], lines[0], lines[2]] as string[];
    expect((await match([], swapped)).finding).toMatchObject({ kind: 'altered', checkpoint: 1 });
    expect((await match([], ['{}'])).finding).toMatchObject({ kind: 'altered', member: 'checkpoints.ndjson' });
    expect((await match([], ['not JSON'])).finding).toMatchObject({ kind: 'altered', member: 'checkpoints.ndjson' });
    const other = { ...(readCheckpoint(log.checkpoints[0]?.payload ?? '') ?? {}), tenant_id: 'other' };
    const signed = signCheckpoint(signer, other as Parameters<typeof signCheckpoint>[1]);
    expect((await match([], [lineOf(signed)])).finding).toMatchObject({ kind: 'altered', checkpoint: 1 });
  });

  it('counts records with times at which they cannot have been written, and finds no fault in them', async () => {
    const first = rows[0] as ExportRow;
    const late = { ...first, record: { ...first.record, occurredUs: '9000000000000000' } };
    const { finding, matcher } = await match(rows.with(0, late));
    expect(finding).toBeUndefined();
    expect(matcher.wrongTimes).toEqual({ count: 1, first: { sequence: 1, timeMs: 9_000_000_000_000 } });
  });
});
