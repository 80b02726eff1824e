import { describe, expect, it } from '@jest/globals';
import type { MetadataObject, Principal } from '@sluice/contract';
import { type FactReference, type FoundFact, referenceKey } from '@sluice/store/catalog';
import { commonRejection, decideImport, type ImportedObject, importTarget, presentResult } from './import-objects.ts';

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
  owner: null,
  fields: new Map([['a', { description: null, tags: [] }]]),
};
const found = { facts: new Map([[referenceKey(reference), fact]]), domains: new Map<string, string>() };
const objectOf = (change: Partial<MetadataObject>): MetadataObject => ({ type: 'TABLE', id: 'c.s.t', ...change });

const decide = (...objects: MetadataObject[]) => decideImport(principal, objects, found);

describe('decideImport', () => {
  it('applies a second object for the same fact to the result of the first, in one write', () => {
    const { imported, writes } = decide(
      objectOf({ description: 'one', add_tags: ['a'] }),
      objectOf({ add_tags: ['b'] }),
    );
    expect(imported.map(({ changes }) => changes.length)).toEqual([2, 1]);
    expect(writes).toEqual([{ factId: 'f', description: 'one', tags: ['a', 'b'], fields: new Map() }]);
  });

  it('writes nothing for changes that cancel each other', () => {
    const { imported, writes } = decide(objectOf({ add_tags: ['a'] }), objectOf({ remove_tags: ['a'] }));
    expect(imported.every(({ changes }) => changes.length === 1)).toBe(true);
    expect(writes).toEqual([]);
  });

  it('applies an object with a mistake not at all, and the others anyway', () => {
    const wrong = objectOf({ description: 'lost', fields: [{ name: 'unknown' }] as MetadataObject['fields'] });
    const { imported, writes } = decide(wrong, objectOf({ add_tags: ['a'] }));
    expect(imported[0]).toMatchObject({ changes: [], rejection: { reason: 'not possible' } });
    expect(writes).toEqual([{ factId: 'f', description: null, tags: ['a'], fields: new Map() }]);
  });

  it('writes only the fields that change', () => {
    const { writes } = decide(objectOf({ fields: [{ name: 'a', description: 'of a' }] as MetadataObject['fields'] }));
    expect(writes[0]?.fields).toEqual(new Map([['a', { description: 'of a', tags: [] }]]));
  });

  it('rejects an object without a valid name', () => {
    const [object] = decide(objectOf({ id: 'x' })).imported;
    expect(object).toMatchObject({ factId: '', rejection: { reason: 'not found' } });
  });
});

describe('presentResult', () => {
  it('lists the changes of a dry run only', () => {
    const [decided] = decide(objectOf({ add_tags: ['a'] })).imported;
    if (decided === undefined) throw new Error('no object');
    expect(presentResult(decided, true)).toHaveProperty('changes');
    expect(presentResult(decided, false)).not.toHaveProperty('changes');
  });
});

it('an import is recorded with the id of a single object, else with their number', () => {
  const objects = [objectOf({}), objectOf({ id: 'c.s.u' })];
  expect([importTarget(objects), importTarget(objects.slice(0, 1))]).toEqual(['2 objects', 'c.s.t']);
});

it.each([
  [['forbidden', 'forbidden'], 'forbidden'],
  [['not found'], 'not found'],
  [['not found', 'forbidden'], undefined],
  [['forbidden', undefined], undefined],
  [['not possible'], undefined],
  [[undefined], undefined],
])('objects with the rejections %j have the common rejection %s', (reasons, common) => {
  const imported = reasons.map((reason) => ({ rejection: reason && { reason } }) as unknown as ImportedObject);
  expect(commonRejection(imported)).toBe(common);
});
