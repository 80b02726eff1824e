import { describe, expect, it } from '@jest/globals';
import { parseTableName } from './table-name.ts';

describe('parseTableName', () => {
  it.each([
    ['demo.vega.airports', ['demo', 'vega', 'airports']],
    ['demo."odd.schema"."say ""hi"""', ['demo', 'odd.schema', 'say "hi"']],
    ['"a/b"."%2F"."..""."', ['a/b', '%2F', '..".']],
    ['_generated_query', ['_generated_query']],
    ['a b.ä', ['a b', 'ä']],
  ])('splits %s', (text, parts) => {
    expect(parseTableName(text)).toEqual(parts);
  });

  it.each(['', 'a.', '.a', 'a..b', '"open', '"a"b', 'a"b"'])('rejects %j', (text) => {
    expect(parseTableName(text)).toBeUndefined();
  });
});
