import { describe, expect, it } from '@jest/globals';
import { type CsvSeparator, createFormat } from '@sluice/encoders';
import { shortOrLong } from '@sluice/testkit';
import fc from 'fast-check';
import { signature, VARCHAR } from '../../testing/fake-result.ts';
import { formatSpec } from '../../testing/read-result.ts';
import { RowWriter } from './cells/row-writer.ts';
import { readColumns } from './cells/types.ts';

const COLUMNS = readColumns([
  { name: '__proto__', typeSignature: VARCHAR },
  { name: '10', typeSignature: signature('integer') },
  { name: 'q"', typeSignature: signature('array', VARCHAR) },
  { name: 'm', typeSignature: signature('map', VARCHAR, signature('double')) },
  { name: 'd', typeSignature: signature('decimal', 20, 2) },
  { name: 'long', typeSignature: VARCHAR },
]);

const text = fc.string({
  unit: fc.constantFrom('"', '\\', ',', ';', '|', '\n', '\r', '\t', '\0', '\u2028', '😀', 'é', '=', 'a', ' ', ']', '}'),
});
const orNull = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { freq: 6 });
const row = fc.tuple(
  orNull(text),
  orNull(fc.integer()),
  orNull(fc.array(orNull(text), { maxLength: 4 })),
  orNull(
    fc.dictionary(text, orNull(fc.double({ noNaN: true, noDefaultInfinity: true })), {
      maxKeys: 4,
      noNullPrototype: true,
    }),
  ),
  orNull(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map((units) => `${units}.50`)),
  // Many lengths of text that is copied four bytes at a time, and rarely something else anywhere.
  orNull(
    fc
      .array(fc.constantFrom(...'abcdefghij', ...'abcdefghij', 'ü', ',', ';', '"'), { maxLength: 40 })
      .map((all) => all.join('')),
  ),
);

/** A decimal is a number in JSON. */
const DECIMAL = 4;
const jsonOf = (cell: unknown, index: number): string => (index === DECIMAL ? String(cell) : JSON.stringify(cell));

function write(data: string, name: 'json' | 'csv', separator?: CsvSeparator): string {
  const template = createFormat(formatSpec({ name, separator })).row(COLUMNS.columns);
  const writer = new RowWriter({ template, ...COLUMNS, allocate: Buffer.alloc });
  return Buffer.concat([...writer.events(Buffer.from(data), 0)].map((event) => event.bytes)).toString('utf8');
}

/** Reads CSV as literally as RFC 4180 defines it; `undefined` is an empty field without quotes. */
function readCsv(csv: string, separator: CsvSeparator): readonly (readonly (string | undefined)[])[] {
  const field = new RegExp(`(?:"((?:[^"]|"")*)"|([^"${separator}\\r\\n]*))([${separator}\\n])`, 'y');
  const rows: (string | undefined)[][] = [];
  let current: (string | undefined)[] = [];
  while (field.lastIndex < csv.length) {
    const match = field.exec(csv);
    if (match === null) throw new Error('This is not CSV');
    current.push(match[1] === undefined ? match[2] || undefined : match[1].replaceAll('""', '"'));
    if (match[3] !== '\n') continue;
    rows.push(current);
    current = [];
  }
  return rows;
}

describe('the copy of any page equals what a parser reads in it', () => {
  it.each([undefined, 1, '\t'])('as JSON, with any white space (%j)', (space) => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        const written = write(JSON.stringify(rows, undefined, space), 'json');
        const names = COLUMNS.columns.map((column) => JSON.stringify(column.name));
        const expected = rows.map(
          (cells) => `{${cells.map((cell, index) => `${names[index]}:${jsonOf(cell, index)}`).join(',')}}`,
        );
        expect(written).toBe(expected.join(',\n'));
      }),
    );
  });

  it.each([',', ';', '\t', '|'] as const)('as CSV with the separator %j', (separator) => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        const written = readCsv(write(JSON.stringify(rows), 'csv', separator), separator);
        const expected = rows.map((cells) =>
          cells.map((cell) => (cell === null ? undefined : typeof cell === 'string' ? cell : JSON.stringify(cell))),
        );
        expect(written).toEqual(expected);
      }),
    );
  });
});

describe('a page that was damaged on its way', () => {
  it('is never read to a false end', () => {
    const page = JSON.stringify([
      ['a "b"', 1, ['x', null], { k: 1.5 }, '-2.50', 'plain text'],
      ['', -2, [], {}, null, 'more of it, with a comma'],
    ]);
    for (let end = 0; end < page.length; end += 1)
      for (const name of ['json', 'csv'] as const)
        expect(() => write(page.slice(0, end), name)).toThrow('cannot be read');
  });
});

const ODD_COLUMNS = readColumns([
  { name: 'text', typeSignature: VARCHAR },
  { name: 'count', typeSignature: signature('bigint') },
  { name: 'yes', typeSignature: signature('boolean') },
  { name: 'ratio', typeSignature: signature('double') },
  { name: 'price', typeSignature: signature('decimal', 5, 2) },
  { name: 'list', typeSignature: signature('array', signature('real')) },
  { name: 'map', typeSignature: signature('map', VARCHAR, signature('boolean')) },
  { name: 'new', typeSignature: signature('Novelty') },
]);
const ODD_PAGE = Buffer.from(
  '[["a \\"b\\" \\u00e9",-12,true,1.5E10,"-1.25",[0.5,"NaN",null],{"k":false},{"x":[1e-3,"ü",null,true]}],' +
    '[null,0,false,"Infinity","0.10",[],{},"plain"],["text that is longer",9007199254740993,null,-0.0,null,null,null,null]]',
);
const ODD_BYTES = Buffer.from('"\\,:[]{}0192.-+eEnulltrufasx/ \n\t\0\u00e9', 'latin1');

/** Changes, removes or adds one or two bytes of the page. */
const damaged = fc
  .array(
    fc.record({
      at: fc.nat(ODD_PAGE.length - 1),
      byte: fc.constantFrom(...ODD_BYTES),
      cut: fc.nat(2),
      isAdded: fc.boolean(),
    }),
    { minLength: 1, maxLength: 2 },
  )
  .map((changes) =>
    changes.reduce(
      (page, { at, byte, cut, isAdded }) =>
        Buffer.concat([page.subarray(0, at), Buffer.from(isAdded ? [byte] : []), page.subarray(at + cut)]),
      ODD_PAGE,
    ),
  );

/** Returns the JSON of all rows if the writer accepts the page as complete. */
function takenRows(page: Buffer): string | undefined {
  const template = createFormat(formatSpec({ name: 'json' })).row(ODD_COLUMNS.columns);
  const writer = new RowWriter({ template, ...ODD_COLUMNS, allocate: Buffer.alloc });
  const written: Uint8Array[] = [];
  try {
    const events = writer.events(page, 0);
    for (let next = events.next(); ; next = events.next()) {
      if (next.done) return next.value === page.length ? `[${Buffer.concat(written)}]` : undefined;
      written.push(next.value.bytes);
    }
  } catch (thrown) {
    expect(thrown).toMatchObject({ code: 'engine_unavailable', message: expect.stringContaining('cannot be read') });
    return undefined;
  }
}

const strict = new TextDecoder('utf-8', { fatal: true });
const PRICE = 4;

describe('a page with other bytes than Trino sent', () => {
  const RUNS = shortOrLong(300, 5_000);

  it('is rejected, or is JSON and is written as a parser reads it', () => {
    let taken = 0;
    fc.assert(
      fc.property(damaged, (page) => {
        const rows = takenRows(page);
        if (rows === undefined) return;
        taken += 1;
        const read = JSON.parse(strict.decode(page)) as readonly (readonly unknown[])[];
        const names = ODD_COLUMNS.columns.map((column) => column.name);
        const expected = read.map((cells) =>
          Object.fromEntries(cells.map((cell, index) => [names[index], index === PRICE ? priceOf(cell) : cell])),
        );
        expect(JSON.parse(rows)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
    expect(taken).toBeGreaterThan(RUNS / 50);
  });
});

/** A decimal is in quotes, but a number for clients. */
const priceOf = (cell: unknown): unknown =>
  typeof cell === 'string' && Number.isFinite(Number(cell)) ? Number(cell) : cell;
