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
const OPENING = new Set([OPENING_BRACE, 0x5b]);
const CLOSING = new Set([0x7d, 0x5d]);
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

/** One reading of a JSON text, which notes the index of every wanted key and element. */
class PositionScan {
  readonly #text: string;
  readonly #root: Wanted;
  readonly #open: Level[] = [];
  /** Whether the next string is a key. */
  #isKey = false;
  /** Whether the next token begins an element of an array. */
  #isElement = false;

  constructor(text: string, root: Wanted) {
    this.#text = text;
    this.#root = root;
  }

  run(): void {
    let index = 0;
    while (index < this.#text.length) index = this.#read(index);
  }

  get #level(): Level | undefined {
    return this.#open.at(-1);
  }

  /** Reads what begins at an index. Returns the index after it. */
  #read(index: number): number {
    const code = this.#text.charCodeAt(index);
    if (SPACES.has(code)) return index + 1;
    if (this.#isElement && !CLOSING.has(code)) this.#enter(this.#level?.element ?? 0, index);
    this.#isElement = false;
    if (code === QUOTE) return this.#readString(index);
    if (OPENING.has(code)) this.#openLevel(code === OPENING_BRACE);
    else if (CLOSING.has(code)) this.#open.pop();
    else if (code === COMMA) this.#nextMember();
    else if (code === COLON) this.#isKey = false;
    return index + 1;
  }

  #readString(index: number): number {
    const end = endOfString(this.#text, index);
    if (this.#isKey) this.#enter(keyAt(this.#text, index, end), index);
    return end + 1;
  }

  #openLevel(isObject: boolean): void {
    const level = this.#level;
    const wanted = level === undefined ? this.#root : level.member;
    this.#open.push({ isObject, wanted, element: 0, member: undefined });
    this.#isKey = isObject;
    this.#isElement = !isObject;
  }

  #nextMember(): void {
    const level = this.#level;
    if (level === undefined) return;
    this.#isKey = level.isObject;
    this.#isElement = !level.isObject;
    level.element += 1;
  }

  /** Moves to a member. A repeated key counts where it is last. */
  #enter(key: PropertyKey, index: number): void {
    const level = this.#level;
    if (level === undefined) return;
    level.member = level.wanted?.members.get(key);
    if (level.member !== undefined) level.member.index = index;
  }
}

/**
 * Returns for each path the index of its key or element in a JSON text, or of the nearest one around it. `text` must be valid JSON. Runs in
 * linear time.
 */
export function findJsonPositions(text: string, paths: readonly (readonly PropertyKey[])[]): readonly number[] {
  const root = treeOf(paths);
  new PositionScan(text, root).run();
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
