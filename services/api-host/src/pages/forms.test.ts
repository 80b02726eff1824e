import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { RouteResponse } from '@sluice/http';
import { invitationForm, invitationNotFound } from './invitation-form.ts';
import { linkForm, linkProblem } from './link-form.ts';
import { formTargetsOf, loginForm } from './login-form.ts';

const tenant = { id: '1', name: 'acme', state: 'active', settings: {} } as const;
const ATTACK = '"><script>alert(1)</script>';

const textOf = (response: RouteResponse): string =>
  response.kind === 'body' ? new TextDecoder().decode(response.body) : '';

const linkOf = (hasPassword: boolean) => ({
  user: { id: 'u', email: 'boss@example.com', has_password: hasPassword },
  identity: { issuer: 'https://idp.example.com', subject: ATTACK, idToken: 't', claims: {} },
  returnTo: 'https://app.example.com/start',
});

describe('loginForm', () => {
  it('keeps the e-mail and the address of the last attempt, escaped, and shows its error', () => {
    const problem = { status: 401, message: ATTACK, headers: { 'www-authenticate': 'Bearer' } };
    const response = loginForm({ tenant, returnTo: ATTACK.replace('"', '/'), email: ATTACK, problem });
    expect(response.status).toBe(401);
    expect(response.headers).toHaveProperty('www-authenticate', 'Bearer');
    expect(textOf(response)).not.toContain('<script');
    expect(textOf(response)).toContain('role="alert"');
  });

  it('lets the form redirect to the origin of return_to only if that is another host', () => {
    expect(formTargetsOf(undefined)).toEqual([]);
    expect(formTargetsOf('/start')).toEqual([]);
    expect(formTargetsOf('https://app.example.com/start?a=b')).toEqual(['https://app.example.com']);
  });
});

describe('linkForm', () => {
  it('asks for the password, and explains how another admin links the account', () => {
    const response = linkForm({ tenant, link: linkOf(true), token: 'token' });
    expect(response.status).toBe(linkProblem(linkOf(true)).status);
    expect(textOf(response)).toContain('name="password"');
    expect(textOf(response)).toContain('/admin/users/u/link-identity');
    expect(textOf(response)).not.toContain('<script');
  });

  it('has no form for an account without a password', () => {
    expect(textOf(linkForm({ tenant, link: linkOf(false), token: 'token' }))).not.toContain('<form');
  });

  it('shows the error of the last attempt, with its Retry-After', () => {
    const problem = new ProblemError('too_many_requests', 'Wait.', { retryAfterSeconds: 7 });
    const response = linkForm({ tenant, link: linkOf(true), token: 'token', problem });
    expect(response.status).toBe(429);
    expect(response.headers).toHaveProperty('retry-after', '7');
  });
});

describe('invitationForm', () => {
  it('asks for an e-mail only if the invitation has none', () => {
    expect(textOf(invitationForm({ tenant, token: 't', email: null }))).toContain('name="email"');
    expect(textOf(invitationForm({ tenant, token: 't', email: ATTACK }))).not.toContain('name="email"');
    expect(textOf(invitationForm({ tenant, token: ATTACK, email: ATTACK }))).not.toContain('<script');
  });

  it('shows an unknown invitation as a page, and throws any other error', () => {
    expect(invitationNotFound(tenant, new ProblemError('not_found', 'Unknown.')).status).toBe(404);
    const other = new ProblemError('service_unavailable', 'Later.');
    expect(() => invitationNotFound(tenant, other)).toThrow(other);
  });
});
