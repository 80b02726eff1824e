import { expect, it } from '@jest/globals';
import type { ContractFixture } from './contract-fixture.ts';

export function describeReadOnly(fixture: ContractFixture): void {
  it('and rejects every other statement', async () => {
    for (const sql of fixture.sql.writes)
      expect([sql, (await fixture.problemOf(sql)).code]).toEqual([sql, 'read_only']);
  });

  it('so that the data are unchanged', async () => {
    expect((await fixture.read(`SELECT * FROM ${fixture.sql.table}`)).rowsText).toBe('{"answer":42}');
  });

  it('and reports that parameters have no values', async () => {
    expect((await fixture.problemOf('SELECT ? AS a')).code).toBe('not_supported');
  });
}
