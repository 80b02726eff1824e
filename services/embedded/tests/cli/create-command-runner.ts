import { join } from 'node:path';
import { allCases } from '@sluice/testkit';
import { type CommandOptions, type CommandRun, runSluice } from './run-command.ts';
import { runInProcess } from './run-in-process.ts';

/** First words of the commands whose names have two. */
const GROUPS = new Set(['audit', 'catalog', 'datamap', 'market', 'profile', 'result', 'tenant']);
/** Options whose values are names of files, and commands whose first argument is one. */
const FILE_OPTIONS = new Set(['-o', '-f', '--receipt']);
const FILE_COMMANDS = new Set(['apply', 'import', 'verify']);

const commandOf = ([first = '', second = '']: readonly string[]): string =>
  GROUPS.has(first) ? `${first} ${second}` : first;

const isFile = (words: readonly string[], index: number): boolean => {
  const [word = '', before = ''] = [words[index], words[index - 1]];
  // `result verify ID FILE`
  const isVerified = index === 3 && words[0] === 'result' && words[1] === 'verify';
  const isArgument = isVerified || (index === 1 && FILE_COMMANDS.has(before));
  return (FILE_OPTIONS.has(before) || isArgument) && /^[^-/]/.test(word);
};

/** Runs the words in this process. Names of files are made absolute, and the output has them as they were given. */
async function runHere(words: readonly string[], { env, cwd, stdin }: CommandOptions): Promise<CommandRun> {
  const folder = cwd ?? env['HOME'] ?? '/';
  const names = words.filter((_, index) => isFile(words, index));
  const resolved = words.map((word) => (names.includes(word) ? join(folder, word) : word));
  const { exitCode, signal, stdout, stderr } = await runInProcess(resolved, env, stdin);
  const asGiven = (text: string): string => names.reduce((all, name) => all.replaceAll(join(folder, name), name), text);
  return { exitCode, signal, stdout: asGiven(stdout), stderr: asGiven(stderr) };
}

/**
 * Returns a function that runs the words after `sluice`: in a process of its own the first time that it is called for a command, in the
 * process of the test every other time. A start of `sluice` takes 0.2 s of processor time. What only a process has, such as signals and
 * slow input, gets one each time, and so does every run with SLUICE_CASES=all.
 */
export function createCommandRunner(): typeof runSluice {
  const seen = new Set<string>();
  return async (words, options) => {
    const command = commandOf(words);
    const isFirst = !seen.has(command);
    seen.add(command);
    const needsProcess = allCases || isFirst || options.onStart !== undefined || options.stdinParts !== undefined;
    return await (needsProcess ? runSluice : runHere)(words, options);
  };
}
