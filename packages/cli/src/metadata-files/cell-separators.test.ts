import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { findSeparator, SeparatorConverter, withCommas } from './cell-separators.ts';

/** Converts a file that arrives in pieces of this length. */
function convert(text: string, separator: string, size: number): string {
  const converter = new SeparatorConverter(separator);
  let converted = '';
  for (let at = 0; at < text.length; at += size) converted += converter.add(text.slice(at, at + size));
  return converted + converter.end();
}

/** Writes cells as a spreadsheet does: quotes only where the separator, a quote or a line break needs them. */
const written = (rows: readonly (readonly string[])[], separator: string): string =>
  rows
    .map((row) =>
      row
        .map((cell) => (cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell))
        .join(separator),
    )
    .join('\r\n');

async function converted(...chunks: readonly string[]): Promise<string> {
  const encoder = new TextEncoder();
  const source = (async function* () {
    for (const chunk of chunks) yield encoder.encode(chunk);
  })();
  const parts: Uint8Array[] = [];
  for await (const part of withCommas(source)) parts.push(part);
  return Buffer.concat(parts).toString();
}

describe('a CSV file with another separator', () => {
  it.each([';', '\t'])('has the same cells and lines with commas instead of %j', (separator) => {
    const cell = fc.string({ unit: fc.constantFrom('a', ',', ';', '\t', '"', '\n', '\r', ' ', 'ü', '\\') });
    fc.assert(
      fc.property(
        fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 20 }),
        (rows, size) => {
          const text = convert(written(rows, separator), separator, size);
          // Cells that need no quotes have them where they contain the old separator.
          const plain = (csv: string): string => csv.replaceAll(/"([^"\r\n,]*)"/g, '$1');
          expect(plain(text)).toBe(plain(written(rows, ',')));
        },
      ),
    );
  });

  it('is found by its header, and only without a comma in it', () => {
    expect(findSeparator('\uFEFFtype;id\r\n')?.character).toBe(';');
    expect(findSeparator('\n"type"\t"id"\n')?.character).toBe('\t');
    expect(findSeparator('sep=|\r\ntype|id\n')).toEqual({ character: '|', skipped: 5 });
    expect(findSeparator('type,id;x\n')).toBeUndefined();
    expect(findSeparator('type\n')).toBeUndefined();
  });

  it('keeps its lines where they are, wherever the header is cut', async () => {
    expect(await converted('ty', 'pe;id\r\nTABLE;"a;b";1,5')).toBe('type,id\r\nTABLE,"a;b","1,5"');
    expect(await converted('sep=;\r\ntype;id\r\n')).toBe('\r\ntype,id\r\n');
    expect(await converted('type,id\n', 'a;b,c\n')).toBe('type,id\na;b,c\n');
  });
});
