import type { SessionLimits, TenantLimits, TenantRecord, TenantSettings } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { insertTenant } from '../identity/tenant-store.ts';

/** Row of one tenant, within one transaction. */
export interface TenantRepository {
  /** Creates the tenant with the default roles. Throws `conflict` when the name is taken, `invalid_request` when it is not a slug. */
  insert(name: string): Promise<TenantRecord>;
  /** Finds the tenant and locks it until the end of the transaction. */
  lock(): Promise<TenantRecord | undefined>;
  /** Changes the state of a locked tenant. */
  apply(step: TenantStep): Promise<TenantRecord>;
  /** Applies to new users only; existing users stay as they are. */
  setEmailDomains(domains: readonly string[] | null): Promise<TenantRecord>;
  /** Returns the present settings. */
  settings(): Promise<TenantSettings>;
  /** Returns the present settings, and locks the tenant. */
  lockSettings(): Promise<TenantSettings>;
  /** Replaces the limits that the tenant sets for itself. */
  setOwnLimits(limits: TenantLimits): Promise<TenantSettings>;
  /** Chooses whether the audit log has records of reads of metadata. */
  setRecordsMetadataReads(recordsMetadataReads: boolean): Promise<TenantSettings>;
  /** Replaces the lifetimes of the sessions of users. */
  setSessionLimits(limits: SessionLimits): Promise<TenantSettings>;
  /** Chooses whether programs may log in that are described by a document at their client id. */
  setAllowsClientDocuments(allowsClientDocuments: boolean): Promise<TenantSettings>;
}

/** All tenants of the deployment, for its operator. */
export interface TenantDirectory {
  /** Lists tenants by name. */
  list(): Promise<readonly TenantRecord[]>;
  findByName(name: string): Promise<TenantRecord | undefined>;
}

/** Change of a tenant that the operator of a deployment makes. */
export type TenantStep = 'suspend' | 'resume' | 'request removal';

interface TenantRow {
  readonly id: string;
  readonly name: string;
  readonly state: 'active' | 'suspended';
  readonly created: Date;
  readonly removal_requested: Date | null;
  readonly email_domains: string[] | null;
}

const COLUMNS = 'id, name, state, created, removal_requested, email_domains';
/** Not `for update`, which would block every insert of a row that references the tenant. */
const LOCK = `select ${COLUMNS} from tenants where id = $1 for no key update`;

const SETTINGS = 'select settings from tenants where id = $1';
const SET_OWN_LIMITS = `
  update tenants set settings = settings || jsonb_build_object('ownLimits', $2::jsonb) where id = $1 returning settings`;

const SET_RECORDS_METADATA_READS = `
  update tenants set settings = settings || jsonb_build_object('recordsMetadataReads', $2::boolean) where id = $1 returning settings`;

const SET_SESSION_LIMITS = `
  update tenants set settings = settings || jsonb_build_object('sessionLimits', $2::jsonb) where id = $1 returning settings`;
const SET_ALLOWS_CLIENT_DOCUMENTS = `
  update tenants set settings = settings || jsonb_build_object('allowsClientDocuments', $2::boolean) where id = $1 returning settings`;

const STEPS: Readonly<Record<TenantStep, string>> = {
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

export function createTenantRepository(transaction: Transaction, tenantId: string): TenantRepository {
  const lock = async (): Promise<TenantRecord | undefined> => {
    const [row] = await transaction.query<TenantRow>(LOCK, [tenantId]);
    return row && tenantOf(row);
  };
  const update = async (assignment: string, ...values: unknown[]): Promise<TenantRecord> => {
    const text = `update tenants set ${assignment} where id = $1 returning ${COLUMNS}`;
    const [row] = await transaction.query<TenantRow>(text, [tenantId, ...values]);
    if (row === undefined) throw new Error('a locked tenant was removed');
    return tenantOf(row);
  };
  const settingsOf = async (text: string, ...values: string[]): Promise<TenantSettings> => {
    const [row] = await transaction.query<{ settings: TenantSettings }>(text, [tenantId, ...values]);
    return row?.settings ?? {};
  };
  return {
    settings: () => settingsOf(SETTINGS),
    lockSettings: () => settingsOf(`${SETTINGS} for no key update`),
    setOwnLimits: (limits) => settingsOf(SET_OWN_LIMITS, JSON.stringify(limits)),
    setRecordsMetadataReads: (isRecorded) => settingsOf(SET_RECORDS_METADATA_READS, String(isRecorded)),
    setSessionLimits: (limits) => settingsOf(SET_SESSION_LIMITS, JSON.stringify(limits)),
    setAllowsClientDocuments: (isAllowed) => settingsOf(SET_ALLOWS_CLIENT_DOCUMENTS, String(isAllowed)),
    async insert(name) {
      await insertTenant(transaction, { id: tenantId, name, settings: {} });
      const tenant = await lock();
      if (tenant === undefined) throw new Error('a new tenant was not found');
      return tenant;
    },
    lock,
    apply: (step) => update(STEPS[step]),
    setEmailDomains: (domains) =>
      update('email_domains = $2::jsonb', domains === null ? null : JSON.stringify(domains)),
  };
}

export function createTenantDirectory(database: Database): TenantDirectory {
  const select = async (rest: string, ...values: string[]): Promise<TenantRecord[]> => {
    const text = `select ${COLUMNS} from tenants ${rest}`;
    const rows = await database.withoutTenant((transaction) => transaction.query<TenantRow>(text, values));
    return rows.map(tenantOf);
  };
  return {
    list: () => select('order by name'),
    findByName: async (name) => (await select('where name = $1', name))[0],
  };
}
