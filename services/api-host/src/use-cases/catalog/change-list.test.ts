import { describe, expect, it } from '@jest/globals';
import { tagKey } from '@sluice/contract';
import fc from 'fast-check';
import { changeList, type ListChange } from './change-list.ts';

/** Few words in several spellings, so that keys collide. */
const tag = fc.constantFrom('pii', 'PII', 'Pii', 'a', 'A', 'b', 'é', 'e\u0301', 'É', 'x y', 'ß', 'ẞ');
const list = fc.array(tag, { maxLength: 6 });
const before = list.map((tags) => changeList([], { all: tags, add: undefined, remove: undefined }, tagKey));
const change: fc.Arbitrary<ListChange> = fc.oneof(
  fc.record({ all: list, add: fc.constant(undefined), remove: fc.constant(undefined) }),
  fc.record({
    all: fc.constant(undefined),
    add: fc.option(list, { nil: undefined }),
    remove: fc.option(list, { nil: undefined }),
  }),
);

/** Reference implementation: a set of keys, with the first spelling of each. */
const model = (tags: readonly string[], { all, add = [], remove = [] }: ListChange): [string, string][] => {
  const entries = new Map((all === undefined ? tags : []).map((each) => [tagKey(each), each]));
  if (all === undefined) for (const each of remove) entries.delete(tagKey(each));
  for (const each of all ?? add) if (!entries.has(tagKey(each))) entries.set(tagKey(each), each);
  return [...entries];
};

describe('changeList', () => {
  it('returns the same items as an ordered set of keys with the first spelling of each', () => {
    fc.assert(
      fc.property(before, change, (tags, changed) => {
        expect(changeList(tags, changed, tagKey)).toEqual(model(tags, changed).map(([, spelling]) => spelling));
      }),
    );
  });

  it('returns items that are unique without regard to case', () => {
    fc.assert(
      fc.property(before, change, (tags, changed) => {
        const keys = changeList(tags, changed, tagKey).map(tagKey);
        expect(new Set(keys).size).toBe(keys.length);
      }),
    );
  });

  it('is idempotent, unless a change removes an item that it adds', () => {
    fc.assert(
      fc.property(before, change, (tags, changed) => {
        const removed = new Set(changed.remove?.map(tagKey));
        fc.pre(!(changed.add ?? []).some((each) => removed.has(tagKey(each))));
        const once = changeList(tags, changed, tagKey);
        expect(changeList(once, changed, tagKey)).toEqual(once);
      }),
    );
  });

  it('keeps the spelling of an existing item that is added, and uses the new spelling when the list is replaced', () => {
    const none = { all: undefined, add: undefined, remove: undefined };
    expect(changeList(['PII', 'a'], { ...none, add: ['pii', 'B'] }, tagKey)).toEqual(['PII', 'a', 'B']);
    expect(changeList(['PII', 'a'], { ...none, all: ['pii', 'Pii'] }, tagKey)).toEqual(['pii']);
    expect(changeList(['PII', 'a'], { ...none, remove: ['pii'], add: ['pii'] }, tagKey)).toEqual(['a', 'pii']);
    expect(changeList(['Straße'], { ...none, add: ['STRASSE', 'straße'] }, tagKey)).toEqual(['Straße']);
    expect(changeList(['Straße'], { ...none, remove: ['strasse'] }, tagKey)).toEqual([]);
  });
});
