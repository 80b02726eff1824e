import { asProblem, type Caller } from '@sluice/contract';
import type { OpenResults } from '../../door/open-results.ts';
import type { CancelQuery } from '../queries/cancel-query.ts';

interface CancelStatementDependencies {
  readonly cancelQuery: CancelQuery;
  readonly openResults: OpenResults;
}

/** Cancels a statement of the caller, on any host, and forgets its rows. Throws `not_found` for one of another account. */
export type CancelStatement = (caller: Caller, id: string) => Promise<void>;

export function createCancelStatement({ cancelQuery, openResults }: CancelStatementDependencies): CancelStatement {
  return async (caller, id) => {
    const isOpen = openResults.find(id, caller.principal) !== undefined;
    await cancelQuery(caller, id).catch((thrown: unknown) => {
      // The rows of a catalogue are not those of a query.
      if (!isOpen || asProblem(thrown).code !== 'not_found') throw thrown;
    });
    openResults.close(id, caller.principal);
  };
}
