/** Ranks of a match: the whole name, its beginning, the beginning of one of its words, anywhere. */
const RANKS = 4;
const WORD_BREAK = /[^a-z0-9]/;

/** Finds names by their beginning, ignoring case. Names keep their order within a rank. */
export class NameIndex {
  readonly #names: readonly CatalogName[];
  readonly #keys: readonly string[];

  constructor(names: readonly CatalogName[]) {
    this.#names = names;
    this.#keys = names.map(({ name }) => name.toLowerCase());
  }

  get names(): readonly CatalogName[] {
    return this.#names;
  }

  find(prefix: string, limit: number): readonly CatalogName[] {
    if (prefix === '') return this.#names.slice(0, limit);
    const typed = prefix.toLowerCase();
    const ranks: CatalogName[][] = Array.from({ length: RANKS }, () => []);
    for (let index = 0; index < this.#keys.length; index += 1) {
      const rank = rankOf(this.#keys[index] ?? '', typed);
      const found = rank === undefined ? undefined : ranks[rank];
      if (found !== undefined && found.length < limit) found.push(this.#names[index] as CatalogName);
    }
    return ranks.flat().slice(0, limit);
  }

  /** Returns the name as the engine writes it: the same, or else one that differs only in case. */
  resolve(name: string): CatalogName | undefined {
    const key = name.toLowerCase();
    const exact = this.#names.find((each) => each.name === name);
    return exact ?? this.#names[this.#keys.indexOf(key)];
  }
}

function rankOf(key: string, typed: string): number | undefined {
  const at = key.indexOf(typed);
  if (at === -1) return undefined;
  if (at === 0) return key.length === typed.length ? 0 : 1;
  for (let next = at; next !== -1; next = key.indexOf(typed, next + 1))
    if (WORD_BREAK.test(key.charAt(next - 1))) return 2;
  return 3;
}

/** A name of the catalog. */
export interface CatalogName {
  readonly name: string;
  readonly kind: 'catalog' | 'schema' | 'table' | 'view' | 'column';
  /** Type of a column; null for other names. */
  readonly detail: string | null;
  readonly description: string | null;
  /** Catalog, schema and table that the name is in. */
  readonly path: readonly string[];
  /** Tables below a catalog or schema. */
  readonly tableCount?: number | undefined;
  /** Database product of a catalog. */
  readonly vendorName?: string | undefined;
}
