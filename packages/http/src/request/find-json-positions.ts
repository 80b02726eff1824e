import { endOfString, keyAt } from './json-string.ts';

/** Part of a wanted path. */
interface Wanted {
  /** Index of the key or element in the text. Undefined: the text has none. */
  index: number | undefined;
  readonly members: Map<PropertyKey, Wanted>;
}

/** Object or array around the current position of the scan. */
interface Level {
  readonly isObject: boolean;
  /** Undefined: no wanted path leads here. */
  readonly wanted: Wanted | undefined;
  /** Position of the current element. */
  element: number;
  /** Wanted part of the current member. */
  member: Wanted | undefined;
}

const SPACES = new Set([0x20, 0x0a, 0x0d, 0x09]);
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;

const newWanted = (): Wanted => ({ index: undefined, members: new Map() });

/** Returns the wanted paths as a tree, so that the text is read once for all of them. */
function treeOf(paths: readonly (readonly PropertyKey[])[]): Wanted {
  const root = newWanted();
  for (const path of paths) {
    let at = root;
    for (const key of path) {
      const next = at.members.get(key) ?? newWanted();
      at.members.set(key, next);
      at = next;
    }
  }
  return root;
}

/** Moves a level to the member at an index of the text. A repeated key counts where it is last. */
function enter(level: Level, key: PropertyKey, index: number): void {
  level.member = level.wanted?.members.get(key);
  if (level.member !== undefined) level.member.index = index;
}

/** Notes the index of every wanted key and element. `text` must be valid JSON. */
function scan(text: string, root: Wanted): void {
  const open: Level[] = [];
  let level: Level | undefined;
  let isKey = false;
  let isFirst = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (SPACES.has(code)) continue;
    const opens = code === OPENING_BRACE || code === OPENING_BRACKET;
    const closes = code === CLOSING_BRACE || code === CLOSING_BRACKET;
    if (isFirst && level?.isObject === false && !closes) enter(level, level.element, index);
    isFirst = false;
    if (opens) {
      const isObject = code === OPENING_BRACE;
      level = { isObject, wanted: level === undefined ? root : level.member, element: 0, member: undefined };
      open.push(level);
      isKey = isObject;
      isFirst = true;
    } else if (closes) {
      open.pop();
      level = open.at(-1);
      isKey = false;
    } else if (code === COLON) isKey = false;
    else if (code === COMMA && level !== undefined) {
      isKey = level.isObject;
      if (!level.isObject) level.element += 1;
      isFirst = true;
    } else if (code === QUOTE) {
      const end = endOfString(text, index);
      if (isKey && level !== undefined) enter(level, keyAt(text, index, end), index);
      index = end;
    }
  }
}

/**
 * Returns for each path the index of its key or element in a JSON text, or of the nearest one around it. `text` must be valid JSON. Runs in
 * linear time.
 */
export function findJsonPositions(text: string, paths: readonly (readonly PropertyKey[])[]): readonly number[] {
  const root = treeOf(paths);
  scan(text, root);
  return paths.map((path) => {
    let found = 0;
    let at: Wanted | undefined = root;
    for (const key of path) {
      at = at?.members.get(key);
      if (at?.index === undefined) break;
      found = at.index;
    }
    return found;
  });
}
