import { type CheckpointRow, type ClassifyCheckpoint, readSetAside, type SetAside } from '@sluice/audit';
import type { Transaction } from '../database/transaction.ts';

interface ChainEndDependencies {
  readonly transaction: Transaction;
  readonly classify: ClassifyCheckpoint;
}

const CHECKPOINTS_MAX = 200;

/** Orders by the column, because the text of 9 is after that of 10. */
const OLDER = `
  select k.number::text, k.sequence::text, k.payload, k.key_id as "keyId", k.signature
  from audit_checkpoints k where k.tenant_id = $1 and ($2::bigint is null or k.number < $2)
  order by k.number desc limit $3`;
const KEYS = 'select public_key as "publicKey" from audit_keys';
const SET_ASIDE = 'select set_aside_audit_forgeries($1, $2)::text as report';

/**
 * Finds the last genuine checkpoint of a tenant: the newest one by a known key. One by an unknown key is taken only when no older one
 * is by the key of this sealer, because its key may have been removed from the published ones after a rotation.
 */
export async function findGenuineHead(
  { transaction, classify }: ChainEndDependencies,
  tenantId: string,
): Promise<CheckpointRow | undefined> {
  let keys: Promise<readonly Uint8Array[]> | undefined;
  const publishedKeys = (): Promise<readonly Uint8Array[]> => {
    keys ??= transaction.query<{ publicKey: Uint8Array }>(KEYS).then((rows) => rows.map(({ publicKey }) => publicKey));
    return keys;
  };
  let unknown: CheckpointRow | undefined;
  let before: string | null = null;
  for (;;) {
    const page: CheckpointRow[] = await transaction.query<CheckpointRow & Record<string, unknown>>(OLDER, [
      tenantId,
      before,
      CHECKPOINTS_MAX,
    ]);
    for (const checkpoint of page) {
      const origin = await classify({ tenantId, checkpoint, publishedKeys });
      if (origin === 'own' || (origin === 'published' && unknown === undefined)) return checkpoint;
      if (origin === 'published') return unknown;
      if (origin === 'unknown') unknown ??= checkpoint;
    }
    // Forged ones alone can be many; before one by an unknown key, one page is enough.
    if (page.length < CHECKPOINTS_MAX || unknown !== undefined) return unknown;
    before = page.at(-1)?.number ?? null;
  }
}

/** Moves away the entries and checkpoints after the last genuine one. Returns undefined when there are none. */
export async function setAsideForgeries(
  transaction: Transaction,
  tenantId: string,
  head: CheckpointRow | undefined,
): Promise<SetAside | undefined> {
  const [row] = await transaction.query<{ report: string }>(SET_ASIDE, [tenantId, head?.number ?? '0']);
  const found = row && readSetAside(row.report);
  return found === undefined || found.entries + found.checkpoints === 0 ? undefined : found;
}
