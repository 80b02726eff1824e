import { describe, expect, it } from '@jest/globals';
import { resentParameters } from './resent-parameters.ts';

describe('resentParameters', () => {
  it.each([
    [null, {}],
    [{}, {}],
    [
      { a: 'x', b: null, c: true },
      { a: 'x', b: null, c: true },
    ],
    [{ n: { type: 'bigint', value: '9007199254740993' } }, { n: { type: 'bigint', value: '9007199254740993' } }],
    [
      { l: { type: 'array(date)', value: ['2026-01-01', null] } },
      { l: { type: 'array(date)', value: ['2026-01-01', null] } },
    ],
  ])('returns %j as it was sent', (recorded, sent) => {
    expect(resentParameters(recorded)).toEqual(sent);
  });

  it.each([{ n: 9007199254740992 }, { n: { type: 'bigint', value: 1 } }, { l: ['a', 1] }])(
    'returns nothing for %j, whose number may have lost digits',
    (recorded) => {
      expect(resentParameters(recorded)).toBeUndefined();
    },
  );
});
