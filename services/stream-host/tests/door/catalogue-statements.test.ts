import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Caller } from '@sluice/contract';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { callerOfTenant, type OpenedCatalogue, openCatalogueOf } from './catalogue-fixture.ts';
import { metadataStatements } from './read-statements.ts';
import { seedCatalogue } from './seed-catalogue.ts';

let hosts: TestHosts;
let catalogue: OpenedCatalogue;
let ann: Caller;
beforeAll(async () => {
  hosts = await startHosts();
  await seedCatalogue(hosts, hosts.acme);
  catalogue = openCatalogueOf(hosts);
  ann = callerOfTenant(hosts.acme);
}, 120_000);
afterAll(async () => {
  await catalogue?.[Symbol.asyncDispose]();
  await hosts?.[Symbol.asyncDispose]();
});

describe('statements of clients about the catalog', () => {
  it.each(metadataStatements())('have the answers of Trino: $client $sql', async (statement) => {
    const { sql, catalog, schema, rows, rowCount, columns, fails } = statement;
    const answered = (async () => await catalogue.ask(sql, { caller: ann, catalog, schema }))();
    if (fails !== undefined) {
      await expect(answered).rejects.toMatchObject({ name: 'TrinoError', errorName: fails });
      return;
    }
    const answer = await answered;
    if (rows !== undefined) expect(answer.rows).toEqual(rows);
    if (rowCount !== undefined) expect(answer.rows).toHaveLength(rowCount);
    if (columns !== undefined) expect(answer.columns.map(({ name }) => name)).toEqual(columns);
  });
});

describe('the tables of the catalogue', () => {
  it.each([
    ['jdbc.attributes', 21],
    ['jdbc.catalogs', 1],
    ['jdbc.columns', 24],
    ['jdbc.procedure_columns', 20],
    ['jdbc.procedures', 6],
    ['jdbc.pseudo_columns', 12],
    ['jdbc.schemas', 2],
    ['jdbc.super_tables', 4],
    ['jdbc.super_types', 6],
    ['jdbc.table_types', 1],
    ['jdbc.tables', 10],
    ['jdbc.types', 18],
    ['jdbc.udts', 7],
    ['metadata.catalogs', 3],
    ['metadata.materialized_views', 10],
    ['metadata.table_comments', 4],
    ['runtime.nodes', 5],
  ])('describe the columns of system.%s', async (name, count) => {
    const [schema, table] = name.split('.');
    const { columns } = await catalogue.ask(`SELECT * FROM system.${name}`, { caller: ann });
    const described = await catalogue.ask(
      `SELECT column_name FROM system.jdbc.columns WHERE table_cat = 'system' AND table_schem = '${schema}'
        AND table_name = '${table}' ORDER BY ordinal_position`,
      { caller: ann },
    );
    expect(columns).toHaveLength(count);
    expect(described.rows).toEqual(columns.map((column) => [column.name]));
  });

  it('describe information_schema of every catalog', async () => {
    for (const table of ['columns', 'schemata', 'tables', 'views']) {
      const { columns } = await catalogue.ask(`SELECT * FROM shop.information_schema.${table}`, { caller: ann });
      const described = await catalogue.ask(
        `SELECT column_name, data_type FROM shop.information_schema.columns WHERE table_schema = 'information_schema'
          AND table_name = '${table}' ORDER BY ordinal_position`,
        { caller: ann },
      );
      expect(described.rows).toEqual(columns.map(({ name, type }) => [name, type]));
    }
  });

  it.each([
    ['another schema of DuckDB', 'SELECT * FROM duckdb_settings(), system.jdbc.catalogs', 'read_only'],
    ['a file', `SELECT * FROM system.jdbc.catalogs, read_csv('/etc/passwd')`, 'read_only'],
    ['a file as a table', `SELECT * FROM system.jdbc.catalogs, '/etc/passwd'`, 'NOT_SUPPORTED'],
    ['settings of the process', `SELECT current_setting('temp_directory') FROM system.jdbc.catalogs`, 'read_only'],
  ])('give no access to %s', async (_, sql, code) => {
    const failure = await catalogue.ask(sql, { caller: ann }).catch((thrown: unknown) => thrown);
    const { code: problem, errorName } = failure as { readonly code?: string; readonly errorName?: string };
    expect(errorName ?? problem).toBe(code);
  });
});
