import { Lexer } from 'yaml';

const DEPTH_MAX = 64;
const INDENT_MAX = 256;
const TOKENS_MAX = 100_000;
const BLANK = /^[ \t]+$/;
/** YAML 1.2.2 section 5.7. The last alternative matches an invalid escape. */
const ESCAPE = /\\(?:[0abtnvfreNLP_ "/\\\t\r\n]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|(?<bad>.|$))/gs;

const hasBadEscape = (token: string): boolean => {
  for (const { groups } of token.matchAll(ESCAPE)) if (groups?.['bad'] !== undefined) return true;
  return false;
};

/** Nesting depth at a token. Brackets count across lines, block indicators within a line. */
class Nesting {
  #brackets = 0;
  #indicators = 0;
  #isLineStart = true;

  /** Adds a token and returns whether the nesting is too deep. */
  isTooDeepWith(token: string): boolean {
    if (token === '\n' || token === '\r\n') {
      this.#isLineStart = true;
      this.#indicators = 0;
      return false;
    }
    const isIndent = this.#isLineStart && BLANK.test(token);
    this.#isLineStart = false;
    if (isIndent) return token.length > INDENT_MAX;
    if (token === '[' || token === '{') this.#brackets += 1;
    else if (token === ']' || token === '}') this.#brackets = Math.max(0, this.#brackets - 1);
    else if (this.#brackets === 0 && (token === '-' || token === '?' || token === ':')) this.#indicators += 1;
    return this.#brackets > DEPTH_MAX || this.#indicators > DEPTH_MAX;
  }
}

/**
 * Returns why a YAML document must not be parsed, or undefined. The parser recurses until the process ends and creates an error object
 * for every violation; the lexer does neither.
 */
export function findYamlLimitProblem(text: string): string | undefined {
  const nesting = new Nesting();
  let count = 0;
  for (const token of new Lexer().lex(text)) {
    count += 1;
    if (count > TOKENS_MAX) return `must not hold more than ${TOKENS_MAX} tokens of YAML; send several requests`;
    if (nesting.isTooDeepWith(token)) return 'is nested too deep';
    if (token.startsWith('"') && hasBadEscape(token))
      return 'is not valid YAML: a string in double quotes has an unknown escape sequence';
  }
  return undefined;
}
