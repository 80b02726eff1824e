import { describe, expect, it } from '@jest/globals';
import {
  conflictsOf,
  describedObject,
  editedValue,
  editsAfterSave,
  importObjectsOf,
  NO_EDITS,
  propertyKey,
  removedBy,
  resolveConflict,
  withEdits,
} from './metadata-edit.ts';

const ID = { type: 'TABLE', id: 'shop.main.items' } as const;
const DESCRIPTION = propertyKey(null, 'description');
const PRICE = propertyKey('price', 'tags');
const objectOf = (description: string, tags: readonly string[] = []) =>
  describedObject(ID, { description, tags: [] }, [{ name: 'price', description: null, tags }]);

describe('edits of metadata', () => {
  it('are the values that differ from what was there, and become one object of an import', () => {
    const object = objectOf('old');
    const described = withEdits(object, NO_EDITS, [{ key: DESCRIPTION, mine: '' }]);
    const both = withEdits(object, described, [{ key: PRICE, mine: ['money'] }]);
    expect(editedValue(object, both, PRICE)).toEqual(['money']);
    expect(importObjectsOf(object, both)).toEqual([
      { ...ID, description: null, fields: [{ name: 'price', tags: ['money'] }] },
    ]);
    expect(withEdits(object, described, [{ key: DESCRIPTION, mine: 'old' }])).toEqual({});
  });

  it('of more columns than one object may have become several objects of one id', () => {
    const names = Array.from({ length: 4_500 }, (_, at) => `column_${at}`);
    const fields = names.map((name) => ({ name, description: null, tags: [] }));
    const object = describedObject(ID, { description: '', tags: [] }, fields);
    const entered = [
      { key: DESCRIPTION, mine: 'wide' },
      ...names.map((name) => ({ key: propertyKey(name, 'description'), mine: name })),
    ];
    const objects = importObjectsOf(object, withEdits(object, NO_EDITS, entered));
    expect(objects.map(({ id, description, fields: part = [] }) => [id, description, part.length])).toEqual([
      [ID.id, 'wide', 2_000],
      [ID.id, undefined, 2_000],
      [ID.id, undefined, 500],
    ]);
  });

  it('remove a description that becomes empty and tags that are gone, and nothing where a description is replaced', () => {
    const object = objectOf('old', ['money', 'net']);
    const replaced = withEdits(object, NO_EDITS, [{ key: DESCRIPTION, mine: 'new' }]);
    expect(removedBy(withEdits(object, replaced, [{ key: PRICE, mine: ['net', 'money', 'more'] }]))).toEqual([]);
    const emptied = withEdits(object, replaced, [{ key: DESCRIPTION, mine: '' }]);
    expect(removedBy(withEdits(object, emptied, [{ key: PRICE, mine: ['gross', 'net'] }]))).toEqual([
      { field: null, name: 'description', tags: [] },
      { field: 'price', name: 'tags', tags: ['money'] },
    ]);
  });

  it('conflict only where somebody else has written something different', () => {
    const edits = withEdits(objectOf('old'), NO_EDITS, [{ key: DESCRIPTION, mine: 'mine' }]);
    expect(conflictsOf(objectOf('old', ['changed']), edits)).toEqual([]);
    expect(conflictsOf(objectOf('mine'), edits)).toEqual([]);
    expect(conflictsOf(objectOf('theirs'), edits)).toEqual([
      { key: DESCRIPTION, field: null, name: 'description', mine: 'mine', theirs: 'theirs' },
    ]);
  });

  it('are settled by either value', () => {
    const theirs = objectOf('theirs');
    const edits = withEdits(objectOf('old'), NO_EDITS, [{ key: DESCRIPTION, mine: 'mine' }]);
    for (const conflict of conflictsOf(theirs, edits)) {
      expect(resolveConflict(edits, conflict, 'theirs')).toEqual({});
      const kept = resolveConflict(edits, conflict, 'mine');
      expect(conflictsOf(theirs, kept)).toEqual([]);
      expect(importObjectsOf(theirs, kept)).toEqual([{ ...ID, description: 'mine' }]);
    }
  });

  it('that are typed while others are sent remain', () => {
    const object = objectOf('old');
    const sent = withEdits(object, NO_EDITS, [{ key: DESCRIPTION, mine: 'sent' }]);
    const typed = withEdits(object, sent, [{ key: DESCRIPTION, mine: 'sent and more' }]);
    const more = withEdits(object, typed, [{ key: PRICE, mine: ['money'] }]);
    expect(editsAfterSave(sent, sent)).toEqual({});
    expect(editsAfterSave(more, sent)).toEqual({
      [DESCRIPTION]: { before: 'sent', mine: 'sent and more' },
      [PRICE]: { before: [], mine: ['money'] },
    });
  });
});
