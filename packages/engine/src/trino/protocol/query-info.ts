import type { OutgoingHttpHeaders } from 'node:http';
import type { TableName } from '../../table-name.ts';
import { checkedBody } from './checked-body.ts';
import type { HttpClient } from './http-client.ts';

/** Part of Trino's account of a query (`GET /v1/query/{id}`) that names tables. */
interface QueryInfo {
  /** Tables that the plan reads. */
  readonly inputs?: readonly {
    readonly catalogName?: string;
    readonly schema?: string;
    readonly table?: string;
  }[];
  /** Tables and views that the statement names, and those behind the views. */
  readonly referencedTables?: readonly {
    readonly catalog?: string;
    readonly schema?: string;
    readonly table?: string;
  }[];
}

/** The account of a query with thousands of tasks, which Trino does not leave out before version 436. */
const INFO_BYTES_MAX = 64 * 1024 * 1024;
/** A result does not wait longer for the names of its tables. */
const INFO_TIMEOUT_MS_MAX = 3_000;

interface InfoRequest {
  readonly http: HttpClient;
  readonly origin: string;
  /** Headers of the statement: Trino shows a query to its own user. */
  readonly headers: OutgoingHttpHeaders;
  /** Trino's id of the query. */
  readonly queryId: string;
  readonly answerTimeoutMs: number;
  readonly signal: AbortSignal;
}

/** Returns the tables and views that Trino's account of a query names. Throws when Trino does not show it. */
export async function requestTables(request: InfoRequest): Promise<TableName[]> {
  const { http, origin, headers, queryId, answerTimeoutMs, signal } = request;
  const response = await http.send({
    method: 'GET',
    url: `${origin}/v1/query/${encodeURIComponent(queryId)}?pruned=true`,
    headers: { ...headers, accept: 'application/json' },
    bytesMax: INFO_BYTES_MAX,
    timeoutMs: Math.min(answerTimeoutMs, INFO_TIMEOUT_MS_MAX),
    signal,
  });
  return tablesOfQueryInfo(checkedBody(response).toString('utf8'));
}

/** Input in place of the tables of a join that another database computes. They are among the referenced tables. */
const PUSHED_DOWN = '_generated_query';

/** Returns the tables and views of an account of a query, in JSON. */
export function tablesOfQueryInfo(json: string): TableName[] {
  const { inputs = [], referencedTables = [] } = JSON.parse(json) as QueryInfo;
  const read = inputs.map(({ catalogName: catalog, schema, table: name }) => ({ catalog, schema, name }));
  const referenced = referencedTables.map(({ catalog, schema, table: name }) => ({ catalog, schema, name }));
  return [...read, ...referenced].flatMap(({ catalog, schema, name }) =>
    catalog === undefined || schema === undefined || name === undefined || name === PUSHED_DOWN
      ? []
      : [{ catalog, schema, name }],
  );
}
