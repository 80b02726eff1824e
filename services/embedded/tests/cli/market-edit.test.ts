import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Client, createClient } from '@sluice/client';
import type { BuiltUser } from '@sluice/testkit';
import { createItem } from '@sluice/testkit/fixtures';
import { basicOf } from '@sluice/testkit/requests';
import { type CliHosts, startCliHosts } from './cli-hosts.ts';
import { createCommandRunner } from './create-command-runner.ts';

const runCommand = createCommandRunner();

let cli: CliHosts;
let owner: BuiltUser;
let admin: Client;
beforeAll(async () => {
  cli = await startCliHosts();
  const { hosts } = cli;
  owner = await hosts.build.user(hosts.acme, { roles: ['admin', 'steward'] });
  await createItem(hosts, basicOf(owner), { id: 'edited', queries: { numbers: 'SELECT range AS n FROM range(3)' } });
  const { email, password } = owner;
  const urls = { tenant: 'acme', streamUrl: hosts.url, apiUrl: hosts.api.url };
  admin = createClient({ ...urls, auth: { email, password } });
  await admin.api.createDomain({ body: { name: 'Travel' } });
}, 120_000);
afterAll(async () => {
  await cli?.[Symbol.asyncDispose]();
});

const sluice = (...words: string[]) => runCommand(words, { env: cli.analyst, cwd: cli.home });
const asOwner = (...words: string[]) =>
  runCommand(words, {
    env: { ...cli.analyst, SLUICE_EMAIL: owner.email, SLUICE_PASSWORD: owner.password },
    cwd: cli.home,
  });
const item = () => admin.stream.getMarketplaceItem({ params: { id: 'edited' } });

it('market edit changes what is named and leaves the rest, with the version that it has read', async () => {
  const edited = await asOwner(
    ...['market', 'edit', 'edited', '--license', 'CC0-1.0', '--terms-of-use', 'Ask *first*.'],
    ...['--domain', 'TRAVEL', '--tag', 'air', '--tag', 'rail'],
  );
  expect(edited).toMatchObject({ exitCode: 0, stdout: '' });
  expect(edited.stderr).toContain('Changed edited, now version 2.');
  const stored = await item();
  expect(stored).toMatchObject({
    title: 'Title of edited',
    license: 'CC0-1.0',
    terms_of_use: 'Ask *first*.',
    tags: ['air', 'rail'],
    queries: [{ name: 'numbers' }],
  });
  expect(stored.domains).toHaveLength(1);
  const removed = await asOwner('market', 'edit', 'edited', '--license', '', '--domain', '', '--json');
  expect(JSON.parse(removed.stdout)).toMatchObject({ license: null, domains: [], tags: ['air', 'rail'] });
  const shown = await sluice('market', 'show', 'edited');
  expect(shown.stdout).toMatch(/^Terms of use: +Ask \*first\*\.$/m);
  expect(shown.stdout).toMatch(/^Data: +read when you download it; when it last changed is not known/m);
  expect(shown.stdout).toMatch(/^Size: +not known: there was no complete download yet$/m);
});

it('market edit gives an item to another owner', async () => {
  const other = await cli.hosts.build.user(cli.hosts.acme, { roles: ['steward'] });
  const given = await asOwner('market', 'edit', 'edited', '--owner', other.email);
  expect(given.exitCode).toBe(0);
  expect((await item()).owner).toBe(other.email);
});

it.each([
  ['nothing to change', ['market', 'edit', 'edited'], 'Name what to change'],
  ['an unknown domain', ['market', 'edit', 'edited', '--domain', 'Nowhere'], 'There is no domain Nowhere.'],
  ['an unknown owner', ['market', 'edit', 'edited', '--owner', 'nobody@acme.example'], 'there is no user or client'],
  ['an unknown item', ['market', 'edit', 'nowhere', '--title', 'x'], 'no such item'],
  ['an empty title', ['market', 'edit', 'edited', '--title', ' '], 'title must not be empty'],
])('market edit rejects %s with a sentence and changes nothing', async (_case, words, sentence) => {
  const { version } = await item();
  const answer = await asOwner(...words);
  expect([answer.exitCode === 0, answer.stdout]).toEqual([false, '']);
  expect(answer.stderr).toContain(sentence);
  expect((await item()).version).toBe(version);
});

it('market edit is for the owner and admins', async () => {
  const denied = await sluice('market', 'edit', 'edited', '--license', 'MIT');
  expect(denied).toMatchObject({ exitCode: 1, stdout: '' });
  expect(denied.stderr).toContain('Only the owner of this item and admins may do this.');
});
