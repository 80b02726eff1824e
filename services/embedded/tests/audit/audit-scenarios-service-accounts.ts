import type { AuditAction } from '@sluice/contract';
import { logIn } from '@sluice/testkit/requests';
import {
  type Actor,
  type AuditedRequest,
  anonymous,
  type ScenarioRunner,
  type Scenarios,
  sessionOf,
} from './scenario-runner.ts';
import { accountState, nameOf, sendAdmin } from './send-admin.ts';

async function accountOf(runner: ScenarioRunner, admin: Actor) {
  const clientId = nameOf('job');
  const { body } = await sendAdmin(runner, admin, {
    action: 'CREATE_SERVICE_ACCOUNT',
    path: '/service-accounts',
    body: { client_id: clientId, roles: ['service'] },
    status: 201,
    record: (answer) => ({
      target: clientId,
      metadata: { account_id: answer.body.id, before: null, after: accountState(['service']) },
    }),
  });
  return { admin, id: body.id as string, clientId };
}

interface AccountChange extends Pick<AuditedRequest, 'method' | 'body' | 'status'> {
  readonly metadata: object;
}

async function changeAccount(runner: ScenarioRunner, action: AuditAction, { metadata, ...how }: AccountChange) {
  const { admin, id, clientId } = await accountOf(runner, await runner.person(['admin']));
  await sendAdmin(runner, admin, {
    action,
    path: `/service-accounts/${id}`,
    ...how,
    record: () => ({ target: clientId, metadata: { account_id: id, ...metadata } }),
  });
}

export const serviceAccountScenarios: Scenarios = {
  async READ_SERVICE_ACCOUNTS(runner) {
    const { admin, id, clientId } = await accountOf(runner, await runner.person(['admin']));
    await sendAdmin(runner, admin, {
      action: 'READ_SERVICE_ACCOUNTS',
      path: '/service-accounts?q=job&role=service&from=0&size=5&unused_days=30',
      record: () => ({
        target: 'service_accounts',
        metadata: { q: 'job', role: 'service', from: 0, size: 5, unused_days: 30 },
      }),
    });
    await sendAdmin(runner, admin, {
      action: 'READ_SERVICE_ACCOUNTS',
      path: `/service-accounts/${id}`,
      record: () => ({ target: clientId, metadata: { account_id: id } }),
    });
  },
  async INTROSPECT_TOKEN(runner) {
    const { admin, id, clientId } = await accountOf(runner, await runner.person(['admin']));
    const { body: secret } = await sendAdmin(runner, admin, {
      action: 'ADD_CLIENT_SECRET',
      method: 'POST',
      path: `/service-accounts/${id}/secrets`,
      status: 201,
      record: ({ body }) => ({ target: clientId, metadata: { account_id: id, secret_id: body.secret_id } }),
    });
    await sendAdmin(runner, admin, {
      action: 'UPDATE_SERVICE_ACCOUNT',
      method: 'PUT',
      path: `/service-accounts/${id}`,
      body: { may_introspect: true },
      record: () => {
        const before = accountState(['service']);
        return { target: clientId, metadata: { account_id: id, before, after: { ...before, may_introspect: true } } };
      },
    });
    await runner.act({
      action: 'INTROSPECT_TOKEN',
      by: anonymous(clientId),
      path: '/auth/acme/oauth2/introspect',
      form: { token: 'x', client_id: clientId, client_secret: secret.client_secret },
      record: () => ({ target: 'unknown', metadata: { active: false } }),
    });
    const { email } = runner.hosts.ann;
    const { access_token: token } = await logIn(runner.hosts, runner.hosts.ann);
    await runner.act({
      action: 'INTROSPECT_TOKEN',
      by: anonymous(clientId),
      path: '/auth/acme/oauth2/introspect',
      form: { token, client_id: clientId, client_secret: secret.client_secret },
      record: () => ({ target: email, metadata: { active: true, session_id: sessionOf(token) } }),
    });
  },
  CREATE_SERVICE_ACCOUNT: async (runner) => await accountOf(runner, await runner.person(['admin'])),
  UPDATE_SERVICE_ACCOUNT: (runner) =>
    changeAccount(runner, 'UPDATE_SERVICE_ACCOUNT', {
      method: 'PUT',
      body: { roles: ['analyst'] },
      metadata: { before: accountState(['service']), after: accountState(['analyst']) },
    }),
  DELETE_SERVICE_ACCOUNT: (runner) =>
    changeAccount(runner, 'DELETE_SERVICE_ACCOUNT', {
      method: 'DELETE',
      status: 204,
      metadata: { before: accountState(['service']), after: null },
    }),
  async ADD_CLIENT_SECRET(runner) {
    const { admin, id, clientId } = await accountOf(runner, await runner.person(['admin']));
    await sendAdmin(runner, admin, {
      action: 'ADD_CLIENT_SECRET',
      method: 'POST',
      path: `/service-accounts/${id}/secrets`,
      status: 201,
      record: ({ body }) => ({ target: clientId, metadata: { account_id: id, secret_id: body.secret_id } }),
    });
    const named = { label: 'nightly', expires_ts: Date.now() + 86_400_000 };
    await sendAdmin(runner, admin, {
      action: 'ADD_CLIENT_SECRET',
      method: 'POST',
      path: `/service-accounts/${id}/secrets`,
      body: named,
      status: 201,
      record: ({ body }) => ({ target: clientId, metadata: { account_id: id, secret_id: body.secret_id, ...named } }),
    });
  },
  async REVOKE_CLIENT_SECRET(runner) {
    const { admin, id, clientId } = await accountOf(runner, await runner.person(['admin']));
    const [secret] = await runner.hosts.rows<{ secret_id: string }>(
      'select secret_id from client_secrets where account_id = $1',
      [id],
    );
    await sendAdmin(runner, admin, {
      action: 'REVOKE_CLIENT_SECRET',
      method: 'DELETE',
      path: `/service-accounts/${id}/secrets/${secret?.secret_id}`,
      status: 204,
      record: () => ({ target: clientId, metadata: { account_id: id, secret_id: secret?.secret_id } }),
    });
  },
};
