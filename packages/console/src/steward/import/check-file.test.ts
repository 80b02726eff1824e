import { describe, expect, it } from '@jest/globals';
import { checkFile } from './check-file.ts';
import { formatOfName, formatOfText, type ImportFormat } from './checked-file.ts';

const HEADER = 'type,id,field,description,tags';
const ROW = 'TABLE,shop.main.items,,Everything,a;b';

const check = (content: string | Uint8Array<ArrayBuffer>, format: ImportFormat = 'csv') =>
  checkFile(
    { name: 'file', format, content: new Blob([content]) },
    { onProgress: () => undefined, signal: new AbortController().signal },
  );
const mistakes = async (content: string | Uint8Array<ArrayBuffer>, format?: ImportFormat) =>
  ((await check(content, format)).mistakes ?? []).map(({ path, message }) => `${path} ${message}`);
const sent = async (content: string, format?: ImportFormat) => {
  const { file } = await check(content, format);
  return file && { format: file.format, objects: file.objects, text: await file.body.text() };
};
const rows = (count: number): string[] => Array.from({ length: count }, (_, at) => `TABLE,shop.main.t${at},,d,`);

describe('the check of a file', () => {
  it('accepts what the host accepts, and sends it as it is', async () => {
    const csv = `\uFEFF${HEADER}\r\n${ROW}\r\nTABLE,shop.main.items,price,"In ""euros"",\nnet",\r\n`;
    expect(await sent(csv)).toEqual({ format: 'csv', objects: 1, text: csv.slice(1) });
    const json = `{"metadata_objects": [{"type": "TABLE", "id": "a.b.c", "add_tags": ["x"]}]}`;
    expect(await sent(json, 'json')).toEqual({ format: 'json', objects: 1, text: json });
    expect(await sent('{"type":"VIEW","id":"a.b.c","line":3}\n\n', 'ndjson')).toMatchObject({ objects: 1 });
  });

  it('sends YAML and other separators as NDJSON, on the lines of the file', async () => {
    const object = '{"type":"TABLE","id":"a.b.c","tags":["x"]}';
    expect(await sent('# title\nmetadata_objects:\n- type: TABLE\n  id: a.b.c\n  tags: [x]\n', 'yaml')).toEqual({
      format: 'ndjson',
      objects: 1,
      text: `\n\n${object}\n`,
    });
    for (const [start, lines] of [
      ['', '\n'],
      ['sep=;\n', '\n\n'],
    ])
      expect(await sent(`${start}type;id;tags\nTABLE;a.b.c;x\n`)).toEqual({
        format: 'ndjson',
        objects: 1,
        text: `${lines}${object}\n`,
      });
  });

  it('says which column is wrong', async () => {
    expect(await mistakes(`type,id,text\n`)).toEqual([expect.stringContaining('line 1 has an unknown column "text"')]);
    expect(await mistakes(`id,description\n`)).toEqual([expect.stringContaining('line 1 has no column type')]);
  });

  it('names line 50,000 when it is broken, and accepts nothing', async () => {
    const lines = rows(50_100);
    lines[49_998] = 'TABLE,shop.main.t,,say "hi",';
    expect(await mistakes([HEADER, ...lines].join('\n'))).toEqual([
      expect.stringContaining('line 50000 is not valid CSV'),
    ]);
  });

  it('rejects the object 100,001', async () => {
    expect(await mistakes([HEADER, ...rows(100_001)].join('\n'))).toEqual([
      'line 100002 starts object 100001; a file has at most 100000',
    ]);
  });

  it.each<[string, ImportFormat, string]>([
    ['', 'csv', 'file has no objects; write at least one'],
    [`${HEADER}\nTABLE,a\n`, 'csv', 'line 2 has 2 cells, and the header has 5 columns'],
    [`${HEADER}\nTABEL,a,,d,\n`, 'csv', 'line 2, type must be TABLE, VIEW or DATAMAP'],
    ['{"metadata_objects": [{"type": "TABLE"', 'json', 'line 1 ends before the JSON does; send the whole file'],
    ['{"metadata_objects": [{"type": "TABLE", "id": "a", "tag": 1}]}', 'json', 'line 1, tag is not a known key'],
    ['\n{"type": TABLE}\n', 'ndjson', 'line 2 is not valid JSON, or is nested too deeply'],
    ['- type: TABLE\n  id: &x a\n- type: TABLE\n  id: *x\n', 'yaml', 'line 2 has the anchor &x; write the value out'],
    ['- type: TABLE\n  id: a\n- type: TABEL\n  id: b\n', 'yaml', 'line 3, type must be'],
    [
      '- type: TABLE\n  id: a\n  fields:\n    - name: c\n      descripton: x\n',
      'yaml',
      'line 5, fields[0].descripton is not a',
    ],
    ['a: 1\n', 'yaml', 'line 1 is not a list of objects'],
    [`- ${'['.repeat(3000)}\n`, 'yaml', 'line 1 is not valid YAML'],
    [`${HEADER}\nTABLE,a,,"never closed\n`, 'csv', 'line 2 starts a quoted cell that never ends'],
    [`${HEADER}\nTABLE,a,,b\0c,\n`, 'csv', 'line 2 has a NUL character; remove it'],
  ])('has one sentence for %j', async (content, format, sentence) => {
    expect(await mistakes(content, format)).toEqual([expect.stringContaining(sentence)]);
  });

  it.each<[number[], string]>([
    [[0x50, 0x4b, 3, 4], 'file is a workbook or ZIP file'],
    [[0xff, 0xfe, 0x61, 0], 'file is UTF-16'],
    [[0xfe, 0xff, 0, 0x61], 'file is UTF-16'],
    [[0x25, 0x50, 0x44, 0x46, 0x2d], 'file is a PDF, not a text'],
    [[0x89, 0x50, 0x4e, 0x47, 0x0d], 'file is a picture, not a text'],
    [[0xd0, 0xcf, 0x11, 0xe0, 0xa1], 'file is a workbook or document of old Office'],
    [[...Buffer.from(`${HEADER}\nTABLE,`), 0xe9, 0x2c, 0x0a], 'line 2 is not UTF-8'],
  ])('says what kind of file it is: %j', async (bytes, sentence) => {
    expect(await mistakes(Uint8Array.from(bytes))).toEqual([expect.stringContaining(sentence)]);
  });

  it('lists at most a hundred mistakes', async () => {
    const found = await mistakes([HEADER, ...Array.from({ length: 200 }, () => 'broken')].join('\n'));
    expect(found).toHaveLength(100);
  });
});

describe('the format of a file', () => {
  it.each([
    ['a.CSV', 'csv'],
    ['a.b.jsonl', 'ndjson'],
    ['a.yml', 'yaml'],
    ['a', undefined],
    ['a.__proto__', undefined],
  ])('of %s is %s', (name, format) => expect(formatOfName(name)).toBe(format));

  it.each([
    [' {"metadata_objects": []}', 'json'],
    ['{"type": "TABLE"}\n', 'ndjson'],
    ['- type: TABLE', 'yaml'],
    ['type,id', 'csv'],
  ])('of the text %j is %s', (text, format) => expect(formatOfText(text)).toBe(format));
});
