import { endOfString, keyAt } from './json-string.ts';

/** Object or array around the current position of the scan. `keys` is undefined for an array. */
interface Level {
  readonly keys: Set<string> | undefined;
  /** Key or index of the current member. */
  member: string | number;
}

const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const QUOTE = 0x22;
const COLON = 0x3a;
const COMMA = 0x2c;

/**
 * Finds the paths of repeated keys of objects, at most `max`. `JSON.parse` keeps the last value and other parsers keep the first
 * (RFC 8259 section 4), so a proxy and this host could see different requests. `text` must be valid JSON. Runs in linear time.
 */
export function findRepeatedKeys(text: string, max: number): readonly (readonly PropertyKey[])[] {
  const found: PropertyKey[][] = [];
  const open: Level[] = [];
  let level: Level | undefined;
  let isKey = false;
  for (let index = 0; index < text.length && found.length < max; index += 1) {
    switch (text.charCodeAt(index)) {
      case OPENING_BRACE:
      case OPENING_BRACKET:
        isKey = text.charCodeAt(index) === OPENING_BRACE;
        level = { keys: isKey ? new Set() : undefined, member: 0 };
        open.push(level);
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        open.pop();
        level = open.at(-1);
        break;
      case COLON:
        isKey = false;
        break;
      case COMMA:
        isKey = level?.keys !== undefined;
        if (typeof level?.member === 'number') level.member += 1;
        break;
      case QUOTE: {
        const end = endOfString(text, index);
        if (isKey && level?.keys !== undefined) {
          level.member = keyAt(text, index, end);
          if (level.keys.has(level.member)) found.push(open.map(({ member }) => member));
          level.keys.add(level.member);
        }
        index = end;
      }
    }
  }
  return found;
}
