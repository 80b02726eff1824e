import type { FactType } from '@sluice/contract';
import { isFoundAsPart, isUnspaced, type LexemeKind, markOf } from './search-words.ts';

/** Word with its possible replacements; the first is the word of the query. A replacement may be several words, separated by spaces. */
export type Choice = readonly string[];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

/** Words of a search and its text as the key of a name. */
export interface SearchTerms {
  readonly tenantId: string;
  readonly type: FactType;
  readonly choices: readonly Choice[];
  readonly nameKey: string;
}

const quoted = (lexeme: string): string => `'${lexeme.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;

const anyOf = (queries: readonly string[]): string => {
  const distinct = [...new Set(queries)];
  return distinct.length === 1 ? (distinct[0] ?? '') : `(${distinct.join(' | ')})`;
};

/** A query of more words ranks by whole words only: for each word, an index would have to gather every posting of a prefix. */
const PREFIX_WORDS_MAX = 8;

/** Writes queries for one search in the language of tsquery. */
class TermWriter {
  readonly #terms: SearchTerms;
  readonly #isLong: boolean;

  constructor(terms: SearchTerms) {
    this.#terms = terms;
    this.#isLong = terms.choices.length > PREFIX_WORDS_MAX;
  }

  lexeme(kind: LexemeKind, text: string, isPrefix: boolean): string {
    const { tenantId, type } = this.#terms;
    return `${quoted(markOf(tenantId, type, kind) + text)}${isPrefix ? ':*' : ''}`;
  }

  /** All words, each as `one` writes a word of a choice. */
  all(one: (word: string, isLast: boolean) => string, choices = this.#terms.choices): string {
    const last = this.#terms.choices.length - 1;
    return choices
      .map((choice, index) =>
        anyOf(
          choice.map((phrase) =>
            phrase
              .split(' ')
              .map((word) => one(word, index === last))
              .join(' & '),
          ),
        ),
      )
      .join(' & ');
  }

  whole(kind: LexemeKind, word: string): string {
    return this.lexeme(kind, word, isUnspaced(word));
  }

  /** A word of a name or a part of one. */
  inName(word: string): string {
    if (this.#isLong) return this.whole('title', word);
    return isFoundAsPart(word) ? this.lexeme('part', word, true) : this.lexeme('title', word, true);
  }

  inSummary(word: string): string {
    if (this.#isLong) return this.whole('summary', word);
    return anyOf([this.lexeme('summary', word, true), this.inName(word)]);
  }

  /**
   * A whole word anywhere or, unless the query is long, a part of a name: the end of a word, or with `isPrefix` any part. An index skips most
   * postings of a whole lexeme when another word is rare, but gathers all of a prefix.
   */
  anywhere(word: string, isPrefix: boolean): string {
    const found = this.lexeme('all', word, isPrefix || isUnspaced(word));
    return this.#isLong || !isFoundAsPart(word) ? found : anyOf([found, this.lexeme('part', word, isPrefix)]);
  }
}

/**
 * Returns six queries in the language of tsquery, each containing the previous one: the text is a name, or a name with its schema; a name begins
 * with the text; all words in the title; all as parts of words in the title; all as prefixes in title or summary; all anywhere.
 *
 * Only the last word of the query may be a prefix for an entry to be found, unless it is a part of a name. The tier of an entry does not depend on
 * the order of the words: in the fourth and fifth, every word may be a prefix, and all but the last are also searched as in the last tier.
 */
export function tiersOf(terms: SearchTerms): string[] {
  const writer = new TermWriter(terms);
  const { choices, nameKey } = terms;
  const [only = []] = choices;
  const names = choices.length === 1 ? [nameKey, ...only.slice(1).filter((word) => !word.includes(' '))] : [nameKey];
  const asName = (isPrefix: boolean): string =>
    anyOf(
      names.flatMap((name) => [
        writer.lexeme('name', name, isPrefix),
        ...(name.includes('.') ? [writer.lexeme('path', name, isPrefix)] : []),
      ]),
    );
  const driver = driverOf(terms);
  const driven = (query: string): string => (driver === null ? query : `(${query} & ${driver})`);
  const begins = asName(true);
  return [
    asName(false),
    begins,
    anyOf([begins, `(${writer.all((word) => writer.whole('title', word))})`]),
    anyOf([begins, driven(writer.all((word) => writer.inName(word)))]),
    anyOf([begins, driven(writer.all((word) => writer.inSummary(word)))]),
    writer.all((word, isLast) => writer.anywhere(word, isLast)),
  ];
}

/** Returns the last of the tiers for all words but the last, which may only be a prefix; null when there is no other word. */
export function driverOf(terms: SearchTerms): string | null {
  if (terms.choices.length < 2) return null;
  const writer = new TermWriter(terms);
  return writer.all((word) => writer.anywhere(word, false), terms.choices.slice(0, -1));
}

/** Returns every string that is one typo away from this word: a letter too many or too few, another letter, two letters swapped. */
export function editsOf(word: string): string[] {
  const letters = [...word];
  const edits = new Set<string>();
  const used = [...new Set([...LETTERS, ...letters])];
  for (let at = 0; at <= letters.length; at += 1) {
    const [before, after] = [letters.slice(0, at).join(''), letters.slice(at)];
    for (const letter of used) edits.add(before + letter + after.join(''));
    if (at === letters.length) break;
    edits.add(before + after.slice(1).join(''));
    for (const letter of used) edits.add(before + letter + after.slice(1).join(''));
    if (after[1] !== undefined) edits.add(before + after[1] + after[0] + after.slice(2).join(''));
  }
  edits.delete(word);
  edits.delete('');
  return [...edits];
}
