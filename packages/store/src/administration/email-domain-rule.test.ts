import { describe, expect, it } from '@jest/globals';
import { emailDomainProblem, isAllowedEmail } from './email-domain-rule.ts';

describe('isAllowedEmail', () => {
  it('allows any domain without a list, and none with an empty list', () => {
    expect(isAllowedEmail(null, 'ann@acme.example')).toBe(true);
    expect(isAllowedEmail([], 'ann@acme.example')).toBe(false);
  });

  it.each([
    ['ann@acme.example', true],
    ['ann@eu.acme.example', false],
    ['ann@notacme.example', false],
    ['ann@acme.example.evil.example', false],
    ['"@acme.example"@evil.example', false],
    ['"@evil.example"@acme.example', true],
  ])('compares the whole domain after the last @: %s', (email, isAllowed) => {
    expect(isAllowedEmail(['acme.example', 'globex.example'], email)).toBe(isAllowed);
  });
});

describe('emailDomainProblem', () => {
  it('names the domain and the location of the e-mail', () => {
    const message = 'The e-mail domain evil.example is not allowed in this tenant. Ask the operator to allow it.';
    expect(emailDomainProblem('ann@evil.example', 'body.users[1]')).toMatchObject({
      code: 'invalid_request',
      message,
      details: [{ path: 'body.users[1]', message }],
    });
  });
});
