import type { Column } from '../contract-types.ts';

/** A row by position: the JSON text of each value as the host sent it, with all its digits. */
export type RowText = readonly string[];

interface SplitRow {
  readonly row: string[];
  /** Index behind the row. */
  readonly end: number;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

const failAt = (text: string, index: number): never => {
  throw new SyntaxError(`A row is not JSON near ${JSON.stringify(text.slice(index, index + 20))}.`);
};

/** Returns the index behind the string that begins at `start`. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return end + 1;
  }
  return failAt(text, start);
}

/** Returns the index behind the list or object that begins at `start`. */
function endOfNested(text: string, start: number): number {
  let depth = 0;
  for (let index = start; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === QUOTE) index = endOfString(text, index) - 1;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) depth += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) {
      depth -= 1;
      if (depth === 0) return index + 1;
    }
  }
  return failAt(text, start);
}

function endOfLiteral(text: string, start: number): number {
  let index = start;
  for (let code = text.charCodeAt(index); code !== COMMA && code !== CLOSE_OBJECT; code = text.charCodeAt(index)) {
    if (index >= text.length) failAt(text, start);
    index += 1;
  }
  return index === start ? failAt(text, start) : index;
}

function endOfValue(text: string, start: number): number {
  const code = text.charCodeAt(start);
  if (code === QUOTE) return endOfString(text, start);
  return code === OPEN_OBJECT || code === OPEN_LIST ? endOfNested(text, start) : endOfLiteral(text, start);
}

/**
 * Returns a function that splits the object at an index into the JSON of its values. The host sends the members in the order of the
 * columns, with the names as JSON.stringify writes them.
 * @throws SyntaxError if the text has another form
 */
export function createRowSplitter(columns: readonly Column[]): (text: string, start: number) => SplitRow {
  const names = columns.map(({ name }, index) => `${index === 0 ? '{' : ','}${JSON.stringify(name)}:`);
  return (text, start) => {
    const row = new Array<string>(names.length);
    let index = start + (names.length === 0 ? 1 : 0);
    for (let column = 0; column < names.length; column += 1) {
      const name = names[column] as string;
      if (!text.startsWith(name, index)) failAt(text, index);
      const valueStart = index + name.length;
      index = endOfValue(text, valueStart);
      row[column] = text.slice(valueStart, index);
    }
    if (text.charCodeAt(index) !== CLOSE_OBJECT) failAt(text, index);
    return { row, end: index + 1 };
  };
}
