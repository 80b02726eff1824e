import { describe, expect, it } from '@jest/globals';
import { buildCaller } from '@sluice/testkit';
import {
  createInMemoryAdministration,
  storedRole,
  storedUser,
} from '../../../tests/administration/in-memory-administration.ts';
import { createAccountTransactions } from './account-transactions.ts';
import {
  createAddClientSecret,
  createCreateServiceAccount,
  createRemoveServiceAccount,
  createRevokeClientSecret,
  createUpdateServiceAccount,
} from './change-service-accounts.ts';

const caller = buildCaller('me', ['admin']);
const NEW = { clientId: 'etl', roles: ['service'] };
const SECRETS_MAX = 2;

/** A tenant with an admin and the role service. Secrets are kept by account, as the store keeps their hashes. */
function fixture({ recordFails }: { readonly recordFails?: Error } = {}) {
  const users = [storedUser('me@example.com', ['admin'])];
  const memory = createInMemoryAdministration({
    users,
    roles: [storedRole('admin', ['admin']), storedRole('service')],
  });
  const { rows, administration } = memory;
  const hashes: string[] = [];
  const within = {
    ...administration,
    clients: {
      ...administration.clients,
      insert: async (input: Parameters<typeof administration.clients.insert>[0]) => {
        if (rows.clients.some(({ client_id }) => client_id === input.clientId)) return undefined;
        hashes.push(input.secretHash);
        return administration.clients.insert(input);
      },
      addSecret: async (_id: string, { hash }: { readonly hash: string }) =>
        hashes.length < SECRETS_MAX ? `secret ${hashes.push(hash)}` : undefined,
      removeSecret: async (_id: string, { secretId }: { readonly secretId: string }) =>
        /^secret [12]$/.test(secretId) && hashes.splice(Number(secretId.slice(-1)) - 1, 1).length === 1,
      remove: async ({ id }: { readonly id: string }) => {
        rows.clients = rows.clients.filter((client) => client.id !== id);
      },
    },
    record: async (record: never) => {
      if (recordFails !== undefined) throw recordFails;
      rows.records.push(record);
    },
  };
  const transactions = createAccountTransactions({
    administration: { change: (tenantId, work) => memory.store.change(tenantId, () => work(within as never)) },
  });
  const dependencies = { transactions, passwords: { hash: async (secret: string) => `hash of ${secret}` } };
  return {
    rows,
    hashes,
    create: createCreateServiceAccount(dependencies),
    update: createUpdateServiceAccount(dependencies),
    addSecret: createAddClientSecret(dependencies),
    revokeSecret: createRevokeClientSecret(dependencies),
    remove: createRemoveServiceAccount(dependencies),
  };
}

const actionsOf = ({ rows }: ReturnType<typeof fixture>) => rows.records.map(({ action }) => action);

describe('a new service account', () => {
  it('has a secret of its own, of which only the hash is stored', async () => {
    const { create, rows, hashes } = fixture();
    const { account, secret } = await create(caller, NEW);
    expect(account).toMatchObject({ client_id: 'etl', roles: ['service'] });
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(hashes).toEqual([`hash of ${secret}`]);
    expect(rows.records).toMatchObject([
      { action: 'CREATE_SERVICE_ACCOUNT', user: 'me@example.com', target: 'etl', metadata: { before: null } },
    ]);
    expect(JSON.stringify(rows.records)).not.toContain(secret);
  });

  it('never has the secret of another one', async () => {
    const { create } = fixture();
    const first = await create(caller, NEW);
    const second = await create(caller, { ...NEW, clientId: 'other' });
    expect(first.secret).not.toBe(second.secret);
  });

  it.each([
    [{ ...NEW, clientId: 'taken' }, 'conflict'],
    [{ ...NEW, roles: ['service', 'missing'] }, 'invalid_request'],
  ])('is rejected for %j, and nothing is recorded', async (input, code) => {
    const made = fixture();
    await made.create(caller, { ...NEW, clientId: 'taken' });
    await expect(made.create(caller, input)).rejects.toMatchObject({ code });
    expect(made.rows.clients.length).toBe(1);
    expect(actionsOf(made)).toEqual(['CREATE_SERVICE_ACCOUNT']);
  });
});

describe('a change of a service account', () => {
  it('keeps missing fields, and is recorded also if it changes nothing', async () => {
    const { create, update, rows } = fixture();
    const { account } = await create(caller, NEW);
    const target = { id: account.id, version: account.version };
    const disabled = await update(caller, { target, change: { disabled: true } });
    expect(disabled).toMatchObject({ roles: ['service'], disabled: true, version: 2 });
    const same = await update(caller, { target: { ...target, version: 2 }, change: { roles: ['service'] } });
    expect(same.version).toBe(2);
    expect(rows.records.slice(1)).toMatchObject([
      { action: 'UPDATE_SERVICE_ACCOUNT', metadata: { before: { disabled: false }, after: { disabled: true } } },
      { action: 'UPDATE_SERVICE_ACCOUNT', metadata: { before: { disabled: true }, after: { disabled: true } } },
    ]);
  });

  it('is rejected for a role that does not exist, and the account stays as it is', async () => {
    const { create, update, rows } = fixture();
    const { account } = await create(caller, NEW);
    const target = { id: account.id, version: undefined };
    await expect(update(caller, { target, change: { roles: ['missing'] } })).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(rows.clients).toEqual([account]);
  });
});

describe('the secrets of a service account', () => {
  it('are at most two; the third is a conflict, and one can be revoked for it', async () => {
    const made = fixture();
    const { account } = await made.create(caller, NEW);
    const target = { id: account.id, version: undefined };
    const { secretId, secret } = await made.addSecret(caller, target);
    expect([secretId, made.hashes[1]]).toEqual(['secret 2', `hash of ${secret}`]);
    await expect(made.addSecret(caller, target)).rejects.toMatchObject({ code: 'conflict' });
    await made.revokeSecret(caller, { target, secretId: 'secret 1' });
    expect(made.hashes).toEqual([`hash of ${secret}`]);
    expect(actionsOf(made)).toEqual(['CREATE_SERVICE_ACCOUNT', 'ADD_CLIENT_SECRET', 'REVOKE_CLIENT_SECRET']);
    expect(made.rows.records.slice(1)).toMatchObject([
      { target: 'etl', metadata: { account_id: account.id, secret_id: 'secret 2' } },
      { target: 'etl', metadata: { account_id: account.id, secret_id: 'secret 1' } },
    ]);
  });

  it('that do not exist cannot be revoked', async () => {
    const made = fixture();
    const { account } = await made.create(caller, NEW);
    const input = { target: { id: account.id, version: undefined }, secretId: 'unknown' };
    await expect(made.revokeSecret(caller, input)).rejects.toMatchObject({ code: 'not_found' });
    expect(actionsOf(made)).toEqual(['CREATE_SERVICE_ACCOUNT']);
  });
});

describe.each(['update', 'addSecret', 'revokeSecret', 'remove'] as const)('%s', (name) => {
  const send = (made: ReturnType<typeof fixture>, target: { id: string; version: number | undefined }) => {
    if (name === 'update') return made.update(caller, { target, change: { disabled: true } });
    if (name === 'revokeSecret') return made.revokeSecret(caller, { target, secretId: 'secret 1' });
    return made[name](caller, target);
  };

  it.each([
    [{ id: 'unknown', version: undefined }, 'not_found'],
    [{ id: 'id of etl', version: 7 }, 'precondition_failed'],
  ])('of %j is rejected and records nothing', async (target, code) => {
    const made = fixture();
    await made.create(caller, NEW);
    await expect(send(made, target)).rejects.toMatchObject({ code });
    expect(actionsOf(made)).toEqual(['CREATE_SERVICE_ACCOUNT']);
  });
});

describe('a service account', () => {
  it('is removed with a record of what it was', async () => {
    const { create, remove, rows } = fixture();
    const { account } = await create(caller, NEW);
    await remove(caller, { id: account.id, version: account.version });
    expect(rows.clients).toEqual([]);
    expect(rows.records[1]).toMatchObject({
      action: 'DELETE_SERVICE_ACCOUNT',
      metadata: { before: { roles: ['service'] }, after: null },
    });
  });

  it('is not created if that cannot be recorded', async () => {
    const { create, rows } = fixture({ recordFails: new Error('no audit') });
    await expect(create(caller, NEW)).rejects.toThrow('no audit');
    expect(rows.clients).toEqual([]);
  });
});
