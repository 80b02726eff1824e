import { expect, it } from '@jest/globals';
import { appliedChange } from './applied-change.ts';

const change = { kind: 'role', name: 'analyst', action: 'create', before: null, after: {} } as const;

it('a change has no invitation and no secret unless it is given one', () => {
  expect(appliedChange(change)).toEqual({ ...change, invitation: null, client_secret: null });
  expect(appliedChange({ ...change, client_secret: 's' }).client_secret).toBe('s');
});
