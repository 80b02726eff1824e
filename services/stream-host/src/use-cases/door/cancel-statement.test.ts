import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { createCancelStatement } from './cancel-statement.ts';

const caller = buildCaller('ann');
const DOWN = new ProblemError('service_unavailable', 'The shared state is down.');

/** Cancels a list of the catalogue while the state that hosts share is down. Returns the closed results. */
async function cancelList({ isOpen }: { readonly isOpen: boolean }): Promise<readonly string[]> {
  const closed: string[] = [];
  const cancel = createCancelStatement({
    cancelQuery: () => Promise.reject(new ProblemError('not_found', 'You have no query with this id.')),
    openResults: {
      find: () => (isOpen ? {} : undefined),
      close: (id: string) => void closed.push(id),
    } as never,
    preparedAnswers: { forget: () => Promise.reject(DOWN) },
  });
  await cancel(caller, 'list');
  return closed;
}

describe('a list of the catalogue that is cancelled while the shared state is down', () => {
  it('is forgotten by the host that has its rows', async () => {
    expect(await cancelList({ isOpen: true })).toEqual(['list']);
  });

  it('is reported as unavailable by another host', async () => {
    await expect(cancelList({ isOpen: false })).rejects.toBe(DOWN);
  });
});
