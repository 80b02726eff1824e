import { createOpaqueToken, hashOpaqueToken } from '@sluice/auth';
import {
  type AuditAction,
  apiOperations,
  callerOf,
  isAllowedForType,
  type OAuthClientChange,
  type OAuthClientRecord,
  ProblemError,
} from '@sluice/contract';
import { entityTag, json, noContent, type Route, route } from '@sluice/http';
import type { OAuthClientContent, StoredOAuthClient } from '@sluice/store/administration';
import type { ResourceDatabase, TenantTransaction } from '@sluice/store/resources';
import { requireFound, type Target, targetOf } from '../target.ts';

const SIZE_DEFAULT = 100;
const WHAT = 'program';

interface OAuthClientInput {
  readonly client_id: string;
  readonly name: string;
  readonly type: 'public' | 'confidential';
  readonly redirect_uris: readonly string[];
  readonly scopes?: readonly string[] | null | undefined;
  readonly home_page?: string | null | undefined;
}

/** A program and its new secret, which a public program does not have. */
interface CreatedOAuthClient {
  readonly client: StoredOAuthClient;
  readonly secret: string | null;
}

/** Returns the part of a program that its audit records and the results of a file contain. */
export const oauthClientStatus = <T extends StoredOAuthClient>(client: T | null) =>
  client === null
    ? null
    : {
        name: client.name,
        type: client.type,
        redirect_uris: client.redirect_uris,
        scopes: client.scopes,
        home_page: client.home_page,
      };

interface RecordedChange {
  readonly before: StoredOAuthClient | null;
  readonly after: StoredOAuthClient | null;
  readonly more?: Readonly<Record<string, unknown>>;
}

const recordChange = (
  tx: TenantTransaction,
  action: AuditAction,
  { before, after, more }: RecordedChange,
): Promise<void> => {
  const client = after ?? before;
  const statuses = { before: oauthClientStatus(before), after: oauthClientStatus(after) };
  return tx.record(action, client?.client_id ?? '', { oauth_client_id: client?.id, ...statuses, ...more });
};

const lockTarget = async ({ oauthClients }: TenantTransaction, { id, version }: Target): Promise<StoredOAuthClient> =>
  requireFound(await oauthClients.lock(id), { what: WHAT, version });

/**
 * Registers a program. A secret has 256 random bits, so its hash needs neither salt nor work (`hashOpaqueToken`). Throws `conflict` for a
 * client id that is taken.
 */
export async function createOAuthClient(tx: TenantTransaction, input: OAuthClientInput): Promise<CreatedOAuthClient> {
  const { client_id: clientId, name, type, redirect_uris: redirectUris, scopes = null, home_page = null } = input;
  const secret = type === 'confidential' ? createOpaqueToken() : null;
  const client = await tx.oauthClients.insert({
    clientId,
    name,
    redirectUris,
    scopes,
    homePage: home_page,
    secretHash: secret === null ? null : hashOpaqueToken(secret),
    by: tx.by,
  });
  if (client === undefined) throw new ProblemError('conflict', 'A program with this client id already exists.');
  await recordChange(tx, 'CREATE_OAUTH_CLIENT', { before: null, after: client });
  return { client, secret };
}

/** Fields in one spelling: the order of addresses and scopes has no meaning. */
const comparable = ({ name, redirectUris, scopes, homePage }: OAuthClientContent): string =>
  JSON.stringify([name, [...redirectUris].sort(), scopes === null ? null : [...scopes].sort(), homePage]);

/** Returns the fields of a program after a change, and whether they are the same as before. */
export function mergeOAuthClient(before: StoredOAuthClient, change: OAuthClientChange) {
  const after: OAuthClientContent = {
    name: change.name ?? before.name,
    redirectUris: change.redirect_uris ?? before.redirect_uris,
    scopes: change.scopes === undefined ? before.scopes : change.scopes,
    homePage: change.home_page === undefined ? before.home_page : change.home_page,
  };
  const { name, redirect_uris: redirectUris, scopes, home_page: homePage } = before;
  const isSame = comparable(after) === comparable({ name, redirectUris, scopes, homePage });
  return { after, isSame };
}

/**
 * Changes a program, and ends its sessions that go beyond its new scopes. Throws `not_found`, `precondition_failed`, and `invalid_request` for
 * a redirect URI that a program of its type cannot have.
 */
export async function updateOAuthClient(
  tx: TenantTransaction,
  target: Target,
  change: OAuthClientChange,
): Promise<StoredOAuthClient> {
  const before = await lockTarget(tx, target);
  const { after: to, isSame } = mergeOAuthClient(before, change);
  if (!isAllowedForType({ type: before.type, redirect_uris: to.redirectUris })) {
    const message = 'must use https, because the program is confidential';
    throw new ProblemError('invalid_request', 'A redirect URI of a confidential program must use https.', {
      details: [{ path: 'body.redirect_uris', message }],
    });
  }
  if (!isSame) await tx.oauthClients.update(before.id, { ...to, by: tx.by });
  const { scopes } = to;
  const isNarrower =
    scopes !== null && (before.scopes ?? [null]).some((each) => each === null || !scopes.includes(each));
  const ended = isNarrower
    ? await tx.oauthClients.endSessions(before.client_id, scopes, 'scopes of the program changed')
    : 0;
  const after = await lockTarget(tx, { id: before.id, version: undefined });
  await recordChange(tx, 'UPDATE_OAUTH_CLIENT', {
    before,
    after,
    ...(isNarrower ? { more: { ended_sessions: ended } } : {}),
  });
  return after;
}

/** Throws `not_found` and `precondition_failed`. */
async function removeOAuthClient(tx: TenantTransaction, target: Target): Promise<void> {
  const before = await lockTarget(tx, target);
  const ended = await tx.oauthClients.endSessions(before.client_id, undefined, 'program removed');
  await tx.oauthClients.remove(before);
  await recordChange(tx, 'DELETE_OAUTH_CLIENT', { before, after: null, more: { ended_sessions: ended } });
}

/** Throws `not_found`, `precondition_failed`, and `conflict` for a public program. */
async function replaceSecret(tx: TenantTransaction, target: Target): Promise<CreatedOAuthClient> {
  const before = await lockTarget(tx, target);
  if (before.type === 'public')
    throw new ProblemError('conflict', 'A public program has no secret. Register a confidential one instead.');
  const secret = createOpaqueToken();
  await tx.oauthClients.replaceSecret(before.id, { hash: hashOpaqueToken(secret), by: tx.by });
  const client = await lockTarget(tx, { id: before.id, version: undefined });
  await recordChange(tx, 'UPDATE_OAUTH_CLIENT', { before, after: client, more: { secret_replaced: true } });
  return { client, secret };
}

const presentClient = ({ version: _version, ...client }: StoredOAuthClient): OAuthClientRecord => client;
const presentCreated = ({ client, secret }: CreatedOAuthClient) => ({
  ...presentClient(client),
  client_secret: secret,
});
const etag = ({ version }: StoredOAuthClient) => ({ etag: entityTag(version) });

/** Everything below /admin/oauth-clients */
export const oauthClientRoutes = ({ database }: { readonly database: ResourceDatabase }): Route[] => [
  route(apiOperations.listOAuthClients, async (request) => {
    const query = { ...request.query, from: request.query.from ?? 0, size: request.query.size ?? SIZE_DEFAULT };
    const { total, clients } = await database.read(callerOf(request), async (tx) => {
      const page = await tx.oauthClients.list(query);
      await tx.record('READ_OAUTH_CLIENTS', 'oauth_clients', query);
      return page;
    });
    return json(200, { total, data: clients.map(presentClient) });
  }),
  route(apiOperations.createOAuthClient, async (request) => {
    const create = (tx: TenantTransaction) => createOAuthClient(tx, request.body);
    const created = await database.change(callerOf(request), create);
    const headers = { ...etag(created.client), location: `/admin/oauth-clients/${created.client.id}` };
    return json(201, presentCreated(created), headers);
  }),
  route(apiOperations.getOAuthClient, async (request) => {
    const { id } = request.params;
    const client = await database.read(callerOf(request), async (tx) => {
      const found = requireFound(await tx.oauthClients.find(id), { what: WHAT });
      await tx.record('READ_OAUTH_CLIENTS', found.client_id, { oauth_client_id: id });
      return found;
    });
    return json(200, presentClient(client), etag(client));
  }),
  route(apiOperations.updateOAuthClient, async (request) => {
    const update = (tx: TenantTransaction) => updateOAuthClient(tx, targetOf(request), request.body);
    const client = await database.change(callerOf(request), update);
    return json(200, presentClient(client), etag(client));
  }),
  route(apiOperations.deleteOAuthClient, async (request) => {
    await database.change(callerOf(request), (tx) => removeOAuthClient(tx, targetOf(request)));
    return noContent();
  }),
  route(apiOperations.replaceOAuthClientSecret, async (request) => {
    const created = await database.change(callerOf(request), (tx) => replaceSecret(tx, targetOf(request)));
    return json(200, presentCreated(created), etag(created.client));
  }),
];
