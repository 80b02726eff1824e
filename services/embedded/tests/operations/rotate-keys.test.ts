import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { auditProgram, keysProgram, runMigration } from '@sluice/api-host';
import { createAuditSigner } from '@sluice/audit';
import { createSecretBox } from '@sluice/auth';
import { ENCRYPTED_COLUMNS } from '@sluice/store/administration';
import { type OpenIdProvider, send, startOpenIdProvider, until } from '@sluice/testkit';
import { logInBySso, providerInput, runProgramInTest } from '@sluice/testkit/fixtures';
import { type ReplaceableHosts, startReplaceableHosts } from '@sluice/testkit/hosts';
import { idtoken, logIn } from '@sluice/testkit/requests';

const KEYS_MAIN = fileURLToPath(new URL('../../../api-host/dist/commands/keys-main.js', import.meta.url));
const newKey = (): string => randomBytes(32).toString('base64');

let hosts: ReplaceableHosts;
let provider: OpenIdProvider;
beforeAll(async () => {
  hosts = await startReplaceableHosts({ settings: { SSO_PRIVATE_HOSTS: '127.0.0.1:*' } });
  provider = await startOpenIdProvider();
}, 120_000);
afterAll(async () => {
  await hosts[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

/** Sessions with an ID token under the key, more than one page of the command. */
const SESSIONS = 1200;

async function addSessions(key: string): Promise<void> {
  const box = createSecretBox({ current: Buffer.from(key, 'base64') });
  const ids = Array.from({ length: SESSIONS }, () => randomUUID());
  await hosts.rows(
    `insert into sessions (tenant_id, sid, account_kind, account_id, expires, issuer, identity_sealed)
     select $1, sid, 'user', $2, now() + interval '1 hour', 'https://id.example', sealed
     from unnest($3::uuid[], $4::bytea[]) as given (sid, sealed)`,
    [hosts.acme.id, hosts.ann.id, ids, ids.map((id) => box.seal('an ID token', `session ${id}`))],
  );
}

const settings = () => ({ ...hosts.apiSettings() });

/** Runs the command, and kills it when it has reported the first page of sessions. */
async function killRewrap(): Promise<void> {
  const child = spawn(process.execPath, [KEYS_MAIN, 'rewrap'], { env: settings(), stdio: ['ignore', 'pipe', 'pipe'] });
  const closed = once(child, 'close');
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes('sessions.identity_sealed: 500')) child.kill('SIGKILL');
    });
  }
  const [code, signal] = await closed;
  expect({ printed, code, signal }).toMatchObject({ code: null, signal: 'SIGKILL' });
}

const countUnder = async (key: string): Promise<number> => {
  const box = createSecretBox({ current: Buffer.from(key, 'base64') });
  const found = await hosts.rows<{ sid: string; sealed: Buffer }>(
    'select sid, identity_sealed as sealed from sessions where identity_sealed is not null',
  );
  const opens = ({ sid, sealed }: (typeof found)[number]): boolean => {
    try {
      box.open(sealed, `session ${sid}`);
      return true;
    } catch {
      return false;
    }
  };
  return found.filter(opens).length;
};

/**
 * Binary columns that hold no value under the master key. A new one belongs here, or to ENCRYPTED_COLUMNS if the master key encrypts it:
 * the rotation would otherwise lose its values.
 */
const OTHER_BINARY_COLUMNS = {
  digests: [
    ...['audit_chain.hash', 'catalog_tables.columns_digest', 'idempotency_keys.request_digest', 'search_counts.digest'],
    ...['invitations.token_hash', 'login_devices.token_hash', 'refresh_tokens.token_hash', 'sessions.cookie_hash'],
    ...['login_transactions.cookie_hash', 'login_transactions.state_hash', 'authorization_codes.code_hash'],
    ...['device_authorizations.device_hash', 'device_authorizations.user_code_hash', 'oauth_clients.secret_hash'],
    ...['logout_tokens.token_hash', 'client_assertions.jti_hash', 'external_logins.secret_hash'],
  ],
  'keys and signatures': ['audit_checkpoints.signature', 'audit_keys.public_key', 'login_throttle_key.key'],
  'under a key of the stream hosts': ['kept_results.wrapped_key', 'kept_results.request_key'],
  'under a key that only a token of the client yields': [
    ...['login_transactions.sealed', 'refresh_tokens.replay', 'external_logins.replay'],
  ],
};

const verifyLog = (environment: Record<string, string> = {}) =>
  runProgramInTest(auditProgram, ['verify'], { DATABASE_URL: hosts.database.ownerUrl, ...environment });

const rewrap = (environment: Record<string, string> = {}) =>
  runProgramInTest(keysProgram, ['rewrap'], { ...settings(), ...environment });

/** Waits until the hosts have signed a checkpoint with this key that covers every record. */
const untilSealedBy = (publicKey: string) =>
  until(
    async () => {
      const [newest] = await hosts.rows<{ sealed: boolean }>(
        `select key_id = (select key_id from audit_keys where public_key = decode($1, 'base64')) as sealed
         from audit_checkpoints where tenant_id = $2 order by number desc limit 1`,
        [publicKey, hosts.acme.id],
      );
      return newest?.sealed === true ? true : undefined;
    },
    { what: 'a checkpoint by the new key', withinMs: 30_000 },
  );

describe('the master key', () => {
  it('encrypts the listed columns and no other binary column of the database', async () => {
    const columns = await hosts.rows<{ name: string }>(
      `select c.relname || '.' || a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
       join pg_type t on t.oid = a.atttypid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0
         and not a.attisdropped and (t.typname in ('bytea', '_bytea') or a.attname ~ 'sealed|encrypted|cipher')`,
    );
    const known = [
      ...ENCRYPTED_COLUMNS.map(({ table, column }) => `${table}.${column}`),
      ...Object.values(OTHER_BINARY_COLUMNS).flat(),
    ];
    expect(columns.map(({ name }) => name).sort()).toEqual(known.sort());
  });

  it('is rotated under load, also by a command that is killed, and its previous key can go', async () => {
    const before = settings()['SLUICE_MASTER_KEY'] ?? '';
    const after = newKey();
    const admin = await hosts.build.user(hosts.acme, { roles: ['admin'] });
    const { id_token: token } = await logIn({ api: { url: hosts.apiUrl } }, admin);
    const saved = await send(`${hosts.apiUrl}/admin/identity-provider`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...idtoken(token) },
      body: JSON.stringify(providerInput(provider, { create_users: true })),
    });
    expect(saved.status).toBe(200);
    provider.person = { sub: 'newcomer', email: 'newcomer@acme.example', email_verified: true };
    const session = await logInBySso({ url: hosts.apiUrl });
    expect(session.status).toBe(200);
    await addSessions(before);
    const load = hosts.startLoad();
    await hosts.replaceApis({ SLUICE_MASTER_KEY_PREVIOUS: after });
    await hosts.replaceApis({ SLUICE_MASTER_KEY: after, SLUICE_MASTER_KEY_PREVIOUS: before });
    await killRewrap();
    const [old, renewed] = [await countUnder(before), await countUnder(after)];
    expect([old > 0, renewed > 0]).toEqual([true, true]);
    const { code, stdout } = await rewrap();
    expect(code).toBe(0);
    expect(stdout).toContain('Every stored value is under SLUICE_MASTER_KEY.');
    expect(stdout).not.toContain(after);
    expect([await countUnder(before), (await countUnder(after)) >= SESSIONS]).toEqual([0, true]);
    await hosts.replaceApis({ SLUICE_MASTER_KEY_PREVIOUS: undefined });
    // Every value is used once more: the signing keys, the secret of the client, and the ID token of the session.
    expect((await send(`${hosts.apiUrl}/admin/users`, { headers: idtoken(token) })).status).toBe(200);
    expect((await logInBySso({ url: hosts.apiUrl })).status).toBe(200);
    const left = await send(`${hosts.apiUrl}/auth/logout/acme`, { headers: idtoken(session.body.id_token) });
    expect([left.status, left.headers.location]).toEqual([302, expect.stringContaining('id_token_hint=')]);
    expect(await load.stop()).toEqual([]);
    expect(load.count()).toBeGreaterThan(10);
  });

  it('is not rotated without its previous key, or with another one', async () => {
    expect(await rewrap()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('SLUICE_MASTER_KEY_PREVIOUS must be the key that the stored values'),
    });
    const [current, other] = [settings()['SLUICE_MASTER_KEY'] ?? '', newKey()];
    const otherKeys = { SLUICE_MASTER_KEY: other, SLUICE_MASTER_KEY_PREVIOUS: newKey() };
    expect(await rewrap(otherKeys)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('values are under neither key'),
    });
    expect(await countUnder(current)).toBeGreaterThanOrEqual(SESSIONS);
  });
});

describe('the audit key', () => {
  it('is rotated under load, and the chain is verified with every public key that was used', async () => {
    const key = newKey();
    const publicKey = Buffer.from(createAuditSigner(Buffer.from(key, 'base64')).publicKey).toString('base64');
    const load = hosts.startLoad();
    await hosts.replaceApis({ AUDIT_SIGNING_KEY: key });
    await untilSealedBy(publicKey);
    expect(await load.stop()).toEqual([]);
    expect(await verifyLog()).toMatchObject({ code: 0, stdout: expect.stringContaining('are verified.') });
    const published = await hosts.rows<{ key: string }>(`select encode(public_key, 'base64') as key from audit_keys`);
    const keys = published.map((each) => each.key);
    expect(keys.length).toBeGreaterThan(1);
    expect(await verifyLog({ AUDIT_PUBLIC_KEYS: keys.join(',') })).toMatchObject({ code: 0 });
    expect(await verifyLog({ AUDIT_PUBLIC_KEYS: publicKey })).toMatchObject({ code: 1 });
  });
});

describe('the passwords of the database roles', () => {
  it('are rotated under load by a second pair of roles, and the first pair can go', async () => {
    const { database } = hosts;
    const suffix = randomBytes(4).toString('hex');
    const urlOf = (before: string, role: string): string => {
      const url = new URL(before);
      url.username = `${role}_${suffix}`;
      url.password = randomBytes(12).toString('hex');
      return url.href;
    };
    const [apiUrl, streamUrl] = [urlOf(database.apiUrl, 'api'), urlOf(database.streamUrl, 'stream')];
    const load = hosts.startLoad();
    try {
      await runMigration({
        DATABASE_OWNER_URL: database.ownerUrl,
        API_DATABASE_URL: apiUrl,
        STREAM_DATABASE_URL: streamUrl,
      });
      await hosts.replaceApis({ DATABASE_URL: apiUrl });
      await hosts.replaceStream({ DATABASE_URL: streamUrl });
      // PostgreSQL ends the sessions of a stopped host a little later.
      await until(
        async () => {
          const users = await hosts.rows<{ name: string }>(
            `select distinct usename as name from pg_stat_activity
             where datname = current_database() and application_name ~ '^sluice-(api|stream)' order by 1`,
          );
          return users.map(({ name }) => name).join() === `api_${suffix},stream_${suffix}` ? true : undefined;
        },
        { what: 'the end of the sessions of the old roles', withinMs: 60_000 },
      );
      for (const role of [database.apiRole, database.streamRole]) await hosts.rows(`drop owned by ${role.name}`);
      await load.settled();
      expect(await load.stop()).toEqual([]);
    } finally {
      await load.stop();
    }
  });
});
