import { type Caller, ProblemError } from '@sluice/contract';
import type { Administration, AdministrationStore } from '@sluice/store/administration';

/** Change of the caller's tenant within a transaction. */
export type AdministrationStep<Input, Result> = (
  administration: Administration,
  caller: Caller,
  input: Input,
) => Promise<Result>;

type Work<T> = (administration: Administration) => Promise<T>;

export interface AccountTransactions {
  /** Runs a change in one transaction. Throws `conflict`, and changes nothing, if no admin would be left. */
  run<T>(caller: Caller, work: Work<T>): Promise<T>;
  /** Runs the same transaction, rolls it back, and returns its result. */
  dryRun<T>(caller: Caller, work: Work<T>): Promise<T>;
}

/** Collaborators of a use-case that is one step in a transaction. */
export interface StepDependencies {
  readonly transactions: AccountTransactions;
}

/** Carries the result out of a transaction that is rolled back. */
class RolledBack<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super('rolled back');
    this.result = result;
  }
}

/** Runs work in a transaction that is rolled back, and returns its result. */
export async function rollBack<T>(
  store: Pick<AdministrationStore, 'change'>,
  tenantId: string,
  work: Work<T>,
): Promise<T> {
  try {
    return await store.change<T>(tenantId, async (administration) => {
      throw new RolledBack(await work(administration));
    });
  } catch (thrown) {
    if (thrown instanceof RolledBack) return thrown.result as T;
    throw thrown;
  }
}

/** Rejects a change after which only the operator could restore an admin. */
const keepingAnAdmin =
  <T>(work: Work<T>): Work<T> =>
  async (administration) => {
    const result = await work(administration);
    if (await administration.hasAdmin()) return result;
    throw new ProblemError(
      'conflict',
      'This would leave the tenant without an admin who can log in. Give another user a role with the permission admin first.',
    );
  };

export const createAccountTransactions = ({
  administration: store,
}: {
  readonly administration: Pick<AdministrationStore, 'change'>;
}): AccountTransactions => ({
  run: (caller, work) => store.change(caller.principal.tenant.id, keepingAnAdmin(work)),
  dryRun: (caller, work) => rollBack(store, caller.principal.tenant.id, keepingAnAdmin(work)),
});

/** Turns a step into a use-case that runs it in its own transaction. */
export const inTransaction =
  <Input, Result>({ transactions }: StepDependencies, step: AdministrationStep<Input, Result>) =>
  (caller: Caller, input: Input): Promise<Result> =>
    transactions.run(caller, (administration) => step(administration, caller, input));
