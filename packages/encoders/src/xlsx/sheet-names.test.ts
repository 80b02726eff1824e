import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SheetNames } from './sheet-names.ts';

describe('SheetNames', () => {
  it('keeps a name that is free and valid, and numbers duplicates', () => {
    const names = new SheetNames();
    expect(['Sales', 'sales', 'SALES', 'About', ''].map((name) => names.take(name))).toEqual([
      'Sales',
      'sales (2)',
      'SALES (3)',
      'About (2)',
      'Sheet',
    ]);
  });

  it('replaces characters that reorder or hide text', () => {
    expect(new SheetNames().take('a\u202eb\u200fc\u0085')).toBe('a_b_c_');
  });

  it('returns names that spreadsheets accept, each once', () => {
    const wanted = fc.array(fc.string({ unit: 'grapheme', maxLength: 40 }), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(wanted, (texts) => {
        const names = new SheetNames();
        const taken = [...texts, ...texts].map((text) => names.take(text));
        expect(new Set(taken.map((name) => name.normalize('NFC').toLowerCase())).size).toBe(taken.length);
        for (const name of taken) {
          expect(name.length).toBeGreaterThan(0);
          expect(name.length).toBeLessThanOrEqual(31);
          expect(name).not.toMatch(/[[\]:*?/\\]|^'|'$/);
        }
      }),
    );
  });
});
