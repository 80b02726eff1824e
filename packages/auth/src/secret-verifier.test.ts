import { beforeAll, describe, expect, it } from '@jest/globals';
import type { AuditRecord, Tenant } from '@sluice/contract';
import { createLoginThrottle } from './login-throttle.ts';
import { createNameDigest } from './name-digest.ts';
import { createPasswords } from './passwords.ts';
import type { AccountStatus, SecretStatus, Throttles } from './ports.ts';
import type { SecretAttempt } from './secret-attempt.ts';
import { createSecretVerifier } from './secret-verifier.ts';

const TENANT: Tenant = { id: 't1', name: 'acme', state: 'active', settings: {} };
const ANN: AccountStatus = {
  kind: 'user',
  id: 'id of ann',
  name: 'ann@example.com',
  disabled: false,
  roles: [],
  permissions: [],
};
const ATTEMPT: SecretAttempt = {
  tenantName: 'acme',
  method: 'password',
  name: 'Ann@Example.com',
  secret: 'right',
  origin: { address: '192.0.2.1', requestId: 'r1' },
};

const passwords = createPasswords({ memoryKib: 8, passes: 1 });
let hash: string;
beforeAll(async () => {
  hash = await passwords.hash('right');
});

/** Keeps holds and failures in memory and never blocks. */
const createThrottles = () => {
  const log: string[] = [];
  const store: Throttles = {
    hashKey: async () => Buffer.alloc(32, 1),
    findStates: async () => ({}),
    async hold() {
      log.push('hold');
      return { kind: 'held', hold: 'h' };
    },
    release: async () => void log.push('release'),
    async countFailure() {
      log.push('failure');
      return 0;
    },
  };
  return { store, log };
};

const create = (status: Partial<SecretStatus> = {}) => {
  const clock = { nowMs: 0 };
  const { store, log } = createThrottles();
  const records: AuditRecord[] = [];
  const checked: boolean[] = [];
  const failedNames: string[] = [];
  let reads = 0;
  const read = async (): Promise<SecretStatus> => {
    reads += 1;
    return {
      tenant: TENANT,
      account: ANN,
      secretHashes: [hash],
      secretIds: ['s1'],
      throttle: {},
      isDeviceKnown: false,
      databaseMs: 0,
      ...status,
    };
  };
  const verifier = createSecretVerifier({
    authStatus: { ofUser: read, ofClient: read },
    throttle: createLoginThrottle(store, () => clock.nowMs),
    passwords,
    audit: { append: async (record) => void records.push(record) },
    nameDigest: createNameDigest(Buffer.alloc(32, 2)),
    onFailed: ({ name }) => failedNames.push(name),
    onChecked: (_method, isRight) => checked.push(isRight),
    now: () => clock.nowMs,
  });
  return { verifier, clock, log, records, checked, failedNames, reads: () => reads };
};

describe('createSecretVerifier', () => {
  it('returns the account and the id of the matching secret', async () => {
    const { verifier, log, records } = create();
    expect(await verifier.verify(ATTEMPT)).toEqual({ tenant: TENANT, account: ANN, secretHash: hash, secretId: 's1' });
    expect([log, records]).toEqual([['hold', 'release'], []]);
  });

  it('hashes a right secret once in 5 s', async () => {
    const { verifier, clock, checked } = create();
    await verifier.verify(ATTEMPT);
    clock.nowMs = 4999;
    await verifier.verify({ ...ATTEMPT, name: 'ann@example.com' });
    expect(checked).toEqual([true]);
    clock.nowMs = 5000;
    await verifier.verify(ATTEMPT);
    expect(checked).toEqual([true, true]);
  });

  it('rejects, counts and records a wrong secret of a known account', async () => {
    const { verifier, log, records, checked, failedNames } = create();
    await expect(verifier.verify({ ...ATTEMPT, secret: 'wrong' })).rejects.toMatchObject({ code: 'unauthorized' });
    expect([log, checked, failedNames]).toEqual([['hold', 'failure'], [false], ['ann@example.com']]);
    expect(records).toEqual([
      {
        tenantId: 't1',
        user: 'ann@example.com',
        action: 'LOGIN_FAILED',
        target: 'ann@example.com',
        metadata: { method: 'password' },
        address: '192.0.2.1',
        requestId: 'r1',
      },
    ]);
  });

  it('records the digest of an unknown name instead of the name', async () => {
    const { verifier, records, failedNames } = create({ account: undefined, secretHashes: [], secretIds: [] });
    await expect(verifier.verify(ATTEMPT)).rejects.toThrow('The e-mail or the password is wrong.');
    const digest = createNameDigest(Buffer.alloc(32, 2))('t1', 'ann@example.com');
    expect(records[0]).toMatchObject({
      user: 'unknown',
      target: digest,
      metadata: { method: 'password', name_digest: digest },
    });
    expect([failedNames, JSON.stringify(records)]).toEqual([['unknown'], expect.not.stringContaining('ann@')]);
  });

  it('rejects the right secret of a disabled account like a wrong one', async () => {
    const { verifier, log } = create({ account: { ...ANN, disabled: true } });
    await expect(verifier.verify(ATTEMPT)).rejects.toThrow('The e-mail or the password is wrong.');
    expect(log).toEqual(['hold', 'failure']);
  });

  it('rejects a client with the code of RFC 6749', async () => {
    const { verifier } = create({ account: undefined });
    await expect(verifier.verify({ ...ATTEMPT, method: 'client_secret' })).rejects.toMatchObject({
      code: 'invalid_client',
    });
  });

  it('neither counts nor records an attempt whose client has disconnected', async () => {
    const { verifier, log, records } = create();
    const signal = AbortSignal.abort(new Error('gone'));
    await expect(verifier.verify({ ...ATTEMPT, signal })).rejects.toThrow('gone');
    expect([log, records]).toEqual([[], []]);
  });

  it('rejects a blocked attempt before it compares the secret', async () => {
    const throttle = { account_at_address: { failures: 5, ageMs: 0, blockedMs: 4000 } };
    const { verifier, checked, records } = create({ throttle });
    await expect(verifier.verify(ATTEMPT)).rejects.toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 4 });
    expect([checked, records]).toEqual([[], []]);
  });

  it('does not block a client with a known session or device for failures of others', async () => {
    const throttle = { account_at_address: { failures: 5, ageMs: 0, blockedMs: 4000 } };
    const session = { sessionId: 'session', accountId: 'id of ann' };
    expect((await create({ throttle }).verifier.verify({ ...ATTEMPT, session })).account).toBe(ANN);
    const deviceCookie = 'x'.repeat(43);
    const device = create({ throttle, isDeviceKnown: true });
    expect((await device.verifier.verify({ ...ATTEMPT, deviceCookie })).account).toBe(ANN);
    const other = { sessionId: 'session', accountId: 'another account' };
    await expect(create({ throttle }).verifier.verify({ ...ATTEMPT, session: other })).rejects.toMatchObject({
      code: 'too_many_requests',
    });
  });
});
