import { ProblemError } from '@sluice/contract';
import type { Administration, AdministrationStore } from '@sluice/store';
import type { Caller } from '../audit-of.ts';

/** Runs one change, or several, of who is in the caller's tenant and what each may do. */
export type ChangeAccounts = <T>(caller: Caller, work: (administration: Administration) => Promise<T>) => Promise<T>;

/**
 * One transaction, after which somebody must be left who can administer the tenant: nobody below the operator could let them in
 * again. Throws `conflict` otherwise, and nothing is changed.
 */
export const createChangeAccounts =
  (administration: Pick<AdministrationStore, 'change'>): ChangeAccounts =>
  (caller, work) =>
    administration.change(caller.principal.tenant.id, async (within) => {
      const answer = await work(within);
      if (await within.hasAdmin()) return answer;
      throw new ProblemError(
        'conflict',
        'This would leave the tenant without an admin who can log in. Give another user a role with the permission admin first.',
      );
    });
