import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseMarkdownTables } from '../../../testkit/src/markdown-table.ts';
import type { Completeness, ResultColumn } from '../result/result-view.ts';
import { RowStore } from '../result/row-store.ts';
import { fileBytesMax, type HeldResult, type RowFormat, rowFormatOf, writeRowFile } from './row-file.ts';

const VALUES = new URL('../../../../docs/values.md', import.meta.url);
const FORMATS = ['csv', 'json', 'ndjson'] as const;
const noPause = () => undefined;

function heldOf(
  columns: readonly ResultColumn[],
  rows: readonly (readonly string[])[],
  completeness: Completeness = 'complete',
): HeldResult {
  const store = new RowStore(columns);
  store.append(rows);
  return { view: store.view(completeness), textBytes: store.textBytes, queryId: 'q' };
}

const fileText = async ({ view }: HeldResult, format: RowFormat): Promise<string> =>
  (await writeRowFile(view, format, noPause)).file.text();

describe('a file of rows that the page holds', () => {
  const code = (cell: string | undefined): string => (cell ?? '').replace(/^`(.*)`$/s, '$1');
  const examples = parseMarkdownTables(readFileSync(VALUES, 'utf8')).flat();

  it('has each value of docs/values.md as the download of each engine has it', async () => {
    expect(examples.length).toBeGreaterThan(90);
    for (const { Type: type = '', JSON: json, CSV: csv } of examples) {
      const held = heldOf([{ name: 'v', type }], [[code(json)]]);
      expect([type, await fileText(held, 'csv')]).toEqual([type, `v\n${code(csv)}\n`]);
      expect([type, await fileText(held, 'ndjson')]).toEqual([type, `{"v":${code(json)}}\n`]);
    }
  });

  it('has the layout of a download: columns, separators, and the end', async () => {
    const columns = [
      { name: 'a,b', type: 'integer' },
      { name: '__proto__', type: 'varchar' },
    ];
    const held = heldOf(columns, [
      ['1', '"x"'],
      ['null', '""'],
    ]);
    expect(await fileText(held, 'csv')).toBe('"a,b",__proto__\n1,x\n,""\n');
    expect(await fileText(held, 'json')).toBe(
      `{"metadata":${JSON.stringify({ columns, type: 'metadata' })},"data":[\n` +
        '{"a,b":1,"__proto__":"x"},\n{"a,b":null,"__proto__":""}\n]}',
    );
    expect(await fileText(heldOf(columns, []), 'json')).toBe(
      `{"metadata":${JSON.stringify({ columns, type: 'metadata' })},"data":[\n\n]}`,
    );
    expect(await fileText(heldOf([], [[], []]), 'csv')).toBe('\n\n\n');
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
            const held = heldOf(
              columns.slice(0, width),
              rows.map((each) => each.slice(0, width)),
            );
            const { file, bytes, sha256, rows: count } = await writeRowFile(held.view, format, noPause);
            const content = Buffer.from(await file.arrayBuffer());
            expect([bytes, count]).toEqual([content.length, rows.length]);
            expect(sha256).toBe(createHash('sha256').update(content).digest('hex'));
            const max = fileBytesMax(held, format);
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
    const { file } = await writeRowFile(heldOf(columns, rows).view, 'ndjson', () => {
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

describe('the page', () => {
  const columns = [{ name: 'n', type: 'integer' }];
  const rows = [['1'], ['2']];

  it('writes a complete result in the formats whose rows are text', () => {
    const held = heldOf(columns, rows);
    const formats = ['csv', 'json', 'ndjson', 'xlsx', 'parquet'] as const;
    expect(formats.map((format) => rowFormatOf(held, format))).toEqual(['csv', 'json', 'ndjson', undefined, undefined]);
  });

  it.each(['limited', 'streaming', 'failed', 'cancelled', 'cut'] as const)('does not write a result that is %s', (state) => {
    expect(rowFormatOf(heldOf(columns, rows, state), 'csv')).toBeUndefined();
  });

  it('does not write rows that it has not kept, nor more than 64 MB', () => {
    const store = new RowStore(columns, 10);
    store.append([['1'], ['2'], ['3']]);
    const cut = { view: store.view('complete'), textBytes: store.textBytes, queryId: 'q' };
    expect(rowFormatOf(cut, 'csv')).toBeUndefined();
    const large = { ...heldOf(columns, rows), textBytes: 64 * 1024 * 1024 };
    expect(FORMATS.map((format) => rowFormatOf(large, format))).toEqual([undefined, undefined, undefined]);
    expect(rowFormatOf({ ...large, textBytes: large.textBytes - 100 }, 'csv')).toBe('csv');
  });
});
