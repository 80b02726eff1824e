import { sqlName } from '@sluice/contract/sql';
import type { CatalogName } from '../name-index.ts';

/** A name with what the tree computes once for each of 50,000. */
export interface TreeName extends CatalogName {
  readonly key: string;
  /** Key of the level that the name is in. */
  readonly levelKey: string;
  readonly lowerCase: string;
}

/** Names below a path, as far as they are loaded. */
export interface Level {
  readonly names: readonly TreeName[];
  /** Token of the next page. Undefined: all names are loaded, or none. */
  readonly next: string | undefined;
  readonly isLoading: boolean;
  /** Reason that the last page was not loaded; null: there is none. */
  readonly error: unknown;
}

export type Levels = ReadonlyMap<string, Level>;

/** A line of the tree: a name, or a note about the level below a path. `depth` counts from 1. */
export type TreeRow = NameRow | NoteRow;

export interface NameRow {
  readonly kind: 'name';
  readonly key: string;
  readonly depth: number;
  readonly name: TreeName;
  /** Position among its siblings, from 1. */
  readonly position: number;
  /** Number of its siblings; -1: not known yet. */
  readonly size: number;
  /** Undefined: there is nothing below it. */
  readonly isOpen: boolean | undefined;
}

/** `pending`: more names are to be loaded. `failed`: they could not be loaded. `empty`: there are none. */
export interface NoteRow {
  readonly kind: 'pending' | 'failed' | 'empty';
  readonly key: string;
  readonly depth: number;
  readonly path: readonly string[];
  readonly error: unknown;
}

const KINDS = ['catalog', 'schema', 'table'] as const;
const TABLE_DEPTH = 3;
const UNKNOWN_SIZE = -1;

export const keyOf = (path: readonly string[]): string => JSON.stringify(path);
export const pathOf = ({ path, name }: CatalogName): readonly string[] => [...path, name];

export const toTreeName = (name: CatalogName): TreeName => ({
  ...name,
  key: keyOf(pathOf(name)),
  levelKey: keyOf(name.path),
  lowerCase: name.name.toLowerCase(),
});

/** Returns the name as completion writes it: a column alone, and others with all that they are in. */
export const sqlOf = (name: CatalogName): string =>
  name.kind === 'column' ? sqlName(name.name) : pathOf(name).map(sqlName).join('.');

type IsOpen = (key: string) => boolean;

/** Returns the rows of all open levels. */
export function treeRows(levels: Levels, isOpen: IsOpen): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  addLevel(rows, levels, isOpen, [], 1);
  return rows;
}

function addLevel(rows: TreeRow[], levels: Levels, isOpen: IsOpen, path: readonly string[], depth: number): void {
  const key = keyOf(path);
  const level = levels.get(key);
  const names = level?.names ?? [];
  const size = level?.next === undefined ? names.length : UNKNOWN_SIZE;
  for (const [index, name] of names.entries()) {
    const isNameOpen = name.kind === 'column' ? undefined : isOpen(name.key);
    rows.push({ kind: 'name', key: name.key, depth, name, position: index + 1, size, isOpen: isNameOpen });
    if (isNameOpen === true) addLevel(rows, levels, isOpen, pathOf(name), depth + 1);
  }
  const kind = noteOf(level);
  // Another key after each page: the row that had the place of the note is then the first new name.
  if (kind !== undefined) rows.push({ kind, key: `${key} ${names.length}`, depth, path, error: level?.error });
}

function noteOf(level: Level | undefined): NoteRow['kind'] | undefined {
  if (level === undefined || level.isLoading) return 'pending';
  if (level.error !== null) return 'failed';
  if (level.next !== undefined) return 'pending';
  return level.names.length === 0 ? 'empty' : undefined;
}

interface FilterInput {
  readonly levels: Levels;
  /** Text in lower case. */
  readonly text: string;
  /** Tables and views that the host has found by the text. */
  readonly found: readonly TreeName[];
  /** Keys of the names that the user has opened or closed since the text was typed. */
  readonly toggled: ReadonlySet<string>;
}

/** Returns the rows of the loaded names that contain a text and of those that the host has found, below what they are in. */
export function filteredRows({ levels, text, found, toggled }: FilterInput): readonly TreeRow[] {
  const shown = matchesByLevel({ levels, text, found });
  const rows: TreeRow[] = [];
  const addMatches = (levelKey: string, depth: number): void => {
    const names = shown.get(levelKey) ?? [];
    // Tables and columns are in the order of their level, or as relevant as the host says.
    if (depth < TABLE_DEPTH) names.sort((a, b) => (a.lowerCase < b.lowerCase ? -1 : 1));
    for (const [index, name] of names.entries()) {
      const hasMatches = shown.has(name.key);
      const isOpen = name.kind === 'column' ? undefined : hasMatches !== toggled.has(name.key);
      rows.push({ kind: 'name', key: name.key, depth, name, position: index + 1, size: names.length, isOpen });
      if (isOpen !== true) continue;
      if (hasMatches) addMatches(name.key, depth + 1);
      else addLevel(rows, levels, (key) => toggled.has(key), pathOf(name), depth + 1);
    }
  };
  addMatches(keyOf([]), 1);
  return rows;
}

/** Returns the matches of each level, and the tables, schemas and catalogs that they are in. */
function matchesByLevel({ levels, text, found }: Omit<FilterInput, 'toggled'>): ReadonlyMap<string, TreeName[]> {
  const shown = new Map<string, TreeName[]>();
  const others = new Map(found.map((name) => [name.key, name]));
  for (const [key, { names }] of levels) {
    const matches = names.filter(({ lowerCase }) => lowerCase.includes(text));
    if (matches.length > 0) shown.set(key, matches);
    if (others.size > 0) for (const name of matches) others.delete(name.key);
  }
  const add = (name: TreeName): void => {
    const siblings = shown.get(name.levelKey);
    if (siblings === undefined) shown.set(name.levelKey, [name]);
    else if (!siblings.some(({ key }) => key === name.key)) siblings.push(name);
  };
  for (const name of others.values()) add(name);
  for (const path of [...shown.values()].map(([first]) => first?.path ?? []))
    for (let depth = path.length; depth > 0; depth -= 1) add(parentOf(path.slice(0, depth), levels, found));
  return shown;
}

/** Returns the name of a path. Its level may not be loaded, if the host has found what is below it. */
function parentOf(path: readonly string[], levels: Levels, found: readonly TreeName[]): TreeName {
  const key = keyOf(path);
  const isSame = (name: TreeName): boolean => name.key === key;
  const known = levels.get(keyOf(path.slice(0, -1)))?.names.find(isSame) ?? found.find(isSame);
  const kind = KINDS[path.length - 1] ?? 'table';
  return (
    known ?? toTreeName({ name: path.at(-1) ?? '', kind, detail: null, description: null, path: path.slice(0, -1) })
  );
}

/**
 * Returns what a key does in the tree pattern of ARIA: the row to go to, or whether the row opens or closes. Undefined: nothing.
 * @param page - rows that a page key moves by
 */
export function treeStep(
  key: string,
  rows: readonly TreeRow[],
  index: number,
  page: number,
): number | 'open' | 'close' | undefined {
  const row = rows[index];
  const isOpen = row?.kind === 'name' ? row.isOpen : undefined;
  const last = rows.length - 1;
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page };
  const step = steps[key];
  if (step !== undefined) return Math.min(Math.max(index + step, 0), last);
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  if (key === 'ArrowRight') return isOpen === false ? 'open' : isOpen === true ? Math.min(index + 1, last) : undefined;
  if (key !== 'ArrowLeft') return undefined;
  if (isOpen === true) return 'close';
  const parent = rows.slice(0, index).findLastIndex(({ depth }) => depth < (row?.depth ?? 0));
  return parent === -1 ? undefined : parent;
}

/** Returns the next row whose name begins with what was typed. The first character looks behind the row, further ones at it too. */
export function typeAhead(rows: readonly TreeRow[], index: number, typed: string): number | undefined {
  const text = typed.toLowerCase();
  const start = typed.length === 1 ? index + 1 : index;
  for (let step = 0; step < rows.length; step += 1) {
    const at = (start + step) % rows.length;
    const row = rows[at];
    if (row?.kind === 'name' && row.name.lowerCase.startsWith(text)) return at;
  }
  return undefined;
}
