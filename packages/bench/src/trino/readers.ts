import { createFormat, type FormatSpec } from '@sluice/encoders';
import { TrinoEngine } from '@sluice/engine';
import { BasicAuth, Trino } from 'trino-client';
import { type PageReader, readRawPages } from './raw-pages.ts';

/** Reads and discards a whole result. Returns the number of rows, or 0 when it does not count them. */
type Reader = (url: string, sql: string, reader: PageReader) => Promise<number>;

/** Fetches pages without parsing them: the lower bound for any client of this protocol. */
const raw: Reader = async (url, sql, reader) => {
  for await (const _ of readRawPages(url, sql, reader));
  return 0;
};

/** Trino's client for Node.js, as its README shows it. */
const trinoClient: Reader = async (url, sql, { user, password }) => {
  const client = Trino.create({ server: url, auth: new BasicAuth(user, password) });
  let rows = 0;
  for await (const page of await client.query(sql)) rows += page.data?.length ?? 0;
  return rows;
};

interface ParsedPage {
  readonly columns?: readonly { readonly name: string }[];
  readonly data?: readonly (readonly unknown[])[];
}

/** Parses each page and writes one object per row: the usual implementation. */
const parseAndStringify: Reader = async (url, sql, reader) => {
  let rows = 0;
  for await (const { bytes } of readRawPages(url, sql, reader)) {
    const { columns = [], data = [] } = JSON.parse(bytes.toString('utf8')) as ParsedPage;
    const written = data.map((row) => {
      const object = Object.fromEntries(columns.map(({ name }, index) => [name, row[index]]));
      return `data: ${JSON.stringify({ type: 'row', data: object })}\n\n`;
    });
    Buffer.from(written.join(''));
    rows += data.length;
  }
  return rows;
};

const throughOurEngine =
  (name: FormatSpec['name']): Reader =>
  async (url, sql) => {
    const format = createFormat({ name, bigNumbers: 'number', formulas: 'keep', progress: 'hidden' });
    const profile = {
      baseUrl: url,
      catalogs: ['tpch'],
      defaultCatalog: 'tpch',
      credentials: { kind: 'none' },
    } as const;
    await using engine = new TrinoEngine(profile);
    const statement = { sql, queryId: 'bench', user: 'bench', timeZone: 'UTC' };
    let rows = 0;
    for await (const event of engine.run(statement, (columns) => format.row(columns), new AbortController().signal)) {
      if (event.kind === 'rows') rows += event.rows;
    }
    return rows;
  };

export const READERS: Readonly<Record<string, Reader>> = {
  raw,
  'trino-client': trinoClient,
  'parse-and-stringify': parseAndStringify,
  'engine-sse': throughOurEngine('sse'),
  'engine-csv': throughOurEngine('csv'),
};
