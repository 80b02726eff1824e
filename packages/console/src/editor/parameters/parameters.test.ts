import { describe, expect, it } from '@jest/globals';
import { findParameters } from './find-parameters.ts';
import { NEW_ENTRY, type ParameterEntry, readEntry } from './parameter-entry.ts';

const entry = (type: ParameterEntry['type'], text: string): ParameterEntry => ({ ...NEW_ENTRY, type, text });

describe('findParameters', () => {
  it('finds each name once, in order, and never in quotes and comments', () => {
    const sql = `SELECT $b, $a, $b, '$c', "$d", $$ $e $$ -- $f\n /* $g */ FROM t WHERE x = $h_1`;
    expect(findParameters(sql, 'duckdb')).toEqual({ names: ['b', 'a', 'h_1'], rejected: [] });
  });

  it('names the marks that hosts reject', () => {
    expect(findParameters('SELECT $1, ?, $A, $ok', 'duckdb')).toEqual({ names: ['ok'], rejected: ['$1', '?', '$A'] });
    expect(findParameters('SELECT ?, $A', 'trino')).toEqual({ names: [], rejected: ['?', '$A'] });
  });

  it('leaves row patterns of Trino alone', () => {
    const sql = 'MATCH_RECOGNIZE (PATTERN (A? (B $)? C) DEFINE A AS x > $limit)';
    expect(findParameters(sql, 'trino')).toEqual({ names: ['limit'], rejected: [] });
  });
});

describe('readEntry', () => {
  it.each([
    [entry('varchar', ' a '), { type: 'varchar', value: ' a ' }],
    [entry('varchar', ''), { type: 'varchar', value: '' }],
    [entry('number', '9223372036854775807'), { type: 'bigint', value: '9223372036854775807' }],
    [entry('number', '9223372036854775808'), { type: 'decimal(19,0)', value: '9223372036854775808' }],
    [entry('number', ' -001.10 '), { type: 'decimal(3,2)', value: '-001.10' }],
    [entry('number', '.5'), { type: 'decimal(1,1)', value: '.5' }],
    [entry('number', '.'), undefined],
    [entry('number', '1e3'), undefined],
    [entry('number', '1'.repeat(39)), undefined],
    [entry('double', '1e3'), { type: 'double', value: '1e3' }],
    [entry('double', 'one'), undefined],
    [entry('boolean', 'TRUE'), { type: 'boolean', value: 'TRUE' }],
    [entry('boolean', 'yes'), undefined],
    [entry('date', '2026-03-29'), { type: 'date', value: '2026-03-29' }],
    [entry('date', '29.03.2026'), undefined],
    [entry('time', '12:30'), { type: 'time', value: '12:30' }],
    [entry('timestamp', '2026-03-29 12:30:00.123'), { type: 'timestamp', value: '2026-03-29 12:30:00.123' }],
    [
      entry('timestamp', '2026-03-29T12:30:00.123456789'),
      { type: 'timestamp(9)', value: '2026-03-29T12:30:00.123456789' },
    ],
    [entry('timestamp', '2026-03-29 12:30 UTC'), undefined],
    [
      entry('timestamp with time zone', '2026-03-29 12:30 +02:00'),
      { type: 'timestamp with time zone', value: '2026-03-29 12:30 +02:00' },
    ],
    [
      entry('uuid', '00000000-0000-4000-8000-00000000000A'),
      { type: 'uuid', value: '00000000-0000-4000-8000-00000000000A' },
    ],
    [
      { ...entry('number', 'x'), isNull: true },
      { type: 'bigint', value: null },
    ],
    [
      { ...entry('date', ''), isNull: true },
      { type: 'date', value: null },
    ],
  ])('reads %j as %j', (given, value) => {
    expect(readEntry(given)).toEqual(value);
  });

  const list = (type: ParameterEntry['type'], text: string): ParameterEntry => ({ ...entry(type, text), isList: true });
  it.each([
    [list('varchar', 'SFO\n J,F"K \n\n'), { type: 'array(varchar)', value: ['SFO', ' J,F"K '] }],
    [list('varchar', ''), { type: 'array(varchar)', value: [] }],
    [list('number', ' 1\n9223372036854775807'), { type: 'array(bigint)', value: ['1', '9223372036854775807'] }],
    [list('number', '5\n1.10\n-0.125'), { type: 'array(decimal(4,3))', value: ['5', '1.10', '-0.125'] }],
    [list('number', '1\n9223372036854775808'), { type: 'array(decimal(19,0))', value: ['1', '9223372036854775808'] }],
    [list('number', ''), { type: 'array(bigint)', value: [] }],
    [list('number', '1\nx'), undefined],
    [list('date', '2026-03-29\n2026-03-30'), { type: 'array(date)', value: ['2026-03-29', '2026-03-30'] }],
    [list('date', '2026-03-29\nno'), undefined],
    [
      list('timestamp', '2026-03-29\n2026-03-29 12:30:00.12345678'),
      { type: 'array(timestamp(8))', value: ['2026-03-29', '2026-03-29 12:30:00.12345678'] },
    ],
    [
      { ...list('uuid', 'x'), isNull: true },
      { type: 'array(uuid)', value: null },
    ],
  ])('reads the list %j as %j', (given, value) => {
    expect(readEntry(given)).toEqual(value);
  });
});
