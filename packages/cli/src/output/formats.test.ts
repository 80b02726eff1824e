import { describe, expect, it } from '@jest/globals';
import type { Screen } from '../terminal/screen.ts';
import { createResultWriter } from './format-list.ts';
import { RESULT_FORMATS, type ResultFormat } from './format-names.ts';

/** Values that break formats, each with its type. */
const NASTY: readonly (readonly [name: string, type: string, json: string])[] = [
  ['null', 'varchar', 'null'],
  ['empty', 'varchar', '""'],
  ['word', 'varchar', '"NULL"'],
  ['comma', 'varchar', '"a, \\"b\\""'],
  ['lines', 'varchar', '"a\\r\\nb\\tc"'],
  ['pipe', 'varchar', '"a|b *c* \\\\ <d>"'],
  ['ansi', 'varchar', '"\\u001b[31mred"'],
  ['bidi', 'varchar', '"\u202egnp.exe"'],
  ['family', 'varchar', '"👨‍👩‍👧‍👦 日本"'],
  ['decimal', 'decimal(38,2)', '123456789012345678901234567890123456.70'],
  ['big', 'bigint', '-9223372036854775808'],
  ['double', 'double', '1.0E300'],
  ['zoned', 'timestamp(6) with time zone', '"2026-03-29 12:30:00.000000 UTC"'],
  ['nested', 'array(row(a decimal(3,2)))', '[{"a":1.50},null]'],
  ['a b"', 'boolean', 'true'],
];
const COLUMNS = NASTY.map(([name, type]) => ({ name, type }));
const ROW = NASTY.map(([, , json]) => json);

interface PrintOptions {
  readonly isComplete?: boolean;
  readonly nullText?: string;
  readonly isTerminal?: boolean;
}

/** Prints rows in a format, to a file of any width. */
async function print(format: ResultFormat, rows: readonly (readonly string[])[], options: PrintOptions = {}) {
  let text = '';
  const write = async (data: string | Uint8Array) => {
    text += String(data);
  };
  const { isTerminal = false, nullText } = options;
  const output = { isTerminal, isFile: false, hasColor: false, columns: 80, rows: 24, write };
  const screen: Screen = {
    columns: undefined,
    rows: 24,
    hasPager: false,
    openPager: () => undefined,
    write,
    show: write,
    note: () => undefined,
    close: async () => [],
  };
  const writer = createResultWriter({ format, nullText, cellWidthMax: 120 }, output, screen);
  await writer.begin(COLUMNS);
  for (const row of rows) await writer.write([row]);
  await writer.end(options.isComplete ?? true);
  return text;
}

describe('a nasty row', () => {
  it.each(RESULT_FORMATS)('in %s', async (format) => {
    expect(await print(format, [ROW])).toMatchSnapshot();
  });

  it.each(RESULT_FORMATS)('differs between NULL and the empty string in %s', async (format) => {
    const row = (json: string) => [json, ...ROW.slice(1)];
    const texts = await Promise.all(['null', '""'].map((json) => print(format, [row(json)])));
    expect(texts[0]).not.toBe(texts[1]);
  });

  it('with another string for NULL, which a string in CSV then cannot be', async () => {
    expect((await print('csv', [['null', '"-"', ...ROW.slice(2)]], { nullText: '-' })).split('\n')[1]).toMatch(
      /^-,"-",/,
    );
  });

  it.each(RESULT_FORMATS)('in %s without rows', async (format) => {
    expect((await print(format, [])).slice(0, 60)).toMatchSnapshot();
  });

  it.each(['csv', 'tsv', 'json', 'ndjson', 'markdown', 'table', 'vertical'] as const)(
    'in %s executes nothing on a terminal',
    async (format) => {
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not reach a terminal
      expect(await print(format, [ROW], { isTerminal: true })).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/);
    },
  );
});

describe('a result that was cut', () => {
  it('is not valid JSON', async () => {
    for (const rows of [[], [ROW], [ROW, ROW]]) {
      const whole = await print('json', rows);
      expect(JSON.parse(whole)).toHaveLength(rows.length);
      const cut = await print('json', rows, { isComplete: false });
      expect(() => JSON.parse(cut)).toThrow();
      expect(whole.startsWith(cut)).toBe(true);
    }
  });

  it.each(['csv', 'tsv', 'ndjson', 'markdown', 'table', 'vertical'] as const)(
    'keeps its rows in %s',
    async (format) => {
      expect(await print(format, [ROW], { isComplete: false })).toBe(await print(format, [ROW]));
    },
  );
});
