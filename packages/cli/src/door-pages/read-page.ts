/** A page of Trino's protocol. */
export interface TrinoPage {
  /** Undefined: this is the last page. */
  readonly nextUri: string | undefined;
  /** Why the statement failed, if it did. */
  readonly failure: string | undefined;
  /** Text of each row, as it was sent. */
  readonly rows: readonly string[];
}

/** Name of the member with the rows. They are not parsed: numbers that a double cannot hold would become others. */
const ROWS = '"data":';

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const OPENING: ReadonlySet<number> = new Set([...'[{'].map((bracket) => bracket.charCodeAt(0)));
const CLOSING: ReadonlySet<number> = new Set([...']}'].map((bracket) => bracket.charCodeAt(0)));

/**
 * Reads a page.
 * @throws SyntaxError for a text that is not one
 */
export function readPage(text: string): TrinoPage {
  const members = elementsOf(text, 0);
  const rows = members.find((member) => member.startsWith(ROWS));
  const facts: unknown = JSON.parse(`{${members.filter((member) => member !== rows).join(',')}}`);
  return {
    nextUri: textOf(facts, 'nextUri'),
    failure: textOf(memberOf(facts, 'error'), 'message'),
    rows: rows === undefined ? [] : elementsOf(rows, ROWS.length),
  };
}

/** Returns the texts of the elements of the list, or of the members of the object, that begins at an index. */
function elementsOf(text: string, begin: number): readonly string[] {
  const elements: string[] = [];
  let depth = 0;
  let start = begin + 1;
  for (let at = begin; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = closingQuote(text, at);
    else if (OPENING.has(code)) depth += 1;
    else if (code === COMMA && depth === 1) {
      elements.push(text.slice(start, at).trim());
      start = at + 1;
    } else if (CLOSING.has(code)) {
      depth -= 1;
      if (depth > 0) continue;
      const last = text.slice(start, at).trim();
      return last === '' ? elements : [...elements, last];
    }
  }
  throw new SyntaxError('The page ends in its middle.');
}

/** Returns the index of the quote that ends the string that begins at an index; beyond the end of the text if there is none. */
function closingQuote(text: string, begin: number): number {
  let at = begin + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}

function textOf(value: unknown, name: string): string | undefined {
  const member = memberOf(value, name);
  return typeof member === 'string' ? member : undefined;
}
