import { describe, expect, it } from '@jest/globals';
import { sessionRecord, signTokens } from './session-subject.ts';

const subject = {
  tenant: { id: 't', name: 'acme', state: 'active', settings: {} },
  account: { kind: 'user', id: 'u', name: 'ann@example.com', roles: ['analyst'] },
  sessionId: 's',
  expires: new Date(90_000),
} as const;

describe('signTokens', () => {
  it('signs both tokens for the session, with the lifetime that the session allows', async () => {
    const signer = {
      signIdentity: async () => '',
      keyId: () => 'k',
      lifetimeSeconds: (expires: Date) => expires.getTime() / 1000,
      sign: async (use: string, signed: object, seconds: number) => JSON.stringify([use, signed, seconds]),
    };
    const tokens = await signTokens(signer, subject, 'refresh');
    const signed = { tenantName: 'acme', account: subject.account, sessionId: 's' };
    expect(tokens).toEqual({
      id_token: JSON.stringify(['id', signed, 90]),
      access_token: JSON.stringify(['access', signed, 90]),
      refresh_token: 'refresh',
      expires_in: 90,
      token_type: 'Bearer',
    });
  });
});

describe('sessionRecord', () => {
  it('names the account as user and target, with the origin of the request', () => {
    const origin = { address: '192.0.2.1', requestId: 'r' };
    const record = {
      tenantId: 't',
      user: 'ann@example.com',
      target: 'ann@example.com',
      action: 'LOGIN',
      sessionId: 's',
    };
    expect(sessionRecord('LOGIN', subject, { origin })).toEqual({ ...record, ...origin });
    const metadata = { method: 'password' };
    expect(sessionRecord('LOGIN', subject, { origin, metadata })).toEqual({ ...record, ...origin, metadata });
  });
});
