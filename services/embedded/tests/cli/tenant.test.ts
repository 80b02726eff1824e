import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { OPERATOR_TOKEN } from '@sluice/testkit/hosts';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';
import { openTerminal } from './open-terminal.ts';

const runCommand = createCommandRunner();

let cli: CliHosts;
let env: Record<string, string>;
beforeAll(async () => {
  cli = await startCliHosts();
  env = { ...cli.bare, SLUICE_API_URL: cli.hosts.api.url, SLUICE_OPERATOR_TOKEN: OPERATOR_TOKEN };
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

const run = async (...words: string[]) => {
  const result = await runCommand(['tenant', ...words, '--json'], { env });
  expect(result).toMatchObject({ exitCode: 0, stderr: '' });
  return result.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
};

it('creates, invites, lists, suspends, resumes and removes a tenant', async () => {
  const created = await run(
    'create',
    'initech',
    '--admin-email',
    'ann@initech.example',
    '--email-domain',
    'initech.example',
  );
  expect(created).toMatchObject([{ name: 'initech', state: 'active', invitation: { url: expect.any(String) } }]);
  expect(await run('invite', 'initech')).toMatchObject([{ invitation: { token: expect.any(String) } }]);
  expect((await run('list')).map(({ name }) => name)).toEqual(['acme', 'globex', 'initech']);
  expect(await run('suspend', 'initech')).toMatchObject([{ state: 'suspended' }]);
  expect(await run('resume', 'initech')).toMatchObject([{ state: 'active' }]);
  await run('suspend', 'initech');
  const question = await runCommand(['tenant', 'remove', 'initech'], { env });
  expect(question).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining('Give --yes') });
  using terminal = openTerminal(['tenant', 'remove', 'initech'], { env, columns: 100 });
  await terminal.waitFor('Type its name to go on:');
  terminal.send('other\r');
  expect(await terminal.exitCode).toBe(1);
  expect(await run('remove', 'initech', '--yes')).toMatchObject([{ removal_requested_ts: expect.any(Number) }]);
  expect(await run('show', 'initech')).toMatchObject([{ removal_requested_ts: expect.any(Number) }]);
});

it('needs the token of the operator: exit code 2 without it, 4 with a wrong one', async () => {
  const { SLUICE_OPERATOR_TOKEN: _, ...without } = env;
  const none = await runCommand(['tenant', 'list'], { env: without });
  expect(none).toMatchObject({ exitCode: 2, stdout: '' });
  expect(none.stderr).toBe(
    'error: Set SLUICE_OPERATOR_TOKEN to the OPERATOR_TOKEN of the API host to manage tenants.\n',
  );
  const wrong = await runCommand(['tenant', 'list'], { env: { ...env, SLUICE_OPERATOR_TOKEN: 'wrong' } });
  expect(wrong).toMatchObject({
    exitCode: 4,
    stdout: '',
    stderr: expect.stringContaining('The operator token is wrong.'),
  });
  const unknown = await runCommand(['tenant', 'show', 'nobody'], { env });
  expect(unknown).toMatchObject({
    exitCode: 1,
    stdout: '',
    stderr: expect.stringContaining('There is no such tenant.'),
  });
});
