import { describe, expect, it } from '@jest/globals';
import { passwordSignInPath } from './password-sign-in-path.ts';

const tenant = { id: '1', name: 'acme', state: 'active', settings: {} } as const;

describe('passwordSignInPath', () => {
  it('passes return_to on, encoded', () => {
    expect(passwordSignInPath(tenant, undefined)).toBe('/auth/sign-in/acme');
    const path = passwordSignInPath(tenant, '/a?b=c&d#e');
    expect(new URL(path, 'https://api.example.com').searchParams.get('return_to')).toBe('/a?b=c&d#e');
  });
});
