import {
  type AccountStatus,
  type AuthStatusReader,
  type CallerStatusReader,
  type ClientKeySet,
  isPermission,
  narrowPermissions,
  type Permission,
  type SecretStatus,
  type SessionStatus,
  type ThrottleQuery,
  type ThrottleStates,
} from '@sluice/contract';
import { shareLookups } from '../batching/share-lookups.ts';
import type { Database } from '../database/database.ts';
import { type PreparedStatement, prepared } from '../database/transaction.ts';
import { isUuid } from '../database/uuid.ts';
import { isKnownDevice } from './device-store.ts';
import { isKeyRefused } from './refused-key.ts';
import { secretIdColumn, secretIdOf } from './secret-id.ts';
import { NOTE_SESSION_USE, SESSION_IS_OPEN, SESSION_USE_DUE } from './session-use.ts';
import { type TenantRow, tenantOf } from './tenant-store.ts';
import { throttleStatesQuery } from './throttle-store.ts';

/** Status of accounts and secrets. Each method is one statement. */
export interface AuthStatusStore extends AuthStatusReader, CallerStatusReader {
  ofUser(tenantName: string, email: string, throttle?: ThrottleQuery): Promise<SecretStatus | undefined>;
  /** Only for the API role: the stream role may not read client secrets. */
  ofClient(tenantName: string, clientId: string, throttle?: ThrottleQuery): Promise<SecretStatus | undefined>;
}

interface AuthStatusRow extends TenantRow {
  readonly account_id: string | null;
  readonly account_kind: 'user' | 'client';
  readonly account_name: string;
  readonly disabled: boolean;
  readonly roles: string[];
  readonly permissions: string[];
  /** Permissions to which the session is limited; null for no limit. Absent without a session. */
  readonly scope?: string[] | null;
  /** Permissions and networks to which a client is limited; null for no limit. Absent for users. */
  readonly account_scopes?: string[] | null;
  readonly allowed_networks?: string[] | null;
  readonly may_introspect?: boolean | null;
  readonly jwks?: ClientKeySet | null;
  readonly jwks_uri?: string | null;
  readonly secret_selectors?: (string | null)[] | null;
  readonly secret_ends?: (number | null)[] | null;
  readonly secret_hashes: (string | null)[] | null;
  readonly throttle: ThrottleStates;
  readonly is_device_known: boolean;
  readonly database_ms: number;
  readonly session_live: boolean | null;
  readonly key_revoked: boolean;
  /** Whether the use of the session has to be noted; null without a session. */
  readonly use_due: boolean | null;
}

/** Parameters: owner of the secret and device, then scope and key of each throttle in turn. */
type SecretOwner = readonly [tenantName: string, name: string, deviceHash: string, ...throttles: string[]];

const partsOf = ({ keys, deviceHash = '' }: ThrottleQuery): [string, ...string[]] => [
  deviceHash,
  ...keys.flatMap(({ scope, key }) => [scope, key]),
];

const permissionsOf = (roles: string): string => `
  coalesce((select array_agg(distinct p) from roles r cross join unnest(r.permissions) p
    where r.tenant_id = t.id and r.name = any (${roles})), '{}') as permissions`;

const THROTTLE = `
  (${throttleStatesQuery('t.id', '$4', '$5')}) as throttle,
  (extract(epoch from clock_timestamp()) * 1000)::float8 as database_ms`;

const OF_SESSION = prepared(
  'status_of_session',
  `
  select t.id, t.name, t.state, t.settings, s.account_kind,
    coalesce(u.id, c.id) as account_id, coalesce(u.email, c.client_id) as account_name,
    coalesce(u.disabled, c.disabled) as disabled, coalesce(u.roles, c.roles) as roles,
    ${permissionsOf('coalesce(u.roles, c.roles)')}, c.scopes as account_scopes, c.allowed_networks,
    s.scope, o.is_open as session_live,
    exists (select 1 from revoked_keys k where k.kid = $4 and ${isKeyRefused('k')}) as key_revoked,
    o.is_open and ${SESSION_USE_DUE} as use_due
  from tenants t
  left join sessions s on s.tenant_id = t.id and s.sid = $2 and s.account_id = $3
  left join lateral (select s.sid is not null and ${SESSION_IS_OPEN} as is_open) o on true
  left join users u on s.account_kind = 'user' and u.tenant_id = t.id and u.id = s.account_id
  left join clients c on s.account_kind = 'client' and c.tenant_id = t.id and c.id = s.account_id
  where t.name = $1`,
);

/** Parameters: tenant, account, its kind, session or null, password of Basic or null. */
const OF_CALLER = prepared(
  'status_of_caller',
  `
  select t.id, t.name, t.state, t.settings, $3 as account_kind,
    coalesce(u.id, c.id) as account_id, coalesce(u.email, c.client_id) as account_name,
    coalesce(u.disabled, c.disabled) as disabled, coalesce(u.roles, c.roles) as roles,
    ${permissionsOf('coalesce(u.roles, c.roles)')}, c.scopes as account_scopes, c.allowed_networks, s.scope,
    case when $4::uuid is null then coalesce($5 = ${secretIdColumn('u.password_hash')}, false)
      else s.sid is not null and ${SESSION_IS_OPEN} end as session_live,
    exists (select 1 from revoked_keys k where k.kid = s.key_id and ${isKeyRefused('k')}) as key_revoked
  from tenants t
  left join sessions s on s.tenant_id = t.id and s.sid = $4 and s.account_id = $2
  left join users u on $3 = 'user' and u.tenant_id = t.id and u.id = $2
  left join clients c on $3 = 'client' and c.tenant_id = t.id and c.id = $2
  where t.name = $1`,
);

const OF_USER = prepared(
  'status_of_user',
  `
  select t.id, t.name, t.state, t.settings, 'user' as account_kind, u.id as account_id, u.email as account_name, u.disabled,
    u.roles, ${permissionsOf('u.roles')}, array[u.password_hash] as secret_hashes,
    ${isKnownDevice('t.id', 'u.id', '$3')} as is_device_known,
    ${THROTTLE}
  from tenants t left join users u on u.tenant_id = t.id and u.email = $2
  where t.name = $1`,
);

const OF_CLIENT = prepared(
  'status_of_client',
  `
  select t.id, t.name, t.state, t.settings, 'client' as account_kind, c.id as account_id, c.client_id as account_name,
    c.disabled, c.roles, ${permissionsOf('c.roles')}, c.scopes as account_scopes, c.allowed_networks, c.may_introspect,
    c.jwks, c.jwks_uri, live.secret_hashes, live.secret_selectors, live.secret_ends,
    $3::text is null as is_device_known,
    ${THROTTLE}
  from tenants t left join clients c on c.tenant_id = t.id and c.client_id = $2
  left join lateral (
    select array_agg(h.hash order by h.position) as secret_hashes, array_agg(k.selector order by h.position) as secret_selectors,
      array_agg(floor(extract(epoch from k.expires) * 1000)::float8 order by h.position) as secret_ends
    from unnest(c.secret_hashes || c.further_secret_hashes) with ordinality h (hash, position)
    left join client_secrets k on k.tenant_id = c.tenant_id and k.account_id = c.id and k.secret_id = ${secretIdColumn('h.hash')}
    where k.expires is null or k.expires > clock_timestamp()) live on true
  where t.name = $1`,
);

/** Returns the permissions of the roles that the limits of the account and of the session leave. */
const permissionsIn = ({ permissions, scope, account_scopes: accountScopes }: AuthStatusRow): readonly Permission[] =>
  [accountScopes, scope].reduce<readonly Permission[]>(
    (left, limit) => narrowPermissions(left, limit?.filter(isPermission)),
    permissions.filter(isPermission),
  );

const accountOf = (row: AuthStatusRow): AccountStatus | undefined =>
  row.account_id === null
    ? undefined
    : {
        kind: row.account_kind,
        id: row.account_id,
        name: row.account_name,
        disabled: row.disabled,
        roles: row.roles,
        permissions: permissionsIn(row),
        ...(row.account_kind === 'user'
          ? {}
          : { allowedNetworks: row.allowed_networks, mayIntrospect: row.may_introspect === true }),
      };

const clientSecretsOf = (row: AuthStatusRow): Partial<SecretStatus> => ({
  secretSelectors: row.secret_selectors ?? [],
  secretEnds: row.secret_ends ?? [],
  ...(row.account_id === null ? {} : { clientKeys: { jwks: row.jwks ?? null, jwksUri: row.jwks_uri ?? null } }),
});

export function createAuthStatusStore(database: Database): AuthStatusStore {
  const find = async (
    statement: PreparedStatement,
    values: readonly [string, ...unknown[]],
  ): Promise<AuthStatusRow | undefined> => {
    const [row] = await database.run<AuthStatusRow>({ tenantName: values[0] }, statement, values);
    return row;
  };

  const secretStatus = async (statement: PreparedStatement, wanted: SecretOwner) => {
    const [tenantName, name, deviceHash, ...throttles] = wanted;
    const scopes = throttles.filter((_part, index) => index % 2 === 0);
    const keys = throttles.filter((_part, index) => index % 2 === 1);
    const row = await find(statement, [tenantName, name, deviceHash, scopes, keys]);
    if (row === undefined) return undefined;
    const secretHashes = (row.secret_hashes ?? []).filter((hash) => hash !== null);
    return {
      tenant: tenantOf(row),
      account: accountOf(row),
      secretHashes,
      secretIds: secretHashes.map(secretIdOf),
      ...(row.account_kind === 'user' ? {} : clientSecretsOf(row)),
      throttle: row.throttle,
      isDeviceKnown: row.is_device_known,
      databaseMs: row.database_ms,
    };
  };

  const findSession = shareLookups(async (...values: [string, ...string[]]) => {
    const row = await find(OF_SESSION, values);
    const [, sid, , keyId] = values;
    // A refresh and an exchange of the cookie come without a token, and do not count as use: a page could stay in use by renewing its tokens.
    // Not awaited: a request must neither wait for the note nor fail with it. A lost one only makes the session look idle for longer.
    if (row?.use_due === true && keyId !== '')
      database.run({ tenantId: row.id }, NOTE_SESSION_USE, [row.id, sid]).catch(() => undefined);
    return row;
  });
  const findUser = shareLookups((...wanted: SecretOwner) => secretStatus(OF_USER, wanted));
  const findClient = shareLookups((...wanted: SecretOwner) => secretStatus(OF_CLIENT, wanted));

  const sessionStatus = (row: AuthStatusRow): SessionStatus => ({
    tenant: tenantOf(row),
    account: accountOf(row),
    sessionLive: row.session_live === true,
    keyRevoked: row.key_revoked,
    ...(row.scope == null ? {} : { hasScope: true }),
  });

  return {
    async ofSession({ tenantName, sessionId, accountId, keyId }) {
      if (!isUuid(sessionId) || !isUuid(accountId)) return undefined;
      const row = await findSession(tenantName, sessionId, accountId, keyId);
      return row === undefined ? undefined : sessionStatus(row);
    },
    async ofCaller({ tenantName, accountKind, accountId, sessionId = null, secretId = null }) {
      const row = await find(OF_CALLER, [tenantName, accountId, accountKind, sessionId, secretId]);
      return row === undefined ? undefined : sessionStatus(row);
    },
    ofUser: (tenantName, email, throttle = { keys: [] }) =>
      findUser(tenantName, email.toLowerCase(), ...partsOf(throttle)),
    ofClient: (tenantName, clientId, throttle = { keys: [] }) => findClient(tenantName, clientId, ...partsOf(throttle)),
  };
}
