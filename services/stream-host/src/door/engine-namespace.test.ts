import { expect, it } from '@jest/globals';
import { engineNamespace } from './engine-namespace.ts';

it.each([
  [
    { catalog: 'system', schema: undefined },
    { catalog: undefined, schema: undefined },
  ],
  [
    { catalog: 'SYSTEM', schema: undefined },
    { catalog: undefined, schema: undefined },
  ],
  [
    { catalog: 'system', schema: 'runtime' },
    { catalog: 'system', schema: 'runtime' },
  ],
  [
    { catalog: 'shop', schema: undefined },
    { catalog: 'shop', schema: undefined },
  ],
  [
    { catalog: undefined, schema: 'main' },
    { catalog: undefined, schema: 'main' },
  ],
])('a session of %j has %j in an engine', (session, expected) => {
  expect(engineNamespace(session)).toEqual(expected);
});
