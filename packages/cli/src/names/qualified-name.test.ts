import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { UsageError } from '../errors.ts';
import { parseQualifiedName, qualifiedName } from './qualified-name.ts';

const TABLE = { min: 3, max: 3, form: 'CATALOG.SCHEMA.TABLE' };

describe('parseQualifiedName', () => {
  it('splits at dots outside of quotes', () => {
    expect(parseQualifiedName('demo."a.b".c', TABLE)).toEqual(['demo', 'a.b', 'c']);
    expect(parseQualifiedName('demo."a.""b".Straße', TABLE)).toEqual(['demo', 'a."b', 'Straße']);
  });

  it.each(['', 'demo', 'demo.vega', 'a.b.c.d', 'a..c', '.a.b.c', 'a.b.c.', 'a.b."c', 'a.b."c"d'])(
    'rejects "%s" and shows the form',
    (text) => {
      expect(() => parseQualifiedName(text, TABLE)).toThrow(UsageError);
      expect(() => parseQualifiedName(text, TABLE)).toThrow(/CATALOG\.SCHEMA\.TABLE/);
    },
  );

  it('reads what qualifiedName writes, for any names', () => {
    const parts = fc.array(fc.string({ minLength: 1 }), { minLength: 3, maxLength: 3 });
    fc.assert(fc.property(parts, (names) => expect(parseQualifiedName(qualifiedName(names), TABLE)).toEqual(names)));
  });
});
