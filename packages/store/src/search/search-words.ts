import { type FactType, foldCase } from '@sluice/contract';

/** Longer words are truncated, in entries and in queries alike. */
const WORD_CHARACTERS_MAX = 60;
/** Characters that are compared of a word in a script without spaces, where a word may be a whole sentence. */
const RUN_CHARACTERS_MAX = 20;
/** Limit per entry. SQL of 256 KiB may have tens of thousands of words, and the first ones show its subject. */
const WORDS_MAX = 2000;
/** A random key has many changes between letters and digits. */
const PARTS_MAX = 8;
/** Shorter parts of names are found as whole words only. */
const PART_CHARACTERS_MIN = 3;
/** Equals the maximum of a name. */
const NAME_CHARACTERS_MAX = 255;

/** Unicode's Stream-Safe Text (UAX 15) has at most 30 marks on a letter. Ordering thousands of them takes quadratic time. */
const LONG_RUN_OF_MARKS = /(\p{M}{30})\p{M}+/gu;

const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const UNSPACED = `[${SCRIPTS.map((script) => `\\p{scx=${script}}`).join('')}]`;
const LETTER = '[\\p{L}\\p{N}\\p{M}]';
/** Runs of letters and digits of one kind: of scripts with spaces between words, or without. */
const TOKEN = new RegExp(`(?:(?!${UNSPACED})${LETTER})+|(?:(?=${UNSPACED})${LETTER})+`, 'gu');
const IS_UNSPACED = new RegExp(UNSPACED, 'u');

/** Letters of decomposed text, each with its marks. */
const letter = (category: string): string => `${category}\\p{M}*`;
/** Changes inside a name: `salesRegion`, `HTTPServer`, `GA4`, `4Sessions`. */
const BOUNDARY = new RegExp(
  [
    `(?<=${letter('[\\p{Ll}\\p{N}]')})(?=\\p{Lu})`,
    `(?<=${letter('\\p{Lu}')})(?=${letter('\\p{Lu}')}\\p{Ll})`,
    `(?<=${letter('\\p{L}')})(?=\\p{N})`,
    `(?<=\\p{N})(?=\\p{L})`,
  ].join('|'),
  'gu',
);
const HAS_BOUNDARY = /\p{Lu}|\p{N}/u;

/**
 * Kinds of lexemes. Words: all, those of title and summary, those of the title. `part`: each end of a word of the title, so that a prefix of it is
 * any part of the word. `name`: a whole name. `path`: a whole name with its schema.
 */
export type LexemeKind = 'all' | 'summary' | 'title' | 'part' | 'name' | 'path';

const KIND_MARKS: Readonly<Record<LexemeKind, string>> = {
  all: '0',
  summary: '2',
  title: '1',
  part: '3',
  name: '4',
  path: '5',
};

const decompose = (text: string): string => text.replace(LONG_RUN_OF_MARKS, '$1').normalize('NFKD');
/** Case comes first, because the iota subscript is an accent and folds to a letter. */
const fold = (decomposed: string): string => foldCase(decomposed).replace(/\p{M}/gu, '');
const cut = (text: string, charactersMax: number): string =>
  text.length <= charactersMax ? text : [...text].slice(0, charactersMax).join('');

/** Word of a text. */
interface Token {
  /** Decomposed, as it is written. */
  readonly run: string;
  readonly word: string;
  /** Words inside it, such as `sales` and `region` in `SalesRegion`. */
  readonly inner: readonly string[];
  /** Ends of the word that begin at a change, such as `2k` in `flights2k`. */
  readonly tails: readonly string[];
}

const foldWord = (decomposed: string): string => {
  const folded = fold(decomposed);
  return cut(folded, isUnspaced(folded) ? RUN_CHARACTERS_MAX : WORD_CHARACTERS_MAX);
};

/** Returns the parts between changes of case, letters and digits; none for a word without a change. */
const innerParts = (token: string): string[] => {
  if (!HAS_BOUNDARY.test(token)) return [];
  const parts = token.split(BOUNDARY);
  return parts.length < 2 || parts.length > PARTS_MAX ? [] : parts;
};

function* tokensOf(text: string): Generator<Token> {
  for (const [run] of decompose(text).matchAll(TOKEN)) {
    const word = foldWord(run);
    if (word === '') continue;
    const parts = innerParts(run);
    const inner = parts.map(foldWord).filter((part) => part.length > 1);
    yield { run, word, inner, tails: parts.slice(1).map((_, at) => foldWord(parts.slice(at + 1).join(''))) };
  }
}

/**
 * Returns the words of a string: runs of letters and digits, with case folded and accents removed. PostgreSQL's own parser reads
 * `demo.vega.flights` as one host name, and depends on the server's locale.
 */
export const wordsOf = (text: string): string[] => [...new Set([...tokensOf(text)].map(({ word }) => word))];

/** Returns the words of a query, each with the words inside it, which together find the same. */
export function queryWordsOf(text: string): Pick<Token, 'word' | 'inner'>[] {
  const words = new Map<string, Pick<Token, 'word' | 'inner'>>();
  for (const { word, inner } of tokensOf(text)) if (!words.has(word)) words.set(word, { word, inner });
  return [...words.values()];
}

/** Returns the key of a name: two names with one key differ only in case, accents, quotes and white space. */
export const nameKeyOf = (name: string): string =>
  cut(fold(decompose(name)).replaceAll('"', '').replace(/\s+/gu, ' ').trim(), NAME_CHARACTERS_MAX);

/** Returns whether each end of an entry's word is a word of its own, so that any part of it is a prefix of one. */
export const isUnspaced = (word: string): boolean => IS_UNSPACED.test(word);

/** Returns whether a word is also found as a part of a word of a name. */
export const isFoundAsPart = (word: string): boolean => word.length >= PART_CHARACTERS_MIN && !isUnspaced(word);

/** Returns the prefix of every lexeme of a tenant and type: a GIN index has no leading column, so the words begin with it. */
export const markOf = (tenantId: string, type: FactType, kind: LexemeKind): string =>
  Buffer.from(tenantId.replaceAll('-', '').slice(0, 6), 'hex').toString('base64url') + type[0] + KIND_MARKS[kind];

interface EntryTexts {
  readonly title: string;
  readonly summary: string;
  readonly rest: string;
  readonly names: readonly string[];
  /** Names with their schema, and with catalog and schema. */
  readonly paths: readonly string[];
}

/** Words of a text for the vocabulary, and the ends of words in scripts without spaces. */
interface TextWords {
  readonly words: readonly string[];
  readonly ends: readonly string[];
}

/** Returns the ends of a word that have at least this many characters, each cut. */
const endsOf = (word: string, charactersMin: number, charactersMax: number): string[] => {
  const letters = [...word].slice(0, WORDS_MAX);
  const starts = Math.max(0, letters.length - charactersMin + 1);
  return letters.slice(0, starts).map((_, at) => letters.slice(at, at + charactersMax).join(''));
};

function wordsInside(text: string): TextWords {
  const words = new Set<string>();
  const ends = new Set<string>();
  for (const { run, word, inner, tails } of tokensOf(text)) {
    for (const each of [word, ...inner, ...tails]) words.add(each);
    if (isUnspaced(word)) for (const end of endsOf(fold(run), 1, RUN_CHARACTERS_MAX)) ends.add(end);
    if (words.size + ends.size > WORDS_MAX) break;
  }
  return { words: [...words], ends: [...ends] };
}

const unionOf = (...lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())].slice(0, WORDS_MAX);

/** Returns the lexemes of an entry: each word for its own tier and for every wider one. `words` are those of the vocabulary. */
export function lexemesOf(tenantId: string, type: FactType, texts: EntryTexts): { lexemes: string[]; words: string[] } {
  const [title, summary, rest] = [wordsInside(texts.title), wordsInside(texts.summary), wordsInside(texts.rest)];
  const ofTitle = unionOf(title.words, title.ends);
  const ofSummary = unionOf(ofTitle, summary.words, summary.ends);
  const all = unionOf(ofSummary, rest.words, rest.ends);
  const parts = title.words
    .filter((word) => !isUnspaced(word))
    .flatMap((word) => endsOf(word, PART_CHARACTERS_MIN, WORD_CHARACTERS_MAX));
  const marked = (kind: LexemeKind, words: readonly string[]) => {
    const mark = markOf(tenantId, type, kind);
    return words.map((word) => mark + word);
  };
  return {
    lexemes: [
      ...marked('title', ofTitle),
      ...marked('summary', ofSummary),
      ...marked('all', all),
      ...marked('part', unionOf(parts)),
      ...marked('name', unionOf(texts.names.map(nameKeyOf))),
      ...marked('path', unionOf(texts.paths.map(nameKeyOf))),
    ],
    words: unionOf(title.words, summary.words, rest.words),
  };
}
