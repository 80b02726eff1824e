import { TrinoError } from '../trino-error.ts';

const SPECIAL = '%_';

/** Returns a test of LIKE: `%` for any characters, `_` for one, and each after the escape character for itself. Throws INVALID_FUNCTION_ARGUMENT. */
export function likePattern(pattern: string, escapeWith: string | undefined): (text: string) => boolean {
  if (escapeWith !== undefined && [...escapeWith].length !== 1)
    throw new TrinoError('INVALID_FUNCTION_ARGUMENT', 'Escape string must be a single character');
  const parts = partsOf(pattern, escapeWith);
  return (text) => matches([...text], parts);
}

/** A part is a character, or `any` or `one` of `%` and `_`. */
type Part = { readonly character: string } | 'any' | 'one';

function partsOf(pattern: string, escapeWith: string | undefined): readonly Part[] {
  const parts: Part[] = [];
  let isEscaped = false;
  for (const character of pattern) {
    if (isEscaped && !SPECIAL.includes(character) && character !== escapeWith) throw escapeProblem();
    if (!isEscaped && character === escapeWith) {
      isEscaped = true;
      continue;
    }
    if (isEscaped || !SPECIAL.includes(character)) parts.push({ character });
    else parts.push(character === '%' ? 'any' : 'one');
    isEscaped = false;
  }
  if (isEscaped) throw escapeProblem();
  return parts;
}

const escapeProblem = (): TrinoError =>
  new TrinoError(
    'INVALID_FUNCTION_ARGUMENT',
    "Escape character must be followed by '%', '_' or the escape character itself",
  );

/** Goes back to the last `%` only, which takes at most the product of both lengths. */
function matches(text: readonly string[], parts: readonly Part[]): boolean {
  let [at, part, anyPart, anyAt] = [0, 0, -1, 0];
  while (at < text.length) {
    const next = parts[part];
    if (next === 'any') {
      anyPart = part;
      anyAt = at;
      part += 1;
    } else if (next === 'one' || (next !== undefined && next.character === text[at])) {
      at += 1;
      part += 1;
    } else if (anyPart >= 0) {
      anyAt += 1;
      at = anyAt;
      part = anyPart + 1;
    } else return false;
  }
  return parts.slice(part).every((rest) => rest === 'any');
}
