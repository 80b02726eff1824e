import { randomUUID } from 'node:crypto';
import { CLIENT_SECRETS_MAX, type ServiceAccountRecord } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { ASSERTION_SECRET_ID, secretIdOf } from '../identity/secret-id.ts';
import { revokeSessionsOf } from '../identity/session-revocation.ts';
import { type AccountQuery, removeAccessOf } from './user-repository.ts';

export interface StoredClient extends ServiceAccountRecord {
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
}

export interface ClientPage {
  readonly total: number;
  readonly clients: readonly StoredClient[];
}

/** Rules of the access of a client, beside its roles. */
export type ClientAccess = Pick<
  ServiceAccountRecord,
  'allowed_networks' | 'scopes' | 'jwks' | 'jwks_uri' | 'may_introspect'
>;

export interface NewClientSecret {
  readonly hash: string;
  /** Beginning of the secret, by which its hash is chosen. */
  readonly selector: string;
  readonly label: string | null;
  readonly expires: Date | null;
}

export interface ClientQuery extends AccountQuery {
  /** Only clients that got no token for this many days. */
  readonly unused_days?: number | undefined;
}

/** Service accounts of one tenant, within one transaction. A change that removes rights also ends sessions. */
export interface ClientRepository {
  /** Lists clients by client id. */
  list(page: ClientQuery): Promise<ClientPage>;
  find(id: string): Promise<StoredClient | undefined>;
  findByClientId(clientId: string): Promise<StoredClient | undefined>;
  /** Returns undefined when the client id is taken. */
  insert(client: {
    readonly clientId: string;
    readonly secret: NewClientSecret;
    readonly roles: readonly string[];
    readonly access: ClientAccess;
    readonly by: string;
  }): Promise<StoredClient | undefined>;
  /** Changes a client. Other keys end the sessions that it opened with the keys before. */
  update(
    id: string,
    to: ClientAccess & {
      readonly roles: readonly string[];
      readonly disabled: boolean;
      readonly areKeysChanged: boolean;
      readonly by: string;
    },
  ): Promise<void>;
  /** Returns the secret's id, or undefined when the client already has as many as it may. */
  addSecret(id: string, secret: NewClientSecret & { readonly by: string }): Promise<string | undefined>;
  /** Removes a secret and the sessions that it opened. Returns false when there is no such secret. */
  removeSecret(id: string, secret: { readonly secretId: string; readonly by: string }): Promise<boolean>;
  /** Removes the client with its sessions, grants and pending requests. What the account created stays, under its name. */
  remove(client: StoredClient): Promise<void>;
}

interface SecretNote {
  readonly created: number | null;
  readonly created_by: string | null;
  readonly last_used: number | null;
  readonly label: string | null;
  readonly expires: number | null;
}

interface ClientRow extends ClientAccess {
  readonly id: string;
  readonly client_id: string;
  readonly roles: string[];
  readonly disabled: boolean;
  readonly secret_hashes: string[];
  readonly notes: Readonly<Record<string, SecretNote>> | null;
  readonly created: Date;
  readonly updated: Date | null;
  readonly updated_by: string | null;
  readonly version: string;
  readonly last_used: Date | null;
}

const secretOf = (row: ClientRow, secretHash: string): StoredSecret => {
  const id = secretIdOf(secretHash);
  const note = row.notes?.[id];
  return {
    secret_id: id,
    label: note?.label ?? null,
    created_ts: note?.created ?? null,
    created_by: note?.created_by ?? null,
    expires_ts: note?.expires ?? null,
    last_used_ts: note?.last_used ?? null,
  };
};

type StoredSecret = ServiceAccountRecord['secrets'][number];

/** Orders secrets by age. The time of those before the baseline is unknown. */
const byAge = (one: StoredSecret, other: StoredSecret): number => (one.created_ts ?? 0) - (other.created_ts ?? 0);

const clientOf = (row: ClientRow): StoredClient => ({
  id: row.id,
  client_id: row.client_id,
  roles: row.roles,
  disabled: row.disabled,
  allowed_networks: row.allowed_networks,
  scopes: row.scopes,
  jwks: row.jwks,
  jwks_uri: row.jwks_uri,
  may_introspect: row.may_introspect,
  secrets: row.secret_hashes.map((hash) => secretOf(row, hash)).sort(byAge),
  last_used_ts: row.last_used?.getTime() ?? null,
  created_ts: row.created.getTime(),
  updated_ts: (row.updated ?? row.created).getTime(),
  updated_by: row.updated_by,
  version: Number(row.version),
});

const epochMs = (column: string): string => `floor(extract(epoch from ${column}) * 1000)`;

/** Hosts of the version before write only the use of a secret. */
const LAST_USED = `greatest(c.last_used, (select max(s.last_used) from client_secrets s
      where s.tenant_id = c.tenant_id and s.account_id = c.id))`;

const SELECT = `
  select c.id, c.client_id, c.roles, c.disabled, c.secret_hashes || c.further_secret_hashes as secret_hashes, c.allowed_networks, c.scopes, c.jwks, c.jwks_uri, c.may_introspect,
    c.created, c.updated, c.updated_by, c.version, ${LAST_USED} as last_used,
    (select jsonb_object_agg(s.secret_id, jsonb_build_object('label', s.label, 'expires', ${epochMs('s.expires')},
      'created', ${epochMs('s.created')}, 'created_by', s.created_by, 'last_used', ${epochMs('s.last_used')}))
      from client_secrets s where s.tenant_id = c.tenant_id and s.account_id = c.id) as notes
  from clients c where c.tenant_id = $1`;

const MATCHING = `($2::text is null or strpos(lower(c.client_id), lower($2)) > 0) and ($3::text is null or $3 = any (c.roles))
  and ($4::integer is null or coalesce(${LAST_USED}, c.created) < clock_timestamp() - make_interval(days => $4))`;
const LIST = `${SELECT} and ${MATCHING} order by c.client_id limit $5 offset $6`;
const COUNT = `select count(*) as total from clients c where c.tenant_id = $1 and ${MATCHING}`;

const INSERT = `
  insert into clients (tenant_id, id, client_id, secret_hashes, roles, updated_by, allowed_networks, scopes, jwks, jwks_uri, may_introspect)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
  on conflict (tenant_id, client_id) do nothing returning id`;

const CHANGED = 'version = version + 1, updated = clock_timestamp()';
const UPDATE = `
  update clients set roles = $3, disabled = $4, updated_by = $5, allowed_networks = $6, scopes = $7, jwks = $8, jwks_uri = $9,
    may_introspect = $10, ${CHANGED}
  where tenant_id = $1 and id = $2`;

/** Secrets of a client that hosts of the version before know. */
const FIRST_SECRETS_MAX = 2;
const HAS_FIRST_PLACE = `cardinality(secret_hashes) < ${FIRST_SECRETS_MAX}`;
const APPEND_SECRET = `
  update clients set
    secret_hashes = case when ${HAS_FIRST_PLACE} then array_append(secret_hashes, $3) else secret_hashes end,
    further_secret_hashes = case when ${HAS_FIRST_PLACE} then further_secret_hashes else array_append(further_secret_hashes, $3) end,
    updated_by = $4, ${CHANGED}
  where tenant_id = $1 and id = $2 and cardinality(secret_hashes || further_secret_hashes) < ${CLIENT_SECRETS_MAX} returning id`;

const NOTE_SECRET = `
  insert into client_secrets (tenant_id, account_id, secret_id, created, created_by, label, expires, selector)
  values ($1, $2, $3, clock_timestamp(), $4, $5, $6, $7)
  on conflict (tenant_id, account_id, secret_id) do nothing`;

const REMOVE_SECRET = `
  update clients set secret_hashes = array_remove(secret_hashes, $3), further_secret_hashes = array_remove(further_secret_hashes, $3),
    updated_by = $4, ${CHANGED}
  where tenant_id = $1 and id = $2`;

const REVOKE_SESSIONS_OF_SECRET = `
  update sessions set revoked_at = now(), revoke_reason = $4
  where tenant_id = $1 and account_kind = 'client' and account_id = $2 and secret_id = $3 and revoked_at is null`;

const accessValues = ({ allowed_networks, scopes, jwks, jwks_uri, may_introspect }: ClientAccess): unknown[] => [
  allowed_networks,
  scopes,
  jwks === null ? null : JSON.stringify(jwks),
  jwks_uri,
  may_introspect,
];

export const createClientRepository = (transaction: Transaction, tenantId: string): ClientRepository => {
  const one = async (condition: string, value: string): Promise<StoredClient | undefined> => {
    const [row] = await transaction.query<ClientRow>(`${SELECT} and ${condition} = $2`, [tenantId, value]);
    return row && clientOf(row);
  };
  const note = (id: string, { hash, selector, label, expires }: NewClientSecret, by: string) =>
    transaction.query(NOTE_SECRET, [tenantId, id, secretIdOf(hash), by, label, expires, selector]);
  const forget = (id: string, secretId: string | null) =>
    transaction.query(
      'delete from client_secrets where tenant_id = $1 and account_id = $2 and ($3::text is null or secret_id = $3)',
      [tenantId, id, secretId],
    );

  return {
    async list({ q, role, unused_days: unusedDays, from, size }) {
      const matching = [tenantId, q ?? null, role ?? null, unusedDays ?? null];
      const rows = await transaction.query<ClientRow>(LIST, [...matching, size, from]);
      const [counted] = await transaction.query<{ total: string }>(COUNT, matching);
      return { total: Number(counted?.total), clients: rows.map(clientOf) };
    },
    find: async (id) => (isUuid(id) ? one('c.id', id) : undefined),
    findByClientId: (clientId) => one('c.client_id', clientId),
    async insert({ clientId, secret, roles, access, by }) {
      const values = [tenantId, randomUUID(), clientId, [secret.hash], roles, by, ...accessValues(access)];
      const [made] = await transaction.query<{ id: string }>(INSERT, values);
      if (made === undefined) return undefined;
      await note(made.id, secret, by);
      return one('c.id', made.id);
    },
    async update(id, { roles, disabled, areKeysChanged, by, ...access }) {
      await transaction.query(UPDATE, [tenantId, id, roles, disabled, by, ...accessValues(access)]);
      if (areKeysChanged)
        await transaction.query(REVOKE_SESSIONS_OF_SECRET, [tenantId, id, ASSERTION_SECRET_ID, 'keys changed']);
      if (disabled) await revokeSessionsOf(transaction, { tenantId, kind: 'client', id }, 'disabled');
    },
    async addSecret(id, { by, ...secret }) {
      const added = await transaction.query(APPEND_SECRET, [tenantId, id, secret.hash, by]);
      if (added.length === 0) return undefined;
      await note(id, secret, by);
      return secretIdOf(secret.hash);
    },
    async removeSecret(id, { secretId, by }) {
      const [row] = await transaction.query<ClientRow>(`${SELECT} and c.id = $2`, [tenantId, id]);
      const hash = row?.secret_hashes.find((candidate) => secretIdOf(candidate) === secretId);
      if (hash === undefined) return false;
      await transaction.query(REMOVE_SECRET, [tenantId, id, hash, by]);
      await forget(id, secretId);
      await transaction.query(REVOKE_SESSIONS_OF_SECRET, [tenantId, id, secretId, 'secret revoked']);
      return true;
    },
    async remove({ id, client_id: name }) {
      await removeAccessOf(transaction, { tenantId, kind: 'client', id, name });
      await forget(id, null);
      await transaction.query('delete from clients where tenant_id = $1 and id = $2', [tenantId, id]);
    },
  };
};
