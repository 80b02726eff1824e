import type { Command } from '../command.ts';
import type { Connection } from '../context.ts';
import type { Output } from '../terminal/terminal.ts';
import { type Candidate, complete } from './complete.ts';
import { formatReply } from './format-reply.ts';
import { createReadNames } from './read-names.ts';
import { SHELL_NAMES, splitShellLine } from './shell-line.ts';

/**
 * A person waits after the Tab key: within a second of the start of the process, the words that are known by then are printed. The rest is
 * for the end of the process, which takes longer on a busy computer.
 */
const PRINTED_BY_MS = 800;
/** COMP_TYPE of bash for a list of the words. */
const LISTING = '63';

/**
 * Prints what may follow in a command line, for the script of a shell. Never fails: without a login, or when a host does not respond in
 * time, it prints what is known without the hosts.
 * @param input - name of the shell, the line up to the cursor, the part of the begun word that the shell replaces, COMP_TYPE of bash
 */
export async function printCompletion(
  commands: readonly Command[],
  [name, line = '', replaced, type]: readonly string[],
  context: {
    readonly stdout: Output;
    readonly connect: () => Promise<Connection>;
    readonly profiles: () => Promise<readonly string[]>;
  },
): Promise<void> {
  const shell = SHELL_NAMES.find((each) => each === name);
  if (shell === undefined) return;
  const signal = AbortSignal.timeout(Math.max(0, Math.round(PRINTED_BY_MS - performance.now())));
  const timedOut = new Promise<readonly Candidate[]>((resolve) => {
    signal.addEventListener('abort', () => resolve([]), { once: true });
  });
  const readNames = createReadNames(context.connect, context.profiles, signal);
  const { words, begun } = splitShellLine(line, shell);
  const completion = await complete(commands, [...words, begun.text], async (...input) =>
    Promise.race([readNames(...input).catch(() => []), timedOut]),
  );
  const reply = formatReply({ shell, begun, replaced, isListing: shell === 'bash' && type === LISTING }, completion);
  await context.stdout.write(reply).catch(() => undefined);
}
