import { z } from 'zod';
import type { AuditAction } from '../audit/audit-action.ts';
import { epochMs, epochText } from '../fields/epoch-field.ts';
import { keysetFields, keysetPage, nameFilter } from '../fields/page-query.ts';
import { QUERY_STATES } from './query.ts';

/** Kinds of queries, with the audit action that records each of them. */
export const QUERY_KINDS = {
  QUERY: 'RUN_QUERY',
  DOWNLOAD: 'DOWNLOAD_QUERY',
  MARKETPLACE: 'DOWNLOAD_MARKETPLACE',
  DATAMAP: 'DOWNLOAD_DATAMAP',
} as const satisfies Record<string, AuditAction>;
export type QueryKind = keyof typeof QUERY_KINDS;

const kinds = Object.keys(QUERY_KINDS) as [QueryKind, ...QueryKind[]];

/** Returns the kind of a query by the action of its audit record. That of an action of a later version is `QUERY`. */
export const queryKindOf = (action: string): QueryKind => kinds.find((kind) => QUERY_KINDS[kind] === action) ?? 'QUERY';

export const queryKind = z
  .enum(kinds, { error: `kind must be one of ${kinds.join(', ')}` })
  .describe(
    '`QUERY`: `POST /query`; `DOWNLOAD`: `POST /query/download/...`; `MARKETPLACE`: a marketplace item; `DATAMAP`: a published datamap',
  );

export const queryHistoryQuery = z
  .strictObject({
    state: z.enum(QUERY_STATES, { error: `state must be one of ${QUERY_STATES.join(', ')}` }).optional(),
    kind: queryKind.optional(),
    since: epochText('since').optional().describe('Epoch milliseconds, inclusive'),
    until: epochText('until').optional().describe('Epoch milliseconds, exclusive'),
    q: nameFilter.describe('Part of the SQL, or of the id of the item or datamap; case is ignored'),
    ...keysetFields,
  })
  .refine(({ since, until }) => since === undefined || until === undefined || since < until, {
    error: 'since must be before until',
    path: ['since'],
  });
export type QueryHistoryQuery = z.infer<typeof queryHistoryQuery>;

const queryHistoryEntry = z
  .object({
    query_id: z.string(),
    kind: queryKind,
    sql: z
      .string()
      .nullable()
      .describe('Null for a marketplace item and a datamap, whose SQL the caller did not write'),
    item_id: z.string().nullable().describe('The marketplace item; null for other kinds'),
    datamap_id: z.string().nullable().describe('The datamap; null for other kinds'),
    parameters: z.record(z.string(), z.unknown()).nullable().describe('Values of the parameters of the SQL'),
    state: z.enum(QUERY_STATES),
    rows: z.int().min(0),
    limited: z.boolean().describe('The result had more rows than `size`'),
    bytes: z.int().min(0).describe('Bytes of the uncompressed body as sent'),
    started_ts: epochMs,
    ended_ts: epochMs.nullable(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    kept_until: epochMs.nullable().describe('Time until which the result is kept; null if it is not'),
  })
  .meta({ id: 'QueryHistoryEntry' });
export type QueryHistoryEntry = z.infer<typeof queryHistoryEntry>;

export const queryHistoryBody = keysetPage(queryHistoryEntry).meta({ id: 'QueryHistory' });
export type QueryHistory = z.infer<typeof queryHistoryBody>;
