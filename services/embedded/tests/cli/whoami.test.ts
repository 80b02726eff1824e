import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { openTerminal } from './open-terminal.ts';
import { runSluice } from './run-command.ts';

let cli: CliHosts;
beforeAll(async () => {
  cli = await startCliHosts();
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

it('whoami shows the account of the environment', async () => {
  const run = await runSluice(['whoami'], { env: cli.analyst });
  expect(run).toMatchObject({ exitCode: 0, stderr: '' });
  expect(run.stdout.split('\n')).toEqual([
    `${cli.hosts.ann.email} in acme`,
    'Kind:          user',
    'Roles:         analyst',
    'Permissions:   datamap:read, marketplace:download, query:run',
    `API host:      ${cli.hosts.api.url}`,
    `Stream host:   ${cli.hosts.url}`,
    expect.stringMatching(/^Session ends: {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ \(in \d d \d+ h\)$/),
    'Login kept in: the environment',
    '',
  ]);
});

it('without a login it says how to log in, with exit code 4', async () => {
  const run = await runSluice(['whoami'], { env: cli.bare });
  expect(run).toMatchObject({ exitCode: 4, stdout: '' });
  expect(run.stderr).toContain('sluice login');
});

it('in a terminal too', async () => {
  using terminal = openTerminal(['whoami'], { env: cli.analyst, columns: 120 });
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.screen().slice(0, 2)).toEqual([`${cli.hosts.ann.email} in acme`, 'Kind:          user']);
});
