import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { makeDuckDbFile } from '@sluice/engine/testing';
import { until } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { harvest } from './harvest.ts';
import { runInProcess } from './run-in-process.ts';

const runCommand = createCommandRunner();

/** Each table has one column, named after its place. */
const CATALOGS = {
  shop: `CREATE SCHEMA eu; CREATE SCHEMA sales;
    CREATE TABLE eu.items AS SELECT 1 AS shop_eu; CREATE TABLE main.items AS SELECT 1 AS shop_main;
    CREATE TABLE main.stock AS SELECT 1 AS shop_main_stock; CREATE TABLE sales.orders AS SELECT 1 AS shop_sales;
    CREATE VIEW eu."Odd.name" AS SELECT 1 AS odd; CHECKPOINT`,
  sales: 'CREATE TABLE main.orders AS SELECT 1 AS sales_main; CHECKPOINT',
  crm: 'CREATE TABLE main.orders AS SELECT 1 AS crm_main; CREATE TABLE main.people AS SELECT 1 AS people; CHECKPOINT',
};

let folder: string;
let cli: CliHosts;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-names-'));
  const catalogs: string[] = [];
  for (const [name, sql] of Object.entries(CATALOGS)) {
    await makeDuckDbFile(join(folder, `${name}.duckdb`), sql);
    catalogs.push(`${name}=${join(folder, `${name}.duckdb`)}`);
  }
  const settings = { DUCKDB_CATALOGS: catalogs.join(','), DUCKDB_DEFAULT_SCHEMA: 'shop.eu' };
  cli = await startCliHosts(settings, settings);
  await harvest(cli);
  // One catalog is harvested after the other.
  const isWhole = async (): Promise<true | undefined> => {
    const { stdout } = await runInProcess(['catalog', 'list', '--json'], cli.analyst);
    return stdout.match(/"table_count":[1-9]/g)?.length === Object.keys(CATALOGS).length || undefined;
  };
  await until(isWhole, { what: 'the tables of every catalog' });
}, 180_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

it.each(['items', 'ITEMS', 'main.items', 'stock', 'crm.orders', 'crm.main.Orders', 'shop.sales.orders', '"Odd.name"'])(
  'catalog show %s describes the table that a statement reads',
  async (name) => {
    const shown = await runCommand(['catalog', 'show', name, '--json'], { env: cli.analyst });
    const read = await runCommand(['query', `SELECT * FROM ${name}`], { env: cli.analyst });
    expect({ name, ...read }).toMatchObject({ exitCode: 0 });
    const { columns } = JSON.parse(shown.stdout) as { columns: readonly { name: string }[] };
    expect(columns.map((each) => each.name)).toEqual([read.stdout.split('\n')[0]]);
  },
);

it('catalog show takes the parts of a name as words too', async () => {
  const { stdout } = await runCommand(['catalog', 'show', 'shop', 'sales', 'orders'], { env: cli.analyst });
  expect(stdout).toContain('shop.sales.orders (TABLE)\n');
});

it.each([
  ['sales.orders', 'sales.orders is ambiguous. Write one of these: sales.main.orders, shop.sales.orders.'],
  [
    'orders',
    'There is no table orders in shop.eu, where statements look for it. Tables of this name: crm.main.orders, sales.main.orders, shop.sales.orders.',
  ],
  ['crm.items', 'There is no table crm.items. Tables of this name: shop.eu.items, shop.main.items.'],
  [
    'nope',
    'There is no table nope in shop.eu, where statements look for it. `sluice search nope` finds names that are like it.',
  ],
  [
    'shop.eu',
    'There is no table shop.eu. `sluice catalog list shop.eu` lists a schema, and `sluice search eu` finds names that are like it.',
  ],
  ['shop.eu.nope', 'There is no table shop.eu.nope. `sluice catalog list shop.eu` shows what there is.'],
])('catalog show %s names the candidates, and a statement fails too', async (name, sentence) => {
  const shown = await runCommand(['catalog', 'show', name], { env: cli.analyst });
  expect(shown).toMatchObject({ exitCode: 1, stdout: '', stderr: `error: ${sentence}\n` });
  expect(await runCommand(['query', `SELECT * FROM ${name}`], { env: cli.analyst })).toMatchObject({ exitCode: 1 });
});

it('catalog show needs no default schema for a name of one table, because not every account may run statements', async () => {
  const env = await cli.environmentOf(['auditor']);
  expect((await runCommand(['catalog', 'show', 'people'], { env })).stdout).toContain('crm.main.people (TABLE)\n');
  expect(await runCommand(['catalog', 'show', 'items'], { env })).toMatchObject({
    exitCode: 1,
    stderr: 'error: items is ambiguous. Write one of these: shop.eu.items, shop.main.items.\n',
  });
});

it('catalog list takes catalog and schema as one word or as two', async () => {
  const [one, two] = [await list('shop.sales'), await list('shop', 'sales')];
  expect(one).toMatchObject({
    exitCode: 0,
    stdout: expect.stringMatching(/^name,type,tags,description\norders,TABLE/),
  });
  expect(two).toEqual(one);
  expect(await list('shop', 'sales', 'orders')).toMatchObject({
    exitCode: 2,
    stderr: 'error: `sluice catalog show shop.sales.orders` describes a table. Leave its name out to list tables.\n',
  });
});

const list = (...words: readonly string[]) => runCommand(['catalog', 'list', ...words], { env: cli.analyst });
