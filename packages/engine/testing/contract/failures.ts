import { expect, it } from '@jest/globals';
import { ProblemError } from '@sluice/contract/problems';
import { type ContractFixture, rowsText, SIZES } from './contract-fixture.ts';

export function describeFailures(fixture: ContractFixture): void {
  const places = SIZES.map((id) => [id, id + 5_000] as const);
  const lastRows = [1, 2_048, 100_000].map((n) => [n - 1, n] as const);

  it.each([...places, ...lastRows])('that fails at row %i of %i', async (id, n) => {
    const problem = await fixture.problemOf(fixture.sql.failAt(id, n));
    expect(problem.message).toContain(fixture.sql.failure);
    expect(problem.code).toBe('data_error');
  });

  it.each([0, 5_000, 100_000])('whose cast fails at row %i', async (id) => {
    const problem = await fixture.problemOf(fixture.sql.failedCastAt(id, id + 1));
    expect([problem.code, problem.message]).toEqual(['data_error', expect.stringContaining('melted')]);
  });

  it('and returns only correct rows before it throws', async () => {
    const { farRow } = fixture.sql;
    const events = fixture.events(fixture.sql.failAt(farRow, farRow + 1), new AbortController().signal);
    const given: string[] = [];
    const kinds = new Set<string>();
    const read = async (): Promise<void> => {
      for (let step = await events.next(); step.done !== true; step = await events.next()) {
        kinds.add(step.value.kind);
        if (step.value.kind === 'rows') given.push(Buffer.from(step.value.bytes).toString('utf8'));
      }
    };
    await expect(read()).rejects.toBeInstanceOf(ProblemError);
    expect(kinds).toEqual(new Set(['columns', 'rows']));
    expect(rowsText(farRow).startsWith(given.join(''))).toBe(true);
    expect(given.length).toBeGreaterThan(1);
  });

  it('and the next one is complete again', () => fixture.expectReady());
}
