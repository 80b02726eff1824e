import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { scopeSetting } from './scope.ts';
import { isUuid } from './uuid.ts';

describe('scopeSetting', () => {
  it('never sets the value of every tenant for one tenant', () => {
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string(), fc.constant('*'), fc.constant('')), (tenantId) => {
        if (isUuid(tenantId)) expect(scopeSetting({ tenantId }).value).toBe(tenantId);
        else expect(() => scopeSetting({ tenantId })).toThrow(TypeError);
      }),
    );
  });

  it('sets * only for every tenant, and an empty value for no tenant', () => {
    expect(scopeSetting('every-tenant').value).toBe('*');
    expect(scopeSetting('no-tenant').value).toBe('');
  });

  it('looks up a name, also one that equals the value of every tenant', () => {
    const byName = scopeSetting({ tenantName: '*' });
    expect(byName.statement).toBe(scopeSetting({ tenantName: 'acme' }).statement);
    expect(byName.statement).not.toBe(scopeSetting('every-tenant').statement);
  });
});
