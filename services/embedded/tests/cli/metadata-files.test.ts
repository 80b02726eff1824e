import { access, readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';
import { runInProcess } from './run-in-process.ts';
import { type StewardHosts, startStewardHosts } from './steward-hosts.ts';

const runCommand = createCommandRunner();

let test: StewardHosts;
const isThere = (name: string): Promise<boolean> =>
  access(test.path(name)).then(
    () => true,
    () => false,
  );
const HEAD = 'type,id,field,display_name,description,tags,domains\n';
const FORMATS = ['csv', 'yaml', 'json', 'ndjson'] as const;
/** Strings that a format could change. */
const STRINGS = [
  'plain',
  '"quoted", with; and \\',
  '\\N',
  ' two\n  lines\r\n- item\n---\n',
  '# no comment',
  '1e3',
  'yes',
  '日本 😀',
  '',
];

const describeTables = async (): Promise<void> => {
  const fields = ['id', 'name', 'price'].map((name, index) => ({
    name,
    description: STRINGS[index + 3],
    tags: ['a;b', 'null'],
  }));
  const objects = [
    { type: 'TABLE', id: 'shop.main.items', description: STRINGS[1], tags: ['2010-01-31', 'c,d', '=x'], fields },
    {
      type: 'TABLE',
      id: 'shop.main.nothing',
      description: STRINGS[2],
      fields: [{ name: 'name', description: STRINGS[6] }],
    },
    { type: 'TABLE', id: 'shop.main.numbers', description: STRINGS[7] },
  ];
  await writeFile(test.path('first.ndjson'), objects.map((object) => `${JSON.stringify(object)}\n`).join(''));
  const run = await runCommand(['import', test.path('first.ndjson')], { env: test.steward });
  expect(run).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: '3 objects: 3 changed, 0 as in the file before, 0 failed.\n',
  });
};

beforeAll(async () => {
  test = await startStewardHosts();
  await describeTables();
}, 120_000);
afterAll(async () => await test?.[Symbol.asyncDispose]());

describe('export', () => {
  it.each(FORMATS)('to %s, imported again, changes nothing', async (format) => {
    const file = test.path(`all.${format}`);
    expect(await runCommand(['export', '-o', file], { env: test.steward })).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: `${file}: 3 objects.\n`,
    });
    for (const words of [['--dry-run'], []]) {
      const run = await runInProcess(['import', file, ...words], test.steward);
      expect(run).toMatchObject({ exitCode: 0, stdout: '' });
      expect(run.stderr).toMatch(/^3 objects: 0 (?:would change|changed), 3 as in the file/);
    }
  });

  it('writes the CSV that the host writes', async () => {
    const { stdout } = await runInProcess(['export', '--format', 'csv', '--all'], test.steward);
    const { api } = test.cli.hosts;
    const login = await fetch(`${api.url}/auth/login/acme`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: test.steward['SLUICE_EMAIL'], password: test.steward['SLUICE_PASSWORD'] }),
    });
    const { id_token: idtoken } = (await login.json()) as { id_token: string };
    const response = await fetch(`${api.url}/metadata/export?format=csv&all=true`, { headers: { idtoken } });
    expect(stdout).toBe(await response.text());
  });

  it.each(FORMATS)('leaves nothing of a %s file when the transfer is cut', async (format) => {
    const { length } = await readFile(test.path('all.json'));
    for (const kind of ['cut', 'end'] as const) {
      for (const afterBytes of [0, 30, Math.floor(length / 2), length - 4, length - 2]) {
        test.proxy.damage('/metadata/export', { kind, afterBytes });
        const words = ['export', '-o', test.path(`cut.${format}`)];
        const run = await runInProcess(words, test.throughProxy);
        expect({ kind, afterBytes, exitCode: run.exitCode }).toEqual({ kind, afterBytes, exitCode: 3 });
        expect(await isThere(`cut.${format}`)).toBe(false);
      }
    }
    test.proxy.reset();
  });

  it('does not replace a file unless told to', async () => {
    const run = await runInProcess(['export', '-o', test.path('all.csv')], test.steward);
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain('exists');
    expect(await runInProcess(['export', '-o', test.path('all.csv'), '--force'], test.steward)).toMatchObject({
      exitCode: 0,
    });
  });
});

describe('import', () => {
  it('shows what a dry run would change, without colour in a pipe, and changes nothing', async () => {
    const rows = `${HEAD}TABLE,shop.main.numbers,,,New text,x,\nTABLE,shop.main.items,id,,\\N,null;new,\n`;
    await writeFile(test.path('change.csv'), rows);
    const run = await runCommand(['import', test.path('change.csv'), '--dry-run'], { env: test.steward });
    expect(run).toMatchObject({
      exitCode: 0,
      stderr: '2 objects: 2 would change, 0 as in the file, 0 would fail.\n',
    });
    expect(run.stdout).toMatchInlineSnapshot(`
"~ TABLE shop.main.numbers
    description
      - 日本 😀
      + New text
    tags
      + x
~ TABLE shop.main.items
    id: description
      -  two
      -   lines\\r
      - - item
      - ---
      - 
    id: tags
      - a;b
      + new
"
`);
    const again = await runInProcess(['import', '-', '--format', 'csv', '--dry-run', '--json'], test.steward, rows);
    const document = JSON.parse(again.stdout) as { metadata_results: { changes: unknown[] }[] };
    expect(document).toMatchObject({ dry_run: true, changed_count: 2, state: 'FINISHED' });
    expect(document.metadata_results.map(({ changes }) => changes.length)).toEqual([2, 2]);
  });

  it('shows it in colour on a terminal', async () => {
    using terminal = openTerminal(['import', test.path('change.csv'), '--dry-run'], { env: test.steward });
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.raw()).toContain('\u001b[31m- 日本 😀\u001b[39m');
    expect(terminal.raw()).toContain('\u001b[32m+ New text\u001b[39m');
  });

  it('names each object that failed, and the report can be mended and imported', async () => {
    await writeFile(
      test.path('some.csv'),
      `${HEAD}TABLE,shop.main.numbers,,,One,,\nTABLE,shop.main.nope,,,Two,,\nVIEW,shop.main.items,,,Three,,\n`,
    );
    const words = ['import', test.path('some.csv'), '--report', test.path('failed.csv'), '--failed-only'];
    const run = await runCommand(words, { env: test.steward });
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr.replaceAll(test.cli.home, 'HOME')).toMatchInlineSnapshot(`
"line 3, TABLE shop.main.nope: There is no TABLE shop.main.nope.
line 4, VIEW shop.main.items: There is no VIEW shop.main.items.
3 objects: 1 changed, 0 as in the file before, 2 failed.
error: 2 of 3 objects failed. Correct them in HOME/failed.csv and import it.
"
`);
    const report = await readFile(test.path('failed.csv'), 'utf8');
    expect(report.split('\n').length).toBe(4);
    await writeFile(
      test.path('mended.csv'),
      report.replace('shop.main.nope', 'shop.main.nothing').replace('VIEW,', 'TABLE,'),
    );
    expect(await runInProcess(['import', test.path('mended.csv')], test.steward)).toMatchObject({ exitCode: 0 });
    expect((await runInProcess(['export', '--format', 'csv'], test.steward)).stdout).toContain(
      'TABLE,shop.main.nothing,,,Two,,',
    );
  });

  it.each([
    [
      'semicolons, a byte order mark and CR LF, as Excel writes it',
      `\uFEFF${HEAD.replaceAll(',', ';')}TABLE;shop.main.items;;;"1,5; and more";a;\n`.replaceAll('\n', '\r\n'),
    ],
    ['tabs', `${HEAD}TABLE,shop.main.items,,,"1,5; and more",a,\n`.replaceAll(/,(?!5)/g, '\t')],
    ['other columns in another order', `tags,id,type,description\na,shop.main.items,TABLE,"1,5; and more"\n`],
    [
      'an object twice, of which the last one wins',
      `${HEAD}TABLE,shop.main.items,,,first,a,\nTABLE,shop.main.numbers,,,,,\nTABLE,shop.main.items,,,"1,5; and more",,\n`,
    ],
  ])('reads CSV with %s', async (_what, text) => {
    const run = await runInProcess(['import', '-', '--format', 'csv'], test.steward, text);
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    const { stdout } = await runInProcess(['export', '--prefix', 'shop.main.items', '--format', 'csv'], test.steward);
    expect(stdout).toContain('TABLE,shop.main.items,,,1.5; and more,a,,\n'.replace('1.5; and more', '"1,5; and more"'));
  });

  it('reads and writes a line of 1 MB in every format', async () => {
    const description = 'ä '.repeat(45_000).trim();
    const fields = Array.from({ length: 11 }, (_, index) => ({ name: `f${index}`, description }));
    const line = JSON.stringify({ type: 'TABLE', id: 'shop.main.numbers', description: 'x'.repeat(100_000), fields });
    expect(line.length).toBeGreaterThan(1_000_000);
    for (const format of FORMATS) {
      const given = format === 'csv' ? 'json' : format;
      const text = { ndjson: line, yaml: `- ${line}\n`, json: `{"metadata_objects":[${line}]}` }[given];
      const report = test.path(`wide.${format}`);
      const run = await runInProcess(['import', '-', '--format', given, '--report', report], test.steward, text);
      expect(run.stderr).toContain('1 of 1 object failed');
      expect((await readFile(report, 'utf8')).length).toBeGreaterThan(1_000_000);
      expect((await runInProcess(['import', report, '--dry-run'], test.steward)).stderr).toContain(
        '1 of 1 object would fail',
      );
    }
  });

  it.each(['csv', 'yaml', 'json'])('prints a template in %s that an import reads', async (format) => {
    const template = await runInProcess(['import', '--template', format], test.cli.bare);
    expect(template).toMatchObject({ exitCode: 0, stderr: '' });
    const run = await runInProcess(['import', '-', '--format', format, '--dry-run'], test.steward, template.stdout);
    expect(run.stderr).toContain('TABLE demo.vega.flights: ');
  });

  it('stops at Ctrl-C, says what was applied, and keeps the rest in the report', async () => {
    const rows = Array.from(
      { length: 6000 },
      (_, index) => `TABLE,shop.main.numbers,,,${index},,\nTABLE,shop.main.items,,,${index},,\n`,
    );
    await writeFile(test.path('many.csv'), HEAD + rows.join(''));
    const words = ['import', test.path('many.csv'), '--report', test.path('rest.ndjson'), '--failed-only'];
    // Wide enough for a sentence with the id of the import, which a terminal breaks anywhere.
    using terminal = openTerminal(words, { env: test.steward, columns: 500 });
    await terminal.waitFor(/Importing {2}[1-9]/);
    terminal.send('\u0003');
    expect(await terminal.exitCode).toBe(130);
    const said = terminal.lines().join(' ').replaceAll(/\s+/g, ' ');
    const [, done = ''] =
      /Cancelled after ([\d,]+) of 12,000 objects: .*Import the file again to continue/.exec(said) ?? [];
    const [, id = ''] = /There was no time to write the report\. .* --resume (\S+) /.exec(said) ?? [];
    // A slow machine may need more than the 2 s in which a command ends.
    if (id !== '')
      expect(await runCommand(['import', '--resume', id, ...words.slice(2)], { env: test.steward })).toMatchObject({
        exitCode: 1,
      });
    else expect(said).toContain('The results are in');
    const rest = (await readFile(test.path('rest.ndjson'), 'utf8')).trimEnd().split('\n');
    expect(rest).toHaveLength(12_000 - Number(done.replace(',', '')));
    expect(JSON.parse(rest[0] ?? '')).toMatchObject({ error_message: 'Not applied: the import was cancelled.' });
    const [{ import_id }] = (await test.cli.hosts.rows(
      'select import_id from metadata_imports order by requested desc limit 1',
    )) as [{ import_id: string }];
    const resumed = await runCommand(['import', '--resume', import_id, '--json'], { env: test.steward });
    expect(resumed).toMatchObject({ exitCode: 1 });
    expect(resumed.stderr).toContain('The import was cancelled. Import the file again to continue');
    expect(JSON.parse(resumed.stdout)).toMatchObject({ import_id, state: 'CANCELLED' });
  });
});
