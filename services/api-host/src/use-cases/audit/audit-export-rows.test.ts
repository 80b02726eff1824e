import { describe, expect, it } from '@jest/globals';
import { createAuditSigner, genesisHash, hexOf } from '@sluice/audit';
import type { AuditChainStore, ChainRow } from '@sluice/store/audit';
import { exportRows } from './audit-export-rows.ts';
import { signDropped } from './sign-dropped.ts';

const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const DROPPED = { from: 1, to: 5, hash: 'cd'.repeat(32) };

/** Rows without the hash before them where the row before them is not stored. */
function chainFrom(first: number) {
  const windows: (readonly [number, number])[] = [];
  const { payload } = signDropped(createAuditSigner(Buffer.alloc(32, 1)), 'retention', () => 1)(TENANT, undefined, [
    DROPPED,
  ]);
  const chain = {
    rows: async ({ after, through }: { readonly after: number; readonly through: number }) => {
      windows.push([after, through]);
      return Array.from({ length: through - after }, (_, index) => after + 1 + index)
        .filter((sequence) => sequence >= first)
        .map((sequence) => ({
          record: { id: `${sequence}` },
          sequence,
          version: 1,
          hash: Buffer.of(sequence % 256),
          previousHash: sequence === first ? null : Buffer.of((sequence - 1) % 256),
        })) as unknown as ChainRow[];
    },
    dropPayloads: async () => [payload],
  } as unknown as AuditChainStore;
  return { windows, chain };
}

async function read(first: number, range: { readonly first: number; readonly last: number }) {
  const { windows, chain } = chainFrom(first);
  const rows = [];
  for await (const batch of exportRows(chain, { tenantId: TENANT, filter: {}, ...range })) rows.push(...batch);
  return { windows, rows };
}

describe('the rows of an export', () => {
  it('are read in windows of 500 positions, of which the last is shorter', async () => {
    const { windows, rows } = await read(1, { first: 1, last: 1_001 });
    expect(windows).toEqual([
      [0, 500],
      [500, 1_000],
      [1_000, 1_001],
    ]);
    expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 1_001 }, (_, index) => index + 1));
  });

  it.each([
    ['at the genesis', 1, hexOf(genesisHash(TENANT))],
    ['after positions whose removal is signed', 6, DROPPED.hash],
    ['after positions whose removal is not signed', 4, ''],
  ])('begin %s with the hash before them', async (_, first, hash) => {
    const { rows } = await read(first, { first: 1, last: 10 });
    expect(rows[0]).toMatchObject({ sequence: first, previousHash: hash });
    expect(rows[1]?.previousHash).toBe(Buffer.of(first).toString('hex'));
  });

  it('may be missing', async () => {
    expect(await read(1, { first: 1, last: 0 })).toEqual({ windows: [], rows: [] });
  });
});
