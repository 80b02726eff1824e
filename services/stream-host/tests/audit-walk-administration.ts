import { randomUUID } from 'node:crypto';
import type { AuditAction } from '@sluice/contract';
import { type Act, type Actor, type AuditWalk, nobody, type Scenarios } from './audit-walk.ts';
import { atProvider } from './audit-walk-provider.ts';

const PASSWORD = 'a password of many characters';
const standing = (roles: readonly string[], disabled = false) => ({ roles, disabled });
const nameOf = (what: string): string => `${what}-${randomUUID().slice(0, 8)}`;

/** One request below /admin. */
const ask = ({ act }: AuditWalk, by: Actor, { path, ...request }: Omit<Act, 'by' | 'host'>) =>
  act({ by, path: `/admin${path}`, ...request });

async function userOf(walk: AuditWalk, admin: Actor) {
  const email = `${nameOf('made')}@example.com`;
  const { body } = await ask(walk, admin, {
    action: 'CREATE_USER',
    path: '/users',
    body: { email, roles: ['analyst'] },
    status: 201,
    record: (answer) => ({
      target: email,
      metadata: { user_id: answer.body.id, before: null, after: standing(['analyst']), invited: true },
    }),
  });
  return { id: body.id as string, email, invitation: body.invitation.token as string };
}

const userScenarios: Scenarios = {
  async READ_USERS(walk) {
    const admin = await walk.person(['admin']);
    const { id, email } = await userOf(walk, admin);
    await ask(walk, admin, {
      action: 'READ_USERS',
      path: '/users?q=made&role=analyst&from=0&size=5',
      record: () => ({ target: 'users', metadata: { q: 'made', role: 'analyst', from: 0, size: 5 } }),
    });
    await ask(walk, admin, {
      action: 'READ_USERS',
      path: `/users/${id}`,
      record: () => ({ target: email, metadata: { user_id: id } }),
    });
  },
  async CREATE_USER(walk) {
    await userOf(walk, await walk.person(['admin']));
    await atProvider.logIn(walk);
  },
  async UPDATE_USER(walk) {
    const admin = await walk.person(['admin']);
    const { id, email } = await userOf(walk, admin);
    await ask(walk, admin, {
      action: 'UPDATE_USER',
      method: 'PUT',
      path: `/users/${id}`,
      body: { disabled: true },
      record: () => ({
        target: email,
        metadata: { user_id: id, before: standing(['analyst']), after: standing(['analyst'], true) },
      }),
    });
    await atProvider.logInOfOtherGroups(walk);
  },
  async RESET_PASSWORD(walk) {
    const admin = await walk.person(['admin']);
    const { id, email } = await userOf(walk, admin);
    for (const [body, invited] of [
      [{}, true],
      [{ password: PASSWORD }, false],
    ] as const) {
      await ask(walk, admin, {
        action: 'RESET_PASSWORD',
        path: `/users/${id}/reset-password`,
        body,
        record: () => ({ target: email, metadata: { user_id: id, invited } }),
      });
    }
  },
  async DELETE_USER(walk) {
    const admin = await walk.person(['admin']);
    const { id, email } = await userOf(walk, admin);
    await ask(walk, admin, {
      action: 'DELETE_USER',
      method: 'DELETE',
      path: `/users/${id}`,
      status: 204,
      record: () => ({ target: email, metadata: { user_id: id, before: standing(['analyst']), after: null } }),
    });
  },
  async ACCEPT_INVITATION(walk) {
    const admin = await walk.person(['admin']);
    const { id, email, invitation } = await userOf(walk, admin);
    await walk.act({
      action: 'ACCEPT_INVITATION',
      by: nobody(email),
      path: '/auth/invitation/acme',
      body: { token: invitation, password: PASSWORD },
      record: () => ({ target: email, metadata: { user_id: id, invited_by: admin.name } }),
    });
  },
};

const READERS = ['datamap:read'];

async function roleOf(walk: AuditWalk, admin: Actor): Promise<string> {
  const name = nameOf('role');
  await ask(walk, admin, {
    action: 'CREATE_ROLE',
    path: '/roles',
    body: { name, permissions: READERS },
    status: 201,
    record: () => ({ target: name, metadata: { before: null, after: READERS } }),
  });
  return name;
}

const roleScenarios: Scenarios = {
  async READ_ROLES(walk) {
    const admin = await walk.person(['admin']);
    for (const [path, target] of [
      ['/roles', 'roles'],
      ['/roles/analyst', 'analyst'],
    ] as const) {
      await ask(walk, admin, { action: 'READ_ROLES', path, record: () => ({ target, metadata: {} }) });
    }
  },
  CREATE_ROLE: async (walk) => await roleOf(walk, await walk.person(['admin'])),
  async UPDATE_ROLE(walk) {
    const admin = await walk.person(['admin']);
    const name = await roleOf(walk, admin);
    await ask(walk, admin, {
      action: 'UPDATE_ROLE',
      method: 'PUT',
      path: `/roles/${name}`,
      body: { permissions: ['query:run'] },
      record: () => ({ target: name, metadata: { before: READERS, after: ['query:run'] } }),
    });
  },
  async DELETE_ROLE(walk) {
    const admin = await walk.person(['admin']);
    const name = await roleOf(walk, admin);
    await walk.hosts.build.user(walk.hosts.acme, { roles: [name] });
    await ask(walk, admin, {
      action: 'DELETE_ROLE',
      method: 'DELETE',
      path: `/roles/${name}`,
      status: 204,
      record: () => ({
        target: name,
        metadata: { before: READERS, after: null, users: 1, service_accounts: 0 },
      }),
    });
  },
};

async function accountOf(walk: AuditWalk, admin: Actor) {
  const clientId = nameOf('job');
  const { body } = await ask(walk, admin, {
    action: 'CREATE_SERVICE_ACCOUNT',
    path: '/service-accounts',
    body: { client_id: clientId, roles: ['service'] },
    status: 201,
    record: (answer) => ({
      target: clientId,
      metadata: { account_id: answer.body.id, before: null, after: standing(['service']) },
    }),
  });
  return { admin, id: body.id as string, clientId };
}

interface AccountChange extends Pick<Act, 'method' | 'body' | 'status'> {
  readonly metadata: object;
}

async function changeAccount(walk: AuditWalk, action: AuditAction, { metadata, ...how }: AccountChange) {
  const { admin, id, clientId } = await accountOf(walk, await walk.person(['admin']));
  await ask(walk, admin, {
    action,
    path: `/service-accounts/${id}`,
    ...how,
    record: () => ({ target: clientId, metadata: { account_id: id, ...metadata } }),
  });
}

const serviceAccountScenarios: Scenarios = {
  async READ_SERVICE_ACCOUNTS(walk) {
    const { admin, id, clientId } = await accountOf(walk, await walk.person(['admin']));
    await ask(walk, admin, {
      action: 'READ_SERVICE_ACCOUNTS',
      path: '/service-accounts?q=job&role=service&from=0&size=5',
      record: () => ({ target: 'service_accounts', metadata: { q: 'job', role: 'service', from: 0, size: 5 } }),
    });
    await ask(walk, admin, {
      action: 'READ_SERVICE_ACCOUNTS',
      path: `/service-accounts/${id}`,
      record: () => ({ target: clientId, metadata: { account_id: id } }),
    });
  },
  CREATE_SERVICE_ACCOUNT: async (walk) => await accountOf(walk, await walk.person(['admin'])),
  UPDATE_SERVICE_ACCOUNT: (walk) =>
    changeAccount(walk, 'UPDATE_SERVICE_ACCOUNT', {
      method: 'PUT',
      body: { roles: ['analyst'] },
      metadata: { before: standing(['service']), after: standing(['analyst']) },
    }),
  DELETE_SERVICE_ACCOUNT: (walk) =>
    changeAccount(walk, 'DELETE_SERVICE_ACCOUNT', {
      method: 'DELETE',
      status: 204,
      metadata: { before: standing(['service']), after: null },
    }),
  async ADD_CLIENT_SECRET(walk) {
    const { admin, id, clientId } = await accountOf(walk, await walk.person(['admin']));
    await ask(walk, admin, {
      action: 'ADD_CLIENT_SECRET',
      method: 'POST',
      path: `/service-accounts/${id}/secrets`,
      status: 201,
      record: ({ body }) => ({ target: clientId, metadata: { account_id: id, secret_id: body.secret_id } }),
    });
  },
  async REVOKE_CLIENT_SECRET(walk) {
    const { admin, id, clientId } = await accountOf(walk, await walk.person(['admin']));
    const [secret] = await walk.hosts.rows<{ secret_id: string }>(
      'select secret_id from client_secrets where account_id = $1',
      [id],
    );
    await ask(walk, admin, {
      action: 'REVOKE_CLIENT_SECRET',
      method: 'DELETE',
      path: `/service-accounts/${id}/secrets/${secret?.secret_id}`,
      status: 204,
      record: () => ({ target: clientId, metadata: { account_id: id, secret_id: secret?.secret_id } }),
    });
  },
};

export const administrationScenarios: Scenarios = {
  ...userScenarios,
  ...roleScenarios,
  ...serviceAccountScenarios,
  async APPLY_CONFIGURATION(walk) {
    const admin = await walk.person(['admin']);
    // A dry run: what a file changes has records of its own beside the file's.
    await ask(walk, admin, {
      action: 'APPLY_CONFIGURATION',
      path: '/apply',
      body: { dry_run: true, roles: [{ name: nameOf('applied'), permissions: READERS }] },
      record: () => ({
        target: 'administration',
        metadata: { dry_run: true, created_count: 1, updated_count: 0, unchanged_count: 0 },
      }),
    });
  },
};
