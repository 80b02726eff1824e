import { describe, expect, it } from '@jest/globals';
import { createLoginThrottle } from './login-throttle.ts';
import type { HoldOutcome, ThrottleKey, Throttles } from './ports.ts';

const ATTEMPT = { tenantName: 'acme', kind: 'user', name: 'Ann', address: '192.0.2.1:4711' } as const;
const LANE = { key: { scope: 'account_at_address', key: 'lane' }, isKnown: false } as const;

const create = (store: Partial<Throttles> = {}) => {
  const clock = { nowMs: 0 };
  const counted: (readonly ThrottleKey[])[] = [];
  const throttle = createLoginThrottle(
    {
      hashKey: async () => Buffer.alloc(32, 1),
      findStates: async () => ({}),
      hold: async () => ({ kind: 'held', hold: 'h' }),
      release: async () => undefined,
      async countFailure(_tenantId, keys) {
        counted.push(keys);
        return 0;
      },
      ...store,
    },
    () => clock.nowMs,
  );
  return { clock, counted, throttle };
};

describe('createLoginThrottle', () => {
  it('has keys that hide the name, ignore its case, and differ by tenant, kind, account and address', async () => {
    const { throttle } = create();
    const keys = await throttle.keysOf(ATTEMPT);
    expect(keys).toMatchObject({ prefix: '192.0.2.1', address: { scope: 'address', key: '192.0.2.1' } });
    expect(await throttle.keysOf({ ...ATTEMPT, name: 'ann' })).toEqual(keys);
    const others = await Promise.all([
      throttle.keysOf({ ...ATTEMPT, tenantName: 'globex' }),
      throttle.keysOf({ ...ATTEMPT, kind: 'client' }),
      throttle.keysOf({ ...ATTEMPT, name: 'bob' }),
    ]);
    const accounts = [keys, ...others].map(({ account }) => account.key);
    expect(new Set(accounts).size).toBe(4);
    expect(JSON.stringify(keys)).not.toMatch(/ann/i);
    const elsewhere = await throttle.keysOf({ ...ATTEMPT, address: '192.0.2.2' });
    expect(elsewhere.account).toEqual(keys.account);
    expect(elsewhere.accountAtAddress).not.toEqual(keys.accountAtAddress);
  });

  it('adds keys for a device cookie, as a hash, and for a session', async () => {
    const keys = await create().throttle.keysOf({ ...ATTEMPT, deviceCookie: 'cookie', sessionId: 's1' });
    expect(keys.device).toEqual({ scope: 'device', key: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(keys.session).toEqual({ scope: 'session', key: 's1' });
    expect(await create().throttle.keysOf(ATTEMPT)).not.toHaveProperty('device');
  });

  it('rejects a blocked attempt with its time, rounded up to 1 to 60 s', () => {
    const { throttle } = create();
    expect(() => throttle.refuseBlocked(0)).not.toThrow();
    const secondsOf = (blockedMs: number): unknown => {
      try {
        throttle.refuseBlocked(blockedMs);
        return undefined;
      } catch (thrown) {
        return Reflect.get(Object(thrown), 'retryAfterSeconds');
      }
    };
    expect([1, 1001, 600_000].map(secondsOf)).toEqual([1, 2, 60]);
  });

  it.each([
    ['few failures', { account: 19, address: 99 }, 0, 0],
    ['20 failures of the account', { account: 20, address: 0 }, 0, 1000],
    ['100 failures of the address', { account: 0, address: 100 }, 0, 1000],
    ['failures before the last 15 minutes', { account: 20, address: 100 }, 15 * 60_000, 0],
  ])('delays an unknown client after %s', (_name, failures, ageMs, delayMs) => {
    const stateOf = (count: number) => ({ failures: count, ageMs, blockedMs: 0 });
    const states = { account: stateOf(failures.account), address: stateOf(failures.address) };
    expect(create().throttle.delayMs(states)).toBe(delayMs);
    expect(create().throttle.delayMs({})).toBe(0);
  });

  it('holds an attempt for 3 s in the time of the database', async () => {
    const expiries: number[] = [];
    const hold: Throttles['hold'] = async (_tenantId, _key, { expiresMs }) => {
      expiries.push(expiresMs);
      return expiries.length === 1 ? { kind: 'held', hold: 'h' } : { kind: 'busy' };
    };
    const { throttle } = create({ hold });
    expect(await throttle.hold('t1', LANE, 500)).toEqual({ kind: 'held', hold: 'h' });
    expect(await throttle.hold('t1', LANE, 600)).toEqual({ kind: 'busy' });
    expect(expiries).toEqual([3500, 3600]);
  });

  it('rejects an attempt that the store blocks, and remembers the block', async () => {
    const blocked: HoldOutcome = { kind: 'blocked', blockedMs: 5000 };
    const { throttle } = create({ hold: async () => blocked });
    await expect(throttle.hold('t1', LANE, 0)).rejects.toMatchObject({ retryAfterSeconds: 5 });
    expect(throttle.memory.blockedMs('lane')).toBe(5000);
  });

  it('never fails to release a hold', async () => {
    const { throttle } = create({ release: () => Promise.reject(new Error('outage')) });
    await expect(throttle.release('t1', LANE, 'h')).resolves.toBeUndefined();
  });

  it('counts a failure of a known client for its lane only, else for account and address', async () => {
    const { throttle, counted } = create();
    const keys = await throttle.keysOf(ATTEMPT);
    await throttle.countFailure('t1', { keys, lane: { ...LANE, isKnown: true }, hold: 'h' });
    expect([counted[0], throttle.memory.failuresOf(keys.prefix)]).toEqual([[LANE.key], 0]);
    await throttle.countFailure('t1', { keys, lane: LANE, hold: 'h' });
    expect(counted[1]).toEqual([keys.account, keys.accountAtAddress, keys.address]);
    expect(throttle.memory.failuresOf(keys.prefix)).toBe(1);
  });

  it('counts failed logins at identity providers by address', async () => {
    const { throttle, counted } = create();
    await throttle.countAddressFailure('t1', '[2001:db8::1]:443');
    expect(counted).toEqual([[{ scope: 'address', key: '2001:db8:0:0::/64' }]]);
    await throttle.delayAddress('t1', '192.0.2.1');
  });
});
