import { until } from '@sluice/testkit';
import { type Credential, listOf, post, queryIdOf } from '@sluice/testkit/requests';
import { CUT } from '@sluice/testkit/statements';
import { assertCut, type Cut, FORMATS, type FormatName, pathOf } from './assert-cut.ts';
import { CLIENTS, type PythonClients, type Transfer } from './third-party-clients.ts';

/** A client that reads one format. */
interface Reader {
  readonly client: string;
  readonly format: FormatName;
}

export type Read = Reader & Transfer;

/** A stream host and the user who reads from it. */
export interface Source {
  readonly url: string;
  readonly credential: Credential;
  readonly python: PythonClients;
}

export const byAll = (format: FormatName): Reader[] => [...CLIENTS.keys()].map((client) => ({ client, format }));

/** Reads each format with one client; the assignment rotates with the index. */
export const byTurns = (index: number): Reader[] =>
  FORMATS.map((format, shift) => ({ client: [...CLIENTS.keys()][(index + shift) % CLIENTS.size] ?? '', format }));

export async function read(reader: Reader, sql: string, { url, ...source }: Source): Promise<Read> {
  const client = CLIENTS.get(reader.client);
  if (client === undefined) throw new Error(`${reader.client} is not a client`);
  return { ...reader, ...(await client({ ...source, url: `${url}${pathOf(reader.format)}`, sql })) };
}

/** Reads with node:http, which also returns the id of the query. */
export async function readByNode(
  format: FormatName,
  sql: string,
  { url, credential }: Source,
): Promise<Read & { readonly queryId: string }> {
  const response = await post(`${url}${pathOf(format)}`, { sql }, credential);
  const { status, text, isWhole } = response;
  const failure = isWhole ? undefined : 'ConnectionResetError';
  return { client: 'node:http', format, status, text, failure, queryId: queryIdOf(response) };
}

export async function expectCut(reads: readonly Read[], cut: Cut): Promise<void> {
  for (const each of reads) {
    try {
      await assertCut(each.format)(each, cut);
    } catch (thrown) {
      throw new Error(`${each.format} by ${each.client}: ${(thrown as Error).message}`);
    }
  }
}

interface Stopping {
  readonly readers: readonly Reader[];
  readonly row: number;
  readonly source: Source;
  readonly stop: (queryId: string) => Promise<unknown> | unknown;
}

/** Waits until every query runs and, for late rows, has sent rows; then stops them. */
export async function stopIn({ readers, row, source, stop }: Stopping): Promise<readonly Read[]> {
  const list = () => listOf(source.url, source.credential);
  const known = new Set((await list()).map(({ query_id }) => query_id));
  const reads = readers.map((reader) => read(reader, CUT.silentFrom(row), source));
  const running = await until(
    async () => {
      const listed = (await list()).filter(({ query_id }) => !known.has(query_id));
      const ready = listed.filter(({ state, rows }) => state === 'RUNNING' && (row < CUT.farRow || rows > 0));
      return ready.length === readers.length ? ready : undefined;
    },
    { what: `queries in row ${row}` },
  );
  for (const { query_id } of running) await stop(query_id);
  return await Promise.all(reads);
}
