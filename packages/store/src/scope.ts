import { type PreparedStatement, prepared } from './transaction.ts';
import { isUuid } from './uuid.ts';

/**
 * Whose rows a transaction sees, for row-level security: one tenant's by id or by name (nobody's where there is no such tenant),
 * no tenant's, or every tenant's. The last is for the jobs of this package alone (reaper, stops due, cleaning), whose statements
 * join on tenant_id throughout; nothing that serves one caller may ask for it.
 */
export type Scope = UnnamedScope | { readonly tenantName: string };
export type UnnamedScope = { readonly tenantId: string } | 'no-tenant' | 'every-tenant';

const SET = prepared('set_scope', `select set_config('sluice.tenant_id', $1, true)`);

/** The name is looked up in the statement that sets it, so that a look-up by name costs no statement of its own. */
const SET_BY_NAME = prepared(
  'set_scope_by_name',
  `select set_config('sluice.tenant_id', coalesce((select id::text from tenants where name = $1), ''), true)`,
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
  return { statement: SET, value: scope.tenantId };
}
