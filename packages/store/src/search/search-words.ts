import { type FactType, foldCase } from '@sluice/contract';

/** Longer words are truncated, in entries and in queries alike. */
const WORD_CHARACTERS_MAX = 60;
/** Limit per entry. SQL of 256 KiB may have tens of thousands of words, and the first ones show its subject. */
const WORDS_MAX = 2000;

/** Unicode's Stream-Safe Text (UAX 15) has at most 30 marks on a letter. Ordering thousands of them takes quadratic time. */
const LONG_RUN_OF_MARKS = /(\p{M}{30})\p{M}+/gu;

/** Words of an entry: all, those of title and summary, those of the title. */
export type Tier = 'all' | 'summary' | 'title';

const TIER_MARKS: Readonly<Record<Tier, string>> = { all: '0', summary: '2', title: '1' };

/**
 * Returns the words of a string: runs of letters and digits, with case folded and accents removed. Case comes first, because the iota
 * subscript is an accent and folds to a letter. PostgreSQL's own parser reads `demo.vega.flights` as one host name, and depends on
 * the server's locale.
 */
export function wordsOf(text: string): string[] {
  const folded = foldCase(text.replace(LONG_RUN_OF_MARKS, '$1').normalize('NFKD')).replace(/\p{M}/gu, '');
  const found = folded.match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(found.map((word) => [...word].slice(0, WORD_CHARACTERS_MAX).join('')))];
}

/** Returns the prefix of every lexeme of a tenant and type: a GIN index has no leading column, so the words begin with it. */
export const markOf = (tenantId: string, type: FactType, tier: Tier): string =>
  Buffer.from(tenantId.replaceAll('-', '').slice(0, 6), 'hex').toString('base64url') + type[0] + TIER_MARKS[tier];

interface EntryTexts {
  readonly title: string;
  readonly summary: string;
  readonly rest: string;
}

/** Returns the lexemes of an entry: each word for its own tier and for every wider one. */
export function lexemesOf(tenantId: string, type: FactType, texts: EntryTexts): { lexemes: string[]; words: string[] } {
  const title = wordsOf(texts.title);
  const summary = [...new Set([...title, ...wordsOf(texts.summary)])].slice(0, WORDS_MAX);
  const words = [...new Set([...summary, ...wordsOf(texts.rest)])].slice(0, WORDS_MAX);
  const marked = (tier: Tier, of: readonly string[]) => of.map((word) => markOf(tenantId, type, tier) + word);
  return { lexemes: [...marked('title', title), ...marked('summary', summary), ...marked('all', words)], words };
}
