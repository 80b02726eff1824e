import { randomUUID } from 'node:crypto';
import type { OAuthClientRecord } from '@sluice/contract';
import type { Transaction } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';

export interface StoredOAuthClient extends OAuthClientRecord {
  /** Increases with every change; the ETag is made from it. */
  readonly version: number;
}

/** Fields that an admin may change. */
export interface OAuthClientContent {
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Null: no limit. */
  readonly scopes: readonly string[] | null;
  readonly homePage: string | null;
}

interface OAuthClientPage {
  readonly total: number;
  readonly clients: readonly StoredOAuthClient[];
}

/** Registered programs of one tenant, within one transaction. */
export interface OAuthClientRepository {
  /** Lists programs by client id. */
  list(page: {
    readonly q?: string | undefined;
    readonly from: number;
    readonly size: number;
  }): Promise<OAuthClientPage>;
  find(id: string): Promise<StoredOAuthClient | undefined>;
  /** Finds a program and locks it until the end of the transaction. */
  lock(id: string): Promise<StoredOAuthClient | undefined>;
  lockByClientId(clientId: string): Promise<StoredOAuthClient | undefined>;
  /** Returns undefined when the client id is taken. `secretHash` is null for a public program. */
  insert(
    client: OAuthClientContent & {
      readonly clientId: string;
      readonly secretHash: Uint8Array | null;
      readonly by: string;
    },
  ): Promise<StoredOAuthClient | undefined>;
  update(id: string, to: OAuthClientContent & { readonly by: string }): Promise<void>;
  replaceSecret(id: string, secret: { readonly hash: Uint8Array; readonly by: string }): Promise<void>;
  /** Ends the open sessions of a program whose scope is not within `scopes`, or all if it is undefined. Returns their number. */
  endSessions(clientId: string, scopes: readonly string[] | undefined, reason: string): Promise<number>;
  /** Ends the open sessions, and removes the codes, of all programs that are described by a document. Returns the number of sessions. */
  endDocumentSessions(reason: string): Promise<number>;
  /** Removes a program with the codes and consents that it has. Its sessions must be ended before. */
  remove(client: Pick<StoredOAuthClient, 'id' | 'client_id'>): Promise<void>;
}

interface Row {
  readonly id: string;
  readonly client_id: string;
  readonly name: string;
  readonly redirect_uris: string[];
  readonly scopes: string[] | null;
  readonly home_page: string | null;
  readonly is_confidential: boolean;
  readonly session_count: string;
  readonly created: Date;
  readonly updated: Date | null;
  readonly updated_by: string | null;
  readonly version: string;
}

const clientOf = (row: Row): StoredOAuthClient => ({
  id: row.id,
  client_id: row.client_id,
  name: row.name,
  type: row.is_confidential ? 'confidential' : 'public',
  redirect_uris: row.redirect_uris,
  scopes: row.scopes,
  home_page: row.home_page,
  session_count: Number(row.session_count),
  created_ts: row.created.getTime(),
  updated_ts: (row.updated ?? row.created).getTime(),
  updated_by: row.updated_by,
  version: Number(row.version),
});

const SELECT = `
  select c.id, c.client_id, c.name, c.redirect_uris, c.scopes, c.home_page, c.secret_hash is not null as is_confidential,
    c.created, c.updated, c.updated_by, c.version,
    (select count(*) from sessions s
      where s.tenant_id = c.tenant_id and s.oauth_client = c.client_id and s.revoked_at is null and s.expires > now()) as session_count
  from oauth_clients c where c.tenant_id = $1`;

const MATCHING = `
  ($2::text is null or strpos(lower(c.client_id), lower($2)) > 0 or strpos(lower(c.name), lower($2)) > 0)`;
const LIST = `${SELECT} and ${MATCHING} order by c.client_id limit $3 offset $4`;
const COUNT = `select count(*) as total from oauth_clients c where c.tenant_id = $1 and ${MATCHING}`;

const INSERT = `
  insert into oauth_clients (tenant_id, id, client_id, name, redirect_uris, scopes, home_page, secret_hash, updated_by)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict (tenant_id, client_id) do nothing returning id`;

const CHANGED = 'version = version + 1, updated = clock_timestamp()';
const UPDATE = `
  update oauth_clients set name = $3, redirect_uris = $4, scopes = $5, home_page = $6, updated_by = $7, ${CHANGED}
  where tenant_id = $1 and id = $2`;
const REPLACE_SECRET = `
  update oauth_clients set secret_hash = $3, updated_by = $4, ${CHANGED} where tenant_id = $1 and id = $2`;

const END_SESSIONS = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = $4
  where tenant_id = $1 and oauth_client = $2 and revoked_at is null and ($3::text[] is null or scope is null or not scope <@ $3)
  returning expires > now() as "wasOpen"`;

/** A code or a device that is not redeemed would open a session later. One that is being redeemed is waited for, so its session ends too. */
const REMOVALS = [
  'delete from authorization_codes where tenant_id = $1 and oauth_client = $2 and sid is null',
  'delete from device_authorizations where tenant_id = $1 and oauth_client = $2 and sid is null',
] as const;

/** Client ids of registered programs have no colon. */
const OF_DOCUMENT = `oauth_client like 'http%://%'`;
const REMOVE_DOCUMENT_CODES = `delete from authorization_codes where tenant_id = $1 and ${OF_DOCUMENT} and sid is null`;
const END_DOCUMENT_SESSIONS = `
  update sessions set revoked_at = clock_timestamp(), revoke_reason = $2
  where tenant_id = $1 and ${OF_DOCUMENT} and revoked_at is null returning expires > now() as "wasOpen"`;

export const createOAuthClientRepository = (transaction: Transaction, tenantId: string): OAuthClientRepository => {
  const one = async (condition: string, value: string): Promise<StoredOAuthClient | undefined> => {
    const [row] = await transaction.query<Row>(`${SELECT} and ${condition}`, [tenantId, value]);
    return row && clientOf(row);
  };
  return {
    async list({ q, from, size }) {
      const rows = await transaction.query<Row>(LIST, [tenantId, q ?? null, size, from]);
      const [counted] = await transaction.query<{ total: string }>(COUNT, [tenantId, q ?? null]);
      return { total: Number(counted?.total), clients: rows.map(clientOf) };
    },
    find: async (id) => (isUuid(id) ? one('c.id = $2', id) : undefined),
    lock: async (id) => (isUuid(id) ? one('c.id = $2 for update of c', id) : undefined),
    lockByClientId: (clientId) => one('c.client_id = $2 for update of c', clientId),
    async insert({ clientId, name, redirectUris, scopes, homePage, secretHash, by }) {
      const content = [clientId, name, redirectUris, scopes, homePage, secretHash, by];
      const [made] = await transaction.query<{ id: string }>(INSERT, [tenantId, randomUUID(), ...content]);
      return made && one('c.id = $2', made.id);
    },
    async update(id, { name, redirectUris, scopes, homePage, by }) {
      await transaction.query(UPDATE, [tenantId, id, name, redirectUris, scopes, homePage, by]);
    },
    async replaceSecret(id, { hash, by }) {
      await transaction.query(REPLACE_SECRET, [tenantId, id, hash, by]);
    },
    async endSessions(clientId, scopes, reason) {
      const values = [tenantId, clientId, scopes ?? null, reason];
      for (const removal of REMOVALS) await transaction.query(removal, [tenantId, clientId]);
      const ended = await transaction.query<{ wasOpen: boolean }>(END_SESSIONS, values);
      return ended.filter(({ wasOpen }) => wasOpen).length;
    },
    async endDocumentSessions(reason) {
      await transaction.query(REMOVE_DOCUMENT_CODES, [tenantId]);
      const ended = await transaction.query<{ wasOpen: boolean }>(END_DOCUMENT_SESSIONS, [tenantId, reason]);
      return ended.filter(({ wasOpen }) => wasOpen).length;
    },
    async remove({ id }) {
      await transaction.query('delete from oauth_clients where tenant_id = $1 and id = $2', [tenantId, id]);
    },
  };
};
