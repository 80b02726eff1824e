import { describe, expect, it } from '@jest/globals';
import { type DraftQuery, NEW_ITEM } from './item-draft.ts';
import { lossesOfItem } from './item-losses.ts';

const query = (name: string, datamapId: string, ...parameters: string[]): DraftQuery => ({
  name,
  datamapId,
  parameters,
  isPublished: true,
});
const item = (...queries: DraftQuery[]) => ({ ...NEW_ITEM, queries });
const NOTHING = { removed: [], renamed: [], parameters: [], becomes: undefined };

describe('what a change of an item takes away', () => {
  it('is nothing for another title or description, another order and further queries of an archive', () => {
    const before = item(query('a', '1', 'x'), query('b', '2'));
    const after = item(query('b', '2'), query('c', '3'), query('a', '1', 'x'));
    expect(lossesOfItem(before, { ...after, title: 'Other', description: 'Other' })).toEqual(NOTHING);
  });

  it('has queries that are gone, queries with another name, and parameters that none takes any more', () => {
    const before = item(query('a', '1', 'x', 'y'), query('b', '2', 'y', 'z'), query('c', '3'));
    const after = item(query('new a', '1', 'x', 'y'), query('d', '4'));
    expect(lossesOfItem(before, after)).toEqual({
      ...NOTHING,
      removed: ['b', 'c'],
      renamed: [{ from: 'a', to: 'new a' }],
      parameters: ['z'],
    });
  });

  it('has the file that becomes an archive, and the archive that becomes a file', () => {
    const [one, two] = [item(query('a', '1')), item(query('a', '1'), query('b', '2'))];
    expect(lossesOfItem(one, two)).toEqual({ ...NOTHING, becomes: 'archive' });
    expect(lossesOfItem(two, one)).toEqual({ ...NOTHING, removed: ['b'], becomes: 'file' });
  });

  it('counts a datamap that an item has twice twice', () => {
    const before = item(query('a', '1'), query('b', '1'));
    expect(lossesOfItem(before, item(query('c', '1')))).toEqual({
      ...NOTHING,
      removed: ['b'],
      renamed: [{ from: 'a', to: 'c' }],
      becomes: 'file',
    });
  });
});
