import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDuckDbFile } from '@sluice/engine/testing';
import { type LoggedIn, logInAs } from '@sluice/testkit/fixtures';
import { startTestHost, type TestHost } from '@sluice/testkit/hosts';
import { createDatamap, getDatamap, searchDatamaps, sendAs } from './datamap-requests.ts';

const TABLES = `
  CREATE SCHEMA shop;
  CREATE TABLE shop.orders AS SELECT 1 AS id, 2 AS item;
  CREATE TABLE shop."odd.na""me" AS SELECT 2 AS item;
  CREATE VIEW shop.sold AS SELECT item FROM shop.orders;`;

let folder: string;
let test: TestHost;
let steward: LoggedIn;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-reads-'));
  const path = join(folder, 'demo.duckdb');
  await makeDuckDbFile(path, TABLES);
  test = await startTestHost({ DUCKDB_CATALOGS: `demo=${path}` });
  steward = await logInAs(test, ['steward'], test.acme);
}, 120_000);
afterAll(async () => {
  await test?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const put = (id: string, body: object) => sendAs(test, steward, { method: 'PUT', path: `/datamap/${id}`, body });

describe('reads of a datamap', () => {
  it('are the tables and views that its SQL names, as an import names them, until the SQL changes', async () => {
    const sql = `WITH orders AS (SELECT 1 AS item) SELECT s.item FROM DEMO.Shop.SOLD s
      JOIN demo.shop."odd.na""me" USING (item) JOIN orders USING (item) WHERE s.item IN (SELECT item FROM demo.shop.sold)`;
    const { status, body } = await createDatamap(test, steward, { name: 'sold', sql });
    expect([status, body.reads]).toEqual([201, ['demo.shop."odd.na""me"', 'demo.shop.sold']]);
    expect((await put(body.id, { description: 'What was sold' })).body.reads).toHaveLength(2);
    expect((await getDatamap(test, steward, body.id)).body.reads).toHaveLength(2);
    const changed = await put(body.id, { sql: 'SELECT id FROM demo.shop.orders' });
    expect(changed.body.reads).toEqual(['demo.shop.orders']);
    expect((await put(body.id, { sql: null })).body.reads).toEqual([]);
  });

  it('are empty without tables, null for SQL that an earlier version saved, and empty for tables', async () => {
    const { body } = await createDatamap(test, steward, { name: 'one', sql: 'SELECT 1 AS one' });
    expect(body.reads).toEqual([]);
    await test.rows('update datamaps set reads = null where fact_id = $1', [body.id]);
    expect((await getDatamap(test, steward, body.id)).body.reads).toBeNull();
    const found = await searchDatamaps(test, steward, { advance_options: { type: 'TABLE' } });
    for (const { reads } of found.body.data) expect(reads).toEqual([]);
  });
});
