import { describe, expect, it } from '@jest/globals';
import { auditExportBody, auditSearchBody, auditStreamQuery } from './audit.ts';

const parsed = (reads: unknown) => auditSearchBody.safeParse({ advance_options: { reads } });
const messageOf = (reads: unknown): string | undefined => parsed(reads).error?.issues[0]?.message;

describe('the filter reads', () => {
  it.each([
    ['demo.vega.flights', 'demo.vega.flights'],
    ['"demo"."vega"."flights"', 'demo.vega.flights'],
    ['demo.vega."odd.name"', 'demo.vega."odd.name"'],
    ['demo.vega."say ""hi"""', 'demo.vega."say ""hi"""'],
    ['demo.', 'demo.'],
    ['"demo"."vega".', 'demo.vega.'],
    ['demo.vega.*', 'demo.vega.*'],
    ['demo.vega.fl*', 'demo.vega.fl*'],
    ['*', '*'],
  ])('takes %s as %s', (given, expected) => {
    expect(parsed(given).data?.advance_options?.reads).toBe(expected);
    expect(auditExportBody.parse({ advance_options: { reads: given } }).advance_options?.reads).toBe(expected);
    expect(auditStreamQuery.parse({ reads: given }).reads).toBe(expected);
  });

  it.each([
    'flights',
    'vega.flights',
    '',
    '.',
    'demo..',
    'a.b.c.',
    'a.b.c.d',
    '"demo.vega.flights',
    'de*mo.x',
    'a.b.c\0',
  ])('rejects %j, which is neither a full name nor a prefix', (given) => {
    expect(messageOf(given)).toMatch(/^reads must be catalog\.schema\.table, or a prefix that ends with \. or \*$/);
  });

  it('rejects 10,000 names, as a list and in one string, with a sentence of its own', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `demo.vega.t${index}`);
    expect(messageOf(names)).toBe('reads must be a string: the name of one table, or a prefix');
    expect(messageOf(names.join(','))).toBe(
      'reads must have at most 640 characters: the name of one table, or a prefix',
    );
    expect(messageOf(`${'"'.repeat(1_000_000)}`)).toContain('at most 640 characters');
  });
});
