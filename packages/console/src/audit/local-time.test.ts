import { expect, it } from '@jest/globals';
import { localTimeText, timeOfLocalText } from './local-time.ts';

it('returns the same minute for the text of a time', () => {
  const time = new Date(2026, 10, 5, 7, 9).getTime();
  expect(localTimeText(time)).toBe('2026-11-05T07:09');
  expect(timeOfLocalText(localTimeText(time))).toBe(time);
});

it.each(['', '2026-', '1970-01-02T00:00'])('rejects %j', (text) => {
  expect(timeOfLocalText(text)).toBeUndefined();
});

it('has no text for what is not a time', () => {
  expect([localTimeText(undefined), localTimeText(1e20)]).toEqual(['', '']);
});
