import { describe, expect, it } from '@jest/globals';
import { signature } from '../../../testing/fake-result.ts';
import { readColumns, readType } from '../cells/types.ts';
import { trinoProblem } from '../errors.ts';
import { ResultPage } from './result-page.ts';
import { readSegments } from './spooled-segments.ts';

const HEAD = '"id":"q","nextUri":"http://trino/1","columns":[]';

/** Reads a page to its end, whatever it contains. */
function readPage(text: string): ResultPage {
  const page = new ResultPage(Buffer.from(text));
  if (page.dataAt !== undefined) page.takeData();
  return page;
}

describe('a page', () => {
  it.each([
    `{${HEAD},"data":[[1]],"stats":{}}`,
    `{"data":[[1]],${HEAD}}`,
    `{ ${HEAD} , "data" : [[1]] } \n`,
    `{${HEAD},"data":null}`,
    `{${HEAD}}`,
  ])('is read to its end: %s', (text) => {
    expect(readPage(text).nextUri).toBe('http://trino/1');
  });

  it.each([
    ['not an object', '[]'],
    ['nothing', ''],
    ['a comma before its end', `{${HEAD},}`],
    ['a comma before its end, after its data', `{${HEAD},"data":[[1]],}`],
    ['a comma for a member', `{${HEAD},,"data":[[1]]}`],
    ['a comma at its start', `{,${HEAD}}`],
    ['two lists of rows', `{${HEAD},"data":[[1]],"data":[[2]]}`],
    ['two lists of rows, the first of them null', `{${HEAD},"data":null,"data":[[2]]}`],
    ['a member twice', `{${HEAD},"stats":{},"stats":{}}`],
    ['a member twice, one of them after its data', `{${HEAD},"data":[[1]],"nextUri":"http://trino/2"}`],
    ['a name without value', `{${HEAD},"stats"}`],
    ['data after its end', `{${HEAD}}{}`],
    ['no end', `{${HEAD},"data":[[1]]`],
  ])('is rejected with %s', (_, text) => {
    expect(() => readPage(text)).toThrow('cannot be read');
  });

  it.each([
    'null',
    '[null]',
    '[1]',
    '[{}]',
    '[{"name":"a"}]',
    '[{"name":5,"typeSignature":{"rawType":"integer"}}]',
    '{}',
  ])('has no columns when they are %s', (columns) => {
    expect(() => readColumns(JSON.parse(columns))).toThrow('cannot be read');
  });

  it.each(['array', 'map', 'row'])('has no type %s with invalid parts', (rawType) => {
    expect(() => readType({ rawType, arguments: [{ kind: 'TYPE', value: null }] })).toThrow('cannot be read');
  });

  it('has no type that is nested unreasonably deeply', () => {
    const nested = (depth: number): object =>
      depth === 0
        ? signature('integer')
        : { rawType: 'row', arguments: [{ value: { typeSignature: nested(depth - 1) } }] };
    expect(readType(nested(200)).fieldNames).toEqual(['field0']);
    expect(() => readType(nested(2_000))).toThrow('nested too deeply');
  });

  it.each([
    '{"message":5,"errorName":{},"errorType":[],"errorLocation":null}',
    '{"errorLocation":{"lineNumber":"1"}}',
    '"something"',
    'false',
    '[]',
  ])('failed, whatever its error consists of: %s', (error) => {
    const { error: read } = readPage(`{${HEAD},"error":${error}}`);
    expect(trinoProblem(read ?? {})).toMatchObject({ code: 'internal', location: undefined });
    expect(read).toBeDefined();
  });

  it.each(['null', '5', '{"state":5,"completedSplits":"1"}'])('ignores invalid stats: %s', (stats) => {
    expect(readPage(`{${HEAD},"stats":${stats}}`).stats).toEqual({});
  });
});

describe('segments', () => {
  const segment = (members: object): Buffer =>
    Buffer.from(
      JSON.stringify({ encoding: 'json', segments: [{ type: 'spooled', uri: 'http://store/1', ...members }] }),
    );

  it.each([
    'null',
    '5',
    '{"encoding":"json"}',
    '{"encoding":"json","segments":[null]}',
    '{"encoding":"json","segments":{}}',
  ])('are rejected if their list is %s', (data) => {
    expect(() => readSegments(Buffer.from(data))).toThrow('cannot be read');
  });

  it.each([
    { headers: { a: 'one' } },
    { headers: { a: [1] } },
    { metadata: { rowsCount: '5' } },
    { metadata: { segmentSize: -1 } },
    { metadata: { rowOffset: 0.5 } },
  ])('are rejected with %j', (members) => {
    expect(() => readSegments(segment(members))).toThrow('cannot be read');
  });

  it('may omit what Trino need not send', () => {
    expect(readSegments(segment({ headers: null, metadata: null, ackUri: null }))).toEqual([
      { kind: 'stored', uri: 'http://store/1', headers: {} },
    ]);
  });
});
