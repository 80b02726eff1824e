import { describe, expect, it } from '@jest/globals';
import type { MetadataObject, Principal } from '@sluice/contract';
import { type FactReference, type FoundFact, type FoundMetadata, referenceKey } from '@sluice/store/catalog';
import { decideImport, presentResult } from './decide-import.ts';

const principal: Principal = {
  tenant: { id: 't', name: 'acme', state: 'active', settings: {} },
  kind: 'user',
  id: 'me',
  name: 'me@example.com',
  roles: [],
  permissions: new Set(['metadata:write'] as const),
  authenticatedAtMs: 0,
};

const reference: FactReference = { type: 'TABLE', catalog: 'c', schema: 's', name: 't' };
const fact: FoundFact = {
  factId: 'f',
  type: 'TABLE',
  version: 1,
  displayName: 't',
  description: null,
  tags: [],
  domains: [],
  fields: new Map([['a', { description: null, tags: [] }]]),
};
const found: FoundMetadata = { facts: new Map([[referenceKey(reference), fact]]), domainIds: new Set() };
const objectOf = (change: Partial<MetadataObject>): MetadataObject => ({ type: 'TABLE', id: 'c.s.t', ...change });

const decide = (...objects: MetadataObject[]) =>
  decideImport(
    principal,
    objects.map((object) => ({ object, reference })),
    found,
  );

describe('decideImport', () => {
  it('applies a second object for the same fact to the result of the first, in one write', () => {
    const { objects, writes } = decide(
      objectOf({ description: 'one', add_tags: ['a'] }),
      objectOf({ add_tags: ['b'] }),
    );
    expect(objects.map(({ changes }) => changes.length)).toEqual([2, 1]);
    expect(writes).toEqual([{ factId: 'f', description: 'one', tags: ['a', 'b'], fields: new Map() }]);
  });

  it('writes nothing for changes that cancel each other', () => {
    const { objects, writes } = decide(objectOf({ add_tags: ['a'] }), objectOf({ remove_tags: ['a'] }));
    expect(objects.every(({ changes }) => changes.length === 1)).toBe(true);
    expect(writes).toEqual([]);
  });

  it('applies an object with a mistake not at all, and the others anyway', () => {
    const wrong = objectOf({ description: 'lost', fields: [{ name: 'unknown' }] as MetadataObject['fields'] });
    const { objects, writes } = decide(wrong, objectOf({ add_tags: ['a'] }));
    expect(objects[0]).toMatchObject({ changes: [], rejection: { reason: 'not possible' } });
    expect(writes).toEqual([{ factId: 'f', description: null, tags: ['a'], fields: new Map() }]);
  });

  it('writes only the fields that change', () => {
    const { writes } = decide(objectOf({ fields: [{ name: 'a', description: 'of a' }] as MetadataObject['fields'] }));
    expect(writes[0]?.fields).toEqual(new Map([['a', { description: 'of a', tags: [] }]]));
  });

  it('rejects an object without a valid name', () => {
    const [object] = decideImport(principal, [{ object: objectOf({ id: 'x' }), reference: undefined }], found).objects;
    expect(object).toMatchObject({ factId: '', rejection: { reason: 'not found' } });
  });
});

describe('presentResult', () => {
  it('lists the changes of a dry run only', () => {
    const [decided] = decide(objectOf({ add_tags: ['a'] })).objects;
    if (decided === undefined) throw new Error('no object');
    expect(presentResult(decided, { dry_run: true })).toHaveProperty('changes');
    expect(presentResult(decided, {})).not.toHaveProperty('changes');
  });
});
