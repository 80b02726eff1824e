import { expect, it } from '@jest/globals';
import { createRecords, isTooNarrow } from './list-records.ts';
import { createTable } from './table.ts';

const COLUMNS = [{ title: 'Id', isWhole: true }, { title: 'Name' }, { title: 'Owner' }, { title: 'Updated' }];
const ROW = ['eb0d1fab-1e39-40b3-a369-ae7ed41fd597', 'Weather by month 日本語日本語日本語日本語', null, ''];

it.each([
  [20, true],
  [40, true],
  [60, false],
  [200, false],
])('replaces a table that would leave out most columns: %d columns, %p', (width, expected) => {
  expect(isTooNarrow(COLUMNS, createTable(COLUMNS, [ROW], { width }))).toBe(expected);
});

it('writes a line per value, ids whole, others cut to the line, and leaves out empty ones', () => {
  const records = createRecords(COLUMNS, { width: 30, hasColor: false });
  expect([records.header, records.hidden]).toEqual(['', []]);
  expect(records.row(ROW)).toBe('Id: eb0d1fab-1e39-40b3-a369-ae7ed41fd597\nName: Weather by month 日本語…\n\n');
  expect(records.row(['\u001b[31mx', null, null, null])).toBe('Id: \\u001b[31mx\n\n');
});
