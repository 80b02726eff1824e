import { describe, expect, it } from '@jest/globals';
import { type MetadataObject, type Permission, type Principal, TAGS_MAX } from '@sluice/contract';
import type { FoundFact } from '@sluice/store/catalog';
import { type CheckObjectInput, checkObject } from './check-object.ts';

const principalOf = (...permissions: Permission[]): Principal => ({
  tenant: { id: 't', name: 'acme', state: 'active', settings: {} },
  kind: 'user',
  id: 'me',
  name: 'me@example.com',
  roles: [],
  permissions: new Set(permissions),
  authenticatedAtMs: 0,
});

const METADATA = { displayName: null, description: null, tags: [], domains: [], owner: null, fields: new Map() };
const table: FoundFact = {
  ...METADATA,
  factId: 'f',
  type: 'TABLE',
  version: 1,
  fields: new Map([['a', { description: null, tags: [] }]]),
};
const datamapOf = (state: 'DRAFT' | 'PUBLISHED', ownerId: string): FoundFact => ({
  ...METADATA,
  factId: 'd',
  type: 'DATAMAP',
  version: 1,
  status: { state, ownerId, stewardId: null },
});

const tableObject: MetadataObject = { type: 'TABLE', id: 'c.s.t' };
const datamapObject: MetadataObject = { type: 'DATAMAP', id: 'd' };

const check = (input: Partial<CheckObjectInput>) =>
  checkObject({
    principal: principalOf('metadata:write'),
    object: tableObject,
    fact: table,
    after: table,
    unknownDomains: [],
    domainNames: [],
    ...input,
  });

describe('checkObject', () => {
  it('accepts a table for a caller with metadata:write', () => {
    expect(check({})).toEqual({ rejection: undefined, mayKnow: true });
  });

  it('does not reveal to other callers whether a table exists', () => {
    const principal = principalOf();
    const [existing, missing] = [check({ principal }), check({ principal, fact: undefined, after: undefined })];
    expect(existing).toEqual(missing);
    expect(existing).toMatchObject({ mayKnow: false, rejection: { reason: 'forbidden' } });
  });

  it('rejects a hidden datamap like a missing one', () => {
    const input = { principal: principalOf(), object: datamapObject };
    const hidden = check({ ...input, fact: datamapOf('DRAFT', 'other') });
    expect(hidden).toEqual(check({ ...input, fact: undefined }));
    expect(hidden).toMatchObject({ mayKnow: false, rejection: { reason: 'not found' } });
  });

  it('accepts a datamap for its owner, and rejects a published one of another owner as forbidden', () => {
    const input = { principal: principalOf(), object: datamapObject };
    expect(check({ ...input, fact: datamapOf('DRAFT', 'me') })).toEqual({ rejection: undefined, mayKnow: true });
    expect(check({ ...input, fact: datamapOf('PUBLISHED', 'other') })).toMatchObject({
      mayKnow: true,
      rejection: { reason: 'forbidden' },
    });
  });

  it('reports all mistakes of an object at once', () => {
    const object = { ...tableObject, fields: [{ name: 'b' }], add_domains: ['unknown'] } as MetadataObject;
    const after = { ...table, tags: Array.from({ length: TAGS_MAX + 1 }, (_, index) => `tag ${index}`) };
    const message = check({ object, after, unknownDomains: ['unknown'] }).rejection?.message;
    expect(message).toMatch(/It has no field "b"\. There is no domain "unknown"\. It would have more than \d+ tags\./);
  });

  it('names the domains that are nearest to an unknown one', () => {
    const input = { unknownDomains: ['aviaton', 'x'], domainNames: ['Finance', 'Aviation'] };
    expect(check(input).rejection?.message).toBe('There is no domain "aviaton", "x". Did you mean "Aviation"?');
  });
});
