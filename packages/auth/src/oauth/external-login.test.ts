import { describe, expect, it } from '@jest/globals';
import { hashOpaqueToken } from '../opaque-token.ts';
import { createValueSeal } from '../value-seal.ts';
import { createExternalLogins, EXTERNAL_LOGIN_LIFETIME_MS } from './external-login.ts';

const CLIENT = { address: '198.51.100.7', program: 'trino-jdbc' };
const sealOf = (byte: number) => createValueSeal({ current: new Uint8Array(32).fill(byte) });

let nowMs = 1_700_000_000_000;
const logins = createExternalLogins({ seal: async () => sealOf(1), now: () => nowMs });

describe('createExternalLogins', () => {
  it('seals the client and the time of a login, and the hash of its secret', async () => {
    const { secret, login } = await logins.begin('acme', CLIENT);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(login).toMatch(/^[\w-]+$/);
    expect(login).not.toContain(secret);
    expect(await logins.open('acme', login)).toEqual({
      ...CLIENT,
      createdMs: nowMs,
      secretHash: hashOpaqueToken(secret),
    });
  });

  it('draws another secret for each login', async () => {
    const begun = await Promise.all(Array.from({ length: 100 }, () => logins.begin('acme', CLIENT)));
    expect(new Set(begun.map(({ secret }) => secret)).size).toBe(100);
  });

  it('opens nothing that is changed, of another tenant, or sealed with another key', async () => {
    const { login } = await logins.begin('acme', CLIENT);
    const forged = await createExternalLogins({ seal: async () => sealOf(2), now: () => nowMs }).begin('acme', CLIENT);
    const last = login.endsWith('A') ? 'B' : 'A';
    for (const each of ['', 'x', `${login}A`, login.slice(0, -1) + last, login.slice(0, 43), forged.login]) {
      expect(await logins.open('acme', each)).toBeUndefined();
    }
    expect(await logins.open('globex', login)).toBeUndefined();
  });

  it('opens a login for five minutes, and not before it began', async () => {
    const { login } = await logins.begin('acme', CLIENT);
    const beganMs = nowMs;
    const opensAfter = async (ms: number): Promise<boolean> => {
      nowMs = beganMs + ms;
      return (await logins.open('acme', login)) !== undefined;
    };
    expect(await opensAfter(EXTERNAL_LOGIN_LIFETIME_MS)).toBe(true);
    expect(await opensAfter(EXTERNAL_LOGIN_LIFETIME_MS + 1)).toBe(false);
    expect(await opensAfter(-30_000)).toBe(true);
    expect(await opensAfter(-30_001)).toBe(false);
    nowMs = beganMs;
  });

  it('keeps of a name only what a page shows as it is', async () => {
    const { login } = await logins.begin('acme', { ...CLIENT, program: `\u202eDBeaver\n\0 ${'x'.repeat(200)}` });
    expect((await logins.open('acme', login))?.program).toBe(`DBeaver ${'x'.repeat(72)}`);
  });
});
