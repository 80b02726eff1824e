import { describe, expect, it } from '@jest/globals';
import { type ChangedValue, type RecordedChange, restoringObject, revertedValues } from './revert-change.ts';

const value = (property: ChangedValue['property'], before: unknown, field: string | null = null): ChangedValue => ({
  field,
  property,
  before,
  after: 'after',
});
const changeOf = (version: number, ...changes: ChangedValue[]): RecordedChange => ({
  version,
  changed_ts: 0,
  changed_by: 'ann@example.com',
  request_id: null,
  changes,
});

describe('a revert', () => {
  it('sets the values before the change, of the object and of its fields', () => {
    const values = [
      value('description', null),
      value('tags', ['a']),
      value('description', 'In euros', 'price'),
      value('tags', [], 'price'),
      value('description', null, 'id'),
    ];
    expect(restoringObject({ type: 'TABLE', id: 'a.b.c' }, values)).toEqual({
      type: 'TABLE',
      id: 'a.b.c',
      description: null,
      tags: ['a'],
      fields: [
        { name: 'price', description: 'In euros', tags: [] },
        { name: 'id', description: null },
      ],
    });
  });

  it('leaves out the state, and there is none of the creation of an object', () => {
    const description = value('description', 'old');
    expect(revertedValues(changeOf(3, value('state', 'DRAFT'), description))).toEqual([description]);
    expect(revertedValues(changeOf(1, description))).toEqual([]);
  });
});
