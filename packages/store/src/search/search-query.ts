import type { FactType } from '@sluice/contract';
import { markOf, type Tier } from './search-words.ts';

/** Word with its possible replacements; the first is the word of the query. */
export type Choice = readonly string[];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

interface TermOptions {
  readonly tenantId: string;
  readonly type: FactType;
  readonly tier: Tier;
  /** Returns true for the index of a word that also matches as a prefix. */
  readonly isPrefix: (index: number) => boolean;
}

const allOf = (choices: readonly Choice[], { tenantId, type, tier, isPrefix }: TermOptions): string => {
  const mark = markOf(tenantId, type, tier);
  return choices
    .map((choice, index) => `(${choice.map((word) => `'${mark}${word}'${isPrefix(index) ? ':*' : ''}`).join(' | ')})`)
    .join(' & ');
};

/** A query of more words ranks by whole words only: for each word, an index would have to gather every posting of a prefix. */
const PREFIX_WORDS_MAX = 8;

/**
 * Returns four queries in the language of tsquery, each containing the previous one: all words in the title, all as prefixes in the title,
 * all as prefixes in title or summary, all anywhere. Words contain only letters and digits, so they need no escaping.
 *
 * Only the last word of the query may be a prefix for an entry to be found. The tier of an entry does not depend on the order of the words:
 * in the second and third, every word may be a prefix, and all but the last are also searched as whole words.
 */
export function tiersOf(tenantId: string, type: FactType, choices: readonly Choice[]): string[] {
  const whole = driverOf(tenantId, type, choices);
  const asPrefixes = (tier: Tier): string =>
    [allOf(choices, { tenantId, type, tier, isPrefix: () => choices.length <= PREFIX_WORDS_MAX }), whole]
      .filter((part) => part !== null)
      .join(' & ');
  return [
    allOf(choices, { tenantId, type, tier: 'title', isPrefix: () => false }),
    asPrefixes('title'),
    asPrefixes('summary'),
    allOf(choices, { tenantId, type, tier: 'all', isPrefix: (index) => index === choices.length - 1 }),
  ];
}

/** Returns a query for all words but the last, which may only be a prefix; null when there is no other word. */
export const driverOf = (tenantId: string, type: FactType, choices: readonly Choice[]): string | null =>
  choices.length < 2 ? null : allOf(choices.slice(0, -1), { tenantId, type, tier: 'all', isPrefix: () => false });

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
