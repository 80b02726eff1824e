import { describe, expect, it } from '@jest/globals';
import { createAuditSigner } from '@sluice/audit';
import type { AuditChainStore, StoredHead } from '@sluice/store/audit';
import { evidenceCheckpoints } from './evidence-checkpoints.ts';
import { signDropped } from './sign-dropped.ts';

const TENANT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const PER_CHECKPOINT = 10;
const signer = createAuditSigner(Buffer.alloc(32, 1));

interface Stored {
  readonly number: number;
  readonly sequence: number;
  readonly payload: string;
}

/** Checkpoints that cover ten positions each. Those in `drops` sign that the positions 1 to 5 were dropped. */
function chainOf(count: number, drops: readonly number[] = []): AuditChainStore {
  const stored: Stored[] = [];
  for (let number = 1; number <= count; number += 1) {
    const head = stored.at(-1) as StoredHead | undefined;
    const dropped = drops.includes(number) ? [{ from: 1, to: 5, hash: 'ab'.repeat(32) }] : [];
    const { payload } = signDropped(signer, 'retention', () => number)(TENANT, head, dropped);
    stored.push({ number, sequence: number * PER_CHECKPOINT, payload });
  }
  return {
    head: async () => stored.at(-1),
    checkpoints: async (_tenantId: string, { after, size }: { readonly after: number; readonly size: number }) =>
      stored.slice(after, after + size),
    dropPayloads: async () =>
      stored
        .filter(({ number }) => drops.includes(number))
        .map(({ payload }) => payload)
        .reverse(),
  } as unknown as AuditChainStore;
}

async function numbersFor(chain: AuditChainStore, first: number, last: number): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const page of evidenceCheckpoints(chain, { tenantId: TENANT, first, last }))
    numbers.push(...page.map(({ number }) => number));
  return numbers;
}

describe('the checkpoints of a range', () => {
  it.each([
    ['in the middle', 35, 41, [3, 4, 5, 9]],
    ['of one position', 40, 40, [3, 4, 9]],
    ['at the beginning', 1, 3, [1, 9]],
    ['at the end', 85, 90, [8, 9]],
    ['of everything', 1, 90, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
    ['without a position', 1, 0, [9]],
  ])('%s are the one before it, those that cover it, and the latest', async (_, first, last, numbers) => {
    expect(await numbersFor(chainOf(9), first, last)).toEqual(numbers);
  });

  it('include later ones that sign the removal of a part of it, each once', async () => {
    expect(await numbersFor(chainOf(9, [6, 7]), 3, 12)).toEqual([1, 2, 6, 7, 9]);
    expect(await numbersFor(chainOf(9, [6, 9]), 20, 21)).toEqual([1, 2, 3, 9]);
  });

  it('do not exist for an empty chain', async () => {
    expect(await numbersFor(chainOf(0), 1, 0)).toEqual([]);
  });
});
