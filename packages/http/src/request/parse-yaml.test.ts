import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { writeObjects } from '@sluice/contract/metadata-files';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { parseYaml, parseYamlPart } from './parse-yaml.ts';

const BYTES_MAX = 2 ** 20;

const parse = (text: string): unknown => parseYaml(new TextEncoder().encode(text));

const refusalOf = (text: string): ProblemError => {
  try {
    parse(text);
  } catch (thrown) {
    if (thrown instanceof ProblemError) return thrown;
    throw thrown;
  }
  throw new Error('it was taken');
};

const filled = (part: string): string => part.repeat(Math.floor(BYTES_MAX / part.length));

describe('parseYaml', () => {
  it('returns the JSON value of a document', () => {
    const text = `# a file\nroles:\n  - name: a\n    permissions: [query:run, "datamap:read"]\nsql: |\n  select 1\n  from t\nno: no\nn: 12\nf: false\nz: ~\n`;
    expect(parse(text)).toEqual({
      roles: [{ name: 'a', permissions: ['query:run', 'datamap:read'] }],
      sql: 'select 1\nfrom t\n',
      no: 'no',
      n: 12,
      f: false,
      z: null,
    });
  });

  it('parses JSON on one long line', () => {
    const value = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`k${index}`, [{ a: `"\\/é${index}` }]]),
    );
    expect(parse(JSON.stringify(value))).toEqual(value);
  });

  it('treats __proto__ as an ordinary key', () => {
    const value = parse('__proto__: {admin: true}') as Record<string, unknown>;
    expect([Object.keys(value), Reflect.get(value, 'admin')]).toEqual([['__proto__'], undefined]);
  });

  it('accepts 64 levels and rejects more', () => {
    expect(JSON.stringify(parse(`${'['.repeat(64)}${']'.repeat(64)}`))).toBe(`${'['.repeat(64)}${']'.repeat(64)}`);
    expect(refusalOf(`${'['.repeat(66)}${']'.repeat(66)}`).code).toBe('invalid_request');
  });

  it.each([
    ['an alias', 'a: &a [1]\nb: *a'],
    ['aliases that multiply', 'a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]'],
    ['an alias of what it is in', '&a [*a]'],
    ['a merge key', 'a: &a {x: 1}\nb:\n  <<: *a'],
    ['one key twice', 'a: 1\nb: 2\na: 3'],
    ['one key twice in brackets', '{a: 1, "a": 2}'],
    ['a map as a key', '? {a: 1}\n: 2'],
    ['a tag of its own', 'a: !!js/function "x"'],
    ['binary data', 'a: !!binary AAAA'],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['no document', ''],
    ['only a comment', '# a'],
    ['a tab that indents', 'a:\n\tb: 1'],
    ['an open bracket', 'a: [1'],
    ['an unknown escape', 'a: "\\q"'],
    ['half an escape', 'a: "\\x1"'],
    ['half of a surrogate pair, in bytes', '\ud800: ['],
  ])('with %s is refused', (_, text) => {
    expect(refusalOf(text).code).toBe('invalid_request');
  });

  it('reports the position of a mistake without quoting the body', () => {
    const { message } = refusalOf('password: s3cret\nusers:\n  - x: [s3cret');
    expect(message).toMatch(/line 3, column \d+/);
    expect(message).not.toContain('s3cret');
  });

  it.each([
    ['brackets', '['],
    ['braces', '{a: '],
    ['dashes', '- '],
    ['explicit keys', '? '],
    ['keys', 'k:\n'],
    ['documents', '---\n'],
    ['violations', '}\n'],
    ['comments', '# x\n'],
    ['directives', '%x\n'],
    ['anchors', '- &a x\n'],
    ['ends', '...\n'],
    ['tags', '- !x y\n'],
  ])('of a megabyte of %s is refused, and ends nothing', (_, part) => {
    expect(refusalOf(filled(part)).code).toBe('invalid_request');
  });

  it('rejects a megabyte of ever deeper blocks or of invalid escapes', () => {
    let blocks = '';
    for (let depth = 0; blocks.length < BYTES_MAX; depth += 1) blocks += `${' '.repeat(depth)}a:\n`;
    expect(refusalOf(blocks).message).toContain('too deep');
    expect(refusalOf(`a: "${filled('\\x')}"`).message).toContain('escape');
  });

  it('compares ten thousand keys in seconds, not in minutes', () => {
    const text = Array.from({ length: 10_000 }, (_, index) => `k${index}: 1`).join('\n');
    const start = process.cpuUsage();
    expect(Object.keys(parse(text) as object)).toHaveLength(10_000);
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1e6).toBeLessThan(5);
  });
});

/** Strings that YAML could read as something else. */
const unit = fc.constantFrom(
  ...('ab: -#|>?\'"&*!%@`{}[],\\/~1.0\n\r\t\u00a0\u0085\u2028\ufeff日😀'.match(/./gsu) ?? []),
);
const hostileText = fc.oneof(
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
  type: fc.constant('TABLE'),
  id: hostileText,
  tags: fc.array(hostileText, { maxLength: 3 }),
  fields: fc.array(fc.record({ name: hostileText, description: hostileText }), { maxLength: 3 }),
});

describe('parseYamlPart', () => {
  it('returns the objects of a metadata file as they were written', async () => {
    await fc.assert(
      fc.asyncProperty(object, async (written) => {
        const source = (async function* () {
          yield written;
        })();
        let text = '';
        for await (const part of writeObjects('yaml', source, async () => ({ stringify }))) text += part;
        const { value } = parseYamlPart(text.replace('metadata_objects:\n-', ' '));
        expect(value).toEqual(written);
      }),
      { numRuns: 300 },
    );
  });
});
