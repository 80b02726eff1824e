import { z } from 'zod';
import { integerText } from '../fields/integer-field.ts';
import { columnBody } from './column.ts';

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const DURATION = /^([1-9]\d{0,4})([smhd])$/;

/** Time for which the result of a query is kept after its end. */
export const keepField = z
  .string({ error: 'keep must be a string' })
  .regex(DURATION, 'keep must be a duration such as 30m, 24h or 7d')
  .optional()
  .describe(
    'Keeps the result for this long after its end, so that its rows can be read again: `30m`, `24h`, `7d`. At most what the tenant allows',
  );

/** Oldest kept result that may be returned instead of a run. */
export const reuseField = z
  .string({ error: 'reuse must be a string' })
  .regex(DURATION, 'reuse must be a duration such as 15m, 24h or 7d')
  .optional()
  .describe(
    'Returns a kept result of yours that is not older, of the same statement, parameters, options and time zone, instead of a run: `15m`, `24h`. Its `metadata` event has `as_of`. Without one, the statement runs',
  );

/** Returns the milliseconds of a valid `keep` or `reuse`. */
export function keepMsOf(keep: string): number {
  const [, count, unit] = DURATION.exec(keep) ?? [];
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

/** Returns a duration as `keep` is written, in the largest unit that divides it. */
export function presentKeep(ms: number): string {
  const [unit = 's'] = (['d', 'h', 'm'] as const).filter((each) => ms % UNIT_MS[each] === 0);
  return `${Math.floor(ms / UNIT_MS[unit])}${unit}`;
}

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Returns a time as a valid `keep` that is not longer; null for less than a second. A long time loses minutes or seconds, for which `keep` has no digits. */
export function keepWithin(ms: number): string | null {
  const step = ms >= DAY_MS ? HOUR_MS : ms >= HOUR_MS ? MINUTE_MS : 1_000;
  return ms < 1_000 ? null : presentKeep(Math.floor(ms / step) * step);
}

const PAGE_ROWS_DEFAULT = 1_000;
const PAGE_ROWS_MAX = 10_000;
const ROW_MAX = 999_999_999;

/** Part of a kept result. */
export const keptRowsQuery = z.strictObject({
  from: integerText('from', { min: 0, max: ROW_MAX })
    .default(0)
    .describe('Number of the first row; the first of all is 0'),
  size: integerText('size', { min: 1, max: PAGE_ROWS_MAX })
    .default(PAGE_ROWS_DEFAULT)
    .describe('Maximum number of rows'),
  big_numbers: z
    .enum(['number', 'string'], { error: 'big_numbers must be "number" or "string"' })
    .optional()
    .describe('"string" sends the values of every column that may exceed a double as strings'),
});

export const keptRowsBody = z
  .object({
    metadata: z.object({ columns: z.array(columnBody), type: z.literal('metadata') }),
    query_id: z.uuid(),
    as_of: z.int().describe('Time of the execution, in milliseconds since 1970'),
    expires_ts: z.int().describe('Time until which the result is kept, in milliseconds since 1970'),
    rows: z.int().min(0).describe('Rows of the whole result'),
    limited: z.boolean().describe('The statement had more rows than `size` of its query'),
    from: z.int().min(0),
    data: z.array(z.record(z.string(), z.unknown())).describe('Empty beyond the end'),
  })
  .meta({ id: 'KeptRows' });
