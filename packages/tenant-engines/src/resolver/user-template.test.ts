import { describe, expect, it } from '@jest/globals';
import { checkUserTemplate, templateForTenant } from './user-template.ts';

describe('a template for Trino users', () => {
  it.each(['{tenant}/{user}', '{user}@{tenant}', 'sluice:{tenant}:{user}', '{user}', 'acme-{user}'])(
    'can be %s',
    (template) => {
      expect(checkUserTemplate(template)).toBe(template);
    },
  );

  it.each([
    ...[
      '',
      'sluice',
      '{tenant}',
      '{user}{user}',
      '{tenant}/{tenant}/{user}',
      '{user',
      '{name}/{user}',
      '{tenant} {user}',
    ],
    ...[
      '{tenant}{user}',
      '{tenant}-{user}',
      '{tenant}a/{user}',
      '{user}-{tenant}',
      '{user}{tenant}',
      'ä/{user}',
      '{Tenant}/{user}',
    ],
  ])('cannot be %j', (template) => {
    expect(() => checkUserTemplate(template)).toThrow(/^must /);
  });

  it('yields different users for accounts of different tenants', () => {
    const tenants = ['a', 'a-b', 'acme', 'b'];
    const users = ['b/c@x.example', 'c@x.example', 'a', 'b', '-b-c', 'acme', 'trino', 'boss@a', 'x/a', 'x@a', '{user}'];
    for (const template of ['{tenant}/{user}', '{user}@{tenant}', 'x{tenant}:y{user}', '{user}+{tenant}z']) {
      const all = tenants.flatMap((tenant) =>
        users.map((user) => templateForTenant(checkUserTemplate(template), tenant).replace('{user}', () => user)),
      );
      expect(new Set(all).size).toBe(tenants.length * users.length);
    }
  });
});
