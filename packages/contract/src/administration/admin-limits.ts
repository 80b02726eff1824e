import { z } from 'zod';
import { integerField } from '../fields/integer-field.ts';
import { limitFields } from '../identity/limits.ts';

const optional = (name: string, min: number) =>
  integerField(name, { min }).nullable().optional().describe('Null or absent: the limit of the operator');

export const limitsBody = z
  .strictObject({
    query_time_ms: optional('query_time_ms', 1000),
    queries_per_user: optional('queries_per_user', 1),
    queries_per_tenant: optional('queries_per_tenant', 1),
    rows_max: optional('rows_max', 1),
    bytes_max: optional('bytes_max', 1),
  })
  .meta({ id: 'LimitsRequest' });
export type LimitsRequest = z.infer<typeof limitsBody>;

const ownFields = Object.fromEntries(Object.keys(limitFields).map((name) => [name, z.int().nullable()])) as Record<
  keyof typeof limitFields,
  z.ZodNullable<z.ZodInt>
>;

export const tenantLimitsBody = z
  .object({
    own: z.object(ownFields).describe('Limits that admins of the tenant have set; null: none'),
    operator: z.object(limitFields).describe('Limits of the operator, which `own` cannot exceed'),
    effective: z.object(limitFields).describe('Limits in force: the smaller ones of both'),
  })
  .meta({ id: 'TenantLimits' });
export type TenantLimitsRecord = z.infer<typeof tenantLimitsBody>;
