import { describe, expect, it } from '@jest/globals';
import { countRecords } from './count-rows.ts';

describe('countRecords', () => {
  it.each([
    ['a,b\n1,2\n', 2],
    ['a,b\r\n1,2', 2],
    ['a\n"x\ny"\n"say ""no""\n"\n', 3],
    ['a\n\n1\n\n', 2],
    ['', 0],
  ])('counts the records of %j', (text, records) => {
    expect(countRecords(text)).toBe(records);
  });
});
