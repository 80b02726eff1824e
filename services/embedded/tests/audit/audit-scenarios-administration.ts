import { atProvider } from './audit-scenarios-provider.ts';
import { serviceAccountScenarios } from './audit-scenarios-service-accounts.ts';
import { type Actor, anonymous, type ScenarioRunner, type Scenarios } from './scenario-runner.ts';
import { accountState, nameOf, sendAdmin } from './send-admin.ts';

const PASSWORD = 'a password of many characters';

async function userOf(runner: ScenarioRunner, admin: Actor) {
  const email = `${nameOf('made')}@example.com`;
  const { body } = await sendAdmin(runner, admin, {
    action: 'CREATE_USER',
    path: '/users',
    body: { email, roles: ['analyst'] },
    status: 201,
    record: (answer) => ({
      target: email,
      metadata: { user_id: answer.body.id, before: null, after: accountState(['analyst']), invited: true },
    }),
  });
  return { id: body.id as string, email, invitation: body.invitation.token as string };
}

const userScenarios: Scenarios = {
  async READ_USERS(runner) {
    const admin = await runner.person(['admin']);
    const { id, email } = await userOf(runner, admin);
    await sendAdmin(runner, admin, {
      action: 'READ_USERS',
      path: '/users?q=made&role=analyst&state=active&sort_key=last_login_ts&sort_value=desc&from=0&size=5',
      record: () => ({
        target: 'users',
        metadata: {
          q: 'made',
          role: 'analyst',
          state: 'active',
          sort_key: 'last_login_ts',
          sort_value: 'desc',
          from: 0,
          size: 5,
        },
      }),
    });
    await sendAdmin(runner, admin, {
      action: 'READ_USERS',
      path: `/users/${id}`,
      record: () => ({ target: email, metadata: { user_id: id } }),
    });
  },
  async CREATE_USER(runner) {
    await userOf(runner, await runner.person(['admin']));
    await atProvider.logIn(runner);
  },
  async UPDATE_USER(runner) {
    const admin = await runner.person(['admin']);
    const { id, email } = await userOf(runner, admin);
    await sendAdmin(runner, admin, {
      action: 'UPDATE_USER',
      method: 'PUT',
      path: `/users/${id}`,
      body: { disabled: true },
      record: () => ({
        target: email,
        metadata: { user_id: id, before: accountState(['analyst']), after: accountState(['analyst'], true) },
      }),
    });
    await atProvider.logInOfOtherGroups(runner);
  },
  async RESET_PASSWORD(runner) {
    const admin = await runner.person(['admin']);
    const { id, email } = await userOf(runner, admin);
    for (const [body, invited] of [
      [{}, true],
      [{ password: PASSWORD }, false],
    ] as const) {
      await sendAdmin(runner, admin, {
        action: 'RESET_PASSWORD',
        path: `/users/${id}/reset-password`,
        body,
        record: () => ({ target: email, metadata: { user_id: id, invited } }),
      });
    }
  },
  async DELETE_USER(runner) {
    const admin = await runner.person(['admin']);
    const { id, email } = await userOf(runner, admin);
    await sendAdmin(runner, admin, {
      action: 'DELETE_USER',
      method: 'DELETE',
      path: `/users/${id}`,
      status: 204,
      record: () => ({ target: email, metadata: { user_id: id, before: accountState(['analyst']), after: null } }),
    });
  },
  async ACCEPT_INVITATION(runner) {
    const admin = await runner.person(['admin']);
    const { id, email, invitation } = await userOf(runner, admin);
    await runner.act({
      action: 'ACCEPT_INVITATION',
      by: anonymous(email),
      path: '/auth/invitation/acme',
      body: { token: invitation, password: PASSWORD },
      record: () => ({ target: email, metadata: { user_id: id, invited_by: admin.name } }),
    });
  },
};

const READERS = ['datamap:read'];

async function roleOf(runner: ScenarioRunner, admin: Actor): Promise<string> {
  const name = nameOf('role');
  await sendAdmin(runner, admin, {
    action: 'CREATE_ROLE',
    path: '/roles',
    body: { name, permissions: READERS },
    status: 201,
    record: () => ({ target: name, metadata: { before: null, after: READERS } }),
  });
  return name;
}

const roleScenarios: Scenarios = {
  async READ_ROLES(runner) {
    const admin = await runner.person(['admin']);
    for (const [path, target] of [
      ['/roles', 'roles'],
      ['/roles/analyst', 'analyst'],
    ] as const) {
      await sendAdmin(runner, admin, { action: 'READ_ROLES', path, record: () => ({ target, metadata: {} }) });
    }
  },
  CREATE_ROLE: async (runner) => await roleOf(runner, await runner.person(['admin'])),
  async UPDATE_ROLE(runner) {
    const admin = await runner.person(['admin']);
    const name = await roleOf(runner, admin);
    await sendAdmin(runner, admin, {
      action: 'UPDATE_ROLE',
      method: 'PUT',
      path: `/roles/${name}`,
      body: { permissions: ['query:run'] },
      record: () => ({ target: name, metadata: { before: READERS, after: ['query:run'] } }),
    });
  },
  async DELETE_ROLE(runner) {
    const admin = await runner.person(['admin']);
    const name = await roleOf(runner, admin);
    await runner.hosts.build.user(runner.hosts.acme, { roles: [name] });
    await sendAdmin(runner, admin, {
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

export const administrationScenarios: Scenarios = {
  ...userScenarios,
  ...roleScenarios,
  ...serviceAccountScenarios,
  async APPLY_CONFIGURATION(runner) {
    const admin = await runner.person(['admin']);
    // A dry run, because the changes of a file write further records.
    await sendAdmin(runner, admin, {
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
