import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeDuckDbFile } from '@sluice/engine/testing';
import type { ReceivedResponse } from '@sluice/testkit';
import { startHosts, TESTED_ENGINE, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, eventsOf, post, queryIdOf } from '@sluice/testkit/requests';

/** A catalog of the tenant that is not the default one, with the table `nation` of 25 rows in the schema `tiny`. */
const CATALOG = TESTED_ENGINE === 'trino' ? 'tpch' : 'files';
const NATIONS = 'SELECT count(*) AS n FROM nation';
const filesCatalog = join(tmpdir(), `sluice-namespace-${process.pid}.duckdb`);

let hosts: TestHosts;
beforeAll(async () => {
  if (TESTED_ENGINE === 'duckdb')
    await makeDuckDbFile(filesCatalog, 'CREATE SCHEMA tiny; CREATE TABLE tiny.nation AS FROM range(25)');
  const settings = TESTED_ENGINE === 'duckdb' ? { FILES_CATALOG: filesCatalog } : {};
  hosts = await startHosts({ ...settings, WORKERS_MAX: '1', WORKERS_WARM: '1' });
}, 120_000);
afterAll(async () => {
  await hosts?.[Symbol.asyncDispose]();
  await rm(filesCatalog, { force: true });
});

const query = (body: object): Promise<ReceivedResponse> => post(`${hosts.url}/query`, body, basicOf(hosts.ann));
const outcomeOf = async (body: object): Promise<unknown> => {
  const { type, code } = (await eventsOf(await query(body))).at(-1) ?? {};
  return code ?? type;
};
const metadataOf = async (answer: ReceivedResponse): Promise<unknown> =>
  (
    await hosts.rows<{ metadata: unknown }>(
      'select metadata from audit_log where query_id = $1 and record_id is null',
      [queryIdOf(answer)],
    )
  )[0]?.metadata;

describe('catalog and schema of a query', () => {
  it('are where its unqualified names are, and are in its record', async () => {
    expect(await outcomeOf({ sql: NATIONS })).toBe('TABLE_NOT_FOUND');
    const named = { catalog: CATALOG, schema: 'tiny' };
    const answer = await query({ sql: NATIONS, ...named });
    expect(answer.text).toContain('"data":{"n":25}');
    // Trino names the tables later, in the outcome.
    const tables = TESTED_ENGINE === 'duckdb' ? { tables_read: ['files.tiny.nation'] } : {};
    expect(await metadataOf(answer)).toMatchObject({ ...named, ...tables });
    // The next query on the same worker does not inherit them.
    expect(await outcomeOf({ sql: NATIONS })).toBe('TABLE_NOT_FOUND');
    expect(await outcomeOf({ sql: 'SELECT * FROM items' })).toBe('complete');
  });

  it('work alone, and for downloads', async () => {
    expect(await outcomeOf({ sql: 'SELECT count(*) AS n FROM tiny.nation', catalog: CATALOG })).toBe('complete');
    const file = await post(
      `${hosts.url}/query/download/csv`,
      { sql: NATIONS, catalog: CATALOG, schema: 'tiny' },
      basicOf(hosts.ann),
    );
    expect(file.text).toBe('n\n25\n');
  });

  it('are refused in one sentence if the caller has no such catalog or schema', async () => {
    const answer = await query({ sql: NATIONS, catalog: 'no_such_catalog', schema: 'tiny' });
    const { code } = (await eventsOf(answer)).at(-1) ?? {};
    expect(code).toBe(TESTED_ENGINE === 'trino' ? 'PERMISSION_DENIED' : 'TABLE_NOT_FOUND');
    expect(answer.text).toContain('no_such_catalog');
    expect(await outcomeOf({ sql: NATIONS, catalog: CATALOG, schema: 'no_such_schema' })).toBe('TABLE_NOT_FOUND');
  });
});
