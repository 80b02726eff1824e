import { type Client, type KeptResult, ResponseError } from '@sluice/client';
import type { CommandContext } from '../context.ts';
import { CommandError } from '../errors.ts';
import { findEntry } from '../history-entries/find-entry.ts';

const WHOLE_ID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/;
const SHORT_ID = /^[\da-f][\da-f-]{0,34}$/;

/** Argument of the commands of one kept result. */
export const RESULT_ARGUMENT = {
  meaning: 'Id of the query. The beginning of the id is enough for a query of yours.',
  isRequired: true,
  completes: 'result',
} as const;

/**
 * Returns the kept result of an id, or of the query of the caller whose id begins with it. Whether it is kept is not known then.
 * @throws CommandError if there is none, or several
 */
export async function findResult(
  context: Pick<CommandContext, 'signal'>,
  client: Client,
  given: string,
): Promise<KeptResult> {
  const id = given.toLowerCase();
  if (WHOLE_ID.test(id)) return client.result(id);
  const entry = SHORT_ID.test(id) ? await findEntry(context, client, id) : undefined;
  if (entry === undefined)
    throw new CommandError(`You have no query whose id begins with ${given}. \`sluice result list\` shows the ids.`);
  return client.result(entry.query_id);
}

/** Throws what a request for a kept result has failed with, in a sentence if there is no such result. */
export function explainMissing(id: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof ResponseError) || error.status !== 404) throw error as Error;
    const message = `There is no kept result of query ${id} that you may view. It may have expired. \`sluice result list\` shows yours.`;
    throw new CommandError(message, { cause: error });
  };
}
