import { describe, expect, it } from '@jest/globals';
import { ExactNumber } from '@sluice/contract';
import fc from 'fast-check';
import { setExactNumbers } from './exact-numbers.ts';

function read(text: string, member: string): unknown {
  const value: unknown = JSON.parse(text);
  setExactNumbers(text, value, member);
  return value;
}
const exact = (digits: string) => new ExactNumber(digits);

describe('setExactNumbers', () => {
  it('keeps every digit within the member, at any depth, and no number elsewhere', () => {
    const text = `{"size": 1.10, "p" : {"a":9007199254740993,"b": [-0, {"c" : 1.10E+05}], "\\u0064": "5", "e": null},
      "x": {"p": [1.0]}, "y": [2]}`;
    expect(read(text, 'p')).toEqual({
      size: 1.1,
      p: { a: exact('9007199254740993'), b: [exact('-0'), { c: exact('1.10E+05') }], d: '5', e: null },
      x: { p: [exact('1.0')] },
      y: [2],
    });
  });

  it('is not misled by strings', () => {
    const text = '{"a": "\\"p\\": 1", "p": {"\\\\": "{[1,\\"", "b\\"": 2.0}, "c": "\\\\", "p2": 3}';
    expect(read(text, 'p')).toEqual({ a: '"p": 1', p: { '\\': '{[1,"', 'b"': exact('2.0') }, c: '\\', p2: 3 });
  });

  it('changes only numbers', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const plain = (_key: string, each: unknown) => (each instanceof ExactNumber ? Number(each.digits) : each);
        const text = JSON.stringify({ p: value });
        expect(JSON.parse(JSON.stringify(read(text, 'p'), plain))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('sets members named like those of every object', () => {
    const value = read('{"p": {"__proto__": 1.0, "constructor": 2.0}}', 'p') as { p: object };
    expect(Object.getOwnPropertyDescriptor(value.p, '__proto__')?.value).toEqual(exact('1.0'));
    expect(Object.getOwnPropertyDescriptor(value.p, 'constructor')?.value).toEqual(exact('2.0'));
  });
});
