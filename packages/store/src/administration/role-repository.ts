import { isPermission, type Permission, type RoleRecord } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { lockGrantees } from '../marketplace/lock-grantees.ts';

export interface StoredRole extends RoleRecord {
  readonly permissions: Permission[];
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
}

interface RoleContent {
  readonly name: string;
  readonly permissions: readonly Permission[];
  readonly by: string;
}

/** Roles of one tenant, within one transaction. */
export interface RoleRepository {
  /** Lists roles by name. */
  list(): Promise<readonly StoredRole[]>;
  find(name: string): Promise<StoredRole | undefined>;
  /** Returns the names that no role has. */
  unknown(names: readonly string[]): Promise<readonly string[]>;
  /** Returns undefined when the name is taken. */
  insert(role: RoleContent): Promise<StoredRole | undefined>;
  update(role: RoleContent): Promise<void>;
  /** Removes the role, also from its accounts, and the grants to it. */
  remove(name: string, by: string): Promise<void>;
}

interface RoleRow {
  readonly name: string;
  readonly permissions: string[];
  readonly user_count: string;
  readonly service_account_count: string;
  readonly updated: Date | null;
  readonly updated_by: string | null;
  readonly version: string;
}

const roleOf = (row: RoleRow): StoredRole => ({
  name: row.name,
  permissions: row.permissions.filter(isPermission),
  user_count: Number(row.user_count),
  service_account_count: Number(row.service_account_count),
  updated_ts: row.updated?.getTime() ?? null,
  updated_by: row.updated_by,
  version: Number(row.version),
});

const SELECT = `
  select r.name, r.permissions, r.updated, r.updated_by, r.version,
    (select count(*) from users u where u.tenant_id = r.tenant_id and r.name = any (u.roles)) as user_count,
    (select count(*) from clients c where c.tenant_id = r.tenant_id and r.name = any (c.roles)) as service_account_count
  from roles r where r.tenant_id = $1`;

const INSERT = `
  insert into roles (tenant_id, name, permissions, updated, updated_by) values ($1, $2, $3, clock_timestamp(), $4)
  on conflict (tenant_id, name) do nothing returning name`;

const UPDATE = `
  update roles set permissions = $3, updated_by = $4, updated = clock_timestamp(), version = version + 1
  where tenant_id = $1 and name = $2`;

const REMOVE_FROM = (table: 'users' | 'clients') => `
  update ${table} set roles = array_remove(roles, $2), updated_by = $3, updated = clock_timestamp(), version = version + 1
  where tenant_id = $1 and $2 = any (roles)`;

const REMOVE = [
  'delete from roles where tenant_id = $1 and name = $2',
  'update invitations set roles = array_remove(roles, $2) where tenant_id = $1 and $2 = any (roles)',
  `delete from marketplace_grants where tenant_id = $1 and subject_kind = 'role' and subject = $2`,
];

export const createRoleRepository = (transaction: Transaction, tenantId: string): RoleRepository => {
  const find = async (name: string): Promise<StoredRole | undefined> => {
    const [row] = await transaction.query<RoleRow>(`${SELECT} and r.name = $2`, [tenantId, name]);
    return row && roleOf(row);
  };

  return {
    list: async () => (await transaction.query<RoleRow>(`${SELECT} order by r.name`, [tenantId])).map(roleOf),
    find,
    async unknown(names) {
      const known = await transaction.query<{ name: string }>(
        'select name from roles where tenant_id = $1 and name = any ($2)',
        [tenantId, names],
      );
      return names.filter((name) => !known.some((role) => role.name === name));
    },
    async insert({ name, permissions, by }) {
      const made = await transaction.query(INSERT, [tenantId, name, permissions, by]);
      return made.length === 0 ? undefined : find(name);
    },
    async update({ name, permissions, by }) {
      await transaction.query(UPDATE, [tenantId, name, permissions, by]);
    },
    async remove(name, by) {
      await lockGrantees(transaction, tenantId);
      for (const table of ['users', 'clients'] as const)
        await transaction.query(REMOVE_FROM(table), [tenantId, name, by]);
      for (const statement of REMOVE) await transaction.query(statement, [tenantId, name]);
    },
  };
};
