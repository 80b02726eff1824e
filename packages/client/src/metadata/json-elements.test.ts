import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { JsonElements } from './read-objects.ts';

const object = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });

/** Returns the elements of a document that arrives in pieces of these lengths. */
function split(text: string, sizes: readonly number[]) {
  const reader = new JsonElements();
  const elements: unknown[] = [];
  for (let at = 0, n = 0; at < text.length; n += 1) {
    const size = sizes.length === 0 ? text.length : (sizes[n % sizes.length] ?? 1);
    for (const element of reader.add(text.slice(at, at + size))) elements.push(JSON.parse(element));
    at += size;
  }
  return { elements, isWhole: reader.isWhole };
}

describe('the elements of a file of metadata', () => {
  it('are those of JSON.parse, wherever its pieces end', () => {
    fc.assert(
      fc.property(
        fc.array(object, { maxLength: 6 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { maxLength: 4 }),
        fc.boolean(),
        (objects, sizes, isIndented) => {
          const text = JSON.stringify({ metadata_objects: objects }, undefined, isIndented ? 2 : 0);
          const { metadata_objects: expected } = JSON.parse(text) as { metadata_objects: unknown[] };
          expect(split(`${text}\n`, sizes)).toEqual({ elements: expected, isWhole: true });
        },
      ),
    );
  });

  it('are not all when the file is cut anywhere before its last brace', () => {
    const text = JSON.stringify({ metadata_objects: [{ a: '}]}', b: ['"', { c: '\\' }] }, { d: 1 }] });
    for (let end = 0; end < text.length; end += 1)
      expect({ end, isWhole: split(text.slice(0, end), [3]).isWhole }).toEqual({ end, isWhole: false });
  });
});
