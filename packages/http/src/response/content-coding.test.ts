import { describe, expect, it } from '@jest/globals';
import { downloadFormats } from '@sluice/contract';
import { chooseCoding, isCompressible } from './content-coding.ts';

describe('chooseCoding', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br', 'gzip'],
    ['br', 'br'],
    ['br;q=1, gzip;q=0.5', 'br'],
    ['gzip;q=0, br', 'br'],
    ['gzip;q=0', undefined],
    ['*', 'gzip'],
    ['*;q=0', undefined],
    ['identity', undefined],
    ['identity;q=1, gzip;q=0.5', undefined],
    ['deflate', undefined],
    ['GZIP ; Q=0.3', 'gzip'],
    ['gzip;q=nonsense', undefined],
  ])('for Accept-Encoding %p is %p', (header, coding) => {
    expect(chooseCoding(header)).toBe(coding);
  });

  it.each(downloadFormats)('compresses the format %s only if it is text', (_name, { mediaType, assembly }) => {
    expect(isCompressible(`${mediaType}; charset=utf-8`)).toBe(assembly === 'text');
  });

  it('compresses text, but no format that is already compressed', () => {
    expect(['text/csv', 'text/event-stream', 'application/json'].every(isCompressible)).toBe(true);
    expect(['application/zip', 'application/vnd.apache.parquet', 'image/png'].some(isCompressible)).toBe(false);
  });
});
