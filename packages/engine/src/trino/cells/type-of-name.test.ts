import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { typeOfName } from './type-of-name.ts';
import { readType } from './types.ts';

const leaf = (rawType: string, ...numbers: readonly number[]): object => ({
  rawType,
  arguments: numbers.map((value) => ({ kind: 'LONG', value })),
});

const LEAVES: readonly object[] = [
  ...[leaf('bigint'), leaf('varchar', 2_147_483_647), leaf('varchar', 10), leaf('decimal', 38, 10), leaf('json')],
  ...[leaf('timestamp', 6), leaf('timestamp with time zone', 12), leaf('time with time zone', 3), leaf('char', 3)],
  ...[leaf('interval day to second'), leaf('interval year to month'), leaf('HyperLogLog')],
];

const TYPES = fc.letrec<{ type: object }>((tie) => ({
  type: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom(...LEAVES),
    tie('type').map((value) => ({ rawType: 'array', arguments: [{ kind: 'TYPE', value }] })),
    fc
      .tuple(tie('type'), tie('type'))
      .map((parts) => ({ rawType: 'map', arguments: parts.map((value) => ({ kind: 'TYPE', value })) })),
    fc
      .array(fc.tuple(fc.constantFrom('a', 'x y', 'q"', '"', '', 'A,(b)', 'with time zone'), tie('type')), {
        minLength: 1,
        maxLength: 4,
      })
      .map((fields) => ({
        rawType: 'row',
        arguments: fields.map(([name, typeSignature]) => ({
          kind: 'NAMED_TYPE',
          value: { fieldName: { name }, typeSignature },
        })),
      })),
  ),
}));

describe('typeOfName', () => {
  it('reads the name of every type that a page can have', () => {
    fc.assert(
      fc.property(TYPES.type, (signature) => {
        const type = readType(signature);
        expect(typeOfName(type.name)).toEqual(type);
      }),
    );
  });

  it.each(['', 'array(', 'array(bigint', 'row(a)', 'row("a bigint)', 'bigint)', 'map(,)'])('rejects %s', (name) => {
    expect(() => typeOfName(name)).toThrow('cannot be read');
  });
});
