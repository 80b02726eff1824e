import { describe, expect, it } from '@jest/globals';
import { type CurrentUser, nextSessionState, type SessionState } from './session-state.ts';

const USER = { id: 'u' } as CurrentUser;
const ERROR = new Error('no connection');
const ACTIVE: SessionState = { status: 'active', user: USER };
const EXPIRED: SessionState = { status: 'ended', user: USER, end: 'expired' };

describe('nextSessionState', () => {
  it.each([
    ['starting', { status: 'starting' }, 'signed-out', 'unreachable'],
    ['signed-out', { status: 'signed-out' }, 'signed-out', 'unreachable'],
    ['unreachable', { status: 'unreachable', error: ERROR }, 'signed-out', 'unreachable'],
    ['active', ACTIVE, 'ended', 'active'],
    ['ended', EXPIRED, 'ended', 'ended'],
  ] as const)('of %s: without a session, and after a failed check', (_name, state, withoutSession, afterFailure) => {
    expect(nextSessionState(state, { kind: 'no-session' }).status).toBe(withoutSession);
    expect(nextSessionState(state, { kind: 'signed-out-elsewhere' }).status).toBe(withoutSession);
    expect(nextSessionState(state, { kind: 'failed', error: ERROR }).status).toBe(afterFailure);
    expect(nextSessionState(state, { kind: 'user-read', user: USER })).toEqual(ACTIVE);
  });

  it('keeps the user at an end, and hides an expired page after a sign-out for good', () => {
    const signedOut: SessionState = { status: 'ended', user: USER, end: 'signed-out' };
    expect(nextSessionState(ACTIVE, { kind: 'no-session' })).toEqual(EXPIRED);
    expect(nextSessionState(EXPIRED, { kind: 'no-session' })).toBe(EXPIRED);
    expect(nextSessionState(EXPIRED, { kind: 'signed-out-elsewhere' })).toEqual(signedOut);
    expect(nextSessionState(signedOut, { kind: 'no-session' })).toBe(signedOut);
  });
});
