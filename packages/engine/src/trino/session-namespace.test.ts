import { expect, it } from '@jest/globals';
import { sessionNamespace } from './session-namespace.ts';

const PROFILE = { catalogs: ['sales', 'HR', 'system'], defaultCatalog: 'sales', defaultSchema: 'public' };

it.each([
  [{}, ['sales', 'public']],
  [{ schema: 'Other' }, ['sales', 'other']],
  [{ catalog: 'SALES' }, ['sales', 'public']],
  [{ catalog: 'hr' }, ['hr', undefined]],
  [{ catalog: 'hr', schema: 'people' }, ['hr', 'people']],
])('a session of %j has the catalog and schema %j', (statement, expected) => {
  const { defaultCatalog, defaultSchema } = sessionNamespace(PROFILE, statement);
  expect([defaultCatalog, defaultSchema]).toEqual(expected);
});

it.each(['secret', 'system', 'SYSTEM', 'sales.public', 'sales\r\nx-trino-user: root'])(
  'a session cannot have the catalog %j, which is not the tenant’s',
  (catalog) => {
    expect(() => sessionNamespace(PROFILE, { catalog, schema: 'runtime' })).toThrow(
      expect.objectContaining({ code: 'permission_denied' }),
    );
  },
);
