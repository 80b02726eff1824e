import { mkdtemp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createClient } from '@sluice/client';
import { createItem, createSendRequest, declareParameters, publishDatamap } from '@sluice/testkit/fixtures';
import { basicOf } from '@sluice/testkit/requests';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';

const runCommand = createCommandRunner();

let cli: CliHosts;
let cwd: string;
beforeAll(async () => {
  cli = await startCliHosts();
  const { hosts } = cli;
  cwd = await mkdtemp(join(cli.home, 'market-'));
  const user = await hosts.build.user(hosts.acme, { roles: ['admin', 'steward'] });
  const admin = basicOf(user);
  await createItem(hosts, admin, { id: 'single', queries: { numbers: 'SELECT range AS n FROM range(3)' } });
  await createItem(hosts, admin, { id: 'pack', queries: { one: 'SELECT 1 AS a', two: 'SELECT 2 AS b' } });
  const datamap_id = await publishDatamap(hosts, hosts.acme, 'SELECT $region AS region');
  await declareParameters(hosts, datamap_id, [{ name: 'region', type: 'varchar', description: 'Region of the shop' }]);
  const { email, password } = user;
  const urls = { tenant: 'acme', streamUrl: hosts.url, apiUrl: hosts.api.url };
  const domain = await createClient({ ...urls, auth: { email, password } }).api.createDomain({
    body: { name: 'Sales' },
  });
  const closed = {
    id: 'closed',
    title: 'Closed 日本 \u001b[31m',
    queries: [{ name: 'q', datamap_id }],
    domains: [domain.id],
  };
  await createSendRequest(hosts)('POST', '/marketplace', { credential: admin, body: closed });
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});
const sluice = (...words: string[]) => runCommand(words, { env: cli.analyst, cwd });

it('market list shows every item with its access, words narrow it, and --json prints one item a line', async () => {
  const all = await sluice('market', 'list');
  expect(all).toMatchObject({ exitCode: 0, stderr: '' });
  expect(all.stdout.split('\n').map((line) => line.split(',').slice(0, 3))).toEqual([
    ['id', 'access', 'queries'],
    ['closed', 'no', '1'],
    ['pack', 'yes', '2'],
    ['single', 'yes', '1'],
    [''],
  ]);
  const found = await sluice('market', 'list', 'title', 'pack', '--json');
  expect(found.stdout.split('\n').map((line) => (line === '' ? '' : JSON.parse(line).id))).toEqual(['pack', '']);
  const none = await sluice('market', 'list', 'nowhere');
  expect(none).toMatchObject({ exitCode: 0, stdout: 'id,access,queries,owner,title\n' });
  expect(none.stderr).toContain('No item matches.');
});

it('market show names columns, parameters and access, and request asks the owner for it', async () => {
  const shown = await sluice('market', 'show', 'closed');
  expect(shown.stdout).toContain('Closed 日本');
  expect(shown.stdout).toMatch(/region \| varchar \| yes +\| Region of the shop/);
  expect(shown.stdout).toMatch(/^Domains: +Sales$/m);
  expect(shown.stdout).toContain("no: sluice market request closed --reason '...'");
  const denied = await sluice('market', 'download', 'closed', '--format', 'csv', '-o', 'closed.csv');
  expect(denied).toMatchObject({ exitCode: 1, stdout: '' });
  expect((await sluice('market', 'request', 'closed')).stderr).toContain("--reason 'TEXT'");
  const requested = await sluice('market', 'request', 'closed', '--reason', 'a report');
  expect(requested).toMatchObject({ exitCode: 0, stdout: '' });
  expect(requested.stderr).toContain('The owner of closed decides');
  expect((await sluice('market', 'show', 'closed')).stdout).toMatch(/requested on \d{4}-\d\d-\d\d, not yet decided/);
  expect(JSON.parse((await sluice('market', 'show', 'closed', '--json')).stdout)).toMatchObject({
    id: 'closed',
    is_granted: false,
    access_request: { state: 'PENDING', reason: 'a report' },
  });
  expect((await sluice('market', 'request', 'closed', '--reason', 'again')).exitCode).toBe(1);
  expect(await sluice('market', 'show', 'nowhere')).toMatchObject({ exitCode: 1, stdout: '' });
});

it('market download saves an item with its receipt, which verify proves', async () => {
  const saved = await sluice('market', 'download', 'single', '--format', 'csv', '-o', 'single.csv');
  expect(saved).toMatchObject({ exitCode: 0, stdout: '' });
  expect(await readFile(join(cwd, 'single.csv'), 'utf8')).toBe('n\n0\n1\n2\n');
  const archive = await sluice(
    'market',
    'download',
    'pack',
    '--format',
    'json',
    '--compression',
    'store',
    '-o',
    'a.zip',
  );
  expect(archive.exitCode).toBe(0);
  for (const name of ['single.csv', 'a.zip'])
    expect(await sluice('verify', name)).toMatchObject({ exitCode: 0, stderr: '' });
  expect((await sluice('market', 'download', 'single', '-o', 'x')).stderr).toContain('Choose a format');
  expect(await sluice('market', 'download', 'single', '-o', 'single.xlsx')).toMatchObject({ exitCode: 0 });
  expect(await readFile(join(cwd, 'single.xlsx'), 'latin1')).toMatch(/^PK/);
});

it('fits a terminal of 40 columns', async () => {
  using terminal = openTerminal(['market', 'list'], { env: cli.analyst, columns: 40 });
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.raw()).not.toContain('\u001b[31m');
  expect(terminal.lines().join('\n')).toMatch(/closed +\| no /);
});
