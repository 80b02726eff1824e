/** Escapes, quotes, and numbers that JSON does not have. */
const TOKENS = /\\.|"|\bInfinity\b|\bNaN\b/gs;

/**
 * Parses the text of DuckDB's tree. It is JSON, except that a number which exceeds a double, such as `1e309`, is the word `Infinity`
 * outside of strings. JSON.parse reads `1e999` as that value.
 */
export function parseTree(text: string): unknown {
  if (!text.includes('Infinity') && !text.includes('NaN')) return JSON.parse(text);
  let isInString = false;
  const json = text.replace(TOKENS, (token) => {
    if (token === '"') isInString = !isInString;
    if (isInString || token === '"') return token;
    return token === 'NaN' ? 'null' : '1e999';
  });
  return JSON.parse(json);
}
