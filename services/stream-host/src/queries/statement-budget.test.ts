import { describe, expect, it } from '@jest/globals';
import { type AuditRecord, STATEMENT_BYTES_MAX } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import { StatementBudget } from './statement-budget.ts';

const KIBIBYTE = 1024;
const sqlOf = (bytes: number) => ({ sql: 'x'.repeat(bytes) });

function fixture(fails?: Error) {
  const records: AuditRecord[] = [];
  const failures: unknown[] = [];
  const budget = new StatementBudget({
    audit: {
      async append(record) {
        if (fails !== undefined) throw fails;
        records.push(record);
      },
    },
    events: { auditFailed: ({ err }) => void failures.push(err) },
  });
  return { budget, records, failures, ann: buildCaller('ann'), bob: buildCaller('bob') };
}

/** Charges statements of one size until the budget is used. */
function useBudget(charge: () => void, size: number): void {
  for (let bytes = 0; bytes < STATEMENT_BYTES_MAX; bytes += size) charge();
}
const REJECTED = { code: 'too_many_requests', retryAfterSeconds: 3600 };

describe('the budget of statements', () => {
  it('rejects an account after too many refused ones, records that once, and rejects no other account', async () => {
    const { budget, records, ann, bob } = fixture();
    useBudget(() => budget.isRefused(ann, sqlOf(8 * KIBIBYTE)), 8 * KIBIBYTE);
    for (let request = 0; request < 3; request += 1) await expect(budget.admit(ann)).rejects.toMatchObject(REJECTED);
    expect(records).toMatchObject([
      {
        action: 'LIMIT_STATEMENTS',
        target: ann.principal.name,
        metadata: { bytes_max: STATEMENT_BYTES_MAX, retry_after_seconds: 3600 },
      },
    ]);
    await expect(budget.admit(bob)).resolves.toBeUndefined();
  });

  it('counts long ones once, refused or not, with their parameters, and no others', async () => {
    const { budget, ann } = fixture();
    const size = 32 * KIBIBYTE;
    const parameter = { name: 'p', type: { name: 'varchar' }, value: 'x'.repeat(size - 1) } as const;
    const long = { sql: '', parameters: [parameter] };
    for (let count = 0; count < 10_000; count += 1) budget.begins(ann, sqlOf(KIBIBYTE));
    for (let bytes = size; bytes < STATEMENT_BYTES_MAX; bytes += size) {
      budget.begins(ann, long);
      budget.isRefused(ann, long);
    }
    await expect(budget.admit(ann)).resolves.toBeUndefined();
    budget.begins(ann, long);
    await expect(budget.admit(ann)).rejects.toMatchObject(REJECTED);
  });

  it('rejects although the record cannot be written', async () => {
    const down = new Error('no database');
    const { budget, failures, ann } = fixture(down);
    budget.begins(ann, sqlOf(STATEMENT_BYTES_MAX));
    await expect(budget.admit(ann)).rejects.toMatchObject(REJECTED);
    expect(failures).toEqual([down]);
  });
});
