import { randomUUID } from 'node:crypto';
import { ProblemError, type UserRecord, type UserSortKey, type UserState } from '@sluice/contract';
import { isViolation } from '../database/store-problem.ts';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { revokeSessionsOf } from '../identity/session-revocation.ts';
import { lockGrantees } from '../marketplace/lock-grantees.ts';
import { type EmailDomains, emailDomainProblem, isAllowedEmail } from './email-domain-rule.ts';

export interface StoredUser extends UserRecord {
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
}

/** Filter and page of an alphabetical list. `q` matches part of the name, in any case. */
export interface AccountQuery {
  readonly q?: string | undefined;
  readonly role?: string | undefined;
  readonly from: number;
  readonly size: number;
}

/** Filter, order and page of the list of users. */
export interface UserQuery extends AccountQuery {
  readonly state?: UserState | undefined;
  /** Default: `email`. */
  readonly sort_key?: UserSortKey | undefined;
  /** Default: `asc`. */
  readonly sort_value?: 'asc' | 'desc' | undefined;
}

export interface UserPage {
  readonly total: number;
  readonly users: readonly StoredUser[];
}

/** Users of one tenant, within one transaction. A change that removes rights also ends sessions. */
export interface UserRepository {
  /** Lists users. Those that are equal in the order are sorted by e-mail. */
  list(page: UserQuery): Promise<UserPage>;
  find(id: string): Promise<StoredUser | undefined>;
  /** `email` must be in lower case. */
  findByEmail(email: string): Promise<StoredUser | undefined>;
  /** Returns whether the tenant still has an admin who can log in. */
  hasAdmin(): Promise<boolean>;
  /** Returns whether the operator allows new users of the tenant with this e-mail, in lower case. */
  allowsEmail(email: string): Promise<boolean>;
  /** Returns undefined when the e-mail is taken. Throws `invalid_request` for an e-mail that is not allowed or cannot be stored. */
  insert(user: {
    readonly email: string;
    readonly passwordHash: string | null;
    readonly roles: readonly string[];
    readonly by: string;
  }): Promise<StoredUser | undefined>;
  update(
    id: string,
    to: { readonly roles: readonly string[]; readonly disabled: boolean; readonly by: string },
  ): Promise<void>;
  setPassword(id: string, to: { readonly passwordHash: string | null; readonly by: string }): Promise<void>;
  /** Replaces a password that was verified. Returns false if the user has another one by now. Sessions stay. */
  replacePassword(
    id: string,
    to: { readonly verifiedHash: string; readonly passwordHash: string; readonly by: string },
  ): Promise<boolean>;
  /** Removes the user with sessions, grants and pending requests. What the user created stays, under its name. */
  remove(user: StoredUser): Promise<void>;
}

interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly roles: string[];
  readonly disabled: boolean;
  readonly has_password: boolean;
  readonly invitation_expires: Date | null;
  readonly last_login: Date | null;
  readonly created: Date;
  readonly updated: Date | null;
  readonly updated_by: string | null;
  readonly version: string;
}

const userOf = (row: UserRow): StoredUser => ({
  id: row.id,
  email: row.email,
  roles: row.roles,
  disabled: row.disabled,
  has_password: row.has_password,
  invitation_expires_ts: row.invitation_expires?.getTime() ?? null,
  last_login_ts: row.last_login?.getTime() ?? null,
  created_ts: row.created.getTime(),
  updated_ts: (row.updated ?? row.created).getTime(),
  updated_by: row.updated_by,
  version: Number(row.version),
});

const SELECT = `
  select u.id, u.email, u.roles, u.disabled, u.password_hash is not null as has_password, u.last_login, u.created, u.updated, u.updated_by, u.version,
    (select i.expires from invitations i where i.tenant_id = u.tenant_id and i.user_id = u.id) as invitation_expires
  from users u where u.tenant_id = $1`;

const IS_INVITED = 'exists (select 1 from invitations i where i.tenant_id = u.tenant_id and i.user_id = u.id)';
/** `$4` is one of the states of the contract. */
const MATCHING = `
  ($2::text is null or strpos(u.email, lower($2)) > 0) and ($3::text is null or $3 = any (u.roles))
  and ($4::text is null or $4 = case when u.disabled then 'disabled' when ${IS_INVITED} then 'invited' else 'active' end)`;
/** `order by` of each key and direction. */
const ORDERS: Readonly<Record<UserSortKey, { readonly asc: string; readonly desc: string }>> = {
  email: { asc: 'u.email', desc: 'u.email desc' },
  created_ts: { asc: 'u.created, u.email', desc: 'u.created desc, u.email' },
  last_login_ts: { asc: 'u.last_login nulls first, u.email', desc: 'u.last_login desc nulls last, u.email' },
};
const COUNT = `select count(*) as total from users u where u.tenant_id = $1 and ${MATCHING}`;

const INSERT = `
  insert into users (tenant_id, id, email, password_hash, roles, updated_by) values ($1, $2, $3, $4, $5, $6)
  on conflict (tenant_id, email) do nothing returning id`;

const EMAIL_DOMAINS = 'select email_domains from tenants where id = $1';

/**
 * An admin can log in with a password, or through the tenant's identity provider once the account is linked there. An admin's account is
 * linked only with its password or by another admin.
 */
const HAS_ADMIN = `
  select exists (
    select 1 from users u
    where u.tenant_id = $1 and not u.disabled
      and (u.password_hash is not null
        or exists (select 1 from identity_providers p
          join user_identities i on i.tenant_id = p.tenant_id and i.issuer = p.issuer
          where p.tenant_id = u.tenant_id and i.user_id = u.id))
      and exists (select 1 from roles r
        where r.tenant_id = u.tenant_id and r.name = any (u.roles) and 'admin' = any (r.permissions))
  ) as found`;

const CHANGED = 'version = version + 1, updated = clock_timestamp()';
const UPDATE = `update users set roles = $3, disabled = $4, updated_by = $5, ${CHANGED} where tenant_id = $1 and id = $2`;
const SET_PASSWORD = `
  update users set password_hash = $3, updated_by = $4, ${CHANGED}
  where tenant_id = $1 and id = $2`;

const REPLACE_PASSWORD = `${SET_PASSWORD} and password_hash = $5 returning id`;

/** The server's lower-case form of an e-mail differs from ours. */
const rejectEmail = (thrown: unknown): never => {
  if (!isViolation(thrown, 'check')) throw thrown;
  throw new ProblemError('invalid_request', 'The e-mail contains a character that cannot be stored.', {
    cause: thrown,
  });
};

export const createUserRepository = (transaction: Transaction, tenantId: string): UserRepository => {
  const one = async (condition: string, value: string): Promise<StoredUser | undefined> => {
    const [row] = await transaction.query<UserRow>(`${SELECT} and ${condition} = $2`, [tenantId, value]);
    return row && userOf(row);
  };
  const reference = (id: string) => ({ tenantId, kind: 'user', id }) as const;

  const allowsEmail = async (email: string): Promise<boolean> => {
    const [row] = await transaction.query<{ email_domains: EmailDomains }>(EMAIL_DOMAINS, [tenantId]);
    return isAllowedEmail(row?.email_domains ?? null, email);
  };

  return {
    allowsEmail,
    async hasAdmin() {
      const [row] = await transaction.query<{ found: boolean }>(HAS_ADMIN, [tenantId]);
      return row?.found === true;
    },
    async list({ q, role, state, sort_key: key = 'email', sort_value: direction = 'asc', from, size }) {
      const matching = [tenantId, q ?? null, role ?? null, state ?? null];
      const list = `${SELECT} and ${MATCHING} order by ${ORDERS[key][direction]} limit $5 offset $6`;
      const rows = await transaction.query<UserRow>(list, [...matching, size, from]);
      const [counted] = await transaction.query<{ total: string }>(COUNT, matching);
      return { total: Number(counted?.total), users: rows.map(userOf) };
    },
    find: async (id) => (isUuid(id) ? one('u.id', id) : undefined),
    findByEmail: (email) => one('u.email', email),
    async insert({ email, passwordHash, roles, by }) {
      if (!(await allowsEmail(email))) throw emailDomainProblem(email);
      const values = [tenantId, randomUUID(), email, passwordHash, roles, by];
      const [made] = await transaction.query<{ id: string }>(INSERT, values).catch(rejectEmail);
      return made && (await one('u.id', made.id));
    },
    async update(id, { roles, disabled, by }) {
      await transaction.query(UPDATE, [tenantId, id, roles, disabled, by]);
      if (disabled) await revokeSessionsOf(transaction, reference(id), 'disabled');
    },
    async setPassword(id, { passwordHash, by }) {
      await transaction.query(SET_PASSWORD, [tenantId, id, passwordHash, by]);
      await revokeSessionsOf(transaction, reference(id), 'password changed');
    },
    async replacePassword(id, { verifiedHash, passwordHash, by }) {
      const replaced = await transaction.query(REPLACE_PASSWORD, [tenantId, id, passwordHash, by, verifiedHash]);
      return replaced.length > 0;
    },
    async remove({ id, email }) {
      await removeAccessOf(transaction, { ...reference(id), name: email });
      await transaction.query('delete from users where tenant_id = $1 and id = $2', [tenantId, id]);
    },
  };
};

/** Removes an account's sessions, and everything that would give rights to a later account of the same name. */
export async function removeAccessOf(
  transaction: Transaction,
  account: {
    readonly tenantId: string;
    readonly kind: 'user' | 'client';
    readonly id: string;
    readonly name: string;
  },
): Promise<void> {
  const { tenantId, kind, id, name } = account;
  await lockGrantees(transaction, tenantId);
  await transaction.query('delete from sessions where tenant_id = $1 and account_kind = $2 and account_id = $3', [
    tenantId,
    kind,
    id,
  ]);
  await transaction.query(
    'delete from marketplace_grants where tenant_id = $1 and subject_kind = $2 and subject = $3',
    [tenantId, kind, name],
  );
  await transaction.query(
    `delete from marketplace_requests where tenant_id = $1 and account_kind = $2 and account_id = $3 and state = 'PENDING'`,
    [tenantId, kind, id],
  );
}
