import { access, readFile, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { until } from '@sluice/testkit';
import { BAD_FILES } from './bad-metadata-files.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';
import { runInProcess } from './run-in-process.ts';
import { type StewardHosts, startStewardHosts } from './steward-hosts.ts';

const runCommand = createCommandRunner();

const HEAD = 'type,id,field,display_name,description,tags,domains\n';

let test: StewardHosts;
let file: string;
beforeAll(async () => {
  test = await startStewardHosts();
  file = test.path('numbers.csv');
  await writeFile(file, `${HEAD}TABLE,shop.main.numbers,,,Numbers,,\nTABLE,shop.main.nope,,,Nothing,,\n`);
}, 120_000);
afterEach(() => test.proxy.reset());
afterAll(async () => await test?.[Symbol.asyncDispose]());

const isThere = (name: string): Promise<boolean> =>
  access(test.path(name)).then(
    () => true,
    () => false,
  );
const contents = () =>
  test.cli.hosts.rows(
    `select (select count(*)::int from metadata_imports) as imports,
      (select count(*)::int from audit_log where action = 'IMPORT_METADATA') as changes`,
  );
const lastImport = async (): Promise<string> => {
  const rows = await test.cli.hosts.rows('select import_id from metadata_imports order by requested desc limit 1');
  const [{ import_id }] = rows as [{ import_id: string }];
  return import_id;
};
const importThroughProxy = (...words: readonly string[]) => runInProcess(['import', ...words], test.throughProxy);

describe('a bad file', () => {
  it(`of ${BAD_FILES.length} kinds is rejected in a sentence with its place, and nothing of it is imported`, async () => {
    const before = await contents();
    const wrong: object[] = [];
    for (const { is, name, bytes, says } of BAD_FILES) {
      await writeFile(test.path(name), bytes);
      const run = await runInProcess(['import', test.path(name)], test.steward);
      const isUsage = is === 'an unknown extension';
      const isRight = run.exitCode === (isUsage ? 2 : 1) && run.stdout === '' && says.test(run.stderr);
      if (!isRight || /Unexpected failure|\n\s+at /.test(run.stderr)) wrong.push({ is, says, ...run });
    }
    expect(wrong).toEqual([]);
    expect(await contents()).toEqual(before);
  });

  it('that is missing, a folder or empty is named, also without a login', async () => {
    await writeFile(test.path('empty.csv'), '');
    const { bare, home } = test.cli;
    expect((await runCommand(['import', 'none.csv'], { env: bare })).stderr).toBe(
      'error: none.csv does not exist. Check the name.\n',
    );
    expect((await runInProcess(['import', home, '--format', 'csv'], bare)).stderr).toContain(
      'is a folder. Name a file.',
    );
    expect(await runCommand(['import', 'empty.csv'], { env: bare })).toMatchObject({
      exitCode: 1,
      stderr: 'error: empty.csv is empty. `sluice import --template csv` prints a file to begin with.\n',
    });
    expect((await runInProcess(['import', '-', '--format', 'yaml'], bare)).stderr).toContain('stdin is empty');
    expect((await runCommand(['import', file], { env: bare })).exitCode).toBe(4);
  });

  it('of words is a usage error before anything is sent', async () => {
    for (const words of [[], [file, '--resume', 'x'], ['--resume', ''], ['-'], [file, '--report', 'report.txt']])
      expect({ words, exitCode: (await runInProcess(['import', ...words], test.cli.bare)).exitCode }).toEqual({
        words,
        exitCode: 2,
      });
    const taken = await runInProcess(['import', file, '--report', file], test.cli.bare);
    expect(taken).toMatchObject({ exitCode: 1, stderr: `error: ${file} exists. Choose another name, or remove it.\n` });
  });
});

describe('a caller', () => {
  it('without the permission gets the sentence of the host, however large the file is', async () => {
    const auditor = await test.cli.environmentOf(['auditor']);
    const large = test.path('large.csv');
    await writeFile(large, HEAD + 'TABLE,shop.main.numbers,,,Numbers,,\n'.repeat(100_000));
    for (const each of [file, large]) {
      const run = await runInProcess(['import', each], auditor);
      expect({ exitCode: run.exitCode, stdout: run.stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(run.stderr).toContain('metadata:write');
    }
  });

  it('exits with 4 when the token has expired', async () => {
    test.proxy.reply('/me', ...Array.from({ length: 4 }, () => ({ status: 401, body: '{"error":"unauthorized"}' })));
    expect((await importThroughProxy(file)).exitCode).toBe(4);
  });
});

describe('a connection', () => {
  it('that is lost while the file is sent leaves the question whether it was imported, and the answer is to send it again', async () => {
    const before = await contents();
    for (const fault of ['unsent', 'lost'] as const) {
      test.proxy.reply('/metadata/imports', fault);
      const run = await importThroughProxy(file);
      expect({ fault, exitCode: run.exitCode }).toEqual({ fault, exitCode: 1 });
      expect(run.stderr).toMatch(
        /closed the connection.*(?:Nothing was imported|is not known)\..*Run the command again/,
      );
    }
    expect(await contents()).not.toEqual(before);
  });

  it('that fails for a while does not end the wait', async () => {
    const faults = ['unsent', { status: 503 }, 'lost', { status: 502, body: 'Bad gateway' }, 'unsent'] as const;
    test.proxy.reply('/metadata/imports/', ...faults);
    const run = await importThroughProxy(file);
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain('2 objects: 0 changed, 1 as in the file before, 1 failed.');
  });

  it('that stays lost says how to see the results, which are there', async () => {
    test.proxy.reply('/metadata/imports/', ...Array.from({ length: 40 }, () => ({ status: 503 })));
    const words = ['import', file, '--report', test.path('lost.csv')];
    const run = await runInProcess(words, { ...test.throughProxy, SLUICE_IDLE_TIMEOUT: '0.1' });
    test.proxy.reset();
    const id = await lastImport();
    expect(run).toMatchObject({ exitCode: 1, stdout: '' });
    expect(run.stderr).toContain(`The import goes on at the host: \`sluice import --resume ${id}\` waits for its end`);
    expect(await isThere('lost.csv')).toBe(false);
    const resumed = await runInProcess(
      ['import', '--resume', id, '--report', test.path('lost.csv'), '--failed-only'],
      test.steward,
    );
    expect(resumed.stderr).toContain('2 objects: 0 changed, 1 as in the file before, 1 failed.');
    expect(await readFile(test.path('lost.csv'), 'utf8')).toContain('There is no TABLE shop.main.nope.');
  });

  it('that is cut within a report leaves no report, exits with 3, and says how to read it again', async () => {
    const first = await importThroughProxy(file);
    expect(first.exitCode).toBe(1);
    const id = await lastImport();
    for (const [name, afterBytes] of [
      ['a.csv', 0],
      ['b.json', 40],
      ['c.yaml', 120],
    ] as const) {
      for (const kind of ['cut', 'end'] as const) {
        test.proxy.damage(`/metadata/imports/${id}/report`, { kind, afterBytes });
        const run = await importThroughProxy('--resume', id, '--report', test.path(name));
        expect({ name, kind, exitCode: run.exitCode, stdout: run.stdout }).toEqual({
          name,
          kind,
          exitCode: 3,
          stdout: '',
        });
        expect(run.stderr).toContain(`\`sluice import --resume ${id}\` shows its results.`);
        expect([await isThere(name), await isThere(`${name}.part`)]).toEqual([false, false]);
      }
    }
  });
});

describe('Ctrl-C', () => {
  it('while the file is sent stops immediately, and nothing is imported', async () => {
    const before = await contents();
    using terminal = openTerminal(['import', '-', '--format', 'csv'], { env: test.steward, columns: 100 });
    terminal.send(HEAD.replaceAll('\n', '\r'));
    await terminal.waitFor('Sending the file: ');
    terminal.send('\u0003');
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.lines().join('\n')).toContain('Cancelled while the file was sent. Nothing was imported.');
    // The host discards what it has received when it sees the end of the connection.
    const isDiscarded = async () => JSON.stringify(await contents()) === JSON.stringify(before) || undefined;
    await until(isDiscarded, { what: 'the end of the unfinished import' });
  });
});
