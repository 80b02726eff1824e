import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createFormat, type FormatSpec } from '@sluice/encoders';
import { TrinoEngine } from '@sluice/engine';
import { BasicAuth, Trino } from 'trino-client';

/** One unparsed response of Trino's statement protocol. */
interface RawPage {
  readonly bytes: Buffer;
  readonly nextUri: string | undefined;
}

const NEXT_URI = '"nextUri":"';
const HEADERS = { 'x-trino-user': 'bench', 'x-trino-client-capabilities': 'PARAMETRIC_DATETIME' };

/** Yields the pages of a statement in sequence, and reads only the address of the next one. */
async function* readRaw(url: string, sql: string): AsyncGenerator<RawPage> {
  const agent = new Agent({ keepAlive: true });
  try {
    let page = await fetchPage(request(`${url}/v1/statement`, { agent, method: 'POST', headers: HEADERS }).end(sql));
    for (;;) {
      yield page;
      if (page.nextUri === undefined) break;
      page = await fetchPage(request(page.nextUri, { agent, headers: HEADERS }).end());
    }
    if (!page.bytes.includes('"state":"FINISHED"')) throw new Error(`The statement failed: ${page.bytes}`);
  } finally {
    agent.destroy();
  }
}

async function fetchPage(sent: ReturnType<typeof request>): Promise<RawPage> {
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  if (response.statusCode !== 200) throw new Error(`Trino returned ${response.statusCode}: ${bytes}`);
  const at = bytes.indexOf(NEXT_URI);
  const start = at + NEXT_URI.length;
  return { bytes, nextUri: at === -1 ? undefined : bytes.toString('latin1', start, bytes.indexOf('"', start)) };
}

/** Reads and discards a whole result. Returns the number of rows, or 0 when it does not count them. */
type Reader = (url: string, sql: string) => Promise<number>;

/** Fetches pages without parsing them: the lower bound for any client of this protocol. */
const raw: Reader = async (url, sql) => {
  for await (const _ of readRaw(url, sql));
  return 0;
};

/** Trino's client for Node.js, as its README shows it. */
const trinoClient: Reader = async (url, sql) => {
  const client = Trino.create({ server: url, auth: new BasicAuth('bench') });
  let rows = 0;
  for await (const page of await client.query(sql)) rows += page.data?.length ?? 0;
  return rows;
};

interface ParsedPage {
  readonly columns?: readonly { readonly name: string }[];
  readonly data?: readonly (readonly unknown[])[];
}

/** Parses each page and writes one object per row: the usual implementation. */
const parseAndStringify: Reader = async (url, sql) => {
  let rows = 0;
  for await (const { bytes } of readRaw(url, sql)) {
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
