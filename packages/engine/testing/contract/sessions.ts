import { expect, it } from '@jest/globals';
import type { ContractFixture } from './contract-fixture.ts';

export function describeSessions(fixture: ContractFixture): void {
  it('in the time zone of each', async () => {
    const berlin = await fixture.read(fixture.sql.instant, { timeZone: 'Europe/Berlin' });
    expect(berlin.rowsText).toMatch(/^\{"at":"2026-10-25 02:30:00\.0+ \S+"\}$/);
    const utc = await fixture.read(fixture.sql.instant);
    expect(utc.rowsText).toMatch(/^\{"at":"2026-10-25 00:30:00\.0+ UTC"\}$/);
  });

  it('and rejects an unknown time zone', async () => {
    const run = fixture.read(fixture.sql.instant, { timeZone: "Mars/Olympus' OR 1" });
    await expect(run).rejects.toMatchObject({ code: 'invalid_request' });
    await fixture.expectReady();
  });

  it('over the tables of the tenant', async () => {
    expect((await fixture.read(`SELECT * FROM ${fixture.sql.table}`)).rowsText).toBe('{"answer":42}');
  });
}
