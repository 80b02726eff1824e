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
  expect(run.stdout).toContain(`${cli.hosts.ann.email} in acme`);
});

it('without a login it says how to log in, with exit code 4', async () => {
  const run = await runSluice(['whoami'], { env: cli.bare });
  expect(run).toMatchObject({ exitCode: 4, stdout: '' });
  expect(run.stderr).toContain('sluice login');
});

it('in a terminal too', async () => {
  using terminal = openTerminal(['whoami'], { env: cli.analyst, columns: 120 });
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.screen()).toEqual([`${cli.hosts.ann.email} in acme`]);
});
