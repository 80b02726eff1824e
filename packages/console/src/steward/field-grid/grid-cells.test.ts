import { describe, expect, it } from '@jest/globals';
import { propertyKey } from '../metadata-edit.ts';
import { NO_HISTORY, redoStep, undoStep, withStep } from './change-history.ts';
import { clearCells, fillDown, pasteCells, rangeOf, textOfValue, textsOf, valueOfText } from './grid-cells.ts';

const FIELDS = ['id', 'name', 'price'];
const cell = (row: number, column = 0) => ({ row, column });
const range = (top: number, bottom = top, left = 0, right = left) => ({ top, bottom, left, right });
const description = (field: string, mine: string) => ({ key: propertyKey(field, 'description'), mine });
const tags = (field: string, ...mine: string[]) => ({ key: propertyKey(field, 'tags'), mine });

describe('a paste', () => {
  it('fills the column from the first selected cell on', () => {
    expect(pasteCells(FIELDS, range(1), [['a'], ['b']])).toEqual({
      kind: 'changes',
      changes: [description('name', 'a'), description('price', 'b')],
    });
  });

  it('of two columns fills descriptions and tags', () => {
    expect(
      pasteCells(FIELDS, range(0), [
        ['a', 'x; y'],
        ['b', ''],
      ]),
    ).toEqual({
      kind: 'changes',
      changes: [description('id', 'a'), tags('id', 'x', 'y'), description('name', 'b'), tags('name')],
    });
  });

  it('of one cell fills every selected cell', () => {
    expect(pasteCells(FIELDS, range(0, 2, 1), [['pii']])).toEqual({
      kind: 'changes',
      changes: FIELDS.map((field) => tags(field, 'pii')),
    });
  });

  it('changes nothing if it is longer or wider than the grid, until the user takes the first rows', () => {
    const column = Array.from({ length: 10_000 }, (_, row) => [`row ${row}`]);
    expect(pasteCells(FIELDS, range(1), column)).toEqual({ kind: 'too long', rows: 10_000, fit: 2 });
    expect(pasteCells(FIELDS, range(0, 0, 1), [['a', 'b']])).toEqual({ kind: 'too wide', columns: 2, fit: 1 });
    expect(pasteCells(FIELDS, range(1), column, 2)).toEqual({
      kind: 'changes',
      changes: [description('name', 'row 0'), description('price', 'row 1')],
    });
  });
});

describe('fill down', () => {
  const readValue = (key: string) => `value of ${key}`;

  it('repeats the first value of the selection in its other rows', () => {
    expect(fillDown(FIELDS, range(0, 2), readValue).map(({ mine }) => mine)).toEqual([
      readValue(propertyKey('id', 'description')),
      readValue(propertyKey('id', 'description')),
    ]);
  });

  it('takes the value above a single cell, and does nothing in the first row', () => {
    expect(fillDown(FIELDS, range(2), readValue)).toEqual([
      description('price', readValue(propertyKey('name', 'description'))),
    ]);
    expect(fillDown(FIELDS, range(0), readValue)).toEqual([]);
  });
});

describe('the text of a cell', () => {
  it('has tags as files have them, and reads a lone backslash as a part of a tag', () => {
    expect(textOfValue(['a', 'b;c'])).toBe('a;b\\;c');
    expect(valueOfText('tags', 'a;b\\;c')).toEqual(['a', 'b;c']);
    expect(valueOfText('tags', 'c:\\temp; A ;a;')).toEqual(['c:\\temp', 'A']);
    expect(valueOfText('tags', '')).toEqual([]);
    expect(valueOfText('description', 'a;b')).toBe('a;b');
  });

  it('is copied for each selected cell, and emptied', () => {
    const values = new Map<string, string | readonly string[]>([
      [propertyKey('id', 'description'), 'one'],
      [propertyKey('id', 'tags'), ['a', 'b']],
    ]);
    expect(textsOf(FIELDS, rangeOf(cell(1, 1), cell(0, 0)), (key) => values.get(key) ?? '')).toEqual([
      ['one', 'a;b'],
      ['', ''],
    ]);
    expect(clearCells(FIELDS, range(0, 0, 0, 1))).toEqual([description('id', ''), tags('id')]);
  });
});

describe('the history of a grid', () => {
  const [before, after] = [[description('id', '')], [description('id', 'a')]];

  it('undoes the last act, and does it again until something else is done', () => {
    const first = withStep(NO_HISTORY, before, after);
    const undone = undoStep(first);
    expect(undone?.changes).toBe(before);
    expect(redoStep(undone?.history ?? NO_HISTORY)?.changes).toBe(after);
    const other = withStep(undone?.history ?? NO_HISTORY, before, after);
    expect(redoStep(other)).toBeUndefined();
    expect(undoStep(NO_HISTORY)).toBeUndefined();
  });
});
