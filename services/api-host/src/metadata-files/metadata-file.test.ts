import { describe, expect, it } from '@jest/globals';
import { type FileFormat, type MetadataObject, ProblemError, type UploadMediaType } from '@sluice/contract';
import fc from 'fast-check';
import { hostileName, hostileText } from '../../tests/catalog/hostile-metadata.ts';
import { readMetadataFile } from './read-metadata-file.ts';
import { writeMetadataFile } from './write-metadata-file.ts';

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
}

async function read(file: string | Uint8Array, mediaType: UploadMediaType, chunkSize = 1024 * 64) {
  const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : file;
  const { objects } = readMetadataFile({ mediaType, bytes: chunksOf(bytes, chunkSize) });
  const all: { line: number; object: MetadataObject }[] = [];
  for await (const group of objects) all.push(...group);
  return all;
}

/** Returns the paths and messages of the violations of a file. */
const violations = async (file: string | Uint8Array, mediaType: UploadMediaType = 'text/csv'): Promise<string[]> => {
  const thrown = await read(file, mediaType).then(
    () => undefined,
    (cause: unknown) => cause,
  );
  if (!(thrown instanceof ProblemError)) throw new Error('the file was accepted', { cause: thrown });
  expect(thrown.code).toBe('invalid_request');
  return (thrown.details ?? []).map(({ path, message }) => `${path}: ${message}`);
};

async function write(objects: readonly MetadataObject[], format: FileFormat): Promise<Uint8Array> {
  async function* pages() {
    for (let start = 0; start < objects.length; start += 3) {
      yield objects.slice(start, start + 3).map((object) => ({ object }));
    }
  }
  const chunks: Uint8Array[] = [];
  for await (const chunk of writeMetadataFile(pages(), { format, isReport: false })) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const tags = fc.uniqueArray(
  hostileName.map((tag) => tag.trim()),
  { minLength: 1, maxLength: 4 },
);
const described = { description: hostileText, tags };
const field = fc.record({ name: hostileText, ...described }, { requiredKeys: ['name'] });
const fields = fc.uniqueArray(field, { minLength: 1, maxLength: 3, selector: ({ name }) => name });
const object: fc.Arbitrary<MetadataObject> = fc.oneof(
  fc.record(
    { type: fc.constantFrom('TABLE' as const, 'VIEW' as const), id: hostileName, domains: tags, fields, ...described },
    { requiredKeys: ['type', 'id'] },
  ),
  fc.record(
    {
      type: fc.constant('DATAMAP' as const),
      id: hostileName,
      display_name: hostileName.map((name) => name.trim()),
      fields,
      ...described,
    },
    { requiredKeys: ['type', 'id'] },
  ),
);
/** No two neighbours have the same id: in CSV they would be one object. */
const objects = fc
  .array(object, { minLength: 1, maxLength: 8 })
  .map((all) => all.map((each, index) => ({ ...each, id: `${each.id}${index}` })));

describe('a written file', () => {
  it.each([
    ['csv', 'text/csv'],
    ['ndjson', 'application/x-ndjson'],
    ['json', 'application/json'],
  ] as const)(
    'in %s is read as it was written, whatever the text and wherever the bytes are split',
    async (format, type) => {
      await fc.assert(
        fc.asyncProperty(objects, fc.integer({ min: 1, max: 200 }), async (written, chunkSize) => {
          const found = await read(await write(written, format), type, chunkSize);
          expect(found.map((each) => each.object)).toEqual(written);
        }),
        { numRuns: 300 },
      );
    },
  );
});

const HEADER = 'type,id,field,display_name,description,tags,domains';

describe('a CSV file', () => {
  it('may have CR LF, CR or LF, a byte order mark, blank lines, and columns in another order', async () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const file = `\ufeffid,type,description${end}${end}a.b.c,TABLE,"x${end}y"${end} ${end}a.b.d,VIEW,z`;
      for (const chunkSize of [1, 2, 1000]) {
        expect(await read(file, 'text/csv', chunkSize)).toEqual([
          { line: 3, object: { type: 'TABLE', id: 'a.b.c', description: `x${end}y` } },
          { line: 6, object: { type: 'VIEW', id: 'a.b.d', description: 'z' } },
        ]);
      }
    }
  });

  it('reports each mistake with its line and what to change', async () => {
    const file = [
      HEADER,
      'TABEL,a.b.c,,,,,',
      'TABLE,a.b.c,,name,,,',
      'TABLE,a.b.d,x,,,one;;two,',
      'TABLE,a.b.d,x,,,,',
      'TABLE,a.b.e,x,,,,d',
      'TABLE,a.b.e,,,,a\\b,',
      'TABLE,a.b.f',
      'TABLE,a.b.g,,,"a"b,,',
      'TABLE,,,,nul\0,,',
    ].join('\n');
    const starts = [
      'line 2, type: must be TABLE, VIEW or DATAMAP',
      'line 3, display_name: only a DATAMAP has a display_name',
      'line 4, tags[1]: a tag must not be empty',
      'line 5: is a second row of the field "x"',
      'line 6, domains: must be empty',
      'line 7, tags: has a single backslash',
      'line 8: has 2 cells, and the header has 7 columns',
      'line 9: is not valid CSV',
      'line 10, id: must not be empty',
      'line 10, description: must not contain the NUL character',
    ];
    const found = await violations(file);
    expect(found.map((each, index) => each.slice(0, starts[index]?.length))).toEqual(starts);
  });

  it.each([
    ['type,id,colour', /^line 1: has an unknown column "colour"; the columns of a file are type,id,field/],
    ['type,id,id', /^line 1: has the column id twice/],
    ['id,field', /^line 1: has no column type/],
    ['', /^file: has no objects/],
    [HEADER, /^file: has no objects/],
    [`${HEADER}\nTABLE,a.b.c,,,"open,,\n`, /^line 2: starts a quoted cell that never ends/],
    [`${HEADER}\nTABLE,a.b.c,,,${'x'.repeat(4_200_000)},,\n`, /^line 2: starts a row of more than 4194304 characters/],
  ])('%j is rejected', async (file, message) => {
    expect(await violations(file.slice(0, 5_000_000))).toEqual([expect.stringMatching(message)]);
  });

  it('names line 50,000 if that is the broken one, and stops at 100 mistakes', async () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => `TABLE,a.b.t${index},,,x,,`);
    rows[49_998] = 'TABLE,a.b.c,,,"broken"x,,';
    expect(await violations([HEADER, ...rows].join('\n'))).toEqual([
      expect.stringMatching(/^line 50000: is not valid CSV/),
    ]);
    const wrong = Array.from({ length: 60_000 }, () => 'TABEL,a.b.c,,,,,');
    expect(
      await violations([HEADER, ...wrong.map((row, index) => `${row.replace('.c', `.${index}`)}`)].join('\n')),
    ).toHaveLength(100);
  });

  it('names the line that is not UTF-8', async () => {
    const bytes = Buffer.from(`${HEADER}\nTABLE,a.b.c,,,ok,,\nTABLE,a.b.d,,,\xff,,\nTABLE,a.b.e,,,ok,,\n`, 'latin1');
    expect(await violations(bytes)).toEqual(['line 3: is not UTF-8; save the file in UTF-8']);
  });

  it('of more than 2,000 fields in an object is continued in a second object', async () => {
    const rows = Array.from({ length: 2_001 }, (_, index) => `TABLE,a.b.c,f${index},,x,,`);
    const found = await read([HEADER, ...rows].join('\n'), 'text/csv');
    expect(found.map(({ object: { fields: all } }) => all?.length)).toEqual([2_000, 1]);
  });
});

describe('a CSV file of a spreadsheet', () => {
  it('may have empty rows, and empty columns at the end', async () => {
    const file =
      ',,,,\r\ntype,id,description,,\r\n,,,,\r\nTABLE,a.b.c,x,,\r\n, ,,,\r\nTABLE,a.b.d,y,, \r\n,,,,,,,,\r\n';
    expect(await read(file, 'text/csv')).toEqual([
      { line: 4, object: { type: 'TABLE', id: 'a.b.c', description: 'x' } },
      { line: 6, object: { type: 'TABLE', id: 'a.b.d', description: 'y' } },
    ]);
    expect(await violations('type,id,description,,\nTABLE,a.b.c,x, y,\n')).toEqual([
      expect.stringMatching(/^line 2: has 5 cells, and the header has 3 columns/),
    ]);
    expect(await violations('type,,id\nTABLE,,a.b.c\n')).toEqual([expect.stringMatching(/unknown column ""/)]);
  });

  it('has semicolons or tabs between its cells, or what its line for Excel says, wherever the bytes are split', async () => {
    const object = { type: 'TABLE', id: 'a.b.c', description: 'x, "y"; z', tags: ['a', 'b'] };
    for (const [separator, start] of [
      [';', '\ufeff'],
      ['\t', '\n'],
      ['|', 'sep=|\n'],
      [',', 'sep=,\r\n'],
      [';', 'SEP=;\n'],
    ] as const) {
      const rows = [
        ['type', 'id', 'description', 'tags'],
        ['TABLE', 'a.b.c', '"x, ""y""; z"', '"a;b"'],
      ];
      const file = start + rows.map((cells) => cells.join(separator)).join('\n');
      const line = /[\n]/.test(start) ? 3 : 2;
      for (const chunkSize of [1, 2, 7, 1000])
        expect(await read(file, 'text/csv', chunkSize)).toEqual([{ line, object }]);
    }
  });

  it('has its mistakes on the lines of the file, and one column if nothing separates cells', async () => {
    expect(await violations('sep=;\ntype;id\nTABLE;a;b\n"x"y;z\n')).toEqual([
      expect.stringMatching(/^line 3: has 3 cells, and the header has 2 columns/),
      expect.stringMatching(/^line 4: is not valid CSV/),
    ]);
    expect(await violations('type\nTABLE\n')).toEqual([expect.stringMatching(/^line 1: has no column id/)]);
    expect(await violations('type,id;x\n')).toEqual([expect.stringMatching(/^line 1: has an unknown column "id;x"/)]);
    expect(await violations(`${'x'.repeat(5000)}\n`)).toEqual([
      expect.stringMatching(/^line 1: has an unknown column/),
    ]);
  });
});

describe('a YAML file', () => {
  const yaml = 'application/yaml';

  it('has each object on the line on which it begins, wherever the bytes are split', async () => {
    const file =
      '\ufeff# title\n---\nmetadata_objects:\n\n- type: VIEW\r\n  id: a\r\n  description: |\n    x\n    - y\n\n# next\n- {type: TABLE, id: "b: c", tags: [], description: null}\n';
    for (const chunkSize of [1, 2, 1000])
      expect(await read(file, yaml, chunkSize)).toEqual([
        { line: 5, object: { type: 'VIEW', id: 'a', description: 'x\n- y\n' } },
        { line: 12, object: { type: 'TABLE', id: 'b: c', tags: [], description: null } },
      ]);
    expect(await read('  -\n    type: TABLE\n    id: a\n', yaml)).toEqual([
      { line: 1, object: { type: 'TABLE', id: 'a' } },
    ]);
    expect(await violations('metadata_objects: []\n', yaml)).toEqual([expect.stringMatching(/^file: has no objects/)]);
  });

  it('reports each mistake with its own line, and its column where the text is not YAML', async () => {
    const file = [
      ...['- type: TABLE', '  id: a', '  fields:', '    - name: c', '      descripton: x'],
      ...['- type: TABEL', '  id: a'],
      ...['- a: &x 1', '- b: *x', '- a: !ref 1', '- a: 1', '  a: 2', '- 1: 2', '- a: .nan', '- type: TABLE'],
    ].join('\n');
    const starts = [
      'line 5, fields[0].descripton: is not a known key',
      'line 6, type: must be TABLE, VIEW or DATAMAP',
      'line 8, column 9: the anchor &x is not accepted; write the value out where it is used',
      'line 9, column 6: the alias *x is not accepted; write the value out',
      'line 10, column 6: Unresolved tag: !ref; remove the tag',
      'line 12, column 3: the key a is used twice; keep one of the two',
      'line 13, column 3: a key must be a string; put it in quotes',
      'line 14, column 6: JSON cannot represent this number; write it as a string in quotes',
      'line 15, id: ',
    ];
    const found = await violations(file, yaml);
    expect(found.map((each, index) => each.slice(0, starts[index]?.length))).toEqual(starts);
  });

  it.each([
    ['a: 1\n', /^line 1, column 1: this is not a list of objects/],
    ['- type: VIEW\n  id: v\nb: 2\n', /^line 3, column 1: this is not a list of objects/],
    ['dry_run: true\n- type: VIEW\n', /^line 1, column 1: dry_run is not accepted in YAML/],
    [`- ${'['.repeat(50_000)}\n`, /^line 1: is nested too deep/],
    [`- a: [${'x, '.repeat(60_000)}]\n`, /^line 1: must not hold more than 100000 tokens/],
    [`- a: "${'x'.repeat(5_000_000)}"\n`, /^line 1: has more than 4194304 characters/],
    [`- a:\n${`  - ${'x'.repeat(1_000_000)}\n`.repeat(5)}`, /^line 1: starts an object of more than 4194304/],
  ])('is rejected: %j', async (file, message) => {
    expect(await violations(file, yaml)).toEqual([expect.stringMatching(message)]);
  });

  it('leaves turns to other requests between its objects', async () => {
    let turns = 0;
    const counter = setInterval(() => {
      turns += 1;
    });
    await read('- type: TABLE\n  id: a\n  description: text\n'.repeat(5000), yaml, 10_000_000);
    clearInterval(counter);
    expect(turns).toBeGreaterThan(5);
  });
});

describe('a file that is not text', () => {
  it.each([
    [[0x50, 0x4b, 3, 4, 20, 0], 'is a workbook or ZIP file'],
    [[0xff, 0xfe, 0x61, 0], 'is UTF-16'],
    [[0xfe, 0xff], 'is UTF-16'],
    [[0x1f, 0x8b, 8, 0], 'is compressed'],
    [[0x25, 0x50, 0x44, 0x46, 0x2d], 'is a PDF, not a text'],
    [[0x89, 0x50, 0x4e, 0x47, 0x0d], 'is a picture, not a text'],
    [[0xd0, 0xcf, 0x11, 0xe0, 0xa1], 'is a workbook or document of old Office'],
  ])('is named: %j', async (bytes, sentence) => {
    for (const mediaType of ['text/csv', 'application/yaml'] as const)
      expect(await violations(Uint8Array.from(bytes), mediaType)).toEqual([
        expect.stringContaining(`file: ${sentence}`),
      ]);
  });

  it('is named too when its bytes arrive one at a time', async () => {
    await expect(read(Uint8Array.from([0xff, 0xfe, 0x61, 0]), 'text/csv', 1)).rejects.toThrow('is UTF-16');
  });
});

describe('an NDJSON file', () => {
  it('may have CR LF, a byte order mark and no end of its last line', async () => {
    const file = '\ufeff{"type":"TABLE","id":"a.b.c"}\r\n\r\n{"type":"VIEW","id":"v"}';
    for (const chunkSize of [1, 2, 1000]) {
      expect(await read(file, 'application/x-ndjson', chunkSize)).toEqual([
        { line: 1, object: { type: 'TABLE', id: 'a.b.c' } },
        { line: 3, object: { type: 'VIEW', id: 'v' } },
      ]);
    }
  });

  it.each([
    ['{"type":"VIEW","id":"v","description":"nul\\u0000"}', /^line 2, description: .*NUL/],
    ['{"type":"VIEW","id":"v","description":"nul\0"}', /^line 2: is not valid JSON/],
    ['\0', /^line 2: is not valid JSON/],
  ])('rejects the NUL character of %j', async (line, message) => {
    const file = `{"type":"TABLE","id":"a.b.c"}\n${line}\n`;
    expect(await violations(file, 'application/x-ndjson')).toEqual([expect.stringMatching(message)]);
  });

  it('reports each mistake with its line', async () => {
    const file =
      '{"type":"TABLE","id":"a.b.c"}\n\n{"type":"TABLE"\n{"type":"TABLE","id":"x","fields":[{"name":"a"},{"name":"a"}]}\n{"type":"VIEW","id":"a","id":"b"}\n[]\n{"type":"VIEW","id":"v","x":1}';
    expect(await violations(file, 'application/x-ndjson')).toEqual([
      expect.stringMatching(/^line 3: is not valid JSON/),
      'line 4, fields[1].name: another field of this object has this name',
      'line 5, id: must not be given twice',
      expect.stringMatching(/^line 6: /),
      'line 7, x: is not a known key',
    ]);
  });
});

describe('a JSON file', () => {
  it.each([
    ['[]', /^line 1: is not part of a JSON object/],
    ['{}', /^file: has no objects/],
    ['{"metadata_objects":[]}', /^file: has no objects/],
    ['{"metadata_objects":{}}', /^line 1: has metadata_objects that is not an array/],
    ['{"metadata_objects":[\n{"type":"TABLE","id":"a"},\n]}', /^line 3: has a comma without a value/],
    ['{"metadata_objects":[\n{"type":"TABLE","id":"a"}\n', /^line 3: ends before the JSON does/],
    ['{"metadata_objects":[{"type":"TABLE","id":"a"}],"other":1}', /^line 1, other: is not a known key/],
    [
      '{"metadata_objects":[{"type":"TABLE","id":"a"}],"metadata_objects":[]}',
      /^line 1: has the key "metadata_objects" a second time/,
    ],
    ['{"metadata_objects":[{"type":"TABLE","id":"a"}],"dry_run":1}', /^dry_run: must be true or false/],
    ['{"metadata_objects":[{"type":"TABLE","id":"a"}]} x', /^line 1: is not part of a JSON object/],
    ['{"metadata_objects":[\n\n{"type":"TABLE","id":""}]}', /^line 3, id: must not be empty/],
  ])('%s is rejected', async (file, message) => {
    expect(await violations(file, 'application/json')).toEqual([expect.stringMatching(message)]);
  });

  it('may have any layout', async () => {
    const file =
      '\n{ "dry_run" : true ,"metadata_objects":[ {"type":"TABLE","id":"a","description":"\\"]},{["} , {"type":"VIEW","id":"b"}\n] }\n';
    for (const chunkSize of [1, 7, 1000]) {
      expect((await read(file, 'application/json', chunkSize)).map(({ object: each }) => each.id)).toEqual(['a', 'b']);
    }
  });
});
