import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createValueSeal } from './value-seal.ts';

const seal = createValueSeal({ current: Buffer.alloc(32, 7) });
const binding = fc.array(fc.string(), { maxLength: 3 });

describe('createValueSeal', () => {
  it('returns every sealed value with the same binding, in every process with the same master key', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), binding, (value, parts) => {
        expect(createValueSeal({ current: Buffer.alloc(32, 7) }).open(seal.seal(value, parts), parts)).toBe(value);
      }),
    );
  });

  it('returns undefined for any changed character, another binding and another key', () => {
    const sealed = seal.seal('value', ['acme', 'ann']);
    for (let index = 0; index < sealed.length; index += 1) {
      const changed = `${sealed.slice(0, index)}${sealed[index] === 'x' ? 'y' : 'x'}${sealed.slice(index + 1)}`;
      expect(seal.open(changed, ['acme', 'ann'])).toBeUndefined();
      expect(seal.open(sealed.slice(0, index), ['acme', 'ann'])).toBeUndefined();
    }
    for (const other of [[], ['acme'], ['ann', 'acme'], ['acme', 'ann', ''], ['acmeann']]) {
      expect(seal.open(sealed, other)).toBeUndefined();
    }
    expect(createValueSeal({ current: randomBytes(32) }).open(sealed, ['acme', 'ann'])).toBeUndefined();
  });

  it('opens values that were sealed under the previous key, and seals under the current one', () => {
    const [before, after] = [randomBytes(32), randomBytes(32)];
    const both = createValueSeal({ current: after, previous: before });
    expect(both.open(createValueSeal({ current: before }).seal('value', []), [])).toBe('value');
    expect(createValueSeal({ current: after }).open(both.seal('value', []), [])).toBe('value');
    expect(createValueSeal({ current: before }).open(both.seal('value', []), [])).toBeUndefined();
  });
});
