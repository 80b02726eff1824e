import { z } from 'zod';
import { integerField } from '../fields/integer-field.ts';
import { consoleKeepField, limitFields } from '../identity/limits.ts';

const optional = (name: string, min: number) =>
  integerField(name, { min }).nullable().optional().describe('Null or absent: the limit of the operator');

export const limitsBody = z
  .strictObject({
    query_time_ms: optional('query_time_ms', 1000),
    queries_per_user: optional('queries_per_user', 1),
    queries_per_tenant: optional('queries_per_tenant', 1),
    rows_max: optional('rows_max', 1),
    bytes_max: optional('bytes_max', 1),
    keep_time_ms: optional('keep_time_ms', 0),
    kept_bytes_max: optional('kept_bytes_max', 1),
    console_keep_ms: integerField('console_keep_ms', { min: 0 })
      .nullable()
      .optional()
      .describe('0: the console keeps no results. Null or absent: 24 hours, or `keep_time_ms` if that is less'),
  })
  .meta({ id: 'LimitsRequest' });
export type LimitsRequest = z.infer<typeof limitsBody>;

const fields = { ...limitFields, ...consoleKeepField };
const ownFields = Object.fromEntries(Object.keys(fields).map((name) => [name, z.int().nullable()])) as Record<
  keyof typeof fields,
  z.ZodNullable<z.ZodInt>
>;

export const tenantLimitsBody = z
  .object({
    own: z.object(ownFields).describe('Limits that admins of the tenant have set; null: none'),
    operator: z.object(fields).describe('Limits of the operator, which `own` cannot exceed'),
    effective: z
      .object(fields)
      .describe('Limits in force: the smaller ones of both. `console_keep_ms` is at most 24 hours if neither sets it'),
  })
  .meta({ id: 'TenantLimits' });
export type TenantLimitsRecord = z.infer<typeof tenantLimitsBody>;
