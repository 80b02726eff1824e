import { expect, it } from '@jest/globals';
import { CommandLineError, collect, createProgram, reject, runProgram } from './command-line.ts';

/** Returns the lines that a program of one command says for some words. */
async function run(...words: string[]): Promise<readonly string[]> {
  const lines: string[] = [];
  const program = createProgram('keys', 'Rotate keys.', (line) => lines.push(line));
  program
    .command('rewrap')
    .description('Encrypt again.')
    .option('--table <NAME>', 'Table. Can be given again.', collect)
    .action(({ table = [] }: { readonly table?: readonly string[] }, self) => {
      if (table.includes('none')) reject(self, '--table names no table.');
      lines.push(`Tables: ${table.join(', ')}`);
    });
  await runProgram(program, words);
  return lines;
}

it('runs the command that the words name, with every value of a repeated option', async () => {
  expect(await run('rewrap', '--table', 'a', '--table', 'b')).toEqual(['Tables: a, b']);
});

it('says its help in one piece', async () => {
  const [help, ...others] = await run('--help');
  expect(others).toEqual([]);
  expect(help).toMatch(/^Usage: keys .*\n\nRotate keys\.\n[\s\S]*Encrypt again\.$/);
});

it.each([
  [[], '`keys` needs the name of a command. See `keys --help`.'],
  [['rewrapp'], "Unknown command 'rewrapp' (Did you mean rewrap?) See `keys --help`."],
  [['rewrap', '--all'], "Unknown option '--all'. See `keys rewrap --help`."],
  [['rewrap', 'a'], "Too many arguments for 'rewrap'. Expected 0 arguments but got 1. See `keys rewrap --help`."],
  [['rewrap', '--table', 'none'], '--table names no table. See `keys rewrap --help`.'],
])('throws one sentence for %j', async (words, sentence) => {
  await expect(run(...words)).rejects.toThrow(new CommandLineError(sentence));
});
