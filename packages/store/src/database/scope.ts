import { type PreparedStatement, prepared } from './transaction.ts';
import { isUuid } from './uuid.ts';

/**
 * Rows that a transaction sees under row-level security: those of one tenant by id or by name (no rows if there is no such tenant), of no
 * tenant, or of every tenant. The last is reserved for this package's own jobs (reaper, stops due, cleaning), whose statements join on
 * tenant_id throughout. Code that serves one caller must not use it.
 */
export type Scope = UnnamedScope | { readonly tenantName: string };
export type UnnamedScope =
  | {
      readonly tenantId: string;
      /** Overrides the planner where its choice is bad. */
      readonly plan?: keyof typeof SET_PLAN;
    }
  | 'no-tenant'
  | 'every-tenant';

const SET = prepared('set_scope', `select set_config('sluice.tenant_id', $1, true)`);

/** Looks up the name in the statement that sets the scope, so that a lookup by name costs no extra statement. */
const SET_BY_NAME = prepared(
  'set_scope_by_name',
  `select set_config('sluice.tenant_id', coalesce((select id::text from tenants where name = $1), ''), true)`,
);

/**
 * Settings of a statement that reads a few rows at one end of an index of millions. The planner overestimates how selective the conditions of
 * row-level security are. It then sorts everything instead of walking the ordered index, or compares each row with each other row instead
 * of hashing. It plans partitions for longer than it reads them, and compiles or starts workers for statements that run for milliseconds.
 */
const IN_ORDER = [
  ['enable_sort', 'off'],
  ['enable_seqscan', 'off'],
  ['enable_bitmapscan', 'off'],
  ['jit', 'off'],
  ['max_parallel_workers_per_gather', '0'],
  ['plan_cache_mode', 'force_generic_plan'],
] as const;

const setPlan = (label: string, settings: readonly (readonly [name: string, value: string])[]): PreparedStatement =>
  prepared(
    label,
    `select set_config('sluice.tenant_id', $1, true), ${settings
      .map(([name, value]) => `set_config('${name}', '${value}', true)`)
      .join(', ')}`,
  );

/** `in-order lookups`: each row of the ordered index finds its row of another table, one by one. */
const SET_PLAN = {
  'in-order': setPlan('set_scope_in_order', [...IN_ORDER, ['enable_nestloop', 'off']]),
  'in-order lookups': setPlan('set_scope_in_order_lookups', [
    ...IN_ORDER,
    ['enable_hashjoin', 'off'],
    ['enable_mergejoin', 'off'],
  ]),
} as const;

/** Returns the group of a scope's statements: those of one tenant take turns with those of others and of the host. */
export function groupOf(scope: Scope): string {
  if (typeof scope === 'string') return scope;
  return 'tenantName' in scope ? `name ${scope.tenantName}` : scope.tenantId;
}

/** Statement that opens a scope until the end of its transaction, and its one parameter. */
export interface ScopeSetting {
  readonly statement: PreparedStatement;
  readonly value: string;
}

/** Throws a TypeError for an id that is not a uuid: `*` would mean every tenant. */
export function scopeSetting(scope: Scope): ScopeSetting {
  if (scope === 'no-tenant') return { statement: SET, value: '' };
  if (scope === 'every-tenant') return { statement: SET, value: '*' };
  if ('tenantName' in scope) return { statement: SET_BY_NAME, value: scope.tenantName };
  if (!isUuid(scope.tenantId)) throw new TypeError('a tenant id must be a uuid');
  return { statement: scope.plan === undefined ? SET : SET_PLAN[scope.plan], value: scope.tenantId };
}
