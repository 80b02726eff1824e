import { describe, expect, it } from '@jest/globals';
import type { FactMetadata } from '@sluice/store/catalog';
import { diffMetadata } from './apply-metadata.ts';

const before: FactMetadata = {
  displayName: 'T',
  description: null,
  tags: ['a'],
  domains: ['d'],
  owner: null,
  fields: new Map([['x', { description: null, tags: [] }]]),
};

describe('diffMetadata', () => {
  it('returns no change for equal metadata', () => {
    expect(diffMetadata(before, { ...before, tags: ['a'], domains: ['d'], fields: new Map(before.fields) })).toEqual(
      [],
    );
  });

  it('returns the changed properties of the fact, then those of its fields', () => {
    const after = {
      ...before,
      description: 'new',
      tags: ['b'],
      fields: new Map([
        ['x', { description: null, tags: ['t'] }],
        ['y', { description: 'of y', tags: [] }],
      ]),
    };
    expect(diffMetadata(before, after)).toEqual([
      { field: null, property: 'description', before: null, after: 'new' },
      { field: null, property: 'tags', before: ['a'], after: ['b'] },
      { field: 'x', property: 'tags', before: [], after: ['t'] },
      { field: 'y', property: 'description', before: null, after: 'of y' },
    ]);
  });

  it('reports a new order of tags as a change', () => {
    const [change] = diffMetadata({ ...before, tags: ['a', 'b'] }, { ...before, tags: ['b', 'a'] });
    expect(change).toMatchObject({ property: 'tags', before: ['a', 'b'], after: ['b', 'a'] });
  });
});
