export const DEPTH_MAX = 64;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SPACE = 0x20;
const COMMA = 0x2c;
const COLON = 0x3a;

/** Why a JSON text is not parsed. */
type JsonExcess = 'depth' | 'values' | 'members';

interface ScanLimits {
  /** Maximum number of members of objects and elements of arrays. */
  readonly valuesMax: number;
  /** Maximum number of members of objects among them. */
  readonly membersMax: number;
}

/** Returns the index after the string whose first character is at `start`, or the length of a text that ends in it. */
function endOfString(bytes: Uint8Array, start: number): number {
  let index = start;
  while (index < bytes.length && bytes[index] !== QUOTE) index += bytes[index] === BACKSLASH ? 2 : 1;
  return index + 1;
}

/**
 * Counts the members of objects and elements of arrays of a JSON text. Returns an excess instead for nesting deeper than 64 levels, or for
 * more values or members than the limits, whichever comes first. It reads bytes and allocates nothing, because a megabyte of small values costs a
 * hundred times as much to parse as to send.
 */
export function scanJson(bytes: Uint8Array, limits: ScanLimits): JsonExcess | number {
  let members = 0;
  let depth = 0;
  let values = 0;
  let isFirst = false;
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index] ?? SPACE;
    if (byte <= SPACE) continue;
    // Brackets and braces differ in bit 5 only: 5b and 7b open, 5d and 7d close.
    const bracket = byte | SPACE;
    const closes = bracket === 0x7d;
    // The first token after an opening bracket begins a value, unless it is the closing one.
    if (byte === COMMA || (isFirst && !closes)) values++;
    isFirst = bracket === 0x7b;
    if (isFirst) depth++;
    else if (closes) depth--;
    else if (byte === COLON) members++;
    else if (byte === QUOTE) index = endOfString(bytes, index + 1) - 1;
    const excess = excessOf({ depth, values, members }, limits);
    if (excess !== undefined) return excess;
  }
  return values;
}

interface JsonCounts {
  readonly depth: number;
  readonly values: number;
  readonly members: number;
}

function excessOf(
  { depth, values, members }: JsonCounts,
  { valuesMax, membersMax }: ScanLimits,
): JsonExcess | undefined {
  if (depth > DEPTH_MAX) return 'depth';
  if (values > valuesMax) return 'values';
  return members > membersMax ? 'members' : undefined;
}
