import { lowerAscii } from '../sql-text.ts';

/**
 * Names of the visible common table expressions; in DuckDB only what follows a name can see it. Each WITH has its own scope
 * inside the surrounding one: copying the names for each of its queries would take quadratic time.
 */
export class CommonTableScope {
  readonly #outer: CommonTableScope | undefined;
  readonly #names = new Set<string>();

  constructor(outer?: CommonTableScope) {
    this.#outer = outer;
  }

  add(name: string): void {
    this.#names.add(lowerAscii(name));
  }

  has(name: string): boolean {
    return this.#names.has(lowerAscii(name)) || this.#outer?.has(name) === true;
  }
}
