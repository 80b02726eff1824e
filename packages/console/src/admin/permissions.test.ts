import { describe, expect, it } from '@jest/globals';
import { lostByRoleChange, lostByRoles, permissionsOf } from './permissions.ts';

const ROLES = new Map([
  ['analyst', ['query:run', 'datamap:read']],
  ['auditor', ['audit:read', 'datamap:read']],
]);

describe('what a change takes away', () => {
  it('is what no other role grants', () => {
    expect(lostByRoles(['analyst', 'auditor'], ['analyst'], ROLES)).toEqual(['audit:read']);
    expect(lostByRoles(['analyst'], [], ROLES)).toEqual(['datamap:read', 'query:run']);
    expect(lostByRoles(['analyst'], ['analyst', 'auditor'], ROLES)).toEqual([]);
  });

  it('names each account with the role', () => {
    const holders = [
      { name: 'ann', roles: ['auditor'] },
      { name: 'ben', roles: ['auditor', 'analyst'] },
      { name: 'cid', roles: ['analyst'] },
    ];
    const deleted = new Map([...ROLES].filter(([name]) => name !== 'auditor'));
    expect([...lostByRoleChange(holders, ROLES, deleted)]).toEqual([
      ['audit:read', ['ann', 'ben']],
      ['datamap:read', ['ann']],
    ]);
    expect([...lostByRoleChange(holders, ROLES, new Map([...ROLES, ['auditor', ['datamap:read']]]))]).toEqual([
      ['audit:read', ['ann', 'ben']],
    ]);
  });

  it('is nothing for a role that does not exist', () => {
    expect([...permissionsOf(['gone'], ROLES)]).toEqual([]);
  });
});
