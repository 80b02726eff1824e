import { type ReceivedResponse, readServerSentEvents } from '@sluice/testkit';
import { type Credential, post } from '@sluice/testkit/requests';
import { type Lossless, type PythonParser, parseByFastCsv, withoutBlanks } from './third-party-parsers.ts';

export interface ReadResult {
  readonly columns: readonly { readonly name: string; readonly type: string }[];
  /** Rows as objects, in the order of their members. */
  readonly rows: readonly Lossless[];
}

export interface Reading {
  readonly url: string;
  readonly credential: Credential;
  readonly python: PythonParser;
}

/** Fields of the request body besides `sql`. */
type Options = Readonly<Record<string, unknown>>;

const member = (value: Lossless, name: string): Lossless => {
  if (value === null || typeof value !== 'object' || !('object' in value)) throw new Error(`not an object: ${value}`);
  const found = value.object.find(([key]) => key === name);
  if (found === undefined) throw new Error(`missing member ${name}`);
  return found[1];
};

const columnsOf = (metadata: Lossless): ReadResult['columns'] =>
  (member(metadata, 'columns') as readonly Lossless[]).map((column) => ({
    name: String(member(column, 'name')),
    type: String(member(column, 'type')),
  }));

async function ask(reading: Reading, path: string, body: object): Promise<ReceivedResponse> {
  const answer = await post(`${reading.url}${path}`, body, reading.credential);
  if (answer.status !== 200 || !answer.isWhole)
    throw new Error(`${path}: ${answer.status} ${answer.text.slice(0, 500)}`);
  return answer;
}

/** Reads a stream with eventsource-parser and Python's JSON. */
export async function readStream(reading: Reading, sql: string, options: Options = {}): Promise<ReadResult> {
  const { bytes } = await ask(reading, '/query', { sql, ...options });
  const events: Lossless[] = [];
  const body = async function* (): AsyncGenerator<Uint8Array> {
    yield bytes;
  };
  for await (const item of readServerSentEvents(body())) {
    if (item.kind !== 'event') continue;
    JSON.parse(item.data);
    events.push(await reading.python.json(item.data));
  }
  const types = events.map((event) => member(event, 'type'));
  const [first, ...rest] = events;
  if (first === undefined || types[0] !== 'metadata' || types.at(-1) !== 'complete')
    throw new Error(`events: ${types}`);
  const rows = rest.slice(0, -1);
  if (rows.some((event) => member(event, 'type') !== 'row')) throw new Error(`events: ${types}`);
  return { columns: columnsOf(first), rows: rows.map((event) => member(event, 'data')) };
}

/** Reads a JSON download with Python's JSON and `JSON.parse`. */
export async function readJson(reading: Reading, sql: string, options: Options = {}): Promise<ReadResult> {
  const { text } = await ask(reading, '/query/download/json', { sql, ...options });
  JSON.parse(text);
  const result = await reading.python.json(text);
  return { columns: columnsOf(member(result, 'metadata')), rows: member(result, 'data') as readonly Lossless[] };
}

/** Reads the rows of an NDJSON download line by line with Python's JSON and `JSON.parse`. */
export async function readNdjson(reading: Reading, sql: string, options: Options = {}): Promise<readonly Lossless[]> {
  const { text } = await ask(reading, '/query/download/ndjson', { sql, ...options });
  const lines = text.split('\n');
  if (lines.pop() !== '') throw new Error(`the last line does not end: ${text.slice(-200)}`);
  const rows: Lossless[] = [];
  for (const line of lines) {
    JSON.parse(line);
    rows.push(await reading.python.json(line));
  }
  return rows;
}

/** Reads a CSV download including the header with Python's csv, and checks that fast-csv reads the same. */
export async function readCsv(reading: Reading, sql: string, options: Options = {}): Promise<string[][]> {
  const { text } = await ask(reading, '/query/download/csv', { sql, ...options });
  const rows = await reading.python.csv(text);
  const bySecond = withoutBlanks(await parseByFastCsv(text));
  if (JSON.stringify(bySecond) !== JSON.stringify(withoutBlanks(rows))) {
    throw new Error(`two CSV parsers read different rows: ${JSON.stringify([bySecond, rows]).slice(0, 2000)}`);
  }
  return rows;
}

/** Returns the CSV field of a JSON value: its text, empty for NULL; undefined for a list or an object, whose field is its JSON. */
export function csvFieldOf(value: Lossless): string | undefined {
  if (value === null) return '';
  if (typeof value !== 'object') return String(value);
  return 'number' in value ? value.number : undefined;
}
