import { type ExportRow, genesisHash, hexOf, readCheckpoint } from '@sluice/audit';
import type { AuditChainStore, AuditFilter, ChainRow } from '@sluice/store/audit';

/** Positions of one statement: few enough for rows with the longest SQL and metadata. */
const WINDOW = 500;

export interface ExportRange {
  readonly tenantId: string;
  /** Inclusive. */
  readonly first: number;
  /** Inclusive. */
  readonly last: number;
  readonly filter: AuditFilter;
}

/** Returns the hash before the first position, or before the first one after a dropped range. */
async function hashBefore(chain: AuditChainStore, tenantId: string, sequence: number): Promise<string> {
  if (sequence === 1) return hexOf(genesisHash(tenantId));
  for (const payload of await chain.dropPayloads(tenantId)) {
    const range = readCheckpoint(payload)?.dropped?.find(({ to }) => to === sequence - 1);
    if (range !== undefined) return range.hash;
  }
  // No checkpoint signs that the previous position was dropped. The verifier reports this row.
  return '';
}

async function exportRowOf(chain: AuditChainStore, tenantId: string, row: ChainRow): Promise<ExportRow> {
  const { record, sequence, version, hash, previousHash } = row;
  return {
    record,
    sequence,
    version,
    hash: hash.toString('hex'),
    previousHash: previousHash?.toString('hex') ?? (await hashBefore(chain, tenantId, sequence)),
  };
}

/** Reads the matching rows of a range of positions, by sequence. Batches may be empty. */
export async function* exportRows(
  chain: AuditChainStore,
  { tenantId, first, last, filter }: ExportRange,
): AsyncGenerator<readonly ExportRow[]> {
  for (let after = first - 1; after < last; after += WINDOW) {
    const rows = await chain.rows({ tenantId, after, through: Math.min(after + WINDOW, last), filter });
    yield await Promise.all(rows.map((row) => exportRowOf(chain, tenantId, row)));
  }
}
