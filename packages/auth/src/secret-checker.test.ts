import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { AttemptQueue } from './attempt-queue.ts';
import type { AttemptKeys, AttemptLane, LoginThrottle } from './login-throttle.ts';
import type { HoldOutcome, SecretStatus } from './ports.ts';
import type { RememberedSecrets } from './remembered-secrets.ts';
import type { SecretAttempt } from './secret-attempt.ts';
import { SecretChecker } from './secret-checker.ts';
import { createThrottleMemory } from './throttle-memory.ts';

const STATUS = {
  tenant: { id: 't', name: 'acme', state: 'active', settings: {} },
  account: { kind: 'user', id: 'ann', name: 'ann@example.com', disabled: false, roles: [], permissions: [] },
  secretHashes: ['old hash', 'new hash'],
  secretIds: ['old', 'new'],
  throttle: {},
  isDeviceKnown: false,
  databaseMs: 5_000,
} as unknown as SecretStatus;
const KEYS: AttemptKeys = {
  prefix: '192.0.2.0/24',
  account: { scope: 'account', key: 'account' },
  address: { scope: 'address', key: 'address' },
  accountAtAddress: { scope: 'account_at_address', key: 'account at address' },
  device: { scope: 'device', key: 'device' },
  session: { scope: 'session', key: 'session' },
};
const ATTEMPT: SecretAttempt = {
  tenantName: 'acme',
  method: 'client_secret',
  name: 'ann@example.com',
  secret: 'new',
  origin: { address: '192.0.2.1', requestId: 'r' },
};

interface Given {
  readonly holds?: readonly HoldOutcome['kind'][];
  readonly matchFails?: Error;
  readonly countFails?: Error;
}

/** One account. Secrets are the names of their hashes. */
function fixture(given: Given = {}) {
  const calls: string[] = [];
  const checked: unknown[] = [];
  const remembered = new Map<string, string>();
  const holds = [...(given.holds ?? ['held'])];
  const throttle = {
    memory: createThrottleMemory({ windowMs: 1_000, now: () => 0 }),
    refuseBlocked: (blockedMs: number) => {
      if (blockedMs > 0) throw new ProblemError('too_many_requests', 'Too many failed attempts.');
    },
    delayMs: () => 0,
    async hold(tenantId: string, { key, isKnown }: AttemptLane, databaseMs: number) {
      calls.push(`hold ${tenantId} ${key.key} ${isKnown}`);
      expect(databaseMs).toBeGreaterThanOrEqual(5_000);
      return { kind: holds.length > 1 ? holds.shift() : holds[0], hold: 'h' };
    },
    release: async (_tenantId: string, { key }: AttemptLane, hold: string) =>
      void calls.push(`release ${key.key} ${hold}`),
    async countFailure(_tenantId: string, { hold }: { hold: string }) {
      calls.push(`count ${hold}`);
      if (given.countFails !== undefined) throw given.countFails;
    },
  } as unknown as LoginThrottle;
  const checker = new SecretChecker({
    throttle,
    queue: new AttemptQueue(),
    passwords: {
      async match(hashes, secret, live) {
        calls.push(`match at most ${live}`);
        if (given.matchFails !== undefined) throw given.matchFails;
        return hashes.find((hash) => hash === `${secret} hash`);
      },
    },
    remembered: {
      find: (key: string, hashes: readonly string[]) => {
        const hash = remembered.get(key);
        return hash !== undefined && hashes.includes(hash) ? hash : undefined;
      },
      add: (key: string, hash: string) => void remembered.set(key, hash),
    } as RememberedSecrets,
    onChecked: (...result) => checked.push(result),
  });
  const check = (attempt: Partial<SecretAttempt> = {}, status: Partial<SecretStatus> = {}) =>
    checker.check({
      attempt: { ...ATTEMPT, ...attempt },
      rememberKey: 'key',
      keys: KEYS,
      status: { ...STATUS, ...status },
      readAtMs: performance.now(),
    });
  return { calls, checked, remembered, check };
}

describe('a right secret', () => {
  it('returns the id of the hash that matched, and releases its hold', async () => {
    const { check, calls, checked, remembered } = fixture();
    expect(await check()).toMatchObject({ account: { id: 'ann' }, secretHash: 'new hash', secretId: 'new' });
    expect(calls).toEqual(['hold t account at address false', 'match at most 2', 'release account at address h']);
    expect([checked, remembered.get('key')]).toEqual([[['client_secret', true]], 'new hash']);
  });

  it.each([
    ['password', 1],
    ['basic', 1],
    ['client_secret', 2],
  ] as const)('of the method %s is compared with at most %i live secrets', async (method, live) => {
    const { check, calls } = fixture();
    await check({ method });
    expect(calls).toContain(`match at most ${live}`);
  });

  it('is not compared again while another attempt verified it, unless it was replaced', async () => {
    const { check, calls } = fixture();
    await check();
    calls.length = 0;
    expect(await check()).toMatchObject({ secretId: 'new' });
    expect(calls).toEqual([]);
    expect(await check({}, { secretHashes: ['other hash'], secretIds: ['other'] })).toBeUndefined();
    expect(calls).toContain('match at most 2');
  });

  it.each([{ account: undefined }, { account: { ...STATUS.account, disabled: true } as never }])(
    'of an account that may not log in is counted like a wrong one: %j',
    async (status) => {
      const { check, calls, checked, remembered } = fixture();
      expect(await check({}, status)).toBeUndefined();
      expect(calls.at(-1)).toBe('count h');
      expect([checked, remembered.size]).toEqual([[['client_secret', false]], 0]);
    },
  );
});

describe('the lane of an attempt', () => {
  const session = { sessionId: 's', accountId: 'ann' };
  it.each<[string, Partial<SecretAttempt>, Partial<SecretStatus>, string]>([
    ['its session', { session }, { isDeviceKnown: true }, 'session true'],
    ['its device', {}, { isDeviceKnown: true }, 'device true'],
    [
      'not the session of another account',
      { session: { ...session, accountId: 'bob' } },
      {},
      'account at address false',
    ],
    ['account and address', {}, {}, 'account at address false'],
  ])('is %s', async (_name, attempt, status, lane) => {
    const { check, calls } = fixture();
    await check(attempt, status);
    expect(calls[0]).toBe(`hold t ${lane}`);
  });

  it('is refused while it is blocked, before anything is held or compared', async () => {
    const { check, calls } = fixture();
    const throttle = { account_at_address: { failures: 5, ageMs: 0, blockedMs: 4_000 } };
    await expect(check({}, { throttle })).rejects.toMatchObject({ code: 'too_many_requests' });
    expect(calls).toEqual([]);
    expect(await check({}, { throttle, isDeviceKnown: true })).toMatchObject({ secretId: 'new' });
  });

  it('is tried again while other hosts verify attempts of it', async () => {
    const { check, calls } = fixture({ holds: ['busy', 'held'] });
    expect(await check()).toMatchObject({ secretId: 'new' });
    expect(calls.filter((call) => call.startsWith('hold'))).toHaveLength(2);
  });
});

describe('a failure', () => {
  it('of the comparison releases the hold, and neither counts nor remembers', async () => {
    const { check, calls, checked, remembered } = fixture({ matchFails: new Error('no memory') });
    await expect(check()).rejects.toThrow('no memory');
    expect(calls.slice(-2)).toEqual(['match at most 2', 'release account at address h']);
    expect([checked, remembered.size]).toEqual([[], 0]);
  });

  it('to count a wrong secret is not reported as a wrong secret', async () => {
    const { check } = fixture({ countFails: new ProblemError('service_unavailable', 'no database') });
    await expect(check({ secret: 'wrong' })).rejects.toMatchObject({ code: 'service_unavailable' });
  });

  it('because the client has disconnected compares and counts nothing', async () => {
    const { check, calls } = fixture();
    await expect(check({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone');
    expect(calls).toEqual([]);
  });
});
