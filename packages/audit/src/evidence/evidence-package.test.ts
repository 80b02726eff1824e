import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, describe, expect, it } from '@jest/globals';
import { type Members, membersOf, withMember, zipOf } from '../../testing/evidence-members.ts';
import { type SealedLog, sampleRecord, sealLog, signer, TENANT } from '../../testing/sealed-log.ts';
import { hexOf } from '../byte-encodings.ts';
import { signCheckpoint } from '../checkpoint.ts';
import { EXPORT_FORMATS, signExport } from '../export-format.ts';
import type { ExportRow } from '../export-row.ts';
import { genesisHash } from '../sealed-record.ts';
import { createAuditSigner, trustedKeys } from '../signing-key.ts';
import type { SignedPayload } from '../trusted-keys.ts';
import { EvidenceFile } from './evidence-file.ts';
import { evidenceReadme } from './evidence-readme.ts';
import { EvidenceSummary } from './evidence-summary.ts';
import { EVIDENCE_MEMBERS, type EvidenceContent } from './manifest.ts';
import type { CheckpointCopy } from './saved-checkpoint.ts';
import { verifyEvidence } from './verify-evidence.ts';
import { verifyEvidencePackage } from './verify-evidence-package.ts';
import { type EvidenceMember, writeEvidencePackage } from './write-evidence-package.ts';

const folder = mkdtempSync(join(tmpdir(), 'sluice-evidence-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const keys = trustedKeys([signer.publicKey]);
const log = sealLog(
  Array.from({ length: 20 }, (_each, index) => sampleRecord(index)),
  5,
);
const rowsOf = ({ entries }: SealedLog): readonly ExportRow[] =>
  entries.map(({ record, sequence, version, hash }, index) => ({
    record: record as ExportRow['record'],
    sequence: Number(sequence),
    version,
    hash: hexOf(hash),
    previousHash: hexOf(entries[index - 1]?.hash ?? genesisHash(TENANT)),
  }));
const checkpointsOf = ({ checkpoints }: SealedLog): readonly string[] =>
  checkpoints.map(({ payload, keyId, signature }) =>
    JSON.stringify({ payload, key_id: keyId, signature: Buffer.from(signature).toString('base64') }),
  );
const ROWS = rowsOf(log);
const CHECKPOINTS = checkpointsOf(log);

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const lines = (texts: readonly string[]): string => texts.map((text) => `${text}\n`).join('');

const exportOf = (rows: readonly ExportRow[]): string => {
  const body = lines(rows.map((row) => EXPORT_FORMATS.ndjson.row(row)));
  const end = signExport(signer, {
    kind: 'export',
    tenant_id: TENANT,
    filter: { start: 0, end: 1 },
    records: rows.length,
    from: rows[0]?.sequence ?? null,
    sha256: sha256(body),
    head: { sequence: 20, hash: rows.find(({ sequence }) => sequence === 20)?.hash ?? '' },
    issued_ts: 0,
  });
  return `${body}${EXPORT_FORMATS.ndjson.end(end)}\n`;
};

const contentOf = (rows: readonly ExportRow[]): EvidenceContent => ({
  tenant: 'acme',
  tenant_id: TENANT,
  start: 0,
  end: 1,
  visible_from: 0,
  records: rows.length,
  first: rows[0]?.sequence ?? null,
  last: rows.at(-1)?.sequence ?? null,
  issued_ts: 0,
});

interface PackageOptions {
  readonly rows?: readonly ExportRow[];
  readonly checkpoints?: readonly string[];
  readonly summary?: string;
  readonly signedBy?: typeof signer;
}

const packageOf = ({ rows = ROWS, checkpoints = CHECKPOINTS, summary, signedBy = signer }: PackageOptions = {}) => {
  const counts = new EvidenceSummary();
  for (const row of rows) counts.add(row);
  const texts = {
    [EVIDENCE_MEMBERS.readme]: evidenceReadme(contentOf(rows)),
    [EVIDENCE_MEMBERS.publicKeys]: '[]',
    [EVIDENCE_MEMBERS.checkpoints]: lines(checkpoints),
    [EVIDENCE_MEMBERS.export]: exportOf(rows),
    [EVIDENCE_MEMBERS.summary]: summary ?? [...counts.csv()].join(''),
  };
  const members = Object.entries(texts).map(([name, text]) => ({ name, bytes: [Buffer.from(text)] }));
  return buffer(writeEvidencePackage({ signer: signedBy, members, content: () => contentOf(rows) }));
};

const verdictOf = (bytes: Buffer) => {
  const path = join(folder, 'package.zip');
  writeFileSync(path, bytes);
  return verifyEvidencePackage({ path, keys });
};
const findingOf = async (bytes: Buffer) => (await verdictOf(bytes)).finding;
const findingOfMembers = async (members: Members) => findingOf(await zipOf(members));

/** A checkpoint that signs the removal of positions. */
const dropOf = (from: number, to: number): string => {
  const dropped = [{ from, to, hash: ROWS[to - 1]?.hash ?? '' }];
  const payload = {
    kind: 'retention',
    tenant_id: TENANT,
    number: 6,
    sequence: 20,
    hash: ROWS[19]?.hash ?? '',
  } as const;
  const signed = signCheckpoint(signer, { v: 1, ...payload, issued_ts: 0, previous: null, dropped });
  const signature = Buffer.from(signed.signature).toString('base64');
  return JSON.stringify({ payload: signed.payload, key_id: signed.keyId, signature });
};

describe('an evidence package', () => {
  it('verifies, with as many records and checkpoints as it contains', async () => {
    expect(await verdictOf(await packageOf())).toEqual({
      tenantId: TENANT,
      records: 20,
      checkpoints: 4,
      finding: undefined,
      manifest: expect.objectContaining({ tenant: 'acme', records: 20, first: 1, last: 20 }),
      wrongTimes: undefined,
      last: { sequence: 20, timeMs: 1_700_000_000_019 },
      latest: expect.objectContaining({ payload: log.checkpoints.at(-1)?.payload }),
    });
  });

  it('verifies when it begins and ends within batches of the log', async () => {
    const finding = await findingOf(await packageOf({ rows: ROWS.slice(6, 13), checkpoints: CHECKPOINTS.slice(0, 3) }));
    expect(finding).toBeUndefined();
  });

  it('says which record was sealed with a time that was over', async () => {
    const timeMs = Number(sampleRecord(12).occurredUs) / 1000 - 3_600_000;
    const records = Array.from({ length: 20 }, (_each, index) => sampleRecord(index));
    const backdated = sealLog(records.with(12, { ...sampleRecord(12), occurredUs: String(timeMs * 1000) }), 5);
    const options = { rows: rowsOf(backdated), checkpoints: checkpointsOf(backdated) };
    expect(await verdictOf(await packageOf(options))).toMatchObject({
      finding: undefined,
      wrongTimes: { count: 1, first: { sequence: 13, timeMs } },
    });
  });

  it('verifies without records', async () => {
    expect(await findingOf(await packageOf({ rows: [], checkpoints: CHECKPOINTS.slice(-1) }))).toBeUndefined();
  });

  it('counts records by user and action', async () => {
    const [, summary] = (await membersOf(await packageOf())).find(([name]) => name === 'summary.csv') ?? [];
    expect(summary?.toString()).toBe(
      [
        'user,action,count,first,last',
        'ann@example.com,RUN_QUERY,10,2023-11-14T22:13:20.000Z,2023-11-14T22:13:20.018Z',
        'bob@example.com,RUN_QUERY,10,2023-11-14T22:13:20.001Z,2023-11-14T22:13:20.019Z',
        '',
      ].join('\n'),
    );
  });

  it('contains the Python program of the examples', () => {
    const program = readFileSync(new URL('../../../../examples/python/verify_evidence.py', import.meta.url), 'utf8');
    expect(evidenceReadme(contentOf([]))).toContain(`\`\`\`python\n${program}\`\`\`\n`);
    expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(60);
  });
});

describe('a forged package', () => {
  it('signed by another key is found', async () => {
    const forged = await packageOf({ signedBy: createAuditSigner(Buffer.alloc(32, 4)) });
    expect(await findingOf(forged)).toMatchObject({ kind: 'altered', member: 'manifest.json' });
  });

  it('without a member, with a further one, or with one twice is found', async () => {
    const members = await membersOf(await packageOf());
    for (const [name] of members) {
      const rest = members.filter(([each]) => each !== name);
      expect(await findingOfMembers(rest)).toMatchObject({ kind: 'missing', member: name });
    }
    const further = ['more.txt', Buffer.from('more')] as const;
    expect(await findingOfMembers([...members, further])).toMatchObject({ kind: 'inserted', member: 'more.txt' });
    const [first] = members;
    expect(await findingOfMembers([...members, ...(first === undefined ? [] : [first])])).toMatchObject({
      kind: 'altered',
      reason: 'It has two members README.md.',
    });
  });

  it('with bytes after the signature is found', async () => {
    const members = await membersOf(await packageOf());
    const longer = withMember(members, 'manifest.sig', (bytes) => Buffer.concat([bytes, Buffer.alloc(1)]));
    expect(await findingOfMembers(longer)).toMatchObject({ kind: 'altered', member: 'manifest.json' });
  });

  it.each([
    ['a changed record', (rows) => rows.with(3, (rows[3] ?? '').replace('bob@', 'ann@')), 'altered', 4],
    ['a removed record', (rows) => rows.toSpliced(9, 1), 'missing', 10],
    ['no first record', (rows) => rows.slice(1), 'missing', 1],
    ['no last record', (rows) => rows.toSpliced(19, 1), 'missing', 20],
    ['a record twice', (rows) => rows.toSpliced(5, 0, rows[5] ?? ''), 'inserted', 6],
    ['two records swapped', (rows) => rows.with(4, rows[5] ?? '').with(5, rows[4] ?? ''), 'reordered', 5],
  ] satisfies [string, (rows: string[]) => string[], string, number][])(
    'with %s is found, and the record is named',
    async (_name, change, kind, sequence) => {
      const members = withMember(await membersOf(await packageOf()), EVIDENCE_MEMBERS.export, (bytes) =>
        Buffer.from(lines(change(bytes.toString().trimEnd().split('\n')))),
      );
      const finding = { kind, sequence, member: EVIDENCE_MEMBERS.export };
      expect(await findingOfMembers(members)).toMatchObject(finding);
    },
  );

  it('with a changed checkpoint is found, and the checkpoint is named', async () => {
    const members = withMember(await membersOf(await packageOf()), EVIDENCE_MEMBERS.checkpoints, (bytes) =>
      Buffer.from(bytes.toString().replace('\\"number\\":3', '\\"number\\":4')),
    );
    expect(await findingOfMembers(members)).toMatchObject({ kind: 'altered', checkpoint: 4 });
  });

  it.each([
    ['a missing record', { rows: ROWS.toSpliced(9, 1) }, { kind: 'missing', sequence: 10 }],
    ['no checkpoint for its end', { checkpoints: CHECKPOINTS.slice(0, 3) }, { kind: 'missing', sequence: 20 }],
    ['no checkpoints', { checkpoints: [] }, { kind: 'missing', sequence: 20 }],
    ['a moved checkpoint', { checkpoints: CHECKPOINTS.toReversed() }, { kind: 'altered' }],
    ['another summary', { summary: 'user,action,count,first,last\n' }, { kind: 'altered', member: 'summary.csv' }],
  ] as const)('that the key signed with %s is found', async (_name, options, finding) => {
    expect(await findingOf(await packageOf(options))).toMatchObject(finding);
  });

  it('counts only the records before one that is missing', async () => {
    const verdict = await verdictOf(await packageOf({ rows: ROWS.toSpliced(9, 1) }));
    expect(verdict).toMatchObject({ records: 9, last: { sequence: 9 }, finding: { sequence: 10 } });
  });

  it('with records of another chain is found by a checkpoint', async () => {
    const other = sealLog(
      Array.from({ length: 20 }, (_each, index) => sampleRecord(index + 100)),
      5,
    );
    const checkpoints = checkpointsOf(other);
    expect(await findingOf(await packageOf({ checkpoints }))).toMatchObject({ kind: 'altered', sequence: 5 });
  });

  it('with a gap is accepted only if a checkpoint signs that retention dropped it', async () => {
    const rows = ROWS.toSpliced(7, 3);
    expect(await findingOf(await packageOf({ rows, checkpoints: [...CHECKPOINTS, dropOf(8, 10)] }))).toBeUndefined();
    expect(await findingOf(await packageOf({ rows, checkpoints: [...CHECKPOINTS, dropOf(8, 9)] }))).toMatchObject({
      kind: 'missing',
      sequence: 10,
    });
  });
});

describe('a checkpoint that was saved', () => {
  const [second, third] = log.checkpoints.slice(1) as [SignedPayload, SignedPayload];
  const compare = async (saved: CheckpointCopy, options?: PackageOptions) => {
    const path = join(folder, 'compared.zip');
    writeFileSync(path, await packageOf(options));
    await using source = await EvidenceFile.open(path);
    return (await verifyEvidence({ source, keys, saved })).finding;
  };

  it('is in the log, and its records are in the package', async () => {
    expect(await compare({ signed: second, stored: second.payload })).toBeUndefined();
    const cut = { rows: ROWS.slice(0, 10), checkpoints: CHECKPOINTS.slice(0, 2) };
    expect(await compare({ signed: second, stored: second.payload }, cut)).toBeUndefined();
  });

  it('shows that the newest records were removed with their checkpoints', async () => {
    const cut = { rows: ROWS.slice(0, 10), checkpoints: CHECKPOINTS.slice(0, 2) };
    expect(await compare({ signed: third, stored: undefined }, cut)).toMatchObject({ kind: 'missing', checkpoint: 3 });
    // The checkpoint could have been put back.
    expect(await compare({ signed: third, stored: third.payload }, cut)).toMatchObject({
      kind: 'missing',
      checkpoint: 3,
    });
  });

  it('shows that a checkpoint or a record was made anew with the key', async () => {
    const other = sealLog(
      Array.from({ length: 20 }, (_each, index) => sampleRecord(index + 100)),
      5,
    );
    const forged = { rows: rowsOf(other), checkpoints: checkpointsOf(other) };
    expect(await compare({ signed: second, stored: other.checkpoints[1]?.payload }, forged)).toMatchObject({
      kind: 'altered',
      checkpoint: 2,
      reason: 'It differs from the saved copy.',
    });
    expect(await compare({ signed: second, stored: second.payload }, forged)).toMatchObject({
      kind: 'altered',
      sequence: 10,
      checkpoint: 2,
    });
  });

  it('does not count without the signature of a trusted key, or from another log', async () => {
    const unsigned = { ...second, signature: new Uint8Array(64) };
    expect((await compare({ signed: unsigned, stored: second.payload }))?.reason).toContain('not signed by a trusted');
    const payload = second.payload.replaceAll(TENANT, TENANT.replace('7', '8'));
    const foreign = { payload, keyId: signer.keyId, signature: signer.sign(payload) };
    expect((await compare({ signed: foreign, stored: payload }))?.reason).toContain('not of this log');
  });
});

describe('writing a package', () => {
  async function* brokenAfter(bytes: number): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(bytes, 'x');
    throw new Error('the database is gone');
  }

  it('fails with the error of a member and writes no central directory', async () => {
    const member: EvidenceMember = { name: EVIDENCE_MEMBERS.export, bytes: brokenAfter(1_000_000) };
    const chunks: Uint8Array[] = [];
    const write = async () => {
      const evidence = { signer, members: [member], content: () => contentOf([]) };
      for await (const chunk of writeEvidencePackage(evidence)) chunks.push(chunk);
    };
    await expect(write()).rejects.toThrow('the database is gone');
    expect(Buffer.concat(chunks).includes('PK\x05\x06')).toBe(false);
    expect(await findingOf(Buffer.concat(chunks))).toMatchObject({ reason: 'It is cut, or it is not a ZIP file.' });
  });

  it('that is cut at any place is found', async () => {
    const bytes = await packageOf();
    for (const length of [0, 1, 100, bytes.length / 2, bytes.length - 23, bytes.length - 1].map(Math.floor)) {
      expect(await findingOf(bytes.subarray(0, length))).toMatchObject({ kind: 'altered' });
    }
  });

  it('stops reading its members when its reader stops', async () => {
    let read = 0;
    let isReleased = false;
    async function* endless(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          read += 1;
          yield createHash('sha256').update(String(read)).digest();
        }
      } finally {
        isReleased = true;
      }
    }
    const members = [{ name: 'endless', bytes: endless() }];
    for await (const chunk of writeEvidencePackage({ signer, members, content: () => contentOf([]) })) {
      if (chunk.byteLength > 0) break;
    }
    expect(isReleased).toBe(true);
  });
});
