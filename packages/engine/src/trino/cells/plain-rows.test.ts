import { describe, expect, it } from '@jest/globals';
import { createFormat, type FormatSpec } from '@sluice/encoders';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { signature, VARCHAR } from '../../../testing/fake-result.ts';
import { formatSpec } from '../../../testing/read-result.ts';
import { EVENT_BYTES_MAX } from '../../event-bytes.ts';
import { WriterMemory } from '../../row-writer-module/writer-memory.ts';
import { PlainRows } from './plain-rows.ts';
import { RowWriter } from './row-writer.ts';
import { readColumns } from './types.ts';

const COLUMNS = readColumns([
  { name: 'text', typeSignature: VARCHAR },
  { name: 'count', typeSignature: signature('bigint') },
  { name: 'a name that is longer than sixteen bytes', typeSignature: signature('double') },
  { name: 'price', typeSignature: signature('decimal', 20, 2) },
  { name: 'yes', typeSignature: signature('boolean') },
  { name: 'day', typeSignature: signature('date') },
]);
const memory = WriterMemory.open(0);
const FORMATS = ['json', 'csv', 'sse'] as const;

interface Taken {
  readonly text: string;
  readonly rows: number;
  /** Bytes of the largest event: the module must not exceed the limit either. */
  readonly largest: number;
  readonly failure: string | undefined;
}

interface TakeOptions {
  readonly name: FormatSpec['name'];
  readonly rowsMax?: number | undefined;
  readonly openMemory?: () => WriterMemory;
}

/** Writes lists of rows, each a page, until the first error. */
function take(pages: readonly Buffer[], { name, ...options }: TakeOptions): Taken {
  const template = createFormat(formatSpec({ name })).row(COLUMNS.columns);
  using writer = new RowWriter({ template, ...COLUMNS, allocate: Buffer.alloc, ...options });
  const written: Uint8Array[] = [];
  let rows = 0;
  let failure: string | undefined;
  try {
    for (const page of pages) {
      if (writer.isLimited) break;
      for (const event of writer.events(page, 0)) {
        written.push(event.bytes);
        rows += event.rows;
      }
    }
  } catch (thrown) {
    failure = String(thrown);
  }
  const largest = Math.max(0, ...written.map((bytes) => bytes.byteLength));
  return { text: Buffer.concat(written).toString('utf8'), rows, largest, failure };
}

const openMemory = () => memory;

function expectSame(pages: readonly Buffer[], rowsMax?: number): void {
  for (const name of FORMATS) {
    const { largest, ...byModule } = take(pages, { name, rowsMax, openMemory });
    const { largest: _, ...byJavaScript } = take(pages, { name, rowsMax });
    expect(byModule).toEqual(byJavaScript);
    expect(largest).toBeLessThanOrEqual(EVENT_BYTES_MAX);
  }
}

const text = fc.string({
  unit: fc.constantFrom(...'abcdefghijklmnop', ...'abcdefghijklmnop', ',', '"', '\\', '\n', 'é', '😀', '=', '\u2028'),
  maxLength: 60,
});
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 6 });
const row = fc.tuple(
  orNull(text),
  orNull(fc.integer()),
  orNull(fc.double({ noNaN: true, noDefaultInfinity: true })),
  orNull(fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }).map((units) => `${units}.50`)),
  orNull(fc.boolean()),
  orNull(fc.constantFrom('1996-03-13', '-0043-03-15')),
);
const pageOf = (space?: number) => (rows: readonly unknown[]) => Buffer.from(JSON.stringify(rows, undefined, space));
/** Rows as the door sends and keeps them: lines. The second chunk of a kept result begins with the line feed. */
const linesOf = (rows: readonly unknown[]): string => rows.map((each) => JSON.stringify(each)).join(',\n');
const page = fc.oneof(
  { weight: 4, arbitrary: fc.array(row, { maxLength: 12 }).map(pageOf()) },
  { weight: 2, arbitrary: fc.array(row, { maxLength: 12 }).map((rows) => Buffer.from(`[${linesOf(rows)}]`)) },
  { weight: 1, arbitrary: fc.array(row, { maxLength: 12 }).map((rows) => Buffer.from(`[\n${linesOf(rows)}]`)) },
  { weight: 1, arbitrary: fc.array(row, { maxLength: 4 }).map(pageOf(1)) },
);

const plain = (index: number): unknown[] => [`text ${index}`, index, index / 8, '1.50', index % 2 === 0, '1996-03-13'];
const PLAIN_PAGE = pageOf()(Array.from({ length: 8 }, (_, index) => plain(index)));
const ODD_BYTES = Buffer.from('"\\,:[]{}0192.-+eEnulltrufas \n\t\0\u00e9', 'latin1');

describe('the rows that the module copies are those that JavaScript would write', () => {
  it('for any page', () => {
    fc.assert(fc.property(fc.array(page, { maxLength: 3 }), (pages) => expectSame(pages)));
  });

  it('for any limit of rows', () => {
    fc.assert(fc.property(fc.array(page, { maxLength: 3 }), fc.nat(20), expectSame));
  });

  it('for any damage, with the same error', () => {
    const change = fc.record({
      at: fc.nat(PLAIN_PAGE.length - 1),
      byte: fc.constantFrom(...ODD_BYTES),
      cut: fc.nat(2),
    });
    fc.assert(
      fc.property(change, fc.boolean(), ({ at, byte, cut }, isAdded) => {
        const added = Buffer.from(isAdded ? [byte] : []);
        expectSame([Buffer.concat([PLAIN_PAGE.subarray(0, at), added, PLAIN_PAGE.subarray(at + cut)])]);
      }),
      { numRuns: shortOrLong(300, 2_000) },
    );
  });

  it('for a page that ends anywhere', () => {
    for (let end = 0; end < PLAIN_PAGE.length; end += 1) expectSame([PLAIN_PAGE.subarray(0, end)]);
  });

  it.each([
    '1e5',
    '1E+5',
    '-0.5e-10',
    '-0',
    '0',
    '00',
    '01',
    '-',
    '1.',
    '.5',
    '1e',
    '1e+',
    '--1',
    '1-',
    '+1',
    'nul',
    '9'.repeat(50),
  ])('for the number %s', (number) => {
    const cells = (value: string): string => `["a",${value},${value},"${value}",true,"1996-03-13"]`;
    expectSame([Buffer.from(`[${cells('1')},${cells(number)},${cells('2')}]`)]); // JavaScript writes the first row
  });

  it.each([1, 15, 16, 17, 1_000, EVENT_BYTES_MAX - 100, EVENT_BYTES_MAX, 5 * 1024 * 1024])(
    'for strings of %d bytes between others, across events and parts of a page',
    (bytes) => {
      const rows = Array.from({ length: 30_000 }, (_, index) => plain(index));
      for (const at of [1, 7_000, 29_999]) rows[at] = ['x'.repeat(bytes), ...plain(at).slice(1)];
      expectSame([pageOf()(rows), PLAIN_PAGE]);
    },
  );
});

describe('PlainRows', () => {
  const layout = {
    cells: [
      { literal: Buffer.from('<'), kind: 'number' },
      { literal: Buffer.from('|'), kind: 'string' },
    ],
    tail: Buffer.from('>'),
    isJson: true,
    targetBytes: 4_096,
    eventBytes: 2_048,
  } as const;

  it('copies plain rows and stops before the first other one', () => {
    using rows = PlainRows.open(openMemory, layout);
    const source = Buffer.from('[[0,""],[1,"a"],[null,"b, c"],[-2.5,null], [3,"d"]]');
    expect(rows?.copy(source, 7, 0, 100)).toEqual({ rows: 3, at: source.indexOf(', [3'), length: 31 });
    expect(rows?.target.toString('latin1', 0, 31)).toBe('<1|"a"><null|"b, c"><-2.5|null>');
  });

  it('is not opened for rows that need JavaScript, nor for two results at once', () => {
    using first = PlainRows.open(openMemory, layout);
    expect(first).toBeDefined();
    expect(PlainRows.open(openMemory, layout)).toBeUndefined();
    expect(
      PlainRows.open(openMemory, { ...layout, cells: [{ literal: Buffer.from('<'), kind: 'never' }] }),
    ).toBeUndefined();
  });
});
