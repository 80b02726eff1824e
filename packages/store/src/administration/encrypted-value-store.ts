import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';

/**
 * Columns with values that are encrypted under the master key. `key` names the primary key, and `owner` further columns that the context
 * of a value is made of. A test lists the binary columns of the database and fails for one that is neither here nor known as something else.
 */
export const ENCRYPTED_COLUMNS = [
  { table: 'signing_keys', column: 'private_key_encrypted', key: ['kid'], owner: [] },
  { table: 'identity_providers', column: 'client_secret_sealed', key: ['tenant_id'], owner: ['issuer', 'client_id'] },
  { table: 'sessions', column: 'identity_sealed', key: ['tenant_id', 'sid'], owner: [] },
] as const;

export type EncryptedColumn = (typeof ENCRYPTED_COLUMNS)[number];

export interface EncryptedValue {
  /** Values of the columns `key` and `owner` by name. */
  readonly row: Readonly<Record<string, string>>;
  readonly sealed: Uint8Array;
}

/** Values under the master key, of all tenants. For the rotation of that key only. */
export interface EncryptedValueStore {
  /** Reads a page of values, ordered by key, after the last value of the previous page. An empty page is the end. */
  read(column: EncryptedColumn, after: EncryptedValue | undefined): Promise<EncryptedValue[]>;
  /** Replaces values that are still as they were read, and returns their number. A value that a host changed meanwhile stays. */
  replace(column: EncryptedColumn, changes: readonly EncryptedChange[]): Promise<number>;
}

export interface EncryptedChange {
  readonly value: EncryptedValue;
  readonly sealed: Uint8Array;
}

const PAGE_SIZE = 500;

/** Groups changes by tenant, because a transaction of every tenant may only read. Values of the deployment have no tenant. */
function byTenant(changes: readonly EncryptedChange[]): Map<string | undefined, EncryptedChange[]> {
  const groups = new Map<string | undefined, EncryptedChange[]>();
  for (const change of changes) {
    const tenantId = change.value.row['tenant_id'];
    const group = groups.get(tenantId);
    if (group === undefined) groups.set(tenantId, [change]);
    else group.push(change);
  }
  return groups;
}

export function createEncryptedValueStore(database: Database): EncryptedValueStore {
  return {
    read({ table, column, key, owner }, after) {
      const keys = key.map((name) => `${name}::text collate "C"`);
      const start = after === undefined ? '' : `and (${keys.join(', ')}) > (${key.map((_name, at) => `$${at + 1}`)})`;
      const columns = [...key, ...owner].map((name) => `'${name}', ${name}::text`).join(', ');
      const text = `select jsonb_build_object(${columns}) as row, ${column} as sealed from ${table}
        where ${column} is not null ${start} order by ${keys.join(', ')} limit ${PAGE_SIZE}`;
      return database.acrossTenants((transaction) =>
        transaction.query<EncryptedValue & object>(
          text,
          key.map((name) => after?.row[name]).filter((part) => part !== undefined),
        ),
      );
    },
    async replace({ table, column, key }, changes) {
      const conditions = key.map((name, at) => `${name}::text = $${at + 3}`).join(' and ');
      const text = `update ${table} set ${column} = $1 where ${column} = $2 and ${conditions} returning 1`;
      let replaced = 0;
      for (const [tenantId, own] of byTenant(changes)) {
        const work = async (transaction: Transaction): Promise<void> => {
          for (const { value, sealed } of own) {
            const keys = key.map((name) => value.row[name]);
            replaced += (await transaction.query(text, [sealed, value.sealed, ...keys])).length;
          }
        };
        await (tenantId === undefined ? database.withoutTenant(work) : database.withTenant(tenantId, work));
      }
      return replaced;
    },
  };
}
