import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';
import type { CommandOptions } from './run-command.ts';

const runCommand = createCommandRunner();

type Env = CommandOptions['env'];

let cli: CliHosts;
let steward: Env;
let ids: { readonly orders: string; readonly stock: string };

/** Description with an escape sequence and a right-to-left override, which must not reach a terminal. */
const HOSTILE = 'cheap \u001b[31mred\u001b[0m \u202egnp.exe';

const succeed = async (words: readonly string[], options: CommandOptions): Promise<string> => {
  const run = await runCommand(words, options);
  expect({ words, ...run }).toMatchObject({ exitCode: 0 });
  return run.stdout;
};

const createDatamap = async (env: Env, body: object): Promise<string> => {
  const created = await succeed(['api', 'POST', '/datamap', '--data', '-'], { env, stdin: JSON.stringify(body) });
  return (JSON.parse(created) as { id: string }).id;
};

beforeAll(async () => {
  cli = await startCliHosts();
  const admin = await cli.environmentOf(['admin']);
  steward = await cli.environmentOf(['steward']);
  await succeed(['api', 'POST', '/admin/harvest'], { env: admin });
  const isHarvested = async (): Promise<true | undefined> => {
    const { stdout } = await runCommand(['catalog', 'list', '--json'], { env: admin });
    return /"table_count":[1-9]/.test(stdout) || undefined;
  };
  await until(isHarvested, { what: 'the catalog' });
  const name = 'Stock of parts';
  ids = {
    stock: await createDatamap(steward, { name, description: HOSTILE, sql: 'SELECT id, name FROM items' }),
    orders: await createDatamap(steward, {
      name: 'Orders',
      sql: 'SELECT n FROM numbers WHERE n > $least',
      parameters: [{ name: 'least', type: 'bigint', default: 5 }],
    }),
  };
}, 180_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

describe('catalog', () => {
  it('lists catalogs, schemas and tables: CSV in a pipe, NDJSON with --json', async () => {
    const env = cli.analyst;
    expect(await succeed(['catalog', 'list'], { env })).toMatch(
      /^name,schemas,tables,engine,location,harvested\nshop,\d+,\d+,DuckDB,localhost,\d{4}-\d\d-\d\dT[\d:.]+Z\n$/,
    );
    expect(await succeed(['catalog', 'list', 'shop'], { env })).toMatch(/^name,tables\n(?:.*\n)*main,\d+\n/);
    const tables = await succeed(['catalog', 'list', 'shop.main', '--json'], { env });
    const names = tables
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { name: string }).name);
    expect(names).toEqual(expect.arrayContaining(['items', 'numbers']));
    const some = await succeed(['catalog', 'list', 'shop.main', '--prefix', 'num'], { env });
    expect(some).toMatch(/^name,type,tags,description\nnumbers,/);
  });

  it('says on stderr that a limit cut the list, and only then', async () => {
    const cut = await runCommand(['catalog', 'list', 'shop.main', '--limit', '1'], { env: cli.analyst });
    expect(cut).toMatchObject({
      exitCode: 0,
      stderr: 'More tables exist than the 1 shown. Use --limit N to see more.\n',
    });
    expect(cut.stdout.trimEnd().split('\n')).toHaveLength(2);
    const whole = await runCommand(['catalog', 'list', 'shop.main', '--prefix', 'items', '--limit', '1'], {
      env: cli.analyst,
    });
    expect(whole).toMatchObject({ exitCode: 0, stderr: '' });
  });

  it('shows a table with its columns, and as one document with --json', async () => {
    const text = await succeed(['catalog', 'show', 'shop.main.items'], { env: cli.analyst });
    expect(text).toContain('shop.main.items (TABLE)\n');
    expect(text).toMatch(/ price +\| decimal\(10,2\)/);
    const table = JSON.parse(await succeed(['catalog', 'show', 'shop.main."items"', '--json'], { env: cli.analyst }));
    expect(table).toMatchObject({
      id: 'shop.main.items',
      columns: [{ name: 'id' }, { name: 'name' }, { name: 'price' }],
    });
  });

  it.each([
    [['catalog', 'list', 'nope'], 1, 'error: nope does not exist. `sluice catalog list` shows what does.\n'],
    [
      ['catalog', 'list', 'shop.nope'],
      1,
      'error: shop.nope does not exist. `sluice catalog list shop` shows what does.\n',
    ],
    [
      ['catalog', 'show', 'shop.main.nope'],
      1,
      'error: There is no table shop.main.nope. `sluice catalog list shop.main` shows what there is.\n',
    ],
    [
      ['catalog', 'show', 'a.b.c.d'],
      2,
      'error: Write the name as TABLE, SCHEMA.TABLE or CATALOG.SCHEMA.TABLE, not "a.b.c.d". Put a part with a dot into double quotes.\n',
    ],
  ])('%j fails with a sentence that says what to do', async (words, exitCode, stderr) => {
    expect(await runCommand(words, { env: cli.analyst })).toMatchObject({ exitCode, stdout: '', stderr });
  });

  it('alone shows its commands, and fails as every command that lacks a word', async () => {
    const run = await runCommand(['catalog'], { env: cli.analyst });
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toMatch(
      /^error: `sluice catalog` needs one more word:\n\nUsage: sluice catalog .*\n[\s\S]* list .*List the catalogs[\s\S]* show .*Describe a table/,
    );
  });

  it.each([40, 60, 100, 200])('fits a terminal of %i columns, and names what does not fit', async (columns) => {
    using terminal = openTerminal(['catalog', 'list', 'shop.main'], { env: cli.analyst, columns });
    expect(await terminal.exitCode).toBe(0);
    const [header = ''] = terminal.lines();
    expect(header).toMatch(/^ Name +\| Type/);
    for (const line of terminal.lines()) expect(line.length).toBeLessThanOrEqual(columns);
  });
});

describe('datamap and search', () => {
  it('prints a line per value where a terminal is too narrow for most columns of a table', async () => {
    using terminal = openTerminal(['datamap', 'list'], { env: steward, columns: 40, rows: 60 });
    expect(await terminal.exitCode).toBe(0);
    const text = terminal.lines().join('\n');
    // The terminal wraps the id, which is written whole.
    expect(text.replaceAll('\n', '')).toContain(`Id: ${ids.orders}Name: OrdersState: DRAFT`);
    expect(text).toMatch(/^Description: cheap \\u001b\[31mred.*…$/m);
    expect(text).not.toContain('Columns that did not fit');
  });

  it('breaks the lines of descriptions between words', async () => {
    const description = 'A description of one line that is longer than a window of forty columns and of sixty.';
    const id = await createDatamap(steward, {
      name: 'Very long',
      description,
      sql: `SELECT 1 AS one${' '.repeat(60)}, 2 AS two`,
    });
    using terminal = openTerminal(['datamap', 'show', id], { env: steward, columns: 40, rows: 60 });
    expect(await terminal.exitCode).toBe(0);
    const lines = terminal.lines();
    expect(lines.filter((line) => line.startsWith('Description: A description of one line'))).toHaveLength(1);
    expect(lines.join(' ').replaceAll(/\s+/g, ' ')).toContain(description);
    // A statement is not broken: it is copied as it is.
    expect(terminal.raw()).toContain(`SELECT 1 AS one${' '.repeat(60)}, 2 AS two`);
  });

  it('finds datamaps by words, without control characters on a terminal and unchanged in a pipe', async () => {
    const found = await succeed(['datamap', 'search', 'stock', '--json'], { env: steward });
    expect(JSON.parse(found)).toMatchObject({ id: ids.stock, description: HOSTILE });
    using terminal = openTerminal(['datamap', 'search', 'stock'], { env: steward, columns: 160 });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen().join('\n')).toContain(`${ids.stock} | Stock of parts | DRAFT | cheap \\u001b[31mred`);
    expect(terminal.raw()).not.toContain('\u001b[31m');
    expect(terminal.raw()).not.toContain('\u202e');
  });

  it('shows a datamap with its SQL and parameters', async () => {
    const text = await succeed(['datamap', 'show', ids.orders], { env: steward });
    expect(text).toContain('Orders (DRAFT)\n');
    expect(text).toContain('SELECT n FROM numbers WHERE n > $least');
    expect(text).toMatch(/ \$least +\| bigint +\| no +\| 5/);
    expect(await runCommand(['datamap', 'show', 'nope'], { env: steward })).toMatchObject({
      exitCode: 1,
      stderr: 'error: There is no datamap nope. `sluice datamap list` shows the ids.\n',
    });
  });

  it('lists datamaps by name', async () => {
    const lines = (await succeed(['datamap', 'list', '--sort', 'name'], { env: steward })).split('\n');
    expect(lines.slice(1, 3).map((line) => line.split(',')[1])).toEqual(['Orders', 'Stock of parts']);
  });

  it('searches tables and datamaps at once', async () => {
    const lines = (await succeed(['search', 'items', '--json'], { env: cli.analyst })).trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as object)).toContainEqual({
      type: 'TABLE',
      id: 'shop.main.items',
      name: 'items',
      description: null,
      tags: [],
    });
    expect(await runCommand(['search', 'zzz'], { env: cli.analyst })).toMatchObject({
      exitCode: 0,
      stdout: 'type,id,name,tags,description\n',
      stderr: 'Nothing matches "zzz". Try fewer words.\n',
    });
  });
});

describe('history', () => {
  it('lists own queries with state, rows and duration, and shows their receipts', async () => {
    const env = await cli.environmentOf(['analyst']);
    await succeed(['query', 'SELECT 1 AS one'], { env });
    await runCommand(['query', 'SELECT nope'], { env });
    const [header, failed, finished] = (await succeed(['history'], { env })).split('\n');
    expect(header).toBe('id,state,rows,statement,started,duration_ms');
    expect(failed).toMatch(/^[\w-]{36},FAILED,0,SELECT nope,[\dT:.-]+Z,\d+$/);
    expect(finished).toMatch(/^[\w-]{36},FINISHED,1,SELECT 1 AS one,[\dT:.-]+Z,\d+$/);
    const only = await succeed(['history', '--state', 'FAILED', '--since', '1h', '--json'], { env });
    expect(
      only
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as object),
    ).toMatchObject([{ state: 'FAILED' }]);
    const id = (failed ?? '').slice(0, 36);
    const receipt = await succeed(['history', 'show', id], { env });
    expect(receipt).toMatch(/^Query [\w-]{36}\nState: +FAILED\n/);
    expect(receipt).toMatch(/^Error: +COLUMN_NOT_FOUND: /m);
    expect(receipt).toMatch(/^Statement: +SELECT nope$/m);
    expect(JSON.parse(await succeed(['history', 'show', id, '--json'], { env }))).toMatchObject({
      query_id: id,
      kind: 'QUERY',
      sql: 'SELECT nope',
    });
    expect(await succeed(['history', '--until', '1h'], { env })).toBe('id,state,rows,statement,started,duration_ms\n');
  });

  it('finds a query by the beginning of its id, and prints its statement alone', async () => {
    const env = await cli.environmentOf(['analyst']);
    await succeed(['query', 'SELECT $n + 1\n  AS next', '--param', 'n=41'], { env });
    const id = (await succeed(['history'], { env })).split('\n')[1]?.slice(0, 8) ?? '';
    const shown = await succeed(['history', 'show', id.toUpperCase()], { env });
    expect(shown).toMatch(new RegExp(`^Query ${id}`));
    expect(shown).toContain('Statement:\n  SELECT $n + 1\n    AS next\n');
    expect(shown).toMatch(/^Parameters: +n = 41$/m);
    expect(await succeed(['history', 'show', id, '--sql'], { env })).toBe('SELECT $n + 1\n  AS next\n');
    for (const _ of Array.from({ length: 17 })) await succeed(['query', 'SELECT 1'], { env });
    const queries = (await succeed(['history'], { env })).trimEnd().split('\n').slice(1);
    const beginnings = queries.map((line) => line.slice(0, 1));
    const twice = beginnings.find((character, index) => beginnings.indexOf(character) !== index) ?? '';
    const several = await runCommand(['history', 'show', twice], { env });
    expect(several).toMatchObject({ exitCode: 1, stdout: '' });
    expect(several.stderr).toMatch(/^error: Several of your queries begin with .: [\w-]{36} and [\w-]{36}\.\n$/);
    const absent = await runCommand(['history', 'show', 'nothing', '--sql'], { env });
    expect(absent.stderr).toBe('error: Your history has no statement of query nothing.\n');
  });

  it('rejects an unknown time, and an id of another user', async () => {
    const bad = await runCommand(['history', '--since', 'yesterday'], { env: cli.analyst });
    expect(bad).toMatchObject({ exitCode: 2, stdout: '' });
    expect(bad.stderr).toContain('--since must be a time ago (30m, 24h, 7d, 2w)');
    const other = await runCommand(['history', 'show', ids.stock], { env: cli.analyst });
    expect(other).toMatchObject({
      exitCode: 1,
      stderr: `error: You have no query ${ids.stock}. \`sluice history\` shows the ids.\n`,
    });
  });
});

describe('api', () => {
  it('reaches a route of each host, and the one that --host names', async () => {
    const env = cli.analyst;
    expect(JSON.parse(await succeed(['api', 'GET', '/query'], { env }))).toEqual({ data: [] });
    expect(JSON.parse(await succeed(['api', 'get', '/catalog', '--query', 'prefix=sh'], { env }))).toMatchObject({
      data: [{ name: 'shop' }],
    });
    expect(JSON.parse(await succeed(['api', 'GET', '/health'], { env }))).toMatchObject({ service: 'sluice-api' });
    expect(JSON.parse(await succeed(['api', 'GET', '/health', '--host', 'stream'], { env }))).toMatchObject({
      service: 'sluice-stream',
    });
    expect(await succeed(['api', 'GET', '/openapi.json', '--host', 'api'], { env })).toContain('"openapi":"3.1.0"');
  });

  it('sends a body from text, file and stdin, and headers', async () => {
    const body = '{"q": "stock", "size": 1}';
    await writeFile(join(cli.home, 'body.json'), body);
    const words = ['api', 'POST', '/datamap/search', '--data'];
    for (const [data, stdin] of [
      [body, ''],
      [`@${join(cli.home, 'body.json')}`, ''],
      ['-', body],
    ] as const)
      expect(JSON.parse(await succeed([...words, data], { env: steward, stdin }))).toMatchObject({
        data: [{ id: ids.stock }],
      });
    const form = await runCommand([...words, body, '--header', 'Content-Type: text/plain'], { env: steward });
    expect(form).toMatchObject({ exitCode: 1 });
    expect(JSON.parse(form.stdout)).toMatchObject({ error: 'unsupported_media_type' });
  });

  it('prints the body whatever the status, and the status on stderr with --include', async () => {
    const env = cli.analyst;
    const found = await runCommand(['api', 'GET', '/catalog', '--include'], { env });
    expect(found.stderr).toMatch(/^200 OK\n(?:[\w-]+: .*\n)*x-request-id: [\w-]+\n\n$/);
    const missing = await runCommand(['api', 'GET', '/catalog/nope'], { env });
    expect(missing).toMatchObject({
      exitCode: 1,
      stderr: 'error: GET /catalog/nope returned status 404. The body on stdout says why.\n',
    });
    expect(JSON.parse(missing.stdout)).toMatchObject({ error: 'not_found' });
    const rejected = await runCommand(['api', 'GET', '/me', '-H', 'Authorization: Bearer nothing'], { env });
    expect(rejected).toMatchObject({ exitCode: 4 });
    expect(JSON.parse(rejected.stdout)).toMatchObject({ error: 'unauthorized' });
  });

  it.each([
    [['GET', '/nope'], 'Neither host has an operation at /nope. Name the host with --host to send it anyway.'],
    [['GET', 'me'], 'PATH must begin with /, such as /me, not "me".'],
    [['GET', '/me', '--data', '{}'], 'GET has no body. Use --query for parameters, or POST.'],
    [['G T', '/me'], 'METHOD must be a word such as GET, not "G T".'],
    [['POST', '/query', '--data', '@nope.json'], 'The file nope.json does not exist. Check the path.'],
    [['GET', '/me', '--header', 'nope'], '--header must be "Name: value", not "nope".'],
    [['GET', '/me', '--query', '=x'], '--query must be name=value, not "=x".'],
  ])('rejects %j with one sentence', async (words, sentence) => {
    const run = await runCommand(['api', ...words], { env: cli.analyst });
    expect(run).toMatchObject({ exitCode: 2, stdout: '', stderr: `error: ${sentence}\n` });
  });
});
