import { expect, it } from '@jest/globals';
import { hasShape } from './has-shape.ts';

const SAMPLE = { text: '', list: [], own: { count: 0 }, anything: null };

it.each([
  [{ text: 'a', list: [1], own: { count: 2 }, anything: 'x', more: true }, true],
  [{ text: 'a', list: [], own: { count: 2 } }, true],
  [{ text: 1, list: [], own: { count: 2 } }, false],
  [{ text: 'a', list: {}, own: { count: 2 } }, false],
  [{ text: 'a', list: [], own: {} }, false],
  [{ text: 'a', list: [], own: [] }, false],
  [[], false],
  [null, false],
  ['text', false],
])('hasShape(%j) is %s', (value, expected) => {
  expect(hasShape(SAMPLE, value)).toBe(expected);
});
