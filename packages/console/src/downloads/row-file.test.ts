import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseMarkdownTables } from '../../../testkit/src/markdown-table.ts';
import type { Completeness, ResultColumn } from '../result/result-view.ts';
import { RowStore } from '../result/row-store.ts';
import { fileBytesMax, holdResult, type RowFormat, writeRowFile } from './row-file.ts';

const VALUES = new URL('../../../../docs/values.md', import.meta.url);
const FORMATS = ['csv', 'json', 'ndjson'] as const;
const noPause = () => undefined;

function resultOf(
  columns: readonly ResultColumn[],
  rows: readonly (readonly string[])[],
  completeness: Completeness = 'complete',
) {
  const store = new RowStore(columns);
  store.append(rows);
  return { view: store.view(completeness), textBytes: store.textBytes };
}

const fileText = async ({ view }: ReturnType<typeof resultOf>, format: RowFormat): Promise<string> =>
  (await writeRowFile(view, format, noPause)).file.text();

describe('a file of rows that the page holds', () => {
  const code = (cell: string | undefined): string => (cell ?? '').replace(/^`(.*)`$/s, '$1');
  const examples = parseMarkdownTables(readFileSync(VALUES, 'utf8')).flat();

  it('has each value of docs/values.md as the download of each engine has it', async () => {
    expect(examples.length).toBeGreaterThan(90);
    for (const { Type: type = '', JSON: json, CSV: csv } of examples) {
      const held = resultOf([{ name: 'v', type }], [[code(json)]]);
      expect([type, await fileText(held, 'csv')]).toEqual([type, `v\n${code(csv)}\n`]);
      expect([type, await fileText(held, 'ndjson')]).toEqual([type, `{"v":${code(json)}}\n`]);
    }
  });

  it('has the layout of a download: columns, separators, and the end', async () => {
    const columns = [
      { name: 'a,b', type: 'integer' },
      { name: '__proto__', type: 'varchar' },
    ];
    const held = resultOf(columns, [
      ['1', '"x"'],
      ['null', '""'],
    ]);
    expect(await fileText(held, 'csv')).toBe('"a,b",__proto__\n1,x\n,""\n');
    expect(await fileText(held, 'json')).toBe(
      `{"metadata":${JSON.stringify({ columns, type: 'metadata' })},"data":[\n` +
        '{"a,b":1,"__proto__":"x"},\n{"a,b":null,"__proto__":""}\n]}',
    );
    expect(await fileText(resultOf(columns, []), 'json')).toBe(
      `{"metadata":${JSON.stringify({ columns, type: 'metadata' })},"data":[\n\n]}`,
    );
    expect(await fileText(resultOf([], [[], []]), 'csv')).toBe('\n\n\n');
  });

  it('is hashed, counted, and never larger than it was estimated', async () => {
    const text = fc.string({ unit: 'grapheme' }).map((value) => JSON.stringify(value));
    const nested = fc.array(fc.string()).map((value) => JSON.stringify(value));
    const row = fc.tuple(fc.oneof(text, fc.constant('null')), fc.oneof(nested, fc.constant('null')));
    const columns = [
      { name: 'größe "x"', type: 'varchar' },
      { name: 'list', type: 'array(varchar)' },
    ];
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 30 }), async (rows) => {
        for (const format of FORMATS)
          for (const width of [1, 2]) {
            const held = resultOf(
              columns.slice(0, width),
              rows.map((each) => each.slice(0, width)),
            );
            const { file, bytes, sha256, rows: count } = await writeRowFile(held.view, format, noPause);
            const content = Buffer.from(await file.arrayBuffer());
            expect([bytes, count]).toEqual([content.length, rows.length]);
            expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
            const max = fileBytesMax(held.view, held.textBytes, format);
            if (format === 'csv') expect(bytes).toBeLessThanOrEqual(max);
            else expect(bytes).toBe(max);
          }
      }),
    );
  });

  it('is written in parts of many rows', async () => {
    const rows = Array.from({ length: 5000 }, (_, row) => [String(row), `"${'é'.repeat(row % 200)}"`]);
    const columns = ['n', 's'].map((name) => ({ name, type: 'varchar' }));
    let pauses = 0;
    const { file } = await writeRowFile(resultOf(columns, rows).view, 'ndjson', () => {
      pauses += 1;
      return undefined;
    });
    const lines = (await file.text()).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line))).toEqual(rows.map(([n, s]) => ({ n: Number(n), s: s?.slice(1, -1) })));
    expect(pauses).toBeGreaterThan(10);
  });

  it('is not written when its rows leave the memory meanwhile', async () => {
    const store = new RowStore([{ name: 'n', type: 'integer' }]);
    store.append(Array.from({ length: 1000 }, (_, row) => [String(row)]));
    const view = store.view('complete');
    const written = writeRowFile(view, 'csv', async () => store.release());
    await expect(written).rejects.toThrow(RangeError);
  });
});

describe('holdResult', () => {
  const columns = [{ name: 'n', type: 'integer' }];
  const rows = [['1'], ['2']];

  it('holds a complete result in the formats whose rows are text', () => {
    const { view, textBytes } = resultOf(columns, rows);
    expect(holdResult(view, textBytes, 'q')).toEqual({ view, formats: FORMATS, queryId: 'q' });
  });

  it.each(['limited', 'streaming', 'failed', 'cancelled', 'cut'] as const)('holds no result that is %s', (state) => {
    const { view, textBytes } = resultOf(columns, rows, state);
    expect(holdResult(view, textBytes, 'q')).toBeUndefined();
  });

  it('holds no rows that the page has not kept', () => {
    const store = new RowStore(columns, 10);
    store.append([['1'], ['2'], ['3']]);
    expect(holdResult(store.view('complete'), store.textBytes, 'q')).toBeUndefined();
  });

  it('leaves files of more than 64 MB to the host', () => {
    const { view } = resultOf(columns, rows);
    const max = 64 * 1024 * 1024;
    expect(holdResult(view, max, 'q')?.formats).toEqual([]);
    expect(holdResult(view, max - 10, 'q')?.formats).toEqual(['csv']);
    expect(holdResult(view, max - 1000, 'q')?.formats).toEqual(FORMATS);
  });
});
