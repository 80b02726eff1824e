import type { CurrentUser } from './session-state.ts';

/**
 * Returns the time for which the console keeps the results of its tabs, as `keep` of a query has it, such as `24h`. Undefined: the tenant or
 * the deployment keeps none.
 */
export function consoleKeepOf({ limits }: Pick<CurrentUser, 'limits'>): string | undefined {
  const keep: unknown = 'console_keep' in limits ? limits.console_keep : null;
  return typeof keep === 'string' ? keep : undefined;
}
