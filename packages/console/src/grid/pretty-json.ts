const INDENT = '  ';
const STRING = /"(?:[^"\\]|\\.)*"?/y;
const LITERAL = /[^\s[\]{},:"]+/y;

/** A piece of JSON and how it changes the lines around it. */
interface Piece {
  readonly text: string;
  readonly kind: 'open' | 'close' | 'comma' | 'colon' | 'value' | 'space';
}

const KINDS: Readonly<Record<string, Piece['kind']>> = {
  '{': 'open',
  '[': 'open',
  '}': 'close',
  ']': 'close',
  ',': 'comma',
  ':': 'colon',
};

/** Returns the piece that begins at an index; at least one character. */
function pieceAt(json: string, index: number): Piece {
  const character = json[index] as string;
  const [empty] = /^(?:\{\s*\}|\[\s*\])/.exec(json.slice(index, index + 64)) ?? [];
  if (empty !== undefined) return { text: empty, kind: 'value' };
  const kind = KINDS[character];
  if (kind !== undefined) return { text: character, kind };
  if (/\s/.test(character)) return { text: character, kind: 'space' };
  const pattern = character === '"' ? STRING : LITERAL;
  pattern.lastIndex = index;
  return { text: pattern.exec(json)?.[0] || character, kind: 'value' };
}

/**
 * Returns JSON with a line for each element, and every number and string exactly as it is: JSON.parse would round. Stops after `max`
 * characters, so that a value of 100 MB is shown as fast as any other.
 */
export function prettyJson(json: string, max: number): string {
  const parts: string[] = [];
  let [length, depth, index] = [0, 0, 0];
  const add = (text: string) => {
    parts.push(text);
    length += text.length;
  };
  const newLine = () => add(`\n${INDENT.repeat(Math.max(0, depth))}`);
  while (index < json.length && length < max) {
    const { text, kind } = pieceAt(json, index);
    index += text.length;
    if (kind === 'open') depth += 1;
    if (kind === 'close') {
      depth -= 1;
      newLine();
    }
    if (kind !== 'space') add(kind === 'value' ? text.replace(/^([[{])\s+([\]}])$/, '$1$2') : text);
    if (kind === 'open' || kind === 'comma') newLine();
    if (kind === 'colon') add(' ');
  }
  return parts.join('').slice(0, max);
}
