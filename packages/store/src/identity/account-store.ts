import { randomUUID } from 'node:crypto';
import { ProblemError } from '@sluice/contract';
import type { Database } from '../database/database.ts';
import type { Transaction } from '../database/transaction.ts';
import { revokeSessionsOf } from './session-revocation.ts';

export type AccountKind = 'user' | 'client';

export interface AccountReference {
  readonly tenantId: string;
  readonly kind: AccountKind;
  readonly id: string;
}

interface UserAccount {
  readonly tenantId: string;
  /** Stored and compared in lower case. */
  readonly email: string;
  /** Null: no password, so no local login (SSO accounts). */
  readonly passwordHash: string | null;
  readonly roles: readonly string[];
}

interface ClientAccount {
  readonly tenantId: string;
  readonly clientId: string;
  /** Limited to two, so that a secret can be rotated without a gap. */
  readonly secretHashes: readonly string[];
  readonly roles: readonly string[];
}

/** Accounts of people and services. A change that removes rights revokes the account's sessions in the same transaction. */
export interface AccountStore {
  /** Creates the user, or sets password and roles of the user with this e-mail. Returns its id. */
  putUser(user: UserAccount): Promise<string>;
  /** Creates the client, or sets secrets and roles of the client with this client id. Returns its id. */
  putClient(client: ClientAccount): Promise<string>;
  findUserId(tenantId: string, email: string): Promise<string | undefined>;
  findClientId(tenantId: string, clientId: string): Promise<string | undefined>;
  disable(account: AccountReference): Promise<void>;
  enable(account: AccountReference): Promise<void>;
  setPasswordHash(user: { tenantId: string; id: string }, passwordHash: string): Promise<void>;
  setSecretHashes(client: { tenantId: string; id: string }, secretHashes: readonly string[]): Promise<void>;
  setRoles(account: AccountReference, roles: readonly string[]): Promise<void>;
}

const TABLES = { user: 'users', client: 'clients' } as const;

const PUT_USER = `
  insert into users (tenant_id, id, email, password_hash, roles) values ($1, $2, $3, $4, $5)
  on conflict (tenant_id, email) do update set password_hash = excluded.password_hash, roles = excluded.roles
  returning id`;

const PUT_CLIENT = `
  insert into clients (tenant_id, id, client_id, secret_hashes, roles) values ($1, $2, $3, $4, $5)
  on conflict (tenant_id, client_id) do update set secret_hashes = excluded.secret_hashes, further_secret_hashes = '{}', roles = excluded.roles
  returning id`;

export function createAccountStore(database: Database): AccountStore {
  const idFrom = async (tenantId: string, text: string, values: unknown[]): Promise<string | undefined> => {
    const [row] = await database.withTenant(tenantId, (transaction) => transaction.query<{ id: string }>(text, values));
    return row?.id;
  };

  const put = async (tenantId: string, text: string, values: unknown[]): Promise<string> => {
    const id = await idFrom(tenantId, text, values);
    if (id === undefined) throw new Error('an upsert returned no row');
    return id;
  };

  const change = (account: AccountReference, column: string, value: unknown) => async (transaction: Transaction) => {
    const changed = await transaction.query(
      `update ${TABLES[account.kind]} set ${column} = $3 where tenant_id = $1 and id = $2 returning id`,
      [account.tenantId, account.id, value],
    );
    if (changed.length === 0) throw new ProblemError('not_found', 'There is no such account.');
  };

  const changeAndRevoke = (account: AccountReference, column: string, value: unknown): Promise<void> =>
    database.withTenant(account.tenantId, async (transaction) => {
      await change(account, column, value)(transaction);
      await revokeSessionsOf(transaction, account, `${column} changed`);
    });

  return {
    putUser: ({ tenantId, email, passwordHash, roles }) =>
      put(tenantId, PUT_USER, [tenantId, randomUUID(), email.toLowerCase(), passwordHash, roles]),
    putClient: ({ tenantId, clientId, secretHashes, roles }) =>
      put(tenantId, PUT_CLIENT, [tenantId, randomUUID(), clientId, secretHashes, roles]),
    findUserId: (tenantId, email) =>
      idFrom(tenantId, 'select id from users where tenant_id = $1 and email = $2', [tenantId, email.toLowerCase()]),
    findClientId: (tenantId, clientId) =>
      idFrom(tenantId, 'select id from clients where tenant_id = $1 and client_id = $2', [tenantId, clientId]),
    disable: (account) => changeAndRevoke(account, 'disabled', true),
    enable: (account) => database.withTenant(account.tenantId, change(account, 'disabled', false)),
    setPasswordHash: ({ tenantId, id }, hash) => changeAndRevoke({ tenantId, kind: 'user', id }, 'password_hash', hash),
    setSecretHashes: ({ tenantId, id }, hashes) =>
      database.withTenant(tenantId, change({ tenantId, kind: 'client', id }, 'secret_hashes', hashes)),
    setRoles: (account, roles) => database.withTenant(account.tenantId, change(account, 'roles', roles)),
  };
}
