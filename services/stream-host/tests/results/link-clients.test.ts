import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createItem, publishDatamap } from '@sluice/testkit/fixtures';
import { startHosts, type TestHosts } from '@sluice/testkit/hosts';
import { basicOf, type Credential, post } from '@sluice/testkit/requests';
import { FAILS_LATE } from '@sluice/testkit/statements';

const ITEMS = 'SELECT * FROM items ORDER BY id';
const ITEMS_CSV = 'id,name,price\n1,nut,0.10\n2,"bolt, long",250.00\n9223372036854775807,,\n';
type LinkKind = 'item' | 'datamap' | 'ticket';
const KINDS: readonly LinkKind[] = ['item', 'datamap', 'ticket'];

let hosts: TestHosts;
let ann: Credential;
let folder: string;
/** Links to a complete result and to one that is cut, by kind. */
let links: Record<'whole' | 'cut', Record<Exclude<LinkKind, 'ticket'>, string>>;
beforeAll(async () => {
  hosts = await startHosts();
  ann = basicOf(hosts.ann);
  const admin = basicOf(await hosts.build.user(hosts.acme, { roles: ['admin'] }));
  const linksTo = async (id: string, sql: string) => ({
    item: `/marketplace/${await createItem(hosts, admin, { id, queries: { items: sql } })}/download/csv`,
    datamap: `/datamap/${await publishDatamap(hosts, hosts.acme, sql)}/download/csv`,
  });
  links = { whole: await linksTo('whole', ITEMS), cut: await linksTo('cut', FAILS_LATE) };
}, 180_000);
afterAll(async () => await hosts?.[Symbol.asyncDispose]());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-links-'));
});
afterEach(async () => await rm(folder, { recursive: true, force: true }));

async function urlOf(kind: LinkKind, result: 'whole' | 'cut'): Promise<string> {
  if (kind !== 'ticket') return `${hosts.url}${links[result][kind]}`;
  const body = { sql: result === 'whole' ? ITEMS : FAILS_LATE };
  const ticket = await post(`${hosts.url}/tickets`, { method: 'POST', path: '/query/download/csv', body }, ann);
  return `${hosts.url}${ticket.body.url}`;
}

const run = (command: string, args: readonly string[]): Promise<number> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd: folder }, (error) => resolve(error === null ? 0 : Number(error.code)));
  });

const fileNameOf: Record<LinkKind, string> = { item: 'whole.csv', datamap: 'map.csv', ticket: 'download.csv' };
const savedFile = async (): Promise<readonly [string, string]> => {
  const [name = ''] = await readdir(folder);
  return [name, await readFile(join(folder, name), 'utf8')];
};
const accountOf = (kind: LinkKind): readonly string[] =>
  kind === 'ticket' ? [] : [`${hosts.ann.email}:${hosts.ann.password}`];

describe('curl -O', () => {
  const curl = async (kind: LinkKind, result: 'whole' | 'cut', options: readonly string[]) =>
    await run('curl', [
      ...['--silent', '--fail', ...options],
      ...accountOf(kind).flatMap((account) => ['--user', account]),
      await urlOf(kind, result),
    ]);

  it.each(KINDS)('saves the file of a link: %s', async (kind) => {
    expect(await curl(kind, 'whole', ['-O', '-J'])).toBe(0);
    expect(await savedFile()).toEqual([fileNameOf[kind], ITEMS_CSV]);
  });

  it('names the file after the last part of the address without -J', async () => {
    expect(await curl('item', 'whole', ['-O'])).toBe(0);
    expect(await savedFile()).toEqual(['csv', ITEMS_CSV]);
  });

  it.each(KINDS)('reports a file that was cut with exit code 18: %s', async (kind) => {
    expect(await curl(kind, 'cut', ['-O', '-J'])).toBe(18);
  });

  it('reports a missing grant with exit code 22 and --fail', async () => {
    const url = `${hosts.url}/marketplace/whole/download/csv`;
    const steward = await hosts.build.user(hosts.acme, { roles: ['steward'] });
    expect(await run('curl', ['--silent', '--fail', '-O', '--user', `${steward.email}:${steward.password}`, url])).toBe(
      22,
    );
  });
});

describe('wget', () => {
  const wget = async (kind: LinkKind, result: 'whole' | 'cut') =>
    await run('wget', [
      ...['--quiet', '--content-disposition', '--tries=1'],
      ...(kind === 'ticket' ? [] : [`--user=${hosts.ann.email}`, `--password=${hosts.ann.password}`]),
      await urlOf(kind, result),
    ]);

  it.each(KINDS)('saves the file of a link, and sends the password when it is asked for: %s', async (kind) => {
    expect(await wget(kind, 'whole')).toBe(0);
    expect(await savedFile()).toEqual([fileNameOf[kind], ITEMS_CSV]);
  });

  it.each(KINDS)('reports a file that was cut: %s', async (kind) => {
    expect(await wget(kind, 'cut')).toBe(4);
  });
});
