import { describe, expect, it } from '@jest/globals';
import { haveTimes, presentColumn } from './type-signature.ts';

const CAPABLE = { parametricDatetime: true, number: true };
const OLD = { parametricDatetime: false, number: false };
const present = (type: string, capabilities = CAPABLE) => {
  const { type: display, typeSignature } = presentColumn({ name: 'c', type }, capabilities);
  return [display, typeSignature];
};
const long = (value: number) => ({ kind: 'LONG', value });
const plain = (rawType: string) => ({ rawType, arguments: [] });
const VARCHAR = { rawType: 'varchar', arguments: [long(2_147_483_647)] };

describe('the type of a column', () => {
  it.each([
    'boolean',
    'tinyint',
    'integer',
    'bigint',
    'real',
    'double',
    'date',
    'varbinary',
    'json',
    'uuid',
    'unknown',
  ])('has no arguments for %s', (type) => {
    expect(present(type)).toEqual([type, plain(type)]);
  });

  it.each([
    ['varchar(5)', 'varchar', [5]],
    ['char(3)', 'char', [3]],
    ['time(6)', 'time', [6]],
    ['timestamp(9)', 'timestamp', [9]],
    ['timestamp(6) with time zone', 'timestamp with time zone', [6]],
  ])('has the numbers of %s', (type, rawType, numbers) => {
    expect(present(type)).toEqual([type, { rawType, arguments: numbers.map(long) }]);
  });

  it('has the text of SQL, as Trino writes it', () => {
    expect(present('decimal(38,2)')).toEqual([
      'decimal(38, 2)',
      { rawType: 'decimal', arguments: [long(38), long(2)] },
    ]);
    expect(present('array(decimal(5,2))')[0]).toBe('array(decimal(5, 2))');
    for (const name of ['interval day to second', 'interval year to month'])
      expect(present(name)).toEqual([name.toUpperCase(), plain(name)]);
  });

  it('has the capitals that Trino writes in some names', () => {
    for (const name of ['HyperLogLog', 'P4HyperLogLog', 'SetDigest', 'Geometry', 'BingTile', 'KdbTree'])
      expect(present(name.toLowerCase())).toEqual([name, plain(name)]);
    expect(present('array(hyperloglog)')[0]).toBe('array(HyperLogLog)');
    expect(present('tdigest')).toEqual(['tdigest', plain('tdigest')]);
  });

  it('has quotes around names of fields where Trino writes them', () => {
    const names = ['A1', 'x_1', 'date', '_x', '1a', 'x y', 'q""', 'é', 'select', 'a:b'];
    const plainNames = names.slice(0, 3);
    const fields = names.map((name) => (plainNames.includes(name) ? `${name} integer` : `"${name}" integer`));
    const given = names.map((name) => `"${name}" integer`).join(',');
    expect(present(`row(${given})`)[0]).toBe(`row(${fields.join(', ')})`);
  });

  it('has the greatest length for a varchar without one', () => {
    expect(present('varchar')).toEqual(['varchar', VARCHAR]);
  });

  it('is varchar for what Trino cannot name, and for a number that a client does not know', () => {
    expect(present('interval')).toEqual(['varchar', VARCHAR]);
    expect(present('array(interval)')[0]).toBe('array(varchar)');
    expect([present('number')[0], present('number', OLD)]).toEqual(['number', ['varchar', VARCHAR]]);
  });

  it('has the types of its parts', () => {
    expect(present('map(varchar,array(bigint))')).toEqual([
      'map(varchar, array(bigint))',
      {
        rawType: 'map',
        arguments: [
          { kind: 'TYPE', value: VARCHAR },
          { kind: 'TYPE', value: { rawType: 'array', arguments: [{ kind: 'TYPE', value: plain('bigint') }] } },
        ],
      },
    ]);
  });

  it('has the names of the fields of a row, and none for a field without one', () => {
    expect(present('row(a integer,"b ""c" double,field2 date)')).toEqual([
      'row(a integer, "b ""c" double, date)',
      {
        rawType: 'row',
        arguments: [
          { kind: 'NAMED_TYPE', value: { fieldName: { name: 'a' }, typeSignature: plain('integer') } },
          { kind: 'NAMED_TYPE', value: { fieldName: { name: 'b "c' }, typeSignature: plain('double') } },
          { kind: 'NAMED_TYPE', value: { typeSignature: plain('date') } },
        ],
      },
    ]);
  });

  it('has no precision for a client that knows none', () => {
    expect(present('timestamp(9) with time zone', OLD)).toEqual([
      'timestamp with time zone',
      plain('timestamp with time zone'),
    ]);
    expect(present('row(t time(6))', OLD)[0]).toBe('row(t time)');
    expect(present('decimal(3,1)', OLD)[0]).toBe('decimal(3, 1)');
  });
});

it('finds times in any part of a type', () => {
  const columns = (type: string) => [
    { name: 'a', type: 'date' },
    { name: 'b', type },
  ];
  expect(haveTimes(columns('map(varchar,row(x array(timestamp(6))))'))).toBe(true);
  expect(haveTimes(columns('map(varchar,row(x array(date)))'))).toBe(false);
});
