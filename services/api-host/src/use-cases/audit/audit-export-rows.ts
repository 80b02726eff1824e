import { type ExportRow, genesisHash, readCheckpoint } from '@sluice/audit';
import type { AuditChainStore, AuditFilter, ChainRow } from '@sluice/store/audit';

/** Places of one statement: few enough for the longest of statements and metadata. */
const PLACES = 500;

export interface ExportRange {
  readonly tenantId: string;
  /** Inclusive, both. */
  readonly first: number;
  readonly last: number;
  readonly filter: AuditFilter;
}

/** The hash before a place behind a gap: of the last that retention dropped, or that of no record at all. */
async function hashBefore(chain: AuditChainStore, tenantId: string, sequence: number): Promise<string> {
  if (sequence === 1) return genesisHash(tenantId).toString('hex');
  for (const payload of await chain.dropPayloads(tenantId)) {
    const range = readCheckpoint(payload)?.dropped?.find(({ to }) => to === sequence - 1);
    if (range !== undefined) return range.hash;
  }
  // The place before is gone and nobody signed that: the verifier shall say so.
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

/** What is sealed in a range of places and taken by the filter, by sequence, in batches that may be empty. */
export async function* exportRows(
  chain: AuditChainStore,
  { tenantId, first, last, filter }: ExportRange,
): AsyncGenerator<readonly ExportRow[]> {
  for (let after = first - 1; after < last; after += PLACES) {
    const rows = await chain.rows({ tenantId, after, through: Math.min(after + PLACES, last), filter });
    yield await Promise.all(rows.map((row) => exportRowOf(chain, tenantId, row)));
  }
}
