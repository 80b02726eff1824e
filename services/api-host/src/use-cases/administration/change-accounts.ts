import { type Caller, ProblemError } from '@sluice/contract';
import type { Administration, AdministrationStore } from '@sluice/store/administration';

/** One change, or several, of who is in the caller's tenant and what each may do. */
export type AccountWork<T> = (administration: Administration) => Promise<T>;

export interface ChangeAccounts {
  /** One transaction. Throws `conflict`, and changes nothing, when it would leave nobody who can administer the tenant. */
  change<T>(caller: Caller, work: AccountWork<T>): Promise<T>;
  /** The same transaction, taken back: answers what the work answered. */
  tryOut<T>(caller: Caller, work: AccountWork<T>): Promise<T>;
}

/** Rolls a transaction back that went well. */
class TakenBack<T> extends Error {
  readonly answer: T;

  constructor(answer: T) {
    super('taken back');
    this.answer = answer;
  }
}

/** Nobody below the operator could let an admin in again. */
const keepAnAdmin =
  <T>(work: AccountWork<T>): AccountWork<T> =>
  async (administration) => {
    const answer = await work(administration);
    if (await administration.hasAdmin()) return answer;
    throw new ProblemError(
      'conflict',
      'This would leave the tenant without an admin who can log in. Give another user a role with the permission admin first.',
    );
  };

export const createChangeAccounts = (store: Pick<AdministrationStore, 'change'>): ChangeAccounts => ({
  change: (caller, work) => store.change(caller.principal.tenant.id, keepAnAdmin(work)),
  async tryOut<T>(caller: Caller, work: AccountWork<T>): Promise<T> {
    const kept = keepAnAdmin(work);
    try {
      return await store.change<T>(caller.principal.tenant.id, async (administration) => {
        throw new TakenBack(await kept(administration));
      });
    } catch (thrown) {
      if (thrown instanceof TakenBack) return thrown.answer as T;
      throw thrown;
    }
  },
});
