import { Lexer } from 'yaml';

const DEPTH_MAX = 64;
const INDENT_MAX = 256;
const TOKENS_MAX = 100_000;
const BLANK = /^[ \t]+$/;
/** YAML 1.2.2 section 5.7. The last alternative is what is none. */
const ESCAPE = /\\(?:[0abtnvfreNLP_ "/\\\t\r\n]|x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|(?<bad>.|$))/gs;

const hasBadEscape = (token: string): boolean => {
  for (const { groups } of token.matchAll(ESCAPE)) if (groups?.['bad'] !== undefined) return true;
  return false;
};

/** How deep what one line opens lies: brackets add up over lines, indicators of blocks within one. */
class Nesting {
  #brackets = 0;
  #indicators = 0;
  #isLineStart = true;

  /** Whether it is too deep with this token. */
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
 * What is wrong with a YAML text that must not reach the parser, which recurses into depth until the process ends and makes an error
 * object of every mistake; undefined: it may. The lexer does neither.
 */
export function findYamlLimitProblem(text: string): string | undefined {
  const nesting = new Nesting();
  let count = 0;
  for (const token of new Lexer().lex(text)) {
    count += 1;
    if (count > TOKENS_MAX) return `must not hold more than ${TOKENS_MAX} tokens of YAML; send several requests`;
    if (nesting.isTooDeepWith(token)) return 'is nested too deep';
    if (token.startsWith('"') && hasBadEscape(token))
      return 'is not valid YAML: a text has an escape that there is not';
  }
  return undefined;
}
