import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { SECURITY } from './keyring-tool.ts';

/**
 * Substitute of security(1) of macOS: with `-i` it reads lines into 4,096 bytes as fgets(3) does, so that the rest of a longer line is
 * another command. Entries, and everything that was not a command, are in a file.
 */
const SUBSTITUTE = `#!/usr/bin/env -S python3 -IS
import json, os, shlex, sys
PATH = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'keychain.json')
state = json.load(open(PATH))

def run(words):
    command, values = words[0], dict(zip(words[1:], words[2:]))
    key = values.get('-a')
    if command == 'add-generic-password':
        state['entries'][key] = values['-w']
    elif command not in ('find-generic-password', 'delete-generic-password'):
        state['unknown'].append(command)
        return 1
    elif key not in state['entries']:
        return 44
    elif command == 'find-generic-password':
        print(state['entries'][key])
    else:
        del state['entries'][key]
    return 0

code = 0
if sys.argv[1] == '-i':
    rest = sys.stdin.buffer.read()
    while rest:
        length = min(4095, rest.find(b'\\n') + 1 or len(rest))
        code = run(shlex.split(rest[:length].decode()))
        rest = rest[length:]
else:
    code = run(sys.argv[1:])
json.dump(state, open(PATH, 'w'))
sys.exit(code)
`;

const OWNER = { folder: '/Users/ann smith/"x"/.config/sluice', profile: 'default' };
/** A login whose two tokens name many roles. */
const LONG = JSON.stringify({ access: 'a'.repeat(3000), id: 'b'.repeat(2000), text: 'é' });

let folder: string;
const { env } = process;
const path = env['PATH'];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-security-'));
  await writeFile(join(folder, 'security'), SUBSTITUTE, { mode: 0o755 });
  env['PATH'] = `${folder}:${path}`;
});
afterAll(async () => {
  env['PATH'] = path;
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => writeFile(join(folder, 'keychain.json'), '{ "entries": {}, "unknown": [] }'));

const readKeychain = async () =>
  JSON.parse(await readFile(join(folder, 'keychain.json'), 'utf8')) as {
    readonly entries: Readonly<Record<string, string>>;
    readonly unknown: readonly string[];
  };

it.each([
  ['short', 'short', 1],
  ['of many roles', LONG, 3],
])('keeps a login that is %s, and runs nothing of it as a command', async (_what, secret, entryCount) => {
  expect(await SECURITY.store(OWNER, secret)).toMatchObject({ exitCode: 0 });
  const { entries, unknown } = await readKeychain();
  expect(unknown).toEqual([]);
  expect(Object.keys(entries)).toHaveLength(entryCount);
  expect(await SECURITY.lookUp(OWNER)).toMatchObject({ exitCode: 0, stdout: secret });
  expect(await SECURITY.clear(OWNER)).toMatchObject({ exitCode: 0 });
  expect((await readKeychain()).entries).toEqual({});
  expect(SECURITY.isMissing(await SECURITY.lookUp(OWNER))).toBe(true);
});

it('replaces a long login by a longer one and by a short one, and leaves no piece', async () => {
  const longer = `${LONG}${'c'.repeat(2500)}`;
  for (const secret of [LONG, longer, 'short']) {
    expect(await SECURITY.store(OWNER, secret)).toMatchObject({ exitCode: 0 });
    expect(await SECURITY.lookUp(OWNER)).toMatchObject({ exitCode: 0, stdout: secret });
  }
  const { entries, unknown } = await readKeychain();
  expect([Object.values(entries), unknown]).toEqual([[Buffer.from('short').toString('base64')], []]);
});

it('says that a piece is missing, and not that there is no login', async () => {
  await SECURITY.store(OWNER, LONG);
  const { entries, unknown } = await readKeychain();
  const [piece = ''] = Object.keys(entries);
  const { [piece]: _removed, ...others } = entries;
  await writeFile(join(folder, 'keychain.json'), JSON.stringify({ entries: others, unknown }));
  const run = await SECURITY.lookUp(OWNER);
  expect([run.exitCode, SECURITY.isMissing(run)]).toEqual([1, false]);
});

it('refuses a folder whose name leaves no room in a line', async () => {
  const run = await SECURITY.store({ folder: `/${'x'.repeat(3500)}`, profile: 'default' }, 'short');
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('too long') });
  expect(await readKeychain()).toEqual({ entries: {}, unknown: [] });
});
