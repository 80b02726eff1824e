import { type AuditAction, type AuditRecord, auditOf, type Caller, type Permission } from '@sluice/contract';
import {
  type ClientAccess,
  emailDomainProblem,
  type IdentityProviderContent,
  type StoredClient,
  type StoredIdentityProvider,
  type StoredRole,
  type StoredUser,
} from '@sluice/store/administration';
import type { Actor, ResourceDatabase, TenantTransaction } from '@sluice/store/resources';

interface Domain {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly version: number;
}

/** Rows of one tenant. */
export interface TenantRows {
  users: StoredUser[];
  roles: StoredRole[];
  clients: StoredClient[];
  domains: Domain[];
  /** User ids by issuer and subject. */
  identities: Record<string, string>;
  /** Ids of users with an open invitation. */
  invited: string[];
  provider: StoredIdentityProvider | undefined;
  /** Allowed e-mail domains; empty allows all. */
  emailDomains: string[];
  records: AuditRecord[];
}

const changeable = { disabled: false, created_ts: 1, updated_ts: 1, updated_by: 'fixture', version: 1 };

export const storedUser = (email: string, roles: readonly string[] = [], change: Partial<StoredUser> = {}) => {
  const credential = { has_password: true, invitation_expires_ts: null, last_login_ts: null };
  const user = { id: `id of ${email}`, email, roles: [...roles], ...credential };
  return { ...changeable, ...user, ...change } satisfies StoredUser;
};

export const storedRole = (name: string, permissions: readonly Permission[] = []): StoredRole => ({
  ...changeable,
  name,
  permissions: [...permissions],
  user_count: 0,
  service_account_count: 0,
});

const storedClient = (client_id: string, roles: readonly string[], access: ClientAccess): StoredClient => ({
  ...changeable,
  ...access,
  last_used_ts: null,
  id: `id of ${client_id}`,
  client_id,
  roles: [...roles],
  secrets: [],
});

export const storedProvider = (change: Partial<IdentityProviderContent> = {}): StoredIdentityProvider => ({
  issuer: 'https://idp.example.com',
  clientId: 'sluice',
  clientSecretSealed: null,
  scopes: ['openid'],
  emailClaim: 'email',
  groupsClaim: null,
  roleMappings: [],
  trustsEmail: false,
  createUsers: false,
  returnTo: [],
  version: 1,
  updated: new Date(0),
  updatedBy: 'fixture',
  ...change,
});

/** Replaces the row that `isSame` finds. */
const replace = <T extends { readonly version: number }>(
  rows: T[],
  isSame: (row: T) => boolean,
  to: Partial<T>,
): void => {
  const index = rows.findIndex(isSame);
  const row = rows[index];
  if (row !== undefined) rows[index] = { ...row, ...to, version: row.version + 1 };
};

const identityKey = ({ issuer, subject }: Identity): string => `${issuer} ${subject}`;

type Users = TenantTransaction['users'];
type Roles = TenantTransaction['roles'];
type Clients = TenantTransaction['clients'];
type Identity = Parameters<TenantTransaction['identities']['findUserId']>[0];

const allowsEmail = ({ emailDomains }: TenantRows, email: string): boolean =>
  emailDomains.length === 0 || emailDomains.some((domain) => email.endsWith(`@${domain}`));

const usersOf = (rows: TenantRows) => ({
  find: async (id: string) => rows.users.find((user) => user.id === id),
  findByEmail: async (email: string) => rows.users.find((user) => user.email === email),
  allowsEmail: async (email: string) => allowsEmail(rows, email),
  async insert({ email, roles, passwordHash, by }: Parameters<Users['insert']>[0]) {
    if (!allowsEmail(rows, email)) throw emailDomainProblem(email);
    if (rows.users.some((user) => user.email === email)) return undefined;
    const user = storedUser(email, roles, { has_password: passwordHash !== null, updated_by: by });
    rows.users.push(user);
    return user;
  },
  update: async (id: string, { by, ...to }: Parameters<Users['update']>[1]) =>
    replace(rows.users, (user) => user.id === id, { ...to, roles: [...to.roles], updated_by: by }),
});

const rolesOf = (rows: TenantRows) => ({
  list: async () => rows.roles,
  find: async (name: string) => rows.roles.find((role) => role.name === name),
  unknown: async (names: readonly string[]) => names.filter((name) => !rows.roles.some((role) => role.name === name)),
  async insert({ name, permissions }: Parameters<Roles['insert']>[0]) {
    if (rows.roles.some((role) => role.name === name)) return undefined;
    const role = storedRole(name, permissions);
    rows.roles.push(role);
    return role;
  },
  update: async ({ name, permissions }: Parameters<Roles['update']>[0]) =>
    replace(rows.roles, (role) => role.name === name, { permissions: [...permissions] }),
});

const clientsOf = (rows: TenantRows) => ({
  find: async (id: string) => rows.clients.find((client) => client.id === id),
  findByClientId: async (clientId: string) => rows.clients.find(({ client_id }) => client_id === clientId),
  async insert({ clientId, roles, access }: Parameters<Clients['insert']>[0]) {
    const client = storedClient(clientId, roles, access);
    rows.clients.push(client);
    return client;
  },
  update: async (id: string, { by, areKeysChanged: _changed, ...to }: Parameters<Clients['update']>[1]) =>
    replace(rows.clients, (client) => client.id === id, { ...to, roles: [...to.roles], updated_by: by }),
});

const identitiesOf = (rows: TenantRows) => ({
  findUserId: async (identity: Identity) => rows.identities[identityKey(identity)],
  async link(identity: Identity, userId: string) {
    const hasOther = Object.entries(rows.identities).some(
      ([key, id]) => id === userId && key.startsWith(`${identity.issuer} `),
    );
    if (hasOther || rows.identities[identityKey(identity)] !== undefined) return false;
    rows.identities[identityKey(identity)] = userId;
    return true;
  },
});

/** Returns whether an enabled user has a role with the permission admin. The kind of its credential does not matter here. */
const hasAdmin = ({ users, roles }: TenantRows): boolean => {
  const admins = roles.filter(({ permissions }) => permissions.includes('admin')).map(({ name }) => name);
  return users.some((user) => !user.disabled && user.roles.some((role) => admins.includes(role)));
};

const domainsOf = (rows: TenantRows) => ({
  findByName: async (name: string) => rows.domains.find((domain) => domain.name.toLowerCase() === name.toLowerCase()),
  lock: async (id: string) => rows.domains.find((domain) => domain.id === id),
  async insert(content: Pick<Domain, 'name' | 'description'>) {
    const after = { id: `id of ${content.name}`, ...content, version: 1 };
    rows.domains.push(after);
    return after;
  },
  async update(id: string, content: Pick<Domain, 'name' | 'description'>) {
    replace(rows.domains, (domain) => domain.id === id, content);
    return rows.domains.find((domain) => domain.id === id);
  },
});

const repositoriesOf = (rows: TenantRows) => ({
  tenant: { lock: async () => ({}) },
  users: { ...usersOf(rows), hasAdmin: async () => hasAdmin(rows) },
  roles: rolesOf(rows),
  clients: clientsOf(rows),
  identities: identitiesOf(rows),
  domains: domainsOf(rows),
  factChanges: { add: async () => undefined },
  invitations: {
    insert: async ({ userId }: { readonly userId: string | null }) => void rows.invited.push(userId ?? ''),
    async removeOf(userId: string | null) {
      rows.invited = rows.invited.filter((id) => id !== userId);
    },
  },
  identityProvider: {
    find: async () => rows.provider,
    async put(content: IdentityProviderContent, by: string) {
      const version = (rows.provider?.version ?? 0) + 1;
      rows.provider = { ...content, version, updated: new Date(0), updatedBy: by };
    },
  },
});

const actorOf = (by: Caller | Actor): Actor =>
  'principal' in by
    ? { tenantId: by.principal.tenant.id, name: by.principal.name, auditOf: (act) => auditOf(by, act) }
    : by;

/** Administration of one tenant in memory. A change that throws is rolled back, and changes run one after the other. */
export function createInMemoryAdministration(
  initial: Partial<TenantRows> = {},
  datamaps?: TenantTransaction['datamaps'],
) {
  const rows: TenantRows = {
    users: [],
    roles: [],
    clients: [],
    domains: [],
    identities: {},
    invited: [],
    provider: undefined,
    emailDomains: [],
    records: [],
    ...initial,
  };
  const open = (by: Caller | Actor): TenantTransaction => {
    const { tenantId, name, auditOf: recordOf } = actorOf(by);
    const record = async (action: AuditAction, target: string, metadata?: AuditRecord['metadata']) =>
      void rows.records.push(recordOf({ action, target, ...(metadata && { metadata }) }));
    const tx = { tenantId, by: name, ...repositoriesOf(rows), datamaps, record, skipRecord: () => undefined };
    return tx as unknown as TenantTransaction;
  };
  let changes = 0;
  const database: ResourceDatabase = {
    read: (by, work) => work(open(by)),
    async change(by, work) {
      changes++;
      const before = structuredClone(rows);
      try {
        return await work(open(by));
      } catch (thrown) {
        Object.assign(rows, before);
        throw thrown;
      }
    },
    async dryRun(by, work) {
      const before = structuredClone(rows);
      try {
        return await work(open(by));
      } finally {
        Object.assign(rows, before);
      }
    },
  };
  return { rows, open, database, changes: () => changes };
}
