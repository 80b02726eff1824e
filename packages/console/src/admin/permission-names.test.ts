import { expect, it } from '@jest/globals';
import { PERMISSIONS } from '@sluice/contract';
import { PERMISSION_NAMES } from './permission-names.ts';

it('has every permission of the interface', () => {
  expect(PERMISSION_NAMES).toEqual(Object.keys(PERMISSIONS));
});
