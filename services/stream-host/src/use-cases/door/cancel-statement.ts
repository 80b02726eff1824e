import { asProblem, type Caller } from '@sluice/contract';
import type { OpenResults } from '../../door/open-results.ts';
import type { PreparedAnswers } from '../../door/prepared-answers.ts';
import type { CancelQuery } from '../queries/cancel-query.ts';

interface CancelStatementDependencies {
  readonly cancelQuery: CancelQuery;
  readonly openResults: OpenResults;
  readonly preparedAnswers: Pick<PreparedAnswers, 'forget'>;
}

/** Cancels a statement of the caller, on any host, and forgets its rows. Throws `not_found` for one of another account. */
export type CancelStatement = (caller: Caller, id: string) => Promise<void>;

export function createCancelStatement(dependencies: CancelStatementDependencies): CancelStatement {
  const { cancelQuery, openResults, preparedAnswers } = dependencies;
  return async (caller, id) => {
    const { principal } = caller;
    const isOpen = openResults.find(id, principal) !== undefined;
    await cancelQuery(caller, id).catch(async (thrown: unknown) => {
      // The rows of a catalogue are not those of a query.
      if (asProblem(thrown).code !== 'not_found') throw thrown;
      const isPrepared = await preparedAnswers.forget(principal, id).catch((failure: unknown) => {
        // The state that hosts share may be down. The rows in the memory of this host are forgotten all the same.
        if (!isOpen) throw failure;
        return true;
      });
      if (!isOpen && !isPrepared) throw thrown;
    });
    openResults.close(id, principal);
  };
}
