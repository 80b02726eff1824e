import { createHash } from 'node:crypto';
import { lstat, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  COMPLETE,
  ENDLESS_ANSWERS,
  eventsOf,
  exampleOf,
  type HostileAnswer,
  type HostileHost,
  METADATA,
  mutationsOf,
  QUERY_ID,
  STREAM_HEADERS,
  sendJson,
  shapeOf,
  startHostileHost,
  TERMINAL_TEXT,
  WRONG_ANSWERS,
} from '../hostile-host.ts';
import { openTerminal } from './open-terminal.ts';
import { runInProcess } from './run-in-process.ts';

let host: HostileHost;
let folder: string;
let env: Readonly<Record<string, string>>;
let bare: Readonly<Record<string, string>>;
beforeAll(async () => {
  host = await startHostileHost();
  folder = await mkdtemp(join(tmpdir(), 'sluice-hostile-'));
  bare = {
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, '.config'),
    LANG: 'C.UTF-8',
  };
  const account = { SLUICE_CLIENT_ID: 'a', SLUICE_CLIENT_SECRET: 'b', SLUICE_TENANT: 'acme' };
  env = { ...bare, ...account, SLUICE_API_URL: host.url, SLUICE_STREAM_URL: host.url };
  await writeFile(
    join(folder, 'objects.json'),
    '{"metadata_objects":[{"type":"TABLE","id":"a.b.c","description":"x"}]}',
  );
  await writeFile(join(folder, 'tenant.yaml'), 'domains: []\n');
});
afterAll(async () => {
  await host?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => host.answer('none', (_response, _request, whole) => whole()));
afterEach(() => rm(join(folder, 'out.csv'), { force: true }));

const path = (name: string): string => join(folder, name);
/** Every command that reads answers of the hosts, except those that wait for a person. */
const commands = (): readonly (readonly string[])[] => [
  ['whoami'],
  ['history'],
  ['history', 'show', QUERY_ID],
  ['query', 'SELECT 1'],
  ['query', 'SELECT 1', '--format', 'json'],
  ['download', 'csv', 'SELECT 1', '--force', '-o', path('out.csv')],
  ['catalog', 'list'],
  ['catalog', 'list', 'a'],
  ['catalog', 'list', 'a.b'],
  ['catalog', 'show', 'a.b.c'],
  ['datamap', 'list'],
  ['datamap', 'search', 'x'],
  ['datamap', 'show', 'x'],
  ['market', 'list'],
  ['market', 'show', 'x'],
  ['market', 'request', 'x', '--reason', 'y'],
  ['market', 'download', 'x', '--format', 'csv', '--force', '-o', path('out.csv')],
  ['search', 'x'],
  ['audit', 'search'],
  ['audit', 'export', '--format', 'ndjson', '-o', '-'],
  ['audit', 'evidence', '--since', '1d', '-o', '-'],
  ['audit', 'tail', '--after', '0', '--limit', '1'],
  ['export'],
  ['import', path('objects.json')],
  ['import', path('objects.json'), '--dry-run'],
  ['apply', path('tenant.yaml'), '--dry-run'],
  ['apply', path('tenant.yaml'), '--yes'],
  ['doctor'],
  ['api', 'GET', '/me'],
];

const called = new Map<string, readonly string[]>();

/** Operations that a command calls when every answer is as it should be. */
async function operationsOf(words: readonly string[]): Promise<readonly string[]> {
  const key = words.join(' ');
  const known = called.get(key);
  if (known !== undefined) return known;
  host.answer('none', (_response, _request, whole) => whole());
  host.seen.length = 0;
  await runInProcess(words, env);
  const found = [...new Set(host.seen.map(({ operation }) => operation))].filter((operation) => operation !== 'none');
  called.set(key, found);
  return found;
}

/** Runs a command, and checks that it explains what is wrong as every command does. */
async function assertExplained(words: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<number> {
  const { exitCode, stdout, stderr } = await runInProcess(words, { ...env, ...more });
  const seen = `${words.join(' ')}: ${exitCode}\n${stdout}\n${stderr}`;
  expect(seen).not.toMatch(/Unexpected failure|^\s+at .*:\d+|TypeError|RangeError|Cannot read/m);
  expect([0, 1, 3, 4]).toContain(exitCode);
  if (exitCode !== 0 && words[0] !== 'doctor') expect(stderr).toMatch(/^error: /m);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may reach stderr
  expect(stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
  return exitCode;
}

describe('a command explains what is wrong, and prints no stack', () => {
  it.each(Object.entries(WRONG_ANSWERS))('after %s', async (name, how) => {
    // A connection that fails is tried again, which takes seconds for each command.
    const isRetried = /^(a connection that is reset|a length|no HTTP|headers)/.test(name);
    for (const words of commands().filter((_, index) => !isRetried || index % 9 === 0)) {
      for (const operation of await operationsOf(words)) {
        if (operation === 'requestToken' && words[0] !== 'whoami') continue;
        // A lost host is waited for.
        if (words[0] === 'import' && operation === 'readMetadataImport') continue;
        host.answer(operation, how);
        await assertExplained(words);
      }
    }
    host.answer('getMe', how);
    const isHarmless = name === 'members of Object';
    if (!isHarmless) expect(await assertExplained(['whoami'])).not.toBe(0);
  });

  it('after an answer with one wrong member, for every member', async () => {
    for (const words of commands()) {
      for (const operation of await operationsOf(words)) {
        const shape = shapeOf(operation);
        if (shape === undefined || operation === 'requestToken') continue;
        const mutations = mutationsOf(shape);
        for (const { value } of mutations.filter((_, index) => index % 5 === 0)) {
          host.answer(operation, (response) => sendJson(response, value));
          await assertExplained(words);
        }
      }
    }
  });

  it('after numbers that are not times or sizes', async () => {
    for (const number of ['-1e300', '1e300', '9e15', '-1', '0.5']) {
      for (const words of commands()) {
        for (const operation of await operationsOf(words)) {
          const shape = shapeOf(operation);
          if (shape === undefined || operation === 'requestToken') continue;
          const text = JSON.stringify(exampleOf(shape)).replaceAll(/:1(?=[,}])/g, `:${number}`);
          host.answer(operation, (response) => void response.writeHead(200).end(text));
          await assertExplained(words);
        }
      }
    }
  });

  it.each(Object.entries(ENDLESS_ANSWERS))('after %s', async (_name, how) => {
    host.answer('requestToken', how);
    // Without a session that an earlier command has left.
    expect(await assertExplained(['whoami'], { SLUICE_CACHE: 'false' })).toBe(1);
  });
});

describe('sluice api', () => {
  it('fails after a redirect, which it does not follow', async () => {
    host.answer('getMe', (response) => void response.writeHead(302, { location: 'https://evil.example/' }).end());
    const { exitCode, stderr } = await runInProcess(['api', 'GET', '/me'], env);
    expect([exitCode, stderr]).toEqual([
      1,
      'error: GET /me returned status 302, a redirect, which is not followed. --include shows where it leads.\n',
    ]);
  });
});

describe('a message of the host', () => {
  it('with line feeds has only one line that begins as one of the command line', async () => {
    const message = 'no such table\nerror: your login has ended\nPassword: ';
    host.answer('getMe', (response) => sendJson(response, { error: 'x', message, request_id: 'a\nb' }, 400));
    const { stderr } = await runInProcess(['whoami'], env);
    expect(stderr.split('\n').filter((line) => /^\S/.test(line))).toEqual(['error: no such table']);
    expect(stderr).toContain('\n  request a\\nb\n');
  });
});

/** Returns an answer of an operation whose strings are sequences for a terminal. */
const withText = (operation: string): HostileAnswer => {
  const example = JSON.stringify(exampleOf(shapeOf(operation) ?? 'any'));
  return (response) => void response.writeHead(200).end(example.replaceAll('"x"', JSON.stringify(TERMINAL_TEXT)));
};

describe('a terminal gets no control characters of others', () => {
  /** Sequences that the command line itself writes. */
  // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences of a terminal
  const OWN = /\u001b\[[\d;]*[mGKJA]|\u001b\[\?2004[hl]|\r(?=\u001b\[[KJ])|\r(?=\n)/g;
  const assertClean = (raw: string): void => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may reach a terminal
    expect(raw.replaceAll(OWN, '')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    expect(raw).toContain('\\u001b]52;c;');
  };

  it.each<[string, readonly string[], string]>([
    ['whoami', ['whoami'], 'getMe'],
    ['whoami --json', ['whoami', '--json'], 'getMe'],
    ['catalog show', ['catalog', 'show', 'a.b.c'], 'getCatalogTable'],
    ['market show', ['market', 'show', 'x'], 'getMarketplaceItem'],
    ['apply', ['apply', 'tenant.yaml', '--yes'], 'applyConfiguration'],
  ])('from the answer to sluice %s', async (_name, words, operation) => {
    host.answer(operation, withText(operation));
    using terminal = openTerminal(words, { env });
    await terminal.exitCode;
    assertClean(terminal.raw());
  });

  it('from the answer to sluice login', async () => {
    host.answer('getMe', withText('getMe'));
    const words = [
      'login',
      '--email',
      'a@b.example',
      '--tenant',
      'acme',
      '--api-url',
      host.url,
      '--stream-url',
      host.url,
    ];
    using terminal = openTerminal(words, { env: { ...bare, SLUICE_CREDENTIAL_STORE: 'file' } });
    await terminal.waitFor('Password');
    terminal.send('secret\r');
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.screen().join('\n')).toContain('Logged in as ');
    assertClean(terminal.raw());
  });

  it('from the receipt that sluice verify reads', async () => {
    await writeFile(path('kept.csv'), 'n\n1\n');
    const receipt = { query_id: TERMINAL_TEXT, state: 'FINISHED', rows: 1, bytes: 4 };
    const sha256 = createHash('sha256').update('n\n1\n').digest('hex');
    const content = {
      version: 1,
      file: 'kept.csv',
      user: TERMINAL_TEXT,
      tenant: TERMINAL_TEXT,
      receipt: { ...receipt, sha256 },
    };
    for (const words of [
      ['verify', 'kept.csv', '--offline'],
      ['verify', 'kept.csv', '--offline', '--json'],
      ['verify', 'kept.csv'],
    ]) {
      await writeFile(path('kept.csv.receipt.json'), JSON.stringify(content));
      using terminal = openTerminal(words, { env });
      await terminal.exitCode;
      const raw = terminal.raw().replaceAll(OWN, '');
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may reach a terminal
      expect(raw).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202e]/);
    }
  });

  it('from an error of the host', async () => {
    const how = WRONG_ANSWERS['an error for a terminal'];
    if (how === undefined) throw new Error('The answer is gone.');
    host.answer('getMe', how);
    using terminal = openTerminal(['whoami'], { env });
    expect(await terminal.exitCode).toBe(1);
    assertClean(terminal.raw());
  });
});

describe('a download', () => {
  it('follows no symbolic link at the names of its parts, and leaves the files behind them', async () => {
    const target = path('victim');
    await writeFile(target, 'precious');
    for (const name of ['new.csv.part', 'new.csv.receipt.json.part', 'new.csv.receipt.json'])
      await symlink(target, path(name));
    const words = ['download', 'csv', 'SELECT 1', '-o', path('new.csv')];
    expect((await runInProcess(words, env)).exitCode).toBe(0);
    expect(await readFile(target, 'utf8')).toBe('precious');
    for (const name of ['new.csv', 'new.csv.receipt.json']) expect((await lstat(path(name))).isFile()).toBe(true);
    expect(JSON.parse(await readFile(path('new.csv.receipt.json'), 'utf8'))).toMatchObject({ query_id: QUERY_ID });
  });

  it('does not replace a symbolic link to nowhere', async () => {
    await symlink(path('nowhere'), path('link.csv'));
    const { exitCode, stderr } = await runInProcess(['download', 'csv', 'SELECT 1', '-o', path('link.csv')], env);
    expect([exitCode, stderr]).toEqual([
      1,
      `error: ${path('link.csv')} exists. Choose another name, or replace it with --force.\n`,
    ]);
  });
});

it('a query whose events are cut or wrong is incomplete', async () => {
  for (const events of [
    [METADATA],
    [METADATA, { type: 'row', data: null }, COMPLETE],
    [null],
    [METADATA, { type: 'error' }],
  ]) {
    host.answer('streamQuery', (response) => void response.writeHead(200, STREAM_HEADERS).end(eventsOf(...events)));
    expect(await assertExplained(['query', 'SELECT 1'])).toBe(3);
  }
});
