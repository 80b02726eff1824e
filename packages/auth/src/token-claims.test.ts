import { expect, it } from '@jest/globals';
import { apiAudienceOf, issuerOf, TOKEN_TYPES } from './token-claims.ts';

it('an issuer has the name of the tenant wherever the template has it', () => {
  const names = { issuerTemplate: 'https://{tenant}.example.com/{tenant}', audience: 'sluice' };
  expect(issuerOf(names, 'acme')).toBe('https://acme.example.com/acme');
});

it('the API host has an audience of its own, and each use a type of its own', () => {
  expect(apiAudienceOf('sluice')).toBe('sluice-api');
  expect(TOKEN_TYPES.id).not.toBe(TOKEN_TYPES.access);
});
