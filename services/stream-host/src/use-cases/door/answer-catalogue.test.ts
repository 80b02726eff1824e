import { describe, expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract';
import { buildCaller } from '@sluice/testkit';
import type { CatalogueStatement } from '@sluice/trino-protocol';
import { createAnswerCatalogue } from './answer-catalogue.ts';

const { signal } = new AbortController();
const SQL = 'SELECT current_user';
const CONSTANT: CatalogueStatement = {
  ...{ kind: 'catalogue', sql: SQL, requires: [], spellings: [] },
  constant: { columns: [{ name: '_col0', type: 'varchar' }], row: ['ann'] },
};
const LISTED: CatalogueStatement = { kind: 'catalogue', sql: 'SELECT 1', requires: [], spellings: [] };

/** Answers statements, and notes what happens in order. */
function fixture(recordFails?: ProblemError) {
  const calls: string[] = [];
  const answer = createAnswerCatalogue({
    databases: { open: () => Promise.reject(new Error('a database is opened')) },
    reads: {
      async record(_caller, sql) {
        calls.push(`record ${sql}`);
        if (recordFails !== undefined) throw recordFails;
      },
    },
    audit: { append: async ({ action, metadata }) => void calls.push(`${action} ${JSON.stringify(metadata)}`) },
    statementBudget: { admit: async () => void calls.push('admit'), begins: () => void calls.push('begins') },
    workers: {} as never,
    engineOf: () => ({}) as never,
  });
  const ask = (permissions: Parameters<typeof buildCaller>[1], statement: CatalogueStatement) =>
    answer(buildCaller('ann', permissions), { sql: SQL, statement, signal });
  return { calls, ask };
}

describe('a statement about the catalog', () => {
  it.each([CONSTANT, LISTED])(
    'needs the permission to read it, and a denial is all that is recorded',
    async (statement) => {
      const { calls, ask } = fixture();
      await expect(ask(['query:run'], statement)).rejects.toMatchObject({ code: 'access_denied' });
      expect(calls).toEqual(['ACCESS_DENIED {"permission":"datamap:read"}']);
    },
  );

  it('is recorded before it has an answer', async () => {
    const { calls, ask } = fixture();
    expect((await ask(['datamap:read'], CONSTANT)).rows.toString()).toBe('["ann"]');
    expect(calls).toEqual(['admit', `record ${SQL}`, 'begins']);
    const failure = new ProblemError('audit_unavailable', 'no');
    for (const statement of [CONSTANT, LISTED])
      await expect(fixture(failure).ask(['datamap:read'], statement)).rejects.toBe(failure);
  });
});
