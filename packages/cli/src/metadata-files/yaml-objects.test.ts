import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { writeObjects } from './write-objects.ts';
import { yamlToNdjson } from './yaml-objects.ts';

async function* bytesOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function joined(texts: AsyncIterable<string>): Promise<string> {
  let all = '';
  for await (const text of texts) all += text;
  return all;
}

const read = (yaml: string, size = 1000): Promise<string> => joined(yamlToNdjson(bytesOf(yaml, size)));
const lines = async (yaml: string): Promise<string[]> => (await read(yaml)).split('\n');

/** Strings that YAML could read as something else. */
const unit = fc.constantFrom(
  ...('ab: -#|>?\'"&*!%@`{}[],\\/~1.0\n\r\t\u00a0\u0085\u2028\ufeff日😀'.match(/./gsu) ?? []),
);
const text = fc.oneof(
  fc.string({ unit, maxLength: 30 }),
  fc.constantFrom(
    'null',
    '~',
    'yes',
    '1e3',
    '0x1',
    '2010-01-31',
    '- x',
    '---',
    '...',
    'a: b',
    '',
    '  x',
    'x  ',
    '\n\n',
  ),
);
const object = fc.record({
  type: fc.constant('TABLE' as const),
  id: text,
  description: fc.option(text),
  tags: fc.array(text, { maxLength: 3 }),
  fields: fc.array(fc.record({ name: text, description: text }), { maxLength: 3 }),
});

describe('objects in YAML', () => {
  it('are the same when they are written and read, in pieces of any length', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(object, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 60 }),
        async (objects, size) => {
          const source = (async function* () {
            yield* objects;
          })();
          const ndjson = await read(await joined(writeObjects('yaml', source)), size);
          const found = ndjson.split('\n').filter((line) => line !== '');
          expect(found.map((line) => JSON.parse(line))).toEqual(objects);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are on the lines on which they begin', async () => {
    expect(
      await lines('# title\n---\nmetadata_objects:\n\n- a: 1\n  b: |\n    x\n    - y\n\n# next\n- {a: 2}\n'),
    ).toEqual([...['', '', '', '', '{"a":1,"b":"x\\n- y\\n"}', '', '', '', '', '', '{"a":2}', '']]);
    expect(await lines('\uFEFF  - a: 1\r\n  -\r\n    a: 2\r\n')).toEqual(['{"a":1}', '{"a":2}', '']);
    expect(await read('metadata_objects: []\n')).toBe('');
  });

  it.each([
    ['- a: &x 1\n- b: *x\n', 'line 1, column 9: the anchor &x is not accepted; write the value out where it is used'],
    ['- a: 1\n- b: *x\n', 'line 2, column 6: the alias *x is not accepted; write the value out'],
    ['- &x a: 1\n', 'line 1, column 6: the anchor &x is not accepted; write the value out where it is used'],
    ['- a: !ref 1\n', 'line 1, column 6: Unresolved tag: !ref; remove the tag'],
    ['- a: 1\n  a: 2\n', 'line 2, column 3: the key a is used twice; keep one of the two'],
    ['- 1: 2\n', 'line 1, column 3: a key must be a string; put it in quotes'],
    ['- a: .nan\n', 'line 1, column 6: JSON cannot represent this number; write it as a string in quotes'],
    ['- a: 1\nb: 2\n', 'line 2, column 1: this is not a list of objects'],
  ])('are rejected with their place: %j', async (yaml, message) => {
    await expect(read(yaml)).rejects.toThrow(message);
  });

  it('are rejected when they are nested too deeply to be read', async () => {
    await expect(read(`- ${'['.repeat(50_000)}\n`)).rejects.toThrow('line 1');
  });
});
