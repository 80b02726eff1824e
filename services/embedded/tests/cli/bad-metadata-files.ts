/** A file that no import accepts, and what the command says about it. */
export interface BadFile {
  readonly is: string;
  readonly name: string;
  readonly bytes: string | Buffer;
  readonly says: RegExp;
}

const HEAD = 'type,id,field,display_name,description,tags,domains\n';
const TABLE = '{"type":"TABLE","id":"shop.main.items"';
const ITEM = '- type: TABLE\n  id: shop.main.items\n';

const csv = (is: string, rows: string | Buffer, says: RegExp): BadFile => ({
  is: `CSV: ${is}`,
  name: 'bad.csv',
  bytes: rows,
  says,
});
const ndjson = (is: string, lines: string, says: RegExp): BadFile => ({
  is: `NDJSON: ${is}`,
  name: 'bad.ndjson',
  bytes: lines,
  says,
});
const json = (is: string, text: string, says: RegExp): BadFile => ({
  is: `JSON: ${is}`,
  name: 'bad.json',
  bytes: text,
  says,
});
const yaml = (is: string, text: string | Buffer, says: RegExp): BadFile => ({
  is: `YAML: ${is}`,
  name: 'bad.yaml',
  bytes: text,
  says,
});

const utf16 = (text: string): Buffer => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]);
const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** Files with one violation each, most of which people really make. */
export const BAD_FILES: readonly BadFile[] = [
  csv('empty', '', /bad\.csv is empty/),
  csv('blank lines only', '\n\n\n', /has no objects/),
  csv('a header only', HEAD, /has no objects/),
  csv('UTF-16', utf16(`${HEAD}TABLE,a.b.c,,,x,,\n`), /line 1, column 1: the file is UTF-16/),
  csv('UTF-16 big-endian', utf16(HEAD).swap16(), /line 1, column 1: the file is UTF-16/),
  csv('Latin-1', latin1(`${HEAD}TABLE,shop.main.items,,,Stück,,\n`), /line 2, column 27: this is not UTF-8/),
  csv('a workbook', Buffer.from('504b030414000600', 'hex'), /is a workbook or ZIP file/),
  csv('gzip', Buffer.from('1f8b0800000000', 'hex'), /is compressed/),
  csv('a NUL', `${HEAD}TABLE,shop.main.items,,,a\0b,,\n`, /line 2, column 26: a NUL character/),
  csv(
    'a file cut within a character',
    Buffer.from(`${HEAD}TABLE,shop.main.items,,,ü`).subarray(0, -1),
    /line 2: the file ends within a character/,
  ),
  csv('semicolons and no row', HEAD.replaceAll(',', ';'), /has no objects/),
  csv('bars', HEAD.replaceAll(',', '|'), /line 1: has an unknown column/),
  csv(
    'semicolons and a wrong type',
    `${HEAD}table,shop.main.items,,,"x,y",,\n`.replaceAll(',', ';'),
    /line 2, type: must be/,
  ),
  csv('no header', 'TABLE,shop.main.items,,,x,,\n', /line 1: has an unknown column "TABLE"/),
  csv('an unknown column', 'type,id,owner\nTABLE,shop.main.items,me\n', /line 1: has an unknown column "owner"/),
  csv('a repeated column', 'type,id,tags,tags\n', /line 1: has the column tags twice/),
  csv('no id column', 'type,description\nTABLE,x\n', /line 1: has no column id/),
  csv('a row with too few cells', `${HEAD}TABLE,shop.main.items\n`, /line 2: has 2 cells, and the header has 7/),
  csv('a row with too many cells', `${HEAD}TABLE,shop.main.items,,,a,b,c,d\n`, /line 2: has 8 cells/),
  csv(
    'CRLF and a ragged row',
    `${HEAD}TABLE,shop.main.items,,,x,,\nTABLE\n`.replaceAll('\n', '\r\n'),
    /line 3: has 1 cells/,
  ),
  csv('an open quote', `${HEAD}TABLE,shop.main.items,,,"x,,\n`, /line 2: starts a quoted cell that never ends/),
  csv('a quote within a cell', `${HEAD}TABLE,shop.main.items,,,"a"b,,\n`, /line 2: is not valid CSV/),
  csv('a type in lower case', `${HEAD}table,shop.main.items,,,x,,\n`, /line 2, type: must be TABLE, VIEW or DATAMAP/),
  csv('no id', `${HEAD}TABLE,,,,x,,\n`, /line 2, id:/),
  csv('a display name of a table', `${HEAD}TABLE,shop.main.items,,Items,,,\n`, /line 2, display_name: only a DATAMAP/),
  csv('domains of a field', `${HEAD}TABLE,shop.main.items,id,,,,x\n`, /line 2, domains: must be empty/),
  csv(
    'a single backslash in a list',
    `${HEAD}TABLE,shop.main.items,,,,a\\b,\n`,
    /line 2, tags: has a single backslash/,
  ),
  csv(
    'two rows of an object',
    `${HEAD}TABLE,shop.main.items,,,x,,\nTABLE,shop.main.items,,,y,,\n`,
    /line 3: is a second row of the object/,
  ),
  csv(
    'two rows of a field',
    `${HEAD}TABLE,shop.main.items,id,,x,,\nTABLE,shop.main.items,id,,y,,\n`,
    /line 3: is a second row of the field "id"/,
  ),
  csv(
    'a cell of 10 MB',
    `${HEAD}TABLE,shop.main.items,,,${'x'.repeat(10_000_000)},,\n`,
    /line 2: starts a row of more than 4194304/,
  ),
  csv(
    'a description that is too long',
    `${HEAD}TABLE,shop.main.items,,,${'x'.repeat(100_001)},,\n`,
    /line 2, description: must have at most/,
  ),
  csv('a tag that is too long', `${HEAD}TABLE,shop.main.items,,,,${'x'.repeat(257)},\n`, /line 2, tags/),
  csv(
    'a mistake far below',
    `${HEAD}${'TABLE,shop.main.items,,,x,,\nVIEW,a.b.c,,,,,\n'.repeat(2000)}TABLE,,,,,,\n`,
    /line 4002, id:/,
  ),
  ndjson('empty', '', /is empty/),
  ndjson('an array', `[${TABLE}}]\n`, /line 1/),
  ndjson('not JSON', `${TABLE}}\n${TABLE},}\n`, /line 2: is not valid JSON/),
  ndjson('single quotes', "{'type':'TABLE'}\n", /line 1: is not valid JSON/),
  ndjson('a pretty-printed object', '{\n"type":"TABLE"\n}\n', /line 1: is not valid JSON/),
  ndjson('a repeated key', `${TABLE},"id":"x"}\n`, /line 1, id: must not be given twice/),
  ndjson('an unknown key', `${TABLE},"colour":"red"}\n`, /line 1, colour: is not a known key/),
  ndjson('a number as id', '{"type":"TABLE","id":12}\n', /line 1, id:/),
  ndjson('a large number as id', '{"type":"DATAMAP","id":12345678901234567890}\n', /line 1, id:/),
  ndjson('a number as description', `${TABLE},"description":1}\n`, /line 1, description/),
  ndjson('tags that are a string', `${TABLE},"tags":"a"}\n`, /line 1, tags/),
  ndjson(
    'tags and add_tags',
    `${TABLE},"tags":[],"add_tags":["a"]}\n`,
    /line 1, add_tags: add_tags and tags exclude each other/,
  ),
  ndjson('fields that are an object', `${TABLE},"fields":{"id":{}}}\n`, /line 1, fields: must be an array/),
  ndjson('a field without a name', `${TABLE},"fields":[{"description":"x"}]}\n`, /line 1, fields\[0\]\.name/),
  ndjson(
    'a field twice',
    `${TABLE},"fields":[{"name":"id"},{"name":"id"}]}\n`,
    /line 1, fields\[1\]\.name: another field/,
  ),
  ndjson('an escaped NUL', `${TABLE},"description":"a\\u0000b"}\n`, /line 1, description/),
  ndjson('a lone surrogate', `${TABLE},"description":"\\ud800"}\n`, /line 1, description/),
  ndjson(
    'deep nesting',
    `${'['.repeat(5000)}${']'.repeat(5000)}\n`,
    /line 1: is not valid JSON, or is nested too deeply/,
  ),
  json('empty', ' \n', /line \d+: ends before the JSON does/),
  json('an array', `[${TABLE}}]`, /line 1: is not part of a JSON object/),
  json('a missing bracket', `{"metadata_objects":[${TABLE}}`, /ends before the JSON does/),
  json('an unknown member', `{"objects":[${TABLE}}]}`, /line 1, objects: is not a known key/),
  json('no objects', '{"metadata_objects":[]}', /has no objects/),
  json('a list that is an object', '{"metadata_objects":{}}', /metadata_objects that is not an array/),
  json('a trailing comma', `{"metadata_objects":[\n${TABLE}},\n]}`, /line 3: has a comma without a value/),
  json('text behind the document', `{"metadata_objects":[${TABLE}}]} x`, /line 1/),
  json('dry_run that is a string', `{"dry_run":"no","metadata_objects":[${TABLE}}]}`, /dry_run: must be true or false/),
  yaml('empty', '', /is empty/),
  yaml('comments only', '# nothing\n', /has no objects/),
  yaml('a mapping', 'type: TABLE\nid: a.b.c\n', /line 1, column 1: this is not a list of objects/),
  yaml('a flow list', `metadata_objects: [{type: TABLE}]\n`, /line 1, column 1: this is not a list of objects/),
  yaml(
    'an alias',
    `${ITEM}  description: &a x\n- type: TABLE\n  id: a.b.c\n  description: *a\n`,
    /line 3, column \d+: the anchor &a is not accepted/,
  ),
  yaml(
    'a bomb',
    `- &a [x, x, x]\n- &b [*a, *a, *a]\n- [*b, *b, *b]\n`,
    /line 1, column 6: the anchor &a is not accepted/,
  ),
  yaml('an anchor on a string', `${ITEM}  description: &a x\n`, /line 3, column \d+: the anchor &a is not accepted/),
  yaml('an anchor on nothing', `${ITEM}  description: &a\n`, /line 3, column \d+: the anchor &a is not accepted/),
  yaml('an anchor on a key', `${ITEM}  &a description: x\n`, /line 3, column \d+: the anchor &a is not accepted/),
  yaml('an anchor on an object', `- &a\n  type: TABLE\n`, /line 2, column 3: the anchor &a is not accepted/),
  yaml('dry_run', `dry_run: true\nmetadata_objects:\n${ITEM}`, /line 1, column 1: dry_run is not accepted in YAML/),
  yaml('a repeated key', `${ITEM}  id: again\n`, /line 3, column 3: the key id is used twice/),
  yaml('a tag', `${ITEM}  description: !!js/function x\n`, /line 3, column \d+/),
  yaml('a tab as indentation', `- type: TABLE\n\tid: x\n`, /line 2/),
  yaml('an open quote', `${ITEM}  description: "x\n`, /line \d, column \d+/),
  yaml('wrong indentation', `- type: TABLE\n   id: x\n`, /line 1, column 9/),
  yaml('a second document', `${ITEM}---\n${ITEM}`, /line 3, column 1/),
  yaml('a number without JSON', `${ITEM}  description: .inf\n`, /line 3, column 16: JSON cannot represent this number/),
  yaml('a number as id', '- type: TABLE\n  id: 12\n', /line 2, id:/),
  yaml(
    'an unknown key in the second object',
    `${ITEM}\n# two\n- type: TABLE\n  colour: red\n  id: x\n`,
    /line 6, colour: is not a known key/,
  ),
  yaml('Latin-1', latin1(`${ITEM}  description: Stück\n`), /line 3, column 18: this is not UTF-8/),
  yaml(
    'an item of 10 MB',
    `${ITEM}  description: ${'x'.repeat(10_000_000)}\n`,
    /line 3: has more than 4194304 characters/,
  ),
  yaml('deep nesting', `- ${'['.repeat(20_000)}`, /line 1/),
  { is: 'an unknown extension', name: 'bad.txt', bytes: HEAD, says: /has none of the extensions .*--format/ },
];
