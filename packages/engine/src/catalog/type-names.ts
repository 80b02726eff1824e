import { asProblem, type Column, PROBLEMS, type ProblemError } from '@sluice/contract';
import type { CatalogListing, ListedColumn } from './catalog-listing.ts';

/** More different types than any honest catalog has; beyond them the engine is asked again. */
const NAMES_MAX = 10_000;
/** What a type is called that the engine lists and cannot read: the widest there is. */
const UNREADABLE = 'varchar';

/** The names that results have for the types of a catalog. The engine is asked once for each that its own words do not tell. */
export class TypeNames {
  readonly #listing: CatalogListing;
  readonly #describe: (sql: string) => Promise<readonly Column[]>;
  readonly #names = new Map<string, string>();

  constructor(listing: CatalogListing, describe: (sql: string) => Promise<readonly Column[]>) {
    this.#listing = listing;
    this.#describe = describe;
  }

  /** The name that is known already; most columns need no turn of the event loop. */
  known(type: string): string | undefined {
    return this.#listing.typeName(type) ?? this.#names.get(type);
  }

  /** Throws what hinders the engine itself; a type that it cannot name is the widest there is. */
  async of(column: ListedColumn): Promise<string> {
    let failure: ProblemError | undefined;
    for (const sql of this.#listing.typeSql(column)) {
      try {
        const [described] = await this.#describe(sql);
        if (described === undefined) continue;
        if (this.#names.size < NAMES_MAX) this.#names.set(column.type, described.type);
        return described.type;
      } catch (thrown) {
        failure = asProblem(thrown); // a view over what is gone, or a type that only its own table can name
      }
    }
    if (failure !== undefined && isOfEngine(failure)) throw failure;
    return UNREADABLE;
  }
}

/** It says nothing of the type, and the next question may be answered. */
const isOfEngine = ({ code }: ProblemError): boolean => PROBLEMS[code].retryable || PROBLEMS[code].status >= 500;
