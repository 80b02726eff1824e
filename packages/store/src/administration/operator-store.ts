import { randomUUID } from 'node:crypto';
import type { TenantRecord } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { insertTenant } from '../identity/tenant-store.ts';
import { accountProblem } from './account-problem.ts';
import { type Administration, createAdministration } from './administration-store.ts';

/** Change of a tenant that the operator of a deployment makes. */
type TenantAction = 'suspend' | 'resume' | 'request removal';

/**
 * Tenants of a deployment. Every change is one transaction together with `work` and its audit record. Throws `invalid_request` for an
 * account that cannot be stored.
 */
export interface OperatorStore {
  /** Lists tenants by name. */
  list(): Promise<readonly TenantRecord[]>;
  find(name: string): Promise<TenantRecord | undefined>;
  /** Creates a tenant with the default roles. Throws `conflict` when the name is taken, `invalid_request` when it is not a slug. */
  create<T>(name: string, work: TenantWork<T>): Promise<T>;
  /** Locks the tenant, as every change of its accounts does. Returns undefined when no tenant has this name. */
  change<T>(name: string, work: TenantWork<T>): Promise<T | undefined>;
}

type TenantWork<T> = (tenant: TenantRecord, hold: LockedTenant) => Promise<T>;

export interface LockedTenant {
  readonly administration: Administration;
  /** Returns the changed tenant. */
  apply(step: TenantAction): Promise<TenantRecord>;
  /** Applies to new users only; existing users stay as they are. Returns the changed tenant. */
  setEmailDomains(domains: readonly string[] | null): Promise<TenantRecord>;
}

interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'suspended';
  readonly created: Date;
  readonly removal_requested: Date | null;
  readonly email_domains: string[] | null;
}

const COLUMNS = 'id, name, state, created, removal_requested, email_domains';
const FIND = `select ${COLUMNS} from tenants where name = $1`;

const STEPS: Readonly<Record<TenantAction, string>> = {
  suspend: `state = 'suspended'`,
  resume: `state = 'active', removal_requested = null`,
  'request removal': 'removal_requested = coalesce(removal_requested, clock_timestamp())',
};

const tenantOf = (row: TenantRow): TenantRecord => ({
  id: row.id,
  name: row.name,
  state: row.state,
  created_ts: row.created.getTime(),
  removal_requested_ts: row.removal_requested?.getTime() ?? null,
  email_domains: row.email_domains,
});

const findOne = async (transaction: Transaction, text: string, name: string): Promise<TenantRecord | undefined> => {
  const [row] = await transaction.query<TenantRow>(text, [name]);
  return row && tenantOf(row);
};

const lockedTenantOf = (transaction: Transaction, { id }: TenantRecord): LockedTenant => {
  const update = async (assignment: string, ...values: unknown[]): Promise<TenantRecord> => {
    const text = `update tenants set ${assignment} where id = $1 returning ${COLUMNS}`;
    const [row] = await transaction.query<TenantRow>(text, [id, ...values]);
    if (row === undefined) throw new Error('a locked tenant was removed');
    return tenantOf(row);
  };
  return {
    administration: createAdministration(transaction, id),
    apply: (step) => update(STEPS[step]),
    setEmailDomains: (domains) =>
      update('email_domains = $2::jsonb', domains === null ? null : JSON.stringify(domains)),
  };
};

export const createOperatorStore = (database: Database): OperatorStore => {
  const find = (name: string) => database.withoutTenant((transaction) => findOne(transaction, FIND, name));
  const within = <T>(tenantId: string, work: (transaction: Transaction) => Promise<T>): Promise<T> =>
    database.withTenant(tenantId, work).catch((thrown: unknown) => {
      throw accountProblem(thrown);
    });

  return {
    find,
    async list() {
      const rows = await database.withoutTenant((transaction) =>
        transaction.query<TenantRow>(`select ${COLUMNS} from tenants order by name`),
      );
      return rows.map(tenantOf);
    },
    create(name, work) {
      const id = randomUUID();
      return within(id, async (transaction) => {
        await insertTenant(transaction, { id, name, settings: {} });
        const tenant = await findOne(transaction, FIND, name);
        if (tenant === undefined) throw new Error('a new tenant was not found');
        return await work(tenant, lockedTenantOf(transaction, tenant));
      });
    },
    async change(name, work) {
      const found = await find(name);
      if (found === undefined) return undefined;
      return within(found.id, async (transaction) => {
        const tenant = await findOne(transaction, `${FIND} for no key update`, name);
        // A tenant that was created meanwhile under the same name is a different one. This transaction may not see its rows.
        if (tenant?.id !== found.id) return undefined;
        return await work(tenant, lockedTenantOf(transaction, tenant));
      });
    },
  };
};
