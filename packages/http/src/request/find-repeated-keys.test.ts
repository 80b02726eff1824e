import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findRepeatedKeys } from './find-repeated-keys.ts';

/** Objects as lists of members, so that a key can be there twice. */
type Model =
  | { readonly members: readonly (readonly [string, Model])[] }
  | { readonly items: readonly Model[] }
  | string;

const { model } = fc.letrec<{ model: Model }>((tie) => ({
  model: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom('', '"', '\\', '{"a":1,"a":2}', '[', '\u{1f600}'),
    fc.record({ items: fc.array(tie('model'), { maxLength: 4 }) }),
    fc.record({
      members: fc.array(fc.tuple(fc.constantFrom('a', 'b', '"', '\\', '__proto__'), tie('model')), { maxLength: 5 }),
    }),
  ),
}));

const textOf = (value: Model): string => {
  if (typeof value === 'string') return JSON.stringify(value);
  if ('items' in value) return `[ ${value.items.map(textOf).join(' ,\n')}]`;
  return `{${value.members.map(([key, inner]) => `${JSON.stringify(key)} : ${textOf(inner)}`).join(',')} }`;
};

const repeatedIn = (value: Model, path: readonly PropertyKey[] = []): PropertyKey[][] => {
  if (typeof value === 'string') return [];
  if ('items' in value) return value.items.flatMap((inner, index) => repeatedIn(inner, [...path, index]));
  return value.members.flatMap(([key, inner], index) => [
    ...(value.members.slice(0, index).some(([earlier]) => earlier === key) ? [[...path, key]] : []),
    ...repeatedIn(inner, [...path, key]),
  ]);
};

describe('findRepeatedKeys', () => {
  it('finds exactly the repeated keys of objects', () => {
    fc.assert(fc.property(model, (value) => expect(findRepeatedKeys(textOf(value), 1e6)).toEqual(repeatedIn(value))));
  });

  it('finds at most `max` keys', () => {
    expect(findRepeatedKeys(`{${'"a":1,'.repeat(50)}"a":1}`, 3)).toEqual([['a'], ['a'], ['a']]);
  });

  it.each([
    ['quotes', (size: number) => JSON.stringify('"'.repeat(size))],
    ['backslashes', (size: number) => JSON.stringify('\\'.repeat(size))],
    ['keys of backslashes', (size: number) => JSON.stringify({ ['\\'.repeat(size)]: 1 })],
    ['keys', (size: number) => `{${Array.from({ length: size / 8 }, (_, index) => `"${index}":1`).join()}}`],
    ['one key', (size: number) => `{${'"a":1,'.repeat(size / 8)}"b":1}`],
    ['empty objects', (size: number) => `[${'{},'.repeat(size / 4)}1]`],
  ])('takes time in proportion to the length of %s', (_name, textOfSize) => {
    const text = textOfSize(2 ** 20);
    const start = process.cpuUsage();
    findRepeatedKeys(text, 1000);
    const { user, system } = process.cpuUsage(start);
    // About 20 ms of processor time; a quadratic scan takes minutes.
    expect((user + system) / 1000).toBeLessThan(2000);
  });
});
