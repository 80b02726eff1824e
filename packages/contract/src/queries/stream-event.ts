import { z } from 'zod';
import { columnBody } from './column.ts';
import { QUERY_STATES } from './query.ts';

/** Events of POST /query. Every complete stream ends with one `complete` or one `error`; a stream without it was cut. */
export const streamEvent = z
  .discriminatedUnion('type', [
    z.object({
      type: z.literal('metadata'),
      columns: z.array(columnBody),
      as_of: z
        .int()
        .optional()
        .describe('Present for a kept result: time of its execution, in milliseconds since 1970'),
      query_id: z.string().optional().describe('Present for a kept result: the query that ran'),
    }),
    z.object({ type: z.literal('row'), data: z.record(z.string(), z.unknown()) }),
    z.object({
      type: z.literal('progress'),
      state: z.enum(QUERY_STATES),
      rows: z.int(),
      bytes: z.int(),
      splits_done: z.int().nullable(),
      splits_total: z.int().nullable(),
    }),
    z.object({
      type: z.literal('complete'),
      query_id: z.string().optional(),
      rows: z.int().optional(),
      elapsed_ms: z.int().optional(),
      limited: z.boolean().optional(),
      kept_until: z.int().optional(),
      not_kept: z.string().optional(),
    }),
    z.object({
      type: z.literal('error'),
      error: z.string(),
      code: z.string(),
      query_id: z.string(),
      location: z.object({ line: z.int(), column: z.int() }).optional(),
    }),
  ])
  .meta({ id: 'StreamEvent' });
