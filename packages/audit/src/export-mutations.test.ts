import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { sampleRecord, sealLog, TENANT } from '../testing/sealed-log.ts';
import { hexOf } from './byte-encodings.ts';
import { EXPORT_FORMATS, signExport } from './export-format.ts';
import { genesisHash, SEAL_VERSION } from './sealed-record.ts';
import { createAuditSigner, trustedKeys } from './signing-key.ts';
import { verifyExport } from './verify-export.ts';

const signer = createAuditSigner(Buffer.alloc(32, 3));
const RECORDS = 6;

const exportText = (name: 'ndjson' | 'csv'): string => {
  const format = EXPORT_FORMATS[name];
  const { entries } = sealLog(
    Array.from({ length: RECORDS }, (_, index) => sampleRecord(index)),
    RECORDS,
  );
  let previousHash = hexOf(genesisHash(TENANT));
  const lines = format.head === undefined ? [] : [format.head];
  for (const { record, sequence, hash: bytes } of entries) {
    const hash = Buffer.from(bytes).toString('hex');
    if (record !== undefined) lines.push(format.row({ record, sequence, version: SEAL_VERSION, previousHash, hash }));
    previousHash = hash;
  }
  const body = lines.map((line) => `${line}\n`).join('');
  const end = signExport(signer, {
    kind: 'export',
    tenant_id: TENANT,
    filter: {},
    records: RECORDS,
    from: 1,
    sha256: createHash('sha256').update(body).digest('hex'),
    head: { sequence: RECORDS, hash: previousHash },
    issued_ts: 0,
  });
  return body + format.end(end);
};

async function* linesOf(text: string): AsyncGenerator<string> {
  yield* text.split('\n');
}

const findingOf = async (format: 'ndjson' | 'csv', text: string) =>
  (await verifyExport({ format, lines: linesOf(text), keys: trustedKeys([signer.publicKey]) })).finding;

const anyCharacter = fc.constantFrom('a', '0', '1', '"', ',', "'", ' ', '{', '}', '\\', 'é', '\n');

/** Positions of the signed text: every line but the last one, and the payload in the last line. */
const signedPositions = (text: string): fc.Arbitrary<number> => {
  const end = text.lastIndexOf('\n') + 1;
  const [before = ''] = /^.*payload"+:"+/.exec(text.slice(end)) ?? [];
  return fc.oneof(fc.nat(end - 1), fc.integer({ min: end + before.length, max: text.search(/"+,"+key_id/) - 1 }));
};

it.each(['ndjson', 'csv'] as const)(
  'finds any changed, added or removed character of an export as %s',
  async (name) => {
    const text = exportText(name);
    expect(await findingOf(name, text)).toBeUndefined();
    await fc.assert(
      fc.asyncProperty(signedPositions(text), fc.nat(1), fc.option(anyCharacter, { nil: '' }), async (at, cut, by) => {
        const changed = text.slice(0, at) + by + text.slice(at + cut);
        fc.pre(changed !== text);
        expect(await findingOf(name, changed)).toBeDefined();
      }),
      { numRuns: 500 },
    );
  },
);

it.each(['ndjson', 'csv'] as const)('finds any removed or moved line of an export as %s', async (name) => {
  const lines = exportText(name).split('\n');
  const last = lines.length - 1;
  await fc.assert(
    fc.asyncProperty(fc.nat(last), fc.nat(last), async (from, to) => {
      const moved = lines.toSpliced(from, 1);
      expect(await findingOf(name, moved.join('\n'))).toBeDefined();
      fc.pre(from !== to);
      moved.splice(to, 0, lines[from] ?? '');
      expect(await findingOf(name, moved.join('\n'))).toBeDefined();
    }),
  );
});
