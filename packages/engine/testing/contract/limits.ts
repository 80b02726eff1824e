import { expect, it } from '@jest/globals';
import { type ContractFixture, rowsText } from './contract-fixture.ts';

export function describeLimits(fixture: ContractFixture): void {
  it.each([
    [1, true],
    [4_999, true],
    [5_000, false],
    [5_001, false],
    [Number.MAX_SAFE_INTEGER, false],
  ])('%i of 5000, and reports whether there were more: %s', async (rowsMax, limited) => {
    const rows = Math.min(rowsMax, 5_000);
    const result = await fixture.read(fixture.sql.rows(5_000), { rowsMax });
    expect([result.rows, result.limited]).toEqual([rows, limited]);
    expect(result.rowsText).toBe(rowsText(rows));
  });

  it('and applies the smaller of that and of a LIMIT', async () => {
    const result = await fixture.read(`${fixture.sql.rows(5_000)} LIMIT 3`, { rowsMax: 10 });
    expect([result.rowsText, result.limited]).toEqual([rowsText(3), false]);
    const fewer = await fixture.read(`${fixture.sql.rows(5_000)} LIMIT 10`, { rowsMax: 3 });
    expect([fewer.rowsText, fewer.limited]).toEqual([rowsText(3), true]);
  });
}
