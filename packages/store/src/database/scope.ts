import { type PreparedStatement, prepared } from './transaction.ts';
import { isUuid } from './uuid.ts';

/**
 * Whose rows a transaction sees, for row-level security: one tenant's by id or by name (nobody's where there is no such tenant),
 * no tenant's, or every tenant's. The last is for the jobs of this package alone (reaper, stops due, cleaning), whose statements
 * join on tenant_id throughout; nothing that serves one caller may ask for it.
 */
export type Scope = UnnamedScope | { readonly tenantName: string };
export type UnnamedScope =
  | {
      readonly tenantId: string;
      /** How the statement is planned, where that is not for the planner to choose. */
      readonly plan?: 'in-order';
    }
  | 'no-tenant'
  | 'every-tenant';

const SET = prepared('set_scope', `select set_config('sluice.tenant_id', $1, true)`);

/** The name is looked up in the statement that sets it, so that a look-up by name costs no statement of its own. */
const SET_BY_NAME = prepared(
  'set_scope_by_name',
  `select set_config('sluice.tenant_id', coalesce((select id::text from tenants where name = $1), ''), true)`,
);

/**
 * For a statement that reads few rows at one end of an index of millions. The planner takes the conditions of row-level security for
 * far narrower than they are, and then sorts all that there is rather than walk the index that has the order, or compares each row with
 * each other rather than hash them; it plans partitions for longer than it reads them, and compiles, or starts workers for, what runs for milliseconds.
 */
const SET_IN_ORDER = prepared(
  'set_scope_in_order',
  `select set_config('sluice.tenant_id', $1, true), ${[
    ['enable_sort', 'off'],
    ['enable_seqscan', 'off'],
    ['enable_bitmapscan', 'off'],
    ['enable_nestloop', 'off'],
    ['jit', 'off'],
    ['max_parallel_workers_per_gather', '0'],
    ['plan_cache_mode', 'force_generic_plan'],
  ]
    .map(([name, value]) => `set_config('${name}', '${value}', true)`)
    .join(', ')}`,
);

/** A statement that opens a scope until the end of its transaction, and its one parameter. */
export interface ScopeSetting {
  readonly statement: PreparedStatement;
  readonly value: string;
}

/** Throws a TypeError for an id that is no uuid: `*` would be every tenant. */
export function scopeSetting(scope: Scope): ScopeSetting {
  if (scope === 'no-tenant') return { statement: SET, value: '' };
  if (scope === 'every-tenant') return { statement: SET, value: '*' };
  if ('tenantName' in scope) return { statement: SET_BY_NAME, value: scope.tenantName };
  if (!isUuid(scope.tenantId)) throw new TypeError('a tenant is named by its uuid');
  return { statement: scope.plan === 'in-order' ? SET_IN_ORDER : SET, value: scope.tenantId };
}
