import { z } from 'zod';
import { epochMs } from '../fields/epoch-field.ts';
import { listedSqlFields, QUERY_STATES } from '../queries/query.ts';
import { queryKind } from '../queries/query-history.ts';

export const adminQueriesBody = z
  .object({
    data: z.array(
      z.object({
        query_id: z.string(),
        user: z.string().describe('E-mail address or client id'),
        kind: queryKind,
        ...listedSqlFields,
        state: z.enum(QUERY_STATES),
        started_ts: epochMs,
        rows: z.int().min(0),
        bytes: z.int().min(0),
      }),
    ),
  })
  .meta({ id: 'AdminQueries' });
export type AdminQueries = z.infer<typeof adminQueriesBody>;
