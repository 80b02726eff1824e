import { expect, it } from '@jest/globals';
import { narrowPermissions } from './permission.ts';

it('narrowPermissions adds nothing that the account does not have', () => {
  expect(narrowPermissions(['query:run', 'admin'], ['query:run', 'audit:read'])).toEqual(['query:run']);
  expect(narrowPermissions(['query:run'], [])).toEqual([]);
  expect(narrowPermissions(['query:run'], undefined)).toEqual(['query:run']);
});
