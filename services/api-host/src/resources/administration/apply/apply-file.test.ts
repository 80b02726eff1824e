import { describe, expect, it } from '@jest/globals';
import { createSecretBox } from '@sluice/auth';
import type { Configuration } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import {
  createInMemoryAdministration,
  storedProvider,
  storedRole,
  storedUser,
} from '../../../../tests/administration/in-memory-administration.ts';
import { createInMemoryContent } from '../../../../tests/administration/in-memory-content.ts';
import { applyFile } from './apply-file.ts';

const caller = buildCaller('me', ['admin']);
const ISSUER = 'https://idp.example.com';
const { signal } = new AbortController();

function fixture() {
  const rows = {
    users: [storedUser('me@example.com', ['admin'])],
    roles: [storedRole('admin', ['admin'])],
    provider: storedProvider({ issuer: ISSUER }),
  };
  const memory = createInMemoryAdministration(rows, createInMemoryContent().tx.datamaps);
  const calls: string[] = [];
  const { database } = memory;
  const context: Parameters<typeof applyFile>[0] = {
    database: {
      ...database,
      change: (by, work) => {
        calls.push('transaction');
        return database.change(by, work);
      },
      dryRun: (by, work) => {
        calls.push('transaction');
        return database.dryRun(by, work);
      },
    },
    clientKeys: { checkKeys: () => undefined, checkAddress: () => undefined },
    passwords: {
      async hash(secret) {
        calls.push('hash');
        return `hash of ${secret}`;
      },
    },
    makeInvitation: ({ tenantName, baseUrl }) => ({
      shown: { url: `${baseUrl}/auth/invitation/${tenantName}`, token: 'x', expires_ts: 1 },
      stored: { tokenHash: new Uint8Array(32), expires: new Date(1) },
    }),
    async describeSql() {
      calls.push('describe');
      return { columns: [], reads: [] };
    },
    oidc: { checkIssuer: async (issuer) => void calls.push(`check ${issuer}`) },
    box: createSecretBox({ current: new Uint8Array(32) }),
    sessionLifetimeMs: 36_000_000,
  };
  const send = (file: object) =>
    applyFile(context, caller, { file: file as Configuration, baseUrl: 'https://api.example.com', signal });
  return { ...memory, calls, send };
}

const FILE = {
  users: [{ email: 'ann@example.com' }],
  service_accounts: [{ client_id: 'etl' }],
  datamaps: [{ name: 'ones', sql: 'SELECT 1' }],
};

describe('a file', () => {
  it('is applied in one transaction, after everything slow, and its counts are recorded', async () => {
    const { send, rows, calls } = fixture();
    const applied = await send(FILE);
    expect(calls).toEqual(['hash', 'describe', 'transaction']);
    expect(applied).toMatchObject({ dry_run: false, created_count: 3, updated_count: 0, unchanged_count: 0 });
    const [user, client] = applied.changes;
    expect(user?.invitation?.url).toBe('https://api.example.com/auth/invitation/acme');
    expect(client?.client_secret).toMatch(/^[\w-]{43}$/);
    expect(rows.records.at(-1)).toMatchObject({
      action: 'APPLY_CONFIGURATION',
      target: 'administration',
      metadata: { dry_run: false, created_count: 3 },
    });
    expect(JSON.stringify(rows.records)).not.toContain(client?.client_secret);
  });

  it('that is applied again changes nothing, and makes no secret', async () => {
    const { send, rows, calls } = fixture();
    await send(FILE);
    expect(await send(FILE)).toMatchObject({ created_count: 0, updated_count: 0, unchanged_count: 3 });
    expect(calls.filter((call) => call === 'hash')).toHaveLength(1);
    expect(rows.clients).toHaveLength(1);
  });

  it('as a dry run changes nothing and shows no secret, but is recorded', async () => {
    const { send, rows } = fixture();
    const applied = await send({ ...FILE, dry_run: true });
    expect(applied).toMatchObject({ dry_run: true, created_count: 3 });
    expect(applied.changes.map(({ invitation, client_secret }) => [invitation, client_secret])).toEqual([
      [null, null],
      [null, null],
      [null, null],
    ]);
    expect([rows.users.length, rows.clients.length]).toEqual([1, 0]);
    expect(rows.records).toMatchObject([{ action: 'APPLY_CONFIGURATION', metadata: { dry_run: true } }]);
  });

  it('has its identity provider checked only if the issuer is new', async () => {
    const { send, calls } = fixture();
    const provider = { client_id: 'sluice', client_secret: null };
    await send({ identity_provider: { ...provider, issuer: ISSUER } });
    expect(calls).not.toContain(`check ${ISSUER}`);
    await send({ identity_provider: { ...provider, issuer: 'https://other.example.com' } });
    expect(calls).toContain('check https://other.example.com');
  });

  it('that would leave the tenant without an admin is rejected, and nothing is applied', async () => {
    const { send, rows } = fixture();
    const file = { users: [{ email: 'me@example.com', disabled: true }, { email: 'ann@example.com' }] };
    await expect(send(file)).rejects.toMatchObject({ code: 'conflict' });
    expect([rows.users.length, rows.records]).toEqual([1, []]);
  });
});
