import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { COMMANDS } from '@sluice/cli';
import { DOWNLOAD_FORMATS } from '@sluice/client';
import { apiOperations, operatorOperations, streamOperations } from '@sluice/contract';
import { parseCommandLine } from '../src/build-program.ts';
import { expandHelp, loadCommands } from '../src/command-list.ts';

const ENVIRONMENT = { PATH: '/usr/bin:/bin' };

/** Words of each call of `sluice` in an example, as a real shell splits them. */
function callsIn(example: string): readonly (readonly string[])[] {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-example-'));
  const calls = join(folder, 'calls');
  const script = `sluice() { printf '%s\\0' "$@" $'\\n' >> "$CALLS"; }\nsluice ${example}\n`;
  try {
    execFileSync('bash', ['-c', script], { cwd: folder, env: { ...ENVIRONMENT, CALLS: calls }, stdio: 'ignore' });
    return readFileSync(calls, 'utf8')
      .split('\n\0')
      .slice(0, -1)
      .map((call) => call.split('\0').slice(0, -1));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const OUTPUT = {
  isTerminal: false,
  hasColor: false,
  columns: 80,
  rows: 24,
  write: async () => undefined,
};

const helpOf = (words: readonly string[], columns: number): string =>
  String(parseCommandLine(COMMANDS, words, { version: '0', stdout: { ...OUTPUT, columns } }));

describe('the command line', () => {
  it.each([
    [['download', 'xls', 'SELECT 1'], `FORMAT must be one of ${Object.keys(DOWNLOAD_FORMATS).join(', ')}, not "xls".`],
    [['query', '--format', "x'y", 'SELECT 1'], '--format must be one of table, '],
    [['query', '--size', '0', 'SELECT 1'], '--size must be a whole number from 1 up, not "0".'],
    [
      ['query', 'SELECT', '1'],
      'Expected 1 argument but got 2. Put the statement into quotes. See `sluice query --help`.',
    ],
    [['verify', 'a', 'b'], 'Expected 1 argument but got 2. See `sluice verify --help`.'],
    [['quer', 'SELECT 1'], "Unknown command 'quer'. (Did you mean query?) See `sluice --help`."],
  ])('%j is rejected with a sentence that names what is wrong', (words, sentence) => {
    expect(() => parseCommandLine(COMMANDS, words, { version: '0', stdout: OUTPUT })).toThrow(sentence);
  });

  it.each([
    [['help'], ['--help']],
    [
      ['help', 'query'],
      ['query', '--help'],
    ],
    [
      ['help', 'audit', 'search'],
      ['audit', 'search', '--help'],
    ],
    [
      ['help', 'exit-codes'],
      ['help', 'exit-codes'],
    ],
    [
      ['help', 'nothing'],
      ['help', 'nothing'],
    ],
    [
      ['query', 'help'],
      ['query', 'help'],
    ],
  ])('reads %j as %j', (words, expanded) => expect(expandHelp(words)).toEqual(expanded));

  it.each([40, 60, 80, 200])('has help that fits %i columns, except what people copy', (columns) => {
    for (const words of [[], ['audit'], ...COMMANDS.map(({ name }) => name.split(' '))]) {
      const [text = ''] = helpOf([...words, '--help'], columns).split('\nExamples:');
      const wide = text.split('\n').filter((line) => line.length > columns);
      // A line may be one word, such as a path, or the usage.
      expect({ words, wide: wide.filter((line) => /\S\s+\S/.test(line) && !line.startsWith('Usage:')) }).toEqual({
        words,
        wide: [],
      });
    }
  });
});

describe('the commands', () => {
  it('have unique names', () => {
    const names = COMMANDS.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  it('are loaded by the first word of their names', async () => {
    for (const { name } of COMMANDS) {
      const loaded = await loadCommands(name.split(' ', 1)[0]);
      expect(loaded.map((command) => command.name)).toContain(name);
      expect(loaded.length).toBeLessThan(COMMANDS.length);
    }
  });

  it('name operations that exist', () => {
    const operations = [streamOperations, apiOperations, operatorOperations].flatMap((each) => Object.values(each));
    const known = new Set(operations.map(({ method, path }) => `${method} ${path}`));
    const unknown = COMMANDS.flatMap(({ name, routes }) => routes.map((route) => `${name}: ${route}`)).filter(
      (line) => !known.has(line.slice(line.indexOf(': ') + 2)),
    );
    expect(unknown).toEqual([]);
  });
});

describe.each(COMMANDS.map((command) => [command.name, command] as const))('sluice %s', (name, command) => {
  it('has examples that parse as this command', () => {
    expect(command.examples.length).toBeGreaterThan(0);
    for (const example of command.examples) {
      const parsed = callsIn(example.command).map((words) => {
        const found = parseCommandLine(COMMANDS, words, { version: '0', stdout: OUTPUT });
        return typeof found === 'string' ? undefined : found.command.name;
      });
      expect({ example: example.command, parsed }).toEqual({
        example: example.command,
        parsed: expect.arrayContaining([name]),
      });
    }
  });

  it('explains itself in sentences', () => {
    expect(command.summary).not.toMatch(/\.$/);
    const meanings = [...Object.values(command.arguments), ...Object.values(command.options)].map(
      (each) => each.meaning,
    );
    expect(meanings.filter((meaning) => !/^(?:[A-Z`<]|\w+: ).*[.)]$/s.test(meaning))).toEqual([]);
  });
});
