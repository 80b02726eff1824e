import { expect, it } from '@jest/globals';
import type { Stage } from './stage.ts';

export function describeSessions(stage: Stage): void {
  it('in the time zone of each', async () => {
    const berlin = await stage.read(stage.sql.instant, { timeZone: 'Europe/Berlin' });
    expect(berlin.rowsText).toMatch(/^\{"at":"2026-10-25 02:30:00\.0+ \S+"\}$/);
    const utc = await stage.read(stage.sql.instant);
    expect(utc.rowsText).toMatch(/^\{"at":"2026-10-25 00:30:00\.0+ UTC"\}$/);
  });

  it('and rejects an unknown time zone', async () => {
    const run = stage.read(stage.sql.instant, { timeZone: "Mars/Olympus' OR 1" });
    await expect(run).rejects.toMatchObject({ code: 'invalid_request' });
    await stage.expectReady();
  });

  it('over the tables of the tenant', async () => {
    expect((await stage.read(`SELECT * FROM ${stage.sql.table}`)).rowsText).toBe('{"answer":42}');
  });
}
