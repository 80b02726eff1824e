import { describe, expect, it } from '@jest/globals';
import { nextUriInHead } from './page-head.ts';

const HEAD = '{"id":"q","nextUri":"http://trino/1","columns":[],"data":[[1';
const parts = (...texts: readonly string[]): readonly Buffer[] => texts.map((text) => Buffer.from(text));

describe('nextUriInHead', () => {
  it('finds the next address once the data have started, however the head is split', () => {
    for (let cut = 0; cut <= HEAD.length; cut += 1) {
      expect(nextUriInHead(parts(HEAD.slice(0, cut), HEAD.slice(cut)))).toBe('http://trino/1');
    }
  });

  it('finds none in an incomplete head', () => {
    const start = HEAD.indexOf('[[1');
    for (let end = 0; end < start; end += 1) expect(nextUriInHead(parts(HEAD.slice(0, end)))).toBeUndefined();
  });

  it('finds none in a page without data, or whose data come first', () => {
    expect(nextUriInHead(parts('{"nextUri":"http://trino/1","columns":[]}'))).toBeUndefined();
    expect(nextUriInHead(parts('{"data":[[1],[2'))).toBeUndefined();
  });

  it('does not read a head of more than 256 KiB', () => {
    expect(nextUriInHead(parts(HEAD.replace('"q"', `"${'q'.repeat(256 * 1024)}"`)))).toBeUndefined();
  });
});
