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
  // Each call has an output, because an example may use it as the argument of another one.
  const script = `sluice() { printf '%s\\0' "$@" $'\\n' >> "$CALLS"; echo '{"query_id":"one"}'; }\njq() { echo one; }\nsluice ${example}\n`;
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
  isFile: false,
  hasColor: false,
  columns: 80,
  rows: 24,
  write: async () => undefined,
};

const helpOf = (words: readonly string[], columns: number): string =>
  String(parseCommandLine(COMMANDS, words, { version: '0', stdout: { ...OUTPUT, columns } }));

describe('the command line', () => {
  it.each([
    [['download', 'xls'], `FORMAT must be one of ${Object.keys(DOWNLOAD_FORMATS).join(', ')}, not "xls".`],
    [['download', 'xls', 'SELECT 1'], `FORMAT must be one of ${Object.keys(DOWNLOAD_FORMATS).join(', ')}, not "xls".`],
    [['history', 'show', ''], 'ID must not be empty.'],
    [['market', 'show', ' '], 'ID must not be empty.'],
    [['query', '--format', "x'y", 'SELECT 1'], '--format must be one of table, '],
    [['query', '--size', '0', 'SELECT 1'], '--size must be a whole number from 1 up, not "0".'],
    [
      ['query', 'SELECT', '1'],
      'Expected 1 argument but got 2. Put the statement into quotes. See `sluice query --help`.',
    ],
    [
      ['query', 'SELECT 1', '-o', 'a.csv'],
      "Unknown option '-o'. `sluice download` saves a result to a file. See `sluice query --help`.",
    ],
    [['verify', 'a', 'b'], 'Expected 1 argument but got 2. See `sluice verify --help`.'],
    [['quer', 'SELECT 1'], "Unknown command 'quer'. (Did you mean query?) See `sluice --help`."],
  ])('%j is rejected with a sentence that names what is wrong', (words, sentence) => {
    expect(() => parseCommandLine(COMMANDS, words, { version: '0', stdout: OUTPUT })).toThrow(sentence);
  });

  it.each([
    [['qurey'], 'query'],
    [['SELECT 1'], 'query'],
    [['analist'], 'whoami'],
    [['usres'], 'api GET /admin/users'],
    [['tables'], 'catalog list'],
    [['describe'], 'catalog show'],
    [['ls'], 'catalog list'],
    [['audti'], 'audit'],
    [['audit', 'serch'], 'audit search'],
    [['market', 'ls'], 'market list'],
    [['catalog', 'describe'], 'catalog show'],
    [['catalog', 'search'], 'search'],
  ])('suggests for %j what may have been meant, also in help', (words, meant) => {
    const sentence = `Unknown command '${words.join(' ')}'. (Did you mean ${meant}?) See \`sluice `;
    for (const typed of [words, [...words, '--help'], expandHelp(['help', ...words])])
      expect(() => parseCommandLine(COMMANDS, typed, { version: '0', stdout: OUTPUT })).toThrow(sentence);
  });

  it('suggests nothing for a word that is far from all commands, and several that are equally near', () => {
    const parse = (word: string) => () => parseCommandLine(COMMANDS, [word], { version: '0', stdout: OUTPUT });
    expect(parse('frobnicate')).toThrow("Unknown command 'frobnicate'. See `sluice --help`.");
    expect(parse('remove')).toThrow('(Did you mean one of profile remove, tenant remove?)');
  });

  it.each(['audit', 'catalog', 'datamap', 'market', 'profile', 'result', 'tenant'])(
    '%s alone is an error with its help',
    (group) => {
      const parse = () => parseCommandLine(COMMANDS, [group], { version: '0', stdout: OUTPUT });
      expect(parse).toThrow(
        expect.objectContaining({
          message: `\`sluice ${group}\` needs one more word:`,
          help: expect.stringMatching(new RegExp(`^Usage: sluice ${group} `)),
        }),
      );
    },
  );

  it.each([
    [['download', 'SELECT 1', '-o', 'x.csv'], undefined, 'SELECT 1'],
    [['download', '-', '-o', 'x.csv'], undefined, '-'],
    [['download', 'csv', 'SELECT 1', '-o', 'x'], 'csv', 'SELECT 1'],
    [['download', 'csv', '-f', 'a.sql', '-o', 'x'], 'csv', undefined],
    [['download', '-f', 'a.sql', '-o', 'x.csv'], undefined, undefined],
  ])('reads %j with or without a format', (words, format, sql) => {
    const parsed = parseCommandLine(COMMANDS, words, { version: '0', stdout: OUTPUT });
    expect(parsed).toMatchObject({ input: { arguments: { format, sql } } });
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

  it('lists the shortcuts of the shell, one a line', () => {
    const lines = helpOf(['sql', '--help'], 80).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining(['- `\\l`: list catalogs', '- `\\i FILE`: run the statements of a file']),
    );
  });

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
