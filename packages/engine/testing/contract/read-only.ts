import { expect, it } from '@jest/globals';
import type { Stage } from './stage.ts';

export function describeReadOnly(stage: Stage): void {
  it('and rejects every other statement', async () => {
    for (const sql of stage.sql.writes) expect([sql, (await stage.problemOf(sql)).code]).toEqual([sql, 'read_only']);
  });

  it('so that the data are unchanged', async () => {
    expect((await stage.read(`SELECT * FROM ${stage.sql.table}`)).rowsText).toBe('{"answer":42}');
  });

  it('and reports that parameters have no values', async () => {
    expect((await stage.problemOf('SELECT ? AS a')).code).toBe('not_supported');
  });
}
