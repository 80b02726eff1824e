import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { contentRange, requestedRange, unsatisfiedRange } from './byte-range.ts';

const TAG = '"abc"';
const BYTES = 100;

function rangeOf(headers: Readonly<Record<string, string>>, bytes = BYTES): ReturnType<typeof requestedRange> {
  return requestedRange({ get: (name) => headers[name] }, { bytes, entityTag: TAG });
}

describe('the requested range', () => {
  it.each([
    ['bytes=0-0', 0, 1],
    ['bytes=0-99', 0, 100],
    ['bytes=0-', 0, 100],
    ['bytes=99-', 99, 100],
    ['bytes=10-19', 10, 20],
    ['bytes=10-5000', 10, 100],
    ['bytes=10-99999999999999999999999999', 10, 100],
    ['bytes=-1', 99, 100],
    ['bytes=-100', 0, 100],
    ['bytes=-5000', 0, 100],
    ['BYTES=10-19', 10, 20],
    ['bytes=,10-19,', 10, 20],
    ['bytes= 10-19 ', 10, 20],
    ['bytes=00010-019', 10, 20],
  ])('%s is a part', (range, start, end) => {
    expect(rangeOf({ range })).toEqual({ start, end });
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=99999999999999999999-', 'bytes=-0'])(
    '%s is unsatisfiable',
    (range) => {
      expect(rangeOf({ range })).toBe('unsatisfiable');
    },
  );

  it.each([
    'bytes=0-1,5-6',
    'bytes=0-1, -1',
    'bytes=5-4',
    'bytes=-',
    'bytes=',
    'bytes',
    'bytes=a-b',
    'bytes=0x0-1',
    'bytes=1e1-',
    'bytes=+1-2',
    'bytes=--1',
    'bytes=1-2-3',
    'bytes=1.5-2',
    'bytes 0-1',
    'bytes = 0-1',
    'items=0-1',
    'none',
    '',
    ' ',
    'bytes=0-1;q=1',
    'bytes=٠-١',
  ])('%j is ignored', (range) => {
    expect(rangeOf({ range })).toBeUndefined();
  });

  it('is the whole file without the header, and none of an empty file', () => {
    expect(rangeOf({})).toBeUndefined();
    expect(rangeOf({ range: 'bytes=0-' }, 0)).toBe('unsatisfiable');
    expect(rangeOf({ range: 'bytes=-5' }, 0)).toBeUndefined();
    expect(rangeOf({ range: 'bytes=-0' }, 0)).toBe('unsatisfiable');
  });

  it('holds only for the file that If-Range names by its strong tag', () => {
    const range = 'bytes=10-19';
    expect(rangeOf({ range, 'if-range': TAG })).toEqual({ start: 10, end: 20 });
    for (const other of [`W/${TAG}`, '"abd"', 'abc', '', '*', `${TAG}, "x"`, new Date().toUTCString()])
      expect([other, rangeOf({ range, 'if-range': other })]).toEqual([other, undefined]);
    expect(rangeOf({ range: 'bytes=100-', 'if-range': '"abd"' })).toBeUndefined();
  });

  it('is within the file for any numbers', () => {
    fc.assert(
      fc.property(fc.nat(300), fc.nat(300), fc.nat(200), (first, last, bytes) => {
        const range = rangeOf({ range: `bytes=${first}-${last}` }, bytes);
        if (last < first) expect(range).toBeUndefined();
        else if (first >= bytes) expect(range).toBe('unsatisfiable');
        else expect(range).toEqual({ start: first, end: Math.min(last + 1, bytes) });
      }),
    );
  });
});

describe('Content-Range', () => {
  it('names the first and last byte, and the length', () => {
    expect(contentRange({ start: 10, end: 20 }, 100)).toBe('bytes 10-19/100');
    expect(unsatisfiedRange(100)).toBe('bytes */100');
  });
});
