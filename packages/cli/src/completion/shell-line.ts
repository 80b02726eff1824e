/** A shell that has a completion script. */
export type ShellName = 'bash' | 'zsh' | 'fish';
export const SHELL_NAMES: readonly ShellName[] = ['bash', 'zsh', 'fish'];

/** The quotes that a position of a command line is in. */
type Quote = '' | "'" | '"';

/** The word before the cursor. */
export interface BegunWord {
  /** Its value, without the quotes and backslashes of the shell. */
  readonly text: string;
  /** The word as it was typed. */
  readonly raw: string;
  /** Index in `raw` of each UTF-16 unit of `text` and of its end, and the quotes around it. */
  readonly positions: readonly Position[];
}

interface Position {
  readonly index: number;
  readonly quote: Quote;
}

interface TypedLine {
  /** Values of the words before the cursor, without the command and its begun word. */
  readonly words: readonly string[];
  readonly begun: BegunWord;
}

const SPACES = /\s/;
/** A new command begins behind them. */
const OPERATORS = /[|&;()]/;
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;
/** Characters that a backslash escapes, by the quotes around it. Double quotes follow POSIX 2.2.3, single quotes follow fish. */
const ESCAPED: Readonly<Record<Quote, RegExp>> = { '': /[\s\S]/, "'": /['\\]/, '"': /["\\$`]/ };

/** Reads a command line character by character. */
class LineReader {
  readonly words: string[] = [];
  text = '';
  start = 0;
  quote: Quote = '';
  isBegun = false;
  positions: Position[] = [];

  add(character: string, index: number): void {
    this.positions.push({ index: index - this.start, quote: this.quote });
    this.text += character;
    this.isBegun = true;
  }

  /** Ends the word, if there is one. */
  end(next: number): void {
    const isAssignment = this.words.length === 0 && ASSIGNMENT.test(this.text);
    if (this.isBegun && !isAssignment) this.words.push(this.text);
    this.text = '';
    this.positions = [];
    this.isBegun = false;
    this.start = next;
  }

  /** Takes a character that no backslash precedes. */
  take(character: string, index: number): void {
    if (character === this.quote) {
      this.quote = '';
    } else if (this.quote === '' && (character === "'" || character === '"')) {
      this.quote = character;
      this.isBegun = true;
    } else if (this.quote === '' && (SPACES.test(character) || OPERATORS.test(character))) {
      this.end(index + 1);
      if (OPERATORS.test(character)) this.words.length = 0;
    } else {
      this.add(character, index);
    }
  }
}

/** Splits the line up to the cursor as the shell does. Only the last command of a pipeline or list is kept. */
export function splitShellLine(line: string, shell: ShellName): TypedLine {
  const reader = new LineReader();
  for (let index = 0; index < line.length; index += 1) {
    const [character, next] = [line.charAt(index), line.charAt(index + 1)];
    const hasBackslashes = reader.quote !== "'" || shell === 'fish';
    if (character === '\\' && hasBackslashes && ESCAPED[reader.quote].test(next)) {
      if (next !== '\n') reader.add(next, index);
      index += 1;
    } else {
      reader.take(character, index);
    }
  }
  const raw = line.slice(reader.start);
  const positions = [...reader.positions, { index: raw.length, quote: reader.quote }];
  return { words: reader.words.slice(1), begun: { text: reader.text, raw, positions } };
}

const PLAIN = /^[\w./:=@%+,\u0080-\uffff-]$/;

function escapeFor(text: string, quote: Quote): string {
  if (quote === "'") return text.replaceAll("'", "'\\''");
  if (quote === '"') return text.replaceAll(/["\\$`]/g, '\\$&');
  return [...text]
    .map((character) => (PLAIN.test(character) || character.length > 1 ? character : `\\${character}`))
    .join('');
}

/**
 * Returns a word as bash and zsh read it, with what was typed of it as it was typed. Its quotes are left open.
 * @param word - value of the word, which need not begin with what was typed
 */
export function writeShellWord({ text, raw, positions }: BegunWord, word: string): string {
  let same = 0;
  while (same < text.length && text[same] === word[same]) same += 1;
  const { index, quote } = positions[same] ?? { index: 0, quote: '' };
  return `${raw.slice(0, index)}${escapeFor(word.slice(same), quote)}`;
}
