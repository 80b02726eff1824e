import { describe, expect, it } from '@jest/globals';
import { createFormat } from '@sluice/encoders';
import { rowSignature, signature, VARCHAR } from '../../../testing/fake-result.ts';
import { formatSpec } from '../../../testing/read-result.ts';
import { RowWriter } from './row-writer.ts';
import { readColumns } from './types.ts';

/** Returns the cell for a value in Trino's JSON. */
function cell(value: string, typeSignature: object, dates: 'exact' | 'marked' = 'exact'): string {
  const { columns, types } = readColumns([{ name: 'c', typeSignature }]);
  const writer = new RowWriter({
    template: createFormat(formatSpec({ name: 'xlsx', dates })).row(columns),
    columns,
    types,
    allocate: Buffer.alloc,
  });
  const events = [...writer.events(Buffer.from(`[[${value}]]`), 0)];
  return Buffer.concat(events.map(({ bytes }) => bytes))
    .toString('utf8')
    .slice(1, -'</row>'.length);
}

const number = (text: string): string => `<c><v>${text}</v></c>`;
const text = (xml: string): string => `<c s="4" t="inlineStr"><is><t xml:space="preserve">${xml}</t></is></c>`;
/** A text of a known alphabet. */
const plain = (characters: string): string => `<c s="4" t="inlineStr"><is><t>${characters}</t></is></c>`;
const TIMESTAMP = signature('timestamp', 6);
const DECIMAL = signature('decimal', 38, 2);

describe('a cell of a worksheet, on Trino', () => {
  it.each([
    ['null', VARCHAR, '<c s="5"/>'],
    ['true', signature('boolean'), '<c t="b"><v>1</v></c>'],
    ['-7', signature('integer'), number('-7')],
    ['9007199254740992', signature('bigint'), number('9007199254740992')],
    ['9007199254740993', signature('bigint'), plain('9007199254740993')],
    ['-9223372036854775808', signature('bigint'), plain('-9223372036854775808')],
    ['1.23456789012345', signature('bigint'), plain('1.23456789012345')],
    ['1.0E20', signature('double'), number('1.0E20')],
    ['"NaN"', signature('double'), plain('NaN')],
    ['"-Infinity"', signature('real'), plain('-Infinity')],
    ['"250.00"', DECIMAL, number('250.00')],
    ['"1234567890123456.00"', DECIMAL, plain('1234567890123456.00')],
    ['"2024-02-29"', signature('date'), '<c s="1"><v>45351</v></c>'],
    ['"1900-02-28"', signature('date'), plain('1900-02-28')],
    ['"2024-02-29 12:00:00.000000"', TIMESTAMP, '<c s="2"><v>45351.5</v></c>'],
    ['"2024-02-29 00:00:00.000000"', TIMESTAMP, '<c s="2"><v>45351.0</v></c>'],
    ['"9007199254740992"', signature('decimal', 20, 0), number('9007199254740992')],
    ['"9007199254740993"', signature('decimal', 20, 0), plain('9007199254740993')],
    ['"2024-02-29 12:00:00.000001"', TIMESTAMP, plain('2024-02-29 12:00:00.000001')],
    ['"2024-02-29 12:00:00.000 UTC"', signature('timestamp with time zone', 3), plain('2024-02-29 12:00:00.000 UTC')],
    ['"=1+1 <&> \\u0000\\r\\n\\"é"', VARCHAR, text('=1+1 &lt;&amp;&gt; _x0000_&#13;\n"é')],
    ['"_x0041_"', VARCHAR, text('_x005F_x0041_')],
    ['[1,null]', signature('array', signature('integer')), text('[1,null]')],
    ['["x<"]', rowSignature({ a: VARCHAR }), text('{"a":"x&lt;"}')],
    ['"1 02:03:04.500"', signature('interval day to second'), plain('P1DT2H3M4.5S')],
  ])('of %s is %j', (value, type, expected) => {
    expect(cell(value, type)).toBe(expected);
  });

  it.each([
    ['"2024-02-29"', signature('date')],
    ['"12:00:00.000"', signature('time', 3)],
    ['"2024-02-29 12:00:00.000001"', TIMESTAMP],
    ['"2024-02-29 12:00:00.000 Europe/Berlin"', signature('timestamp with time zone', 3)],
  ])('marks %s for date cells, whose writer is that of the sheet', (value, type) => {
    expect(cell(value, type, 'marked')).toBe(`<c\u0004${JSON.parse(value)}\u0005`);
    expect(cell('null', type, 'marked')).toBe('<c s="5"/>');
  });

  it('marks a string that may be too long for the writer of the sheet', () => {
    expect(cell(JSON.stringify('x'.repeat(32_768)), VARCHAR)).toBe(text(`\u0001${'x'.repeat(32_768)}\u0002`));
  });
});
