import type { Column } from '@sluice/contract';
import { asProblem, PROBLEMS, type ProblemError } from '@sluice/contract/problems';
import type { CatalogListing, ListedColumn } from './catalog-listing.ts';

/** More different types than a real catalog has. Beyond it, the engine is asked again. */
const NAMES_MAX = 10_000;
/** Name of a type that the engine lists but cannot read: the widest type. */
const UNREADABLE = 'varchar';

/** Names of a catalog's types as results use them. The engine is asked once for each type whose own text is not enough. */
export class TypeNames {
  readonly #listing: CatalogListing;
  readonly #describe: (sql: string) => Promise<readonly Column[]>;
  readonly #names = new Map<string, string>();

  constructor(listing: CatalogListing, describe: (sql: string) => Promise<readonly Column[]>) {
    this.#listing = listing;
    this.#describe = describe;
  }

  /** Returns the name if it is known; for most columns no turn of the event loop is needed. */
  known(type: string): string | undefined {
    return this.#listing.typeName(type) ?? this.#names.get(type);
  }

  /** Throws failures of the engine itself. A type that the engine cannot name gets the widest type. */
  async of(column: ListedColumn): Promise<string> {
    let failure: ProblemError | undefined;
    for (const sql of this.#listing.typeSql(column)) {
      try {
        const [described] = await this.#describe(sql);
        if (described === undefined) continue;
        if (this.#names.size < NAMES_MAX) this.#names.set(column.type, described.type);
        return described.type;
      } catch (thrown) {
        failure = asProblem(thrown); // a view over an object that no longer exists, or a type that only its own table can name
      }
    }
    if (failure !== undefined && isEngineFailure(failure)) throw failure;
    return UNREADABLE;
  }
}

/** Returns whether a failure says nothing about the type, so that the next attempt may succeed. */
const isEngineFailure = ({ code }: ProblemError): boolean => PROBLEMS[code].retryable || PROBLEMS[code].status >= 500;
