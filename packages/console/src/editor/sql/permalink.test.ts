import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PERMALINK_BYTES_MAX, readPermalink, writePermalink } from './permalink.ts';

describe('permalinks', () => {
  it('return the SQL that was written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1 }), (sql) => {
        const link = writePermalink(sql);
        if ('hash' in link) expect(readPermalink(link.hash)).toEqual({ sql });
        else expect(sql.trim()).toBe('');
      }),
    );
  });

  it('have at most 32 KB of UTF-8', () => {
    expect(writePermalink('ä'.repeat(PERMALINK_BYTES_MAX / 2))).toHaveProperty('hash');
    expect(writePermalink(`${'ä'.repeat(PERMALINK_BYTES_MAX / 2)}a`)).toEqual({ problem: 'too-long' });
    expect(readPermalink(`#sql=${'a'.repeat(PERMALINK_BYTES_MAX + 1)}`)).toEqual({ problem: 'too-long' });
    expect(readPermalink(`#sql=${'%41'.repeat(PERMALINK_BYTES_MAX * 2)}`)).toEqual({ problem: 'too-long' });
  });

  it.each([
    ['#sql=%', { problem: 'damaged' }],
    ['#sql=%ff', { problem: 'damaged' }],
    ['#sql=%ed%a0%80', { problem: 'damaged' }],
    ['#sql=', { problem: 'empty' }],
    ['#sql=%20%0a', { problem: 'empty' }],
    ['#other', undefined],
    ['', undefined],
    ['#sql=<script>alert(1)</script>', { sql: '<script>alert(1)</script>' }],
  ])('read %j as %j', (hash, opened) => {
    expect(readPermalink(hash)).toEqual(opened);
  });

  it('are not written for blank text and lone surrogates', () => {
    expect(writePermalink(' \n')).toEqual({ problem: 'empty' });
    expect(writePermalink("SELECT '\ud800'")).toEqual({ problem: 'not-unicode' });
  });
});
