/** Words that people type for a command, in any group: `ls` for the list of it, and so on. */
const OTHER_LAST_WORDS: Readonly<Record<string, string>> = {
  list: 'ls dir all',
  show: 'describe desc get info view cat',
  search: 'find grep',
  remove: 'rm delete drop',
  create: 'add new',
};

/** Words that people type for a command, and what to type instead. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  'catalog list': 'tables table views schemas databases catalogs ls dir list',
  'catalog show': 'describe desc columns schema show',
  query: 'select with run exec execute',
  sql: 'shell repl psql console connect',
  download: 'save get fetch',
  search: 'find grep',
  history: 'queries',
  'result list': 'results kept',
  'market list': 'items marketplace',
  'datamap list': 'datamaps',
  'audit search': 'audits log logs',
  'profile list': 'profiles config',
  'tenant list': 'tenants',
  login: 'auth signin',
  logout: 'signout',
  whoami: 'me account analyst admin steward auditor',
  doctor: 'status ping health check',
  'api GET /admin/users': 'users user accounts',
  'api GET /admin/roles': 'roles role',
  '--version': 'version',
};

/** Largest share of the letters of a word that may be wrong. */
const WRONG_SHARE = 1 / 3;
/** A longer word is not a typing error. */
const WORD_CHARACTERS_MAX = 20;

/** Returns the least number of letters to insert, delete, replace or swap with the next one (optimal string alignment). */
function distance(one: string, other: string): number {
  let twoAbove: readonly number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const at = (cells: readonly number[], index: number): number => cells[index] ?? Number.POSITIVE_INFINITY;
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      current.push(
        Math.min(
          at(above, column) + 1,
          at(current, column - 1) + 1,
          at(above, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(twoAbove, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    [twoAbove, above] = [above, current];
  }
  return above.at(-1) ?? 0;
}

/** Words, and the command that each one means. */
type Meanings = readonly (readonly [word: string, command: string])[];

const listMeanings = (table: Readonly<Record<string, string>>): Meanings =>
  Object.entries(table).flatMap(([command, words]) => words.split(' ').map((word) => [word, command] as const));

/** Returns the commands whose words are nearest to what was typed, or none if all are far from it. */
function nearest(typed: string, meanings: Meanings): readonly string[] {
  const measured = meanings.map(([word, command]) => ({ command, far: distance(typed, word), length: word.length }));
  const near = measured.filter(({ far, length }) => far <= Math.max(typed.length, length) * WRONG_SHARE);
  const least = Math.min(...near.map(({ far }) => far));
  return [...new Set(near.filter(({ far }) => far === least).map(({ command }) => command))];
}

/**
 * Returns what may have been meant by a word that is not a command: commands with a typing error, or with another name.
 * @param group - the words before it, such as `catalog`; empty for the first word
 * @param names - names of all commands
 */
export function suggestCommands(group: string, word: string, names: readonly string[]): readonly string[] {
  // A statement may be typed without `query`.
  const typed = (word.split(/\s/, 1)[0] ?? '').toLowerCase();
  if (typed === '' || typed.length > WORD_CHARACTERS_MAX) return [];
  const below = names.filter((name) => name.startsWith(`${group} `)).map((name) => [lastWord(name), name] as const);
  const inGroup = nearest(typed, [
    ...below,
    ...listMeanings(OTHER_LAST_WORDS).flatMap(([other, last]) =>
      below.filter(([own]) => own === last).map(([, name]) => [other, name] as const),
    ),
  ]);
  if (inGroup.length > 0) return inGroup;
  const firstWords = [...new Set(names.map((name) => name.split(' ', 1)[0] ?? ''))];
  const first = nearest(typed, [...firstWords.map((name) => [name, name] as const), ...listMeanings(OTHER_WORDS)]);
  if (first.length > 0) return first;
  return nearest(
    typed,
    names.map((name) => [lastWord(name), name]),
  );
}

const lastWord = (name: string): string => name.slice(name.lastIndexOf(' ') + 1);
