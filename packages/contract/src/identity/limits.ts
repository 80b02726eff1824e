import { z } from 'zod';
import type { TenantLimits, TenantSettings } from './principal.ts';

/** Limits of one tenant as every response presents them. Null: no limit. */
export const limitFields = {
  query_time_ms: z.int().describe('Maximum run time of a query'),
  queries_per_user: z.int().describe('Maximum of concurrent queries of one user'),
  queries_per_tenant: z.int().describe('Maximum of concurrent queries of the tenant'),
  rows_max: z.int().nullable().describe('Maximum number of rows of a result'),
  bytes_max: z.int().nullable().describe('Maximum number of bytes of a result'),
};

/** Limits that a deployment sets for every tenant without its own. */
export type LimitDefaults = Required<Pick<TenantLimits, 'queryTimeLimitMs' | 'queriesPerUser' | 'queriesPerTenant'>>;

/** Limits of a result. Undefined: no limit. */
export interface ResultLimits {
  readonly rowsMax?: number | undefined;
  readonly bytesMax?: number | undefined;
}

/** Limits in force for a tenant. */
export interface EffectiveLimits extends LimitDefaults, ResultLimits {}

const least = (one: number, other: number | undefined): number => (other === undefined ? one : Math.min(one, other));
const leastDefined = (one: number | undefined, other: number | undefined): number | undefined =>
  one === undefined ? other : least(one, other);

/** Returns the limits that the operator sets for a tenant: those of the tenant, or else of the deployment. */
export const operatorLimits = (settings: TenantSettings, defaults: LimitDefaults): EffectiveLimits => ({
  queryTimeLimitMs: settings.queryTimeLimitMs ?? defaults.queryTimeLimitMs,
  queriesPerUser: settings.queriesPerUser ?? defaults.queriesPerUser,
  queriesPerTenant: settings.queriesPerTenant ?? defaults.queriesPerTenant,
  rowsMax: settings.rowsMax,
  bytesMax: settings.bytesMax,
});

/** Returns the limits in force of a result. A deployment has no default for them. */
export const resultLimits = ({ rowsMax, bytesMax, ownLimits }: TenantSettings): ResultLimits => ({
  rowsMax: leastDefined(rowsMax, ownLimits?.rowsMax),
  bytesMax: leastDefined(bytesMax, ownLimits?.bytesMax),
});

/** Returns the limits in force: the smaller one of the operator's and those that the tenant's admin has set. */
export function effectiveLimits(settings: TenantSettings, defaults: LimitDefaults): EffectiveLimits {
  const operator = operatorLimits(settings, defaults);
  const own = settings.ownLimits ?? {};
  return {
    queryTimeLimitMs: least(operator.queryTimeLimitMs, own.queryTimeLimitMs),
    queriesPerUser: least(operator.queriesPerUser, own.queriesPerUser),
    queriesPerTenant: least(operator.queriesPerTenant, own.queriesPerTenant),
    ...resultLimits(settings),
  };
}

/** Converts limits to the form of responses. */
export const presentLimits = (limits: EffectiveLimits) => ({
  query_time_ms: limits.queryTimeLimitMs,
  queries_per_user: limits.queriesPerUser,
  queries_per_tenant: limits.queriesPerTenant,
  rows_max: limits.rowsMax ?? null,
  bytes_max: limits.bytesMax ?? null,
});
