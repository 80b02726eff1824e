import type { Command } from '../command.ts';
import type { Connection } from '../context.ts';
import type { Output } from '../terminal/terminal.ts';
import { visibleLine } from '../terminal/visible-text.ts';
import { type Completion, complete } from './complete.ts';
import { createReadNames } from './read-names.ts';

/** A person waits after the Tab key. */
const TIMEOUT_MS = 2_000;
const DESCRIPTION_CHARACTERS_MAX = 100;

const lineOf = ({ word, does }: Exclude<Completion, 'files'>[number]): string =>
  does === undefined
    ? word
    : `${word}\t${visibleLine(does.replaceAll(/\s+/g, ' ')).slice(0, DESCRIPTION_CHARACTERS_MAX)}`;

/**
 * Prints what may follow in a command line: `:files`, or one word per line with a tab and its description. Never fails: without a login,
 * or when a host does not respond in time, it prints what is known without the hosts.
 * @param words - words after `sluice`; the last one is begun, perhaps empty
 */
export async function printCompletion(
  commands: readonly Command[],
  words: readonly string[],
  context: {
    readonly stdout: Output;
    readonly connect: () => Promise<Connection>;
    readonly profiles: () => Promise<readonly string[]>;
  },
): Promise<void> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const readNames = createReadNames(context.connect, context.profiles, signal);
  const timeout = new Promise<Completion>((resolve) => {
    signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  const known = complete(commands, words, async (...input) => await readNames(...input).catch(() => []));
  const completion = await Promise.race([known, timeout]).catch((): Completion => []);
  const lines = completion === 'files' ? [':files'] : completion.map(lineOf);
  await context.stdout.write(lines.map((line) => `${line}\n`).join('')).catch(() => undefined);
}
