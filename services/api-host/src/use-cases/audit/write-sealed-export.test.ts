import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createAuditSigner, EXPORT_FORMATS, genesisHash, hexOf, SEAL_VERSION } from '@sluice/audit';
import type { AuditChainStore } from '@sluice/store/audit';
import { signDropped } from './sign-dropped.ts';
import { readChainEnd, type SealedExport, writeSealedExport } from './write-sealed-export.ts';

const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const signer = createAuditSigner(Buffer.alloc(32, 1));

const chainOf = (rows: number): AuditChainStore =>
  ({
    rows: async () =>
      Array.from({ length: rows }, (_, index) => ({
        record: { id: `${index + 1}`, occurredUs: '1700000000000000', metadata: '{}' },
        sequence: index + 1,
        version: SEAL_VERSION,
        hash: Buffer.alloc(32, index + 1),
        previousHash: index === 0 ? null : Buffer.alloc(32, index),
      })),
  }) as unknown as AuditChainStore;

async function write(rows: number) {
  const seen: number[] = [];
  const range: SealedExport = {
    tenantId: TENANT,
    first: 1,
    last: rows,
    filter: {},
    format: EXPORT_FORMATS.ndjson,
    filterMetadata: { action: 'LOGIN' },
    from: rows === 0 ? null : 1,
    head: { sequence: 9, hash: 'ab' },
  };
  const chunks: Uint8Array[] = [];
  const dependencies = { auditChain: chainOf(rows), signer, now: () => 5 };
  for await (const chunk of writeSealedExport(dependencies, range, (batch) => seen.push(batch.length)))
    chunks.push(chunk);
  return { seen, lines: Buffer.concat(chunks).toString().split('\n').slice(0, -1), format: range.format };
}

describe('an export of sealed records', () => {
  it('ends with a line that signs all lines before it', async () => {
    const { seen, lines, format } = await write(3);
    const end = format.read(lines.at(-1) ?? '');
    const before = lines.slice(0, -1).map((line) => `${line}\n`);
    expect(JSON.parse('payload' in end ? end.payload : '{}')).toEqual({
      kind: 'export',
      tenant_id: TENANT,
      filter: { action: 'LOGIN' },
      records: 3,
      from: 1,
      sha256: createHash('sha256').update(before.join('')).digest('hex'),
      head: { sequence: 9, hash: 'ab' },
      issued_ts: 5,
    });
    expect(seen).toEqual([3]);
  });

  it('without records has the signed line', async () => {
    const { lines } = await write(0);
    expect(lines).toHaveLength(1);
  });
});

describe('the end of a chain', () => {
  it('is its last position with the hash that its checkpoint signs, or the genesis', async () => {
    const genesis = hexOf(genesisHash(TENANT));
    const { payload } = signDropped(signer, 'retention', () => 1)(TENANT, undefined, []);
    const headed = { head: async () => ({ sequence: 7, payload }) } as unknown as AuditChainStore;
    expect(await readChainEnd(headed, TENANT)).toEqual({ sequence: 7, hash: genesis });
    const empty = { head: async () => undefined } as unknown as AuditChainStore;
    expect(await readChainEnd(empty, TENANT)).toEqual({ sequence: 0, hash: genesis });
  });
});
