import { describe, expect, it } from '@jest/globals';
import type { Caller } from '@sluice/contract';
import type { Administration } from '@sluice/store/administration';
import { createAccountTransactions, inTransaction } from './account-transactions.ts';

const caller = { principal: { tenant: { id: 't' } } } as unknown as Caller;

/** Store whose transactions are committed or rolled back in memory. */
function fixture(hasAdmin: boolean) {
  const outcomes: ('committed' | 'rolled back')[] = [];
  const within = { hasAdmin: async () => hasAdmin } as unknown as Administration;
  const change = async <T>(_tenantId: string, work: (administration: Administration) => Promise<T>): Promise<T> => {
    try {
      const result = await work(within);
      outcomes.push('committed');
      return result;
    } catch (thrown) {
      outcomes.push('rolled back');
      throw thrown;
    }
  };
  return { outcomes, transactions: createAccountTransactions({ administration: { change } }) };
}

describe('account transactions', () => {
  it('commit a change that leaves an admin', async () => {
    const { outcomes, transactions } = fixture(true);
    const double = inTransaction({ transactions }, async (_administration, _caller, input: number) => input * 2);
    expect(await double(caller, 21)).toBe(42);
    expect(outcomes).toEqual(['committed']);
  });

  it('roll a change back that leaves no admin, and throw conflict', async () => {
    const { outcomes, transactions } = fixture(false);
    await expect(transactions.run(caller, async () => 1)).rejects.toMatchObject({ code: 'conflict' });
    await expect(transactions.dryRun(caller, async () => 1)).rejects.toMatchObject({ code: 'conflict' });
    expect(outcomes).toEqual(['rolled back', 'rolled back']);
  });

  it('return the result of a dry run, and roll it back', async () => {
    const { outcomes, transactions } = fixture(true);
    expect(await transactions.dryRun(caller, async () => 'result')).toBe('result');
    expect(outcomes).toEqual(['rolled back']);
  });

  it('throw the error of a dry run', async () => {
    const thrown = new Error('bug');
    const { transactions } = fixture(true);
    await expect(transactions.dryRun(caller, () => Promise.reject(thrown))).rejects.toBe(thrown);
  });
});
