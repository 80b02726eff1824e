import { expect, it } from '@jest/globals';
import type { ContractFixture } from './contract-fixture.ts';

export function describeSessions(fixture: ContractFixture): void {
  it('in the time zone of each', async () => {
    const berlin = await fixture.read(fixture.sql.instant, { timeZone: 'Europe/Berlin' });
    expect(berlin.rowsText).toMatch(/^\{"at":"2026-10-25 02:30:00\.0+ \S+"\}$/);
    const utc = await fixture.read(fixture.sql.instant);
    expect(utc.rowsText).toMatch(/^\{"at":"2026-10-25 00:30:00\.0+ UTC"\}$/);
    const offset = await fixture.read(fixture.sql.instant, { timeZone: '+05:00' });
    expect(offset.rowsText).toMatch(/^\{"at":"2026-10-25 05:30:00\.0+ \+05:00"\}$/);
  });

  it('and rejects an unknown time zone', async () => {
    const run = fixture.read(fixture.sql.instant, { timeZone: "Mars/Olympus' OR 1" });
    await expect(run).rejects.toMatchObject({ code: 'invalid_request' });
    await fixture.expectReady();
  });

  it('in the catalog and schema of each, and none in those of the one before', async () => {
    const { catalog, schema, name } = fixture.sql.named;
    const sql = `SELECT * FROM ${name}`;
    expect((await fixture.read(sql, { catalog, schema })).rowsText).toBe('{"answer":42}');
    expect((await fixture.read(`SELECT * FROM ${schema}.${name}`, { catalog })).rowsText).toBe('{"answer":42}');
    expect(await fixture.problemOf(sql)).toMatchObject({ code: 'table_not_found' });
    const elsewhere = fixture.problemOf(sql, { catalog, schema: 'no_such_schema' });
    expect(await elsewhere).toMatchObject({ code: 'table_not_found' });
    await expect(fixture.read('SELECT 1', { catalog: 'no_such_catalog', schema })).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:table_not_found|permission_denied)$/),
    });
    await fixture.expectReady();
  });

  it('over the tables of the tenant', async () => {
    expect((await fixture.read(`SELECT * FROM ${fixture.sql.table}`)).rowsText).toBe('{"answer":42}');
  });
}
