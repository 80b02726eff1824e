import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import type { RouteResponse } from '@sluice/http';
import { invitationForm, invitationNotFound } from './invitation-form.ts';
import { linkForm, linkProblem } from './link-form.ts';
import { formTargetsOf, loginForm } from './login-form.ts';

const language = 'en';
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
    const problem = new ProblemError('unauthorized', 'Wrong.');
    const returnTo = ATTACK.replace('"', '/');
    const response = loginForm({ tenant, language, hasProvider: true, returnTo, email: ATTACK, problem });
    expect(response.status).toBe(401);
    expect(response.headers).toHaveProperty('www-authenticate', 'Bearer realm="sluice"');
    expect(textOf(response)).not.toContain('<script');
    expect(textOf(response)).toContain('role="alert"');
  });

  it('has the focus in the first field to fill in or to correct', () => {
    const form = { tenant, language, hasProvider: false, returnTo: undefined } as const;
    expect(textOf(loginForm(form))).toMatch(/id="email"[^>]* autofocus/);
    expect(textOf(loginForm({ ...form, email: 'a@b.example' }))).toMatch(/id="password"[^>]* autofocus/);
  });

  it.each([
    ['en', 'Sign in with acme’s provider'],
    ['de', 'Über den Identitätsanbieter von acme anmelden'],
    ['fr', 'Se connecter avec le fournisseur d’identité de acme'],
    ['es', 'Iniciar sesión con el proveedor de identidad de acme'],
  ] as const)('offers the provider of the tenant, if it has one, and leads back (%s)', (inLanguage, text) => {
    const form = { tenant, language: inLanguage, returnTo: '/console/?a=b&c' } as const;
    const shown = textOf(loginForm({ ...form, hasProvider: true }));
    expect(shown).toContain(
      `<a href="/auth/login/acme?with=provider&amp;return_to=%2Fconsole%2F%3Fa%3Db%26c">${text}</a>`,
    );
    expect(shown).toContain(`<html lang="${inLanguage}">`);
    expect(textOf(loginForm({ ...form, hasProvider: false }))).not.toContain('/auth/login/acme');
  });

  it('lets the form redirect to the origin of return_to only if that is another host', () => {
    expect(formTargetsOf(undefined)).toEqual([]);
    expect(formTargetsOf('/start')).toEqual([]);
    expect(formTargetsOf('https://app.example.com/start?a=b')).toEqual(['https://app.example.com']);
  });
});

describe('linkForm', () => {
  it('asks for the password, and explains how another admin links the account', () => {
    const response = linkForm({ tenant, language, link: linkOf(true), token: 'token' });
    expect(response.status).toBe(linkProblem(linkOf(true)).status);
    expect(textOf(response)).toContain('name="password"');
    expect(textOf(response)).toContain('/admin/users/u/link-identity');
    expect(textOf(response)).not.toContain('<script');
  });

  it('has no form for an account without a password', () => {
    expect(textOf(linkForm({ tenant, language, link: linkOf(false), token: 'token' }))).not.toContain('<form');
  });

  it('shows the error of the last attempt, with its Retry-After', () => {
    const problem = new ProblemError('too_many_requests', 'Wait.', { retryAfterSeconds: 7 });
    const response = linkForm({ tenant, language, link: linkOf(true), token: 'token', problem });
    expect(response.status).toBe(429);
    expect(response.headers).toHaveProperty('retry-after', '7');
  });
});

describe('invitationForm', () => {
  it('asks for an e-mail only if the invitation has none', () => {
    expect(textOf(invitationForm({ tenant, language, token: 't', email: null }))).toContain('name="email"');
    expect(textOf(invitationForm({ tenant, language, token: 't', email: ATTACK }))).not.toContain('name="email"');
    expect(textOf(invitationForm({ tenant, language, token: ATTACK, email: ATTACK }))).not.toContain('<script');
  });

  it('shows an unknown invitation as a page, and throws any other error', () => {
    expect(invitationNotFound({ tenant, language }, new ProblemError('not_found', 'Unknown.')).status).toBe(404);
    const other = new ProblemError('service_unavailable', 'Later.');
    expect(() => invitationNotFound({ tenant, language }, other)).toThrow(other);
  });
});
