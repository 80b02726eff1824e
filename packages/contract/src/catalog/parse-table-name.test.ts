import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseTableName } from './parse-table-name.ts';

const quoted = (part: string): string => `"${part.replaceAll('"', '""')}"`;
const plain = fc.string({ minLength: 1, unit: 'binary' }).filter((text) => !/[".]/.test(text));
const any = fc.string({ minLength: 1, unit: 'binary' });
const part = fc.oneof(
  plain.map((name) => ({ name, written: name })),
  any.map((name) => ({ name, written: quoted(name) })),
);

describe('parseTableName', () => {
  it('returns the parts of a name, quoted or plain', () => {
    fc.assert(
      fc.property(part, part, part, (catalog, schema, table) => {
        expect(parseTableName([catalog, schema, table].map(({ written }) => written).join('.'))).toEqual({
          catalog: catalog.name,
          schema: schema.name,
          name: table.name,
        });
      }),
    );
  });

  it.each([
    '',
    'a',
    'a.b',
    'a.b.',
    '.a.b',
    'a..b',
    'a.b.c.d',
    'a.b.c.',
    '"a.b.c',
    'a.b."c',
    'a.b."c"d',
    'a.b.""',
    'a"b.c.d',
  ])('rejects %j', (text) => {
    expect(parseTableName(text)).toBeUndefined();
  });

  it('parses a long invalid name without backtracking', () => {
    const long = '"'.repeat(4095);
    expect(parseTableName(long)).toBeUndefined();
    expect(parseTableName(`${'a.'.repeat(2000)}a`)).toBeUndefined();
  });
});
