import { visibleLine } from '@sluice/contract/visible-text';
import type { Command } from '../command.ts';
import type { Connection } from '../context.ts';
import { displayWidth } from '../terminal/display-width.ts';
import type { Output } from '../terminal/terminal.ts';
import { type Candidate, type Completion, complete } from './complete.ts';
import { createReadNames } from './read-names.ts';
import { type BegunWord, SHELL_NAMES, type ShellName, splitShellLine, writeShellWord } from './shell-line.ts';

const DESCRIPTION_CHARACTERS_MAX = 100;

/** Word before the cursor, as the completion script of a shell reports it. */
interface ReplyInput {
  readonly shell: ShellName;
  readonly begun: BegunWord;
  /** The part of the word that the shell replaces, as typed. Undefined: the whole word. */
  readonly replaced: string | undefined;
  /** Whether bash only lists the words and inserts none. */
  readonly isListing: boolean;
}

/** Names with control characters would write to the terminal, and the scripts read lines. */
const isPrintable = ({ word }: Candidate): boolean => !/\p{Cc}/u.test(word);

const descriptionOf = ({ does = '' }: Candidate): string =>
  visibleLine(does.replaceAll(/\s+/g, ' ').trim()).slice(0, DESCRIPTION_CHARACTERS_MAX);

/** Returns what bash or zsh puts in place of the replaced part; undefined if the word changes what is before it. */
function toInsertion({ begun, replaced = begun.raw }: ReplyInput, { word }: Candidate): string | undefined {
  const kept = begun.raw.slice(0, begun.raw.length - replaced.length);
  const written = writeShellWord(begun, word);
  return written.startsWith(kept) ? written.slice(kept.length) : undefined;
}

interface Insertion {
  readonly text: string;
  readonly candidate: Candidate;
}

function commonBeginning(texts: readonly string[]): string {
  const [first = ''] = texts;
  let length = first.length;
  for (const text of texts) while (!text.startsWith(first.slice(0, length))) length -= 1;
  return first.slice(0, length);
}

/**
 * Returns what bash or zsh may insert. They replace what was typed by the common beginning of all words, so words in another case or with
 * quotes are left out where something would be lost.
 */
function toInsertions(input: ReplyInput, candidates: readonly Candidate[]): readonly Insertion[] {
  const all = candidates.flatMap((candidate) => {
    const text = toInsertion(input, candidate);
    return text === undefined ? [] : { text, candidate };
  });
  const { replaced = input.begun.raw } = input;
  const isLost = all.length > 1 && !commonBeginning(all.map(({ text }) => text)).startsWith(replaced);
  return isLost ? all.filter(({ text }) => text.startsWith(replaced)) : all;
}

function bashLines(input: ReplyInput, candidates: readonly Candidate[]): readonly string[] {
  // A single word is still inserted.
  if (input.isListing && candidates.length > 1) return ['words', ...candidates.map(({ word, shown = word }) => shown)];
  const words = toInsertions(input, candidates).map(({ text }) => text);
  const [only, ...others] = words;
  const isOpen = candidates.some((candidate) => candidate.isOpen === true);
  const quote = input.begun.positions.at(-1)?.quote ?? '';
  if (only === undefined || others.length > 0 || quote === '') return [isOpen ? 'open' : 'words', ...words];
  // It does not close a double quote behind another.
  if (!isOpen) return ['words', quote === '"' && only.endsWith('"') ? `${only}"` : only];
  // bash closes a quote behind the only word, but not behind the common beginning of two.
  return only === input.replaced ? ['words'] : ['open', only, `${only} `];
}

/** Lines of three fields: whether the word goes on, the word, and how it is shown. */
function zshLines(input: ReplyInput, candidates: readonly Candidate[]): readonly string[] {
  const insertions = toInsertions(input, candidates);
  const isDescribed = insertions.some(({ candidate }) => descriptionOf(candidate) !== '');
  const width = Math.max(0, ...insertions.map(({ candidate: { word, shown = word } }) => displayWidth(shown)));
  const lines = insertions.map(({ text, candidate }) => {
    const { word, shown = word, isOpen } = candidate;
    const description = descriptionOf(candidate);
    const padding = ' '.repeat(width - displayWidth(shown));
    return `${isOpen === true ? 'open' : 'whole'}\t${text}\t${shown}${description === '' ? '' : `${padding}  -- ${description}`}`;
  });
  return [isDescribed ? 'described' : 'words', ...lines];
}

const fishLines = (candidates: readonly Candidate[]): readonly string[] => [
  'words',
  ...candidates.map((candidate) => `${candidate.word}\t${descriptionOf(candidate)}`),
];

/** Writes the words for the script of a shell: a line that says what they are, then one line per word. */
export function formatReply(input: ReplyInput, completion: Completion): string {
  if (completion === 'files') return 'files\n';
  const candidates = completion.filter(isPrintable);
  const lines =
    input.shell === 'bash'
      ? bashLines(input, candidates)
      : input.shell === 'zsh'
        ? zshLines(input, candidates)
        : fishLines(candidates);
  return lines.map((line) => `${line}\n`).join('');
}

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
