import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CuttingProxy, startCuttingProxy, until } from '@sluice/testkit';
import { LONG } from '@sluice/testkit/statements';
import { createResultFolder, type ResultFolder } from '../create-result-folder.ts';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { openTerminal } from './open-terminal.ts';
import { type CommandRun, runSluice } from './run-command.ts';
import { untilConfirmed } from './until-confirmed.ts';

const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/;
const SQL = "SELECT range AS n, repeat('x', 50) AS filler FROM range(200000)";

let results: ResultFolder;
let cli: CliHosts;
let proxy: CuttingProxy;
let env: Readonly<Record<string, string>>;
let cwd: string;
/** A kept result, and its CSV. */
let id: string;
let whole: string;
beforeAll(async () => {
  results = await createResultFolder();
  cli = await startCliHosts(results.settings);
  proxy = await startCuttingProxy(cli.hosts.url);
  env = { ...cli.analyst, SLUICE_STREAM_URL: proxy.url };
  cwd = cli.home;
  const kept = await sluice(['query', SQL, '--keep', '1h', '--format', 'csv']);
  [id = ''] = ID.exec(kept.stderr) ?? [];
  whole = kept.stdout;
}, 120_000);
afterAll(async () => {
  await proxy?.[Symbol.asyncDispose]();
  await cli?.[Symbol.asyncDispose]();
  await results?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  cwd = await mkdtemp(join(cli.home, 'resume-'));
});
afterEach(async () => {
  proxy.reset();
  await rm(cwd, { recursive: true, force: true });
});

const sluice = (words: readonly string[], environment = env): Promise<CommandRun> =>
  runSluice(words, { env: environment, cwd });
const names = async (): Promise<readonly string[]> => (await readdir(cwd)).sort();
const PARTS = ['big.csv.part', 'big.csv.part.json'];
const partBytes = async (): Promise<number> =>
  await stat(join(cwd, 'big.csv.part')).then(
    ({ size }) => size,
    () => 0,
  );

/** Waits until a download has written some bytes. */
const untilBegun = (): Promise<true> =>
  until(async () => ((await partBytes()) > 0 ? true : undefined), { what: 'the first bytes' });

/** Asserts that the file is whole, and that only its rest was requested. */
async function assertResumed(run: CommandRun): Promise<void> {
  expect(run).toMatchObject({ exitCode: 0, stdout: '' });
  expect(run.stderr).toContain(`Length and SHA-256 match those of the kept result of query ${id}.`);
  expect(await names()).toEqual(['big.csv']);
  const hash = (text: string): string => createHash('sha256').update(text).digest('hex');
  expect(hash(await readFile(join(cwd, 'big.csv'), 'utf8'))).toBe(hash(whole));
}

/** Interrupts the download of the kept result by its connection, and leaves its part. */
async function interrupt(): Promise<number> {
  proxy.damage(`/query/${id}/download`, { kind: 'cut', afterBytes: 1_000_000 });
  const run = await sluice(['result', 'download', id, '-o', 'big.csv']);
  expect(run).toMatchObject({ exitCode: 3, stdout: '' });
  expect(run.stderr).toContain(
    'big.csv was not written. `sluice download --resume -o big.csv` continues big.csv.part.',
  );
  expect(await names()).toEqual(PARTS);
  proxy.reset();
  return await partBytes();
}

describe('a download of a kept result', () => {
  it('continues by itself after a cut, and says so', async () => {
    proxy.damage(`/query/${id}/download`, { kind: 'cut', afterBytes: 1_000_000, times: 2 });
    const run = await sluice(['result', 'download', id, '-o', 'big.csv']);
    expect(run.stderr).toContain('It was continued after a cut of the connection.');
    await assertResumed(run);
  });

  it('is continued by another process after cuts that were too many', async () => {
    const bytes = await interrupt();
    // More than three connections bring. A cut loses what the command has not read from its socket.
    expect(bytes).toBeGreaterThan(3_000_000);
    await assertResumed(await sluice(['download', '--resume', '-o', 'big.csv']));
  });

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 130],
    ['SIGKILL', null],
  ] as const)('is continued after %s', async (signal, exitCode) => {
    proxy.damage(`/query/${id}/download`, { kind: 'stall', afterBytes: 2_000_000 });
    const stopped = await runSluice(['result', 'download', id, '-o', 'big.csv'], {
      env,
      cwd,
      onStart: (child) => void untilBegun().then(() => child.kill(signal)),
    });
    expect(stopped.exitCode).toBe(exitCode);
    if (exitCode !== null)
      expect(stopped.stderr).toContain(
        'Cancelled. big.csv was not written. `sluice download --resume -o big.csv` continues big.csv.part.',
      );
    expect(await names()).toEqual(PARTS);
    proxy.reset();
    const before = proxy.seen.length;
    const bytes = await partBytes();
    await assertResumed(await sluice(['download', '--resume', '-o', 'big.csv']));
    expect(bytes).toBeGreaterThan(0);
    expect(proxy.seen.slice(before).filter(({ path }) => path.includes('/download/'))).toHaveLength(1);
  });

  it('is continued after Ctrl-C in a terminal', async () => {
    proxy.damage(`/query/${id}/download`, { kind: 'stall', afterBytes: 2_000_000 });
    using terminal = openTerminal(['result', 'download', id, '-o', 'big.csv'], {
      env: { ...env, HOME: cwd },
      columns: 120,
    });
    await terminal.waitFor(/2\.00 MB/);
    terminal.send('\u0003');
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.lines().join('')).toContain('--resume -o big.csv');
    proxy.reset();
    await assertResumed(await sluice(['download', '--resume', '-o', 'big.csv']));
  });

  it('begins anew if the part is of another file, and fails plainly if it was changed', async () => {
    await interrupt();
    const facts = JSON.parse(await readFile(join(cwd, 'big.csv.part.json'), 'utf8'));
    expect(facts).toMatchObject({ version: 1, file: 'big.csv', query_id: id, tenant: 'acme', format: 'csv' });
    await writeFile(join(cwd, 'big.csv.part.json'), JSON.stringify({ ...facts, etag: '"another"' }));
    await assertResumed(await sluice(['download', '--resume', '-o', 'big.csv']));
    await rm(join(cwd, 'big.csv'));

    await interrupt();
    const part = await readFile(join(cwd, 'big.csv.part'));
    part[500] = (part[500] ?? 0) ^ 1;
    await writeFile(join(cwd, 'big.csv.part'), part);
    const damaged = await sluice(['download', '--resume', '-o', 'big.csv']);
    expect(damaged).toMatchObject({ exitCode: 3, stdout: '' });
    expect(damaged.stderr).toMatch(/with another hash\. Download it again\. big\.csv was not written\.\n/);
    expect(await names()).toEqual([]);
  });

  it('is not continued without a part, at another host, with a statement, or when the result is gone', async () => {
    const missing = await sluice(['download', '--resume', '-o', 'big.csv']);
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
    expect(missing.stderr).toBe(
      'error: There is no interrupted download of a kept result to big.csv: big.csv.part.json does not exist. Run the download without --resume.\n',
    );
    for (const words of [['csv', 'SELECT 1', '-o', 'big.csv'], ['--keep', '1h', '-o', 'big.csv'], ['-o', '-'], []])
      expect((await sluice(['download', '--resume', ...words])).exitCode).toBe(2);

    await interrupt();
    const elsewhere = await sluice(['download', '--resume', '-o', 'big.csv'], cli.analyst);
    expect(elsewhere).toMatchObject({ exitCode: 1, stdout: '' });
    expect(elsewhere.stderr).toContain(`big.csv.part was begun at ${proxy.url} in the tenant acme.`);
    expect(await names()).toEqual(PARTS);
    await writeFile(join(cwd, 'big.csv'), 'mine');
    expect((await sluice(['download', '--resume', '-o', 'big.csv'])).stderr).toContain('big.csv exists.');
    await rm(join(cwd, 'big.csv'));

    const other = await sluice(['download', '--resume', '-o', 'big.csv'], {
      ...(await cli.environmentOf(['analyst'])),
      SLUICE_STREAM_URL: proxy.url,
    });
    expect(other).toMatchObject({ exitCode: 1, stdout: '' });
    expect(other.stderr).toContain(`There is no kept result of query ${id} that you may view. It may have expired.`);
    expect(await names()).toEqual([]);
    await writeFile(join(cwd, 'big.csv.part.json'), '{"version":1,"query_id":"..","format":"exe"}');
    expect((await sluice(['download', '--resume', '-o', 'big.csv'])).stderr).toContain('is damaged');
  });

  it('is replaced by another download to the same name', async () => {
    await interrupt();
    const run = await sluice(['download', 'csv', 'SELECT 1 AS a', '-o', 'big.csv']);
    expect(run.exitCode).toBe(0);
    expect(await names()).toEqual(['big.csv', 'big.csv.receipt.json']);
  });
});

describe('a download with --keep', () => {
  it('gets the rest of a file whose connection was cut from the kept result', async () => {
    proxy.damage('/query/download', { kind: 'cut', afterBytes: 1_000_000, times: 1 });
    const run = await sluice(['download', 'csv', SQL, '--keep', '1h', '-o', 'big.csv']);
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(run.stderr).toContain('It was continued after a cut of the connection.');
    expect(await readFile(join(cwd, 'big.csv'), 'utf8')).toBe(whole);
    expect((await names()).filter((name) => name.includes('.part'))).toEqual([]);
  });

  it('is rejected for parquet, with what to do instead', async () => {
    const run = await sluice(['download', 'parquet', 'SELECT 1', '--keep', '1h', '-o', 'a.parquet']);
    expect(run).toMatchObject({ exitCode: 2, stdout: '' });
    expect(run.stderr).toContain('sluice result download ID -o FILE.parquet');
  });

  it('that was cancelled is stopped in the engine, and leaves nothing', async () => {
    const printed = await untilConfirmed(async () => {
      const run = await runSluice(['download', 'csv', LONG, '--keep', '1h', '-o', 'big.csv'], {
        env,
        cwd,
        onStart: (child) => void untilBegun().then(() => child.kill('SIGINT')),
      });
      expect(run.exitCode).toBe(130);
      return run.stderr;
    });
    expect(printed).toContain('Cancelled in the engine. big.csv was not written.\n');
    expect(await names()).toEqual([]);
  });

  it('that kill -9 ended is continued while its result is kept', async () => {
    // The host sends all bytes and keeps the result, while most of the last ones wait in the proxy.
    proxy.damage('/query/download', { kind: 'slow', afterBytes: 1_000_000, bytesPerSecond: 1_000 });
    const small = "SELECT range AS n, repeat('x', 50) AS filler FROM range(20000)";
    const untilKept = async (): Promise<void> => {
      await untilBegun();
      const { query_id: queryId } = JSON.parse(await readFile(join(cwd, 'big.csv.part.json'), 'utf8'));
      const isKept = async () =>
        (await sluice(['result', 'list', '--limit', '1', '--json'])).stdout.includes(queryId) ? true : undefined;
      await until(isKept, { what: 'the kept result' });
    };
    const killed = await runSluice(['download', 'csv', small, '--keep', '1h', '-o', 'big.csv'], {
      env,
      cwd,
      onStart: (child) => void untilKept().finally(() => child.kill('SIGKILL')),
    });
    expect(killed.signal).toBe('SIGKILL');
    expect(await names()).toEqual(PARTS);
    proxy.reset();
    const run = await sluice(['download', '--resume', '-o', 'big.csv']);
    expect(run).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await names()).toEqual(['big.csv']);
    expect((await readFile(join(cwd, 'big.csv'), 'utf8')).split('\n')).toHaveLength(20_002);
  });
});
