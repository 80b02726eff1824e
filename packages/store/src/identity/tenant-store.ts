import { randomUUID } from 'node:crypto';
import { DEFAULT_ROLES, ProblemError, TENANT_NAME, type Tenant, type TenantSettings } from '@sluice/contract';
import { shareLookups } from '../batching/share-lookups.ts';
import type { Database } from '../database/database.ts';
import { prepared, type Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';

export interface TenantStore {
  /** Finds a tenant by its slug in host names and paths. */
  findByName(name: string): Promise<Tenant | undefined>;
  findById(id: string): Promise<Tenant | undefined>;
  /** Creates a tenant with the default roles. Throws `conflict` when the name is taken, `invalid_request` when it is not a slug. */
  create(tenant: { name: string; settings?: TenantSettings }): Promise<Tenant>;
  setState(id: string, state: Tenant['state']): Promise<void>;
  /** Lists tenants by name. */
  list(): Promise<Tenant[]>;
}

export interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly state: Tenant['state'];
  readonly settings: TenantSettings;
}

/** The label is part of host names: at most 63 characters of a DNS label (RFC 1035 section 2.3.4). */
const requireSlug = (name: string): void => {
  if (TENANT_NAME.test(name)) return;
  throw new ProblemError(
    'invalid_request',
    'A tenant name has 1 to 63 characters a-z, 0-9 and -, and does not start or end with -.',
  );
};

export const tenantOf = ({ id, name, state, settings }: TenantRow): Tenant => ({ id, name, state, settings });

const FIND_BY = {
  id: prepared('tenant_by_id', 'select id, name, state, settings from tenants where id = $1'),
  name: prepared('tenant_by_name', 'select id, name, state, settings from tenants where name = $1'),
};

/** Inserts a tenant with the default roles. Throws `conflict` when the name is taken, `invalid_request` when it is not a slug. */
export async function insertTenant(
  transaction: Transaction,
  { id, name, settings }: Omit<Tenant, 'state'>,
): Promise<void> {
  requireSlug(name);
  const made = await transaction.query(
    'insert into tenants (id, name, settings) values ($1, $2, $3) on conflict (name) do nothing returning id',
    [id, name, JSON.stringify(settings)],
  );
  if (made.length === 0) throw new ProblemError('conflict', `The tenant ${name} already exists.`);
  for (const [role, permissions] of Object.entries(DEFAULT_ROLES)) {
    await transaction.query('insert into roles (tenant_id, name, permissions) values ($1, $2, $3)', [
      id,
      role,
      permissions,
    ]);
  }
}

export function createTenantStore(database: Database): TenantStore {
  const findBy = async (column: 'id' | 'name', value: string): Promise<Tenant | undefined> => {
    const [row] = await database.run<TenantRow>('no-tenant', FIND_BY[column], [value]);
    return row && tenantOf(row);
  };

  const findByName = shareLookups((name: string) => findBy('name', name));

  return {
    // A string that is not a slug is not looked up, so text that PostgreSQL would reject (NUL) never reaches it.
    findByName: async (name) => (TENANT_NAME.test(name) ? findByName(name) : undefined),
    findById: async (id) => (isUuid(id) ? findBy('id', id) : undefined),
    async create({ name, settings = {} }) {
      const id = randomUUID();
      await database.withTenant(id, (transaction) => insertTenant(transaction, { id, name, settings }));
      return { id, name, state: 'active', settings };
    },
    async setState(id, state) {
      await database.withoutTenant((transaction) =>
        transaction.query('update tenants set state = $2 where id = $1', [id, state]),
      );
    },
    async list() {
      const rows = await database.withoutTenant((transaction) =>
        transaction.query<TenantRow>('select id, name, state, settings from tenants order by name'),
      );
      return rows.map(tenantOf);
    },
  };
}
