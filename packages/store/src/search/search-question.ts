import type { FactType } from '@sluice/contract';
import { markOf, type Tier } from './search-words.ts';

/** A word with what may stand in its place; the first is the word as it was asked. */
export type Choice = readonly string[];

const LETTERS = [...'abcdefghijklmnopqrstuvwxyz0123456789'];

const quoted = (mark: string, word: string, isPrefix: boolean): string => `'${mark}${word}'${isPrefix ? ':*' : ''}`;

/**
 * Four queries in the language of tsquery, each containing the one before: all words in the title, the last one also as a
 * prefix, all in title or summary, all anywhere. Words are letters and digits alone, so they need no escaping.
 */
export function tiersOf(tenantId: string, type: FactType, choices: readonly Choice[]): string[] {
  const query = (tier: Tier, isExact: boolean): string =>
    choices
      .map((choice, index) => {
        const isPrefix = !isExact && index === choices.length - 1;
        return `(${choice.map((word) => quoted(markOf(tenantId, type, tier), word, isPrefix)).join(' | ')})`;
      })
      .join(' & ');
  return [query('title', true), query('title', false), query('summary', false), query('all', false)];
}

/** All words but the last, which may only be begun; null where that leaves none. */
export const driverOf = (tenantId: string, type: FactType, choices: readonly Choice[]): string | null =>
  choices.length < 2
    ? null
    : choices
        .slice(0, -1)
        .map((choice) => `(${choice.map((word) => quoted(markOf(tenantId, type, 'all'), word, false)).join(' | ')})`)
        .join(' & ');

/** Every text that one slip away from this word is: a letter too many or too few, another letter, two letters swapped. */
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
